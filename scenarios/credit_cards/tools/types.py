"""Argument types shared by several card tools."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

RequestId = Annotated[str, Meta(pattern="^CC-[0-9]{6}$")]
CardAccountId = Annotated[str, Meta(pattern="^KA-[0-9]{6}$")]
CardId = Annotated[str, Meta(pattern="^KC-[0-9]{6}$")]
LineId = Annotated[str, Meta(pattern="^TX-[0-9]{6}$")]
ReportId = Annotated[str, Meta(pattern="^RP-[0-9]{6}$")]
DecisionId = Annotated[str, Meta(pattern="^DC-[0-9]{6}$")]
Cycles = Annotated[int, Meta(ge=1, le=24)]
ReasonCode = Annotated[str, Meta(pattern="^[0-9]{2}[.][0-9]$")]
LetterCode = Annotated[str, Meta(pattern="^[A-Z]{2}-[0-9]{2}$")]

Kind = Literal["new_card", "limit_increase", "charge_dispute", "lost_card", "interest_review"]
Product = Literal["classic", "gold", "student"]
Decision = Literal["approve", "partial", "deny", "incomplete", "refer"]
Delivery = Literal["mail", "email", "branch_pickup"]
Track = Literal["billing_error", "claim_and_defense", "unauthorized_use"]
Basis = Literal["full", "carried", "none"]
LineType = Literal["purchase", "cash_advance", "payment", "credit", "interest", "late_fee", "fee_reversal"]
Document = Literal["application_form", "income_proof", "credit_consent", "pay_stub", "reference_letter"]
Complaint = Literal["not_delivered", "wrong_amount", "charged_twice", "credit_missing", "not_mine", "faulty"]
Reason = Literal[
    "none",
    "identity_not_verified",
    "watch_list_match",
    "document_missing",
    "account_too_new",
    "recent_increase",
    "late_payment",
    "over_limit",
    "fraud_alert",
    "delinquent_past_obligations",
    "insufficient_credit_history",
    "high_revolving_balances",
    "too_many_recent_inquiries",
    "income_insufficient",
    "excessive_obligations",
    "limit_by_policy",
    "written_notice_missing",
    "already_credited",
    "no_error_found",
    "notice_too_late",
    "claim_too_small",
    "merchant_too_far",
    "no_attempt_to_settle",
    "paid_off",
    "partly_paid_off",
    "card_lent",
    "no_unauthorized_use",
    "cardholder_liability",
    "charges_due",
    "charges_partly_due",
    "above_authority",
]
