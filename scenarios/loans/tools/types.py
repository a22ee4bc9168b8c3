"""Argument types that several loan tools share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

ApplicationId = Annotated[str, Meta(pattern="^LA-[0-9]{6}$")]
CollateralId = Annotated[str, Meta(pattern="^CO-[0-9]{6}$")]
TradelineId = Annotated[str, Meta(pattern="^TL-[0-9]{6}$")]
ReportId = Annotated[str, Meta(pattern="^CR-[0-9]{6}$")]
EmploymentId = Annotated[str, Meta(pattern="^EM-[0-9]{6}$")]
QuoteId = Annotated[str, Meta(pattern="^QU-[0-9]{6}$")]
DecisionId = Annotated[str, Meta(pattern="^DE-[0-9]{6}$")]
PolicyNumber = Annotated[str, Meta(pattern="^PN-[0-9]{6}$")]
Months = Annotated[int, Meta(ge=1, le=480)]
Score = Annotated[int, Meta(ge=300, le=850)]
ScoreOrZero = Annotated[int, Meta(ge=0, le=850)]
Hours = Annotated[float, Meta(ge=0, le=80, extra={"unit": "hours"})]

Product = Literal["home", "auto", "personal"]
Purpose = Literal["purchase", "refinance", "debt_consolidation", "other"]
PropertyUse = Literal["primary", "second_home"]
Document = Literal[
    "application_form",
    "government_id",
    "income_proof",
    "credit_consent",
    "purchase_contract",
    "appraisal_report",
    "insurance_policy",
    "vehicle_invoice",
]
Checklist = Annotated[str, Meta(pattern="^[A-Z]{2}-[0-9]{2}$")]
Portfolio = Annotated[str, Meta(pattern="^[A-Z]{3}-[0-9]{2}$")]
EmploymentType = Literal["employed", "self_employed", "retired"]
PayType = Literal["hourly", "weekly", "biweekly", "semimonthly", "salaried", "self_employed", "pension"]
AlertType = Literal["none", "initial", "extended", "active_duty"]
CollateralType = Literal["house", "condominium", "new_vehicle", "used_vehicle"]
Decision = Literal["approve", "counter_offer", "deny", "incomplete", "refer"]
Delivery = Literal["mail", "email", "branch_pickup"]
Reason = Literal[
    "none",
    "amount_below_minimum",
    "amount_above_maximum",
    "term_not_offered",
    "document_missing",
    "document_expired",
    "appraisal_expired",
    "insurance_insufficient",
    "identity_not_verified",
    "sanctions_match",
    "pep_match",
    "enforcement_match",
    "employment_not_verified",
    "collateral_insufficient",
    "vehicle_too_old",
    "excessive_obligations",
    "payment_to_income_high",
    "delinquent_past_obligations",
    "insufficient_credit_history",
    "high_revolving_balances",
    "too_many_recent_inquiries",
]
