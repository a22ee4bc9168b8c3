"""Argument types shared by several savings tools."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

RequestId = Annotated[str, Meta(pattern="^SV-[0-9]{6}$")]
InterestId = Annotated[str, Meta(pattern="^IN-[0-9]{6}$")]
DecisionId = Annotated[str, Meta(pattern="^DC-[0-9]{6}$")]
Month = Annotated[str, Meta(pattern="^20[0-9]{2}-(0[1-9]|1[0-2])$")]
FileCode = Annotated[str, Meta(pattern="^[A-Z]{2}-[0-9]{2}$")]
Term = Literal[6, 12, 18, 24, 36, 48, 60]
AnchorDay = Annotated[int, Meta(ge=1, le=31)]
Count = Annotated[int, Meta(ge=0, le=24)]
ChargeDays = Annotated[int, Meta(ge=0, le=1000)]

Kind = Literal["withdrawal", "maturity", "bonus_interest", "custodial_payout", "coverage_review"]
Channel = Literal["branch", "phone", "online", "mail"]
Product = Literal["fixed_term", "growth_term", "monthly_term", "bonus_saver", "young_saver"]
Ownership = Literal["single", "sole_proprietor", "joint", "retirement", "trust", "corporation", "custodial"]
Method = Literal["simple", "daily", "monthly"]
DayCount = Literal["actual_365", "actual_360", "thirty_360"]
Waiver = Literal["none", "grace_period", "death", "incapacity"]
Decision = Literal["carry_out", "in_part", "decline", "pend", "refer"]
Desk = Literal["branch", "senior_savings", "compliance"]
Delivery = Literal["mail", "email", "branch_pickup"]
Disposition = Literal["not_screened", "clear", "false_positive", "true_match"]
NoticeType = Literal["confirmation", "partial_confirmation", "denial_notice", "information_request"]
Reason = Literal[
    "none",
    "identity_not_verified",
    "sanctions_match",
    "pep_match",
    "enforcement_match",
    "legal_hold",
    "pledged",
    "document_missing",
    "first_days",
    "grace_period",
    "waived_death",
    "waived_incapacity",
    "charged",
    "grace_over",
    "below_minimum",
    "conditions_missed",
    "months_missed",
    "custodianship_ended",
    "of_age",
    "not_of_age",
    "purpose_not_permitted",
    "yearly_limit",
    "for_beneficiary",
    "limit_exceeded",
]
