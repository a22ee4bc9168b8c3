"""Argument types shared by several account tools."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

RequestId = Annotated[str, Meta(pattern="^SR-[0-9]{6}$")]
ItemId = Annotated[str, Meta(pattern="^IT-[0-9]{6}$")]
DecisionId = Annotated[str, Meta(pattern="^DC-[0-9]{6}$")]
ScheduleClass = Annotated[str, Meta(pattern="^FA-[0-9]{2}$")]
ClockCode = Annotated[str, Meta(pattern="^CK-[0-9]{2}$")]
Reference = Annotated[str, Meta(min_length=1, max_length=12)]

Kind = Literal["open_account", "deposit_review", "transfer_claim", "stop_payment", "dormancy_review", "close_account"]
Channel = Literal["branch", "atm", "online", "phone", "mail"]
HoldReason = Literal["none", "redeposited", "new_account", "repeated_overdraft", "large_deposit"]
ClaimType = Literal["unauthorized", "wrong_amount"]
TransferKind = Literal["pos_debit", "atm_withdrawal", "ach_debit", "wire_transfer", "check"]
Finding = Literal["covered", "not_covered", "late_notice", "authorized"]
Decision = Literal["carry_out", "in_part", "decline", "pend", "refer"]
Desk = Literal["branch", "operations", "senior_operations", "compliance"]
Delivery = Literal["mail", "email", "branch_pickup"]
AuthorityBasis = Literal["owners", "custodian", "former_minor", "agent", "none", "not_checked"]
Disposition = Literal["not_screened", "clear", "false_positive", "true_match"]
Event = Literal["business_date", "received_date", "banking_day", "owner_activity", "report_day", "address_change"]
Unit = Literal["business_days", "calendar_days", "months"]
Direction = Literal["after", "before"]
Roll = Literal["none", "previous"]
Purpose = Literal["action", "final"]
Length = Annotated[int, Meta(ge=0, le=400)]
NoticeType = Literal[
    "account_terms",
    "adverse_action_notice",
    "information_request",
    "availability_statement",
    "hold_notice",
    "return_notice",
    "provisional_credit_notice",
    "denial_notice",
    "stop_confirmation",
    "report_notice",
    "dormancy_warning",
    "closing_confirmation",
]
Reason = Literal[
    "none",
    "legal_hold",
    "owner_deceased",
    "compliance_review",
    "account_closed",
    "identity_not_verified",
    "sanctions_match",
    "pep_match",
    "enforcement_match",
    "account_misuse",
    "age_not_met",
    "address_missing",
    "deposit_below_minimum",
    "not_authorized",
    "endorsement_missing",
    "item_not_payable",
    "redeposited",
    "new_account",
    "repeated_overdraft",
    "large_deposit",
    "not_covered",
    "late_notice",
    "authorized",
    "confirmation_missing",
    "customer_liability",
    "bank_obligation",
    "already_paid",
    "too_late",
    "owner_active",
    "inactive",
    "dormant",
    "letter_due",
    "open_claim",
    "linked_debt",
    "items_pending",
    "address_recent",
    "balance_short",
]
