"""Argument types that several tools of the brokerage desk share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

RequestId = Annotated[str, Meta(pattern="^IR-[0-9]{6}$")]
DecisionId = Annotated[str, Meta(pattern="^DE-[0-9]{6}$")]
QuestionnaireId = Annotated[str, Meta(pattern="^QN-[0-9]{6}$")]
LotId = Annotated[str, Meta(pattern="^LT-[0-9]{6}$")]
LotSale = Annotated[str, Meta(pattern="^LT-[0-9]{6}:[1-9][0-9]{0,6}$")]
"""A lot and the number of its shares to sell, such as ``LT-204817:40``."""
Symbol = Annotated[str, Meta(pattern="^[A-Z]{3,5}$")]
Shares = Annotated[int, Meta(ge=0, le=10_000_000)]
Points = Annotated[int, Meta(ge=0, le=20)]
SignedMoney = Annotated[float, Meta(ge=-100_000_000, le=100_000_000, extra={"unit": "usd"})]
"""Amount in US dollars with at most two decimals; a loss is negative."""
ClearingNumber = Annotated[str, Meta(pattern="^[0-9]{4}$")]
TaxYear = Annotated[int, Meta(ge=2000, le=2100)]

RequestType = Literal["purchase", "sale", "withdrawal", "transfer", "distribution"]
Authority = Literal["owner", "joint_owner", "full_power", "limited_power", "none"]
AccountType = Literal[
    "individual", "joint", "margin", "traditional_ira", "sep_ira", "roth_ira", "inherited_ira", "custodial"
]
ProductKind = Literal["money_market", "bond_fund", "index_fund", "stock", "sector_fund", "leveraged_fund"]
ProfileName = Literal["conservative", "balanced", "growth"]
LotMethod = Literal["fifo", "lifo", "highest_cost"]
PaymentMethod = Literal["wire", "ach", "check"]
Delivery = Literal["mail", "email", "secure_message"]
Desk = Literal["branch", "principal", "compliance"]
Decision = Literal["proceed", "adjust", "refuse", "refer"]
Reason = Literal[
    "none",
    "identity_not_verified",
    "sanctions_match",
    "pep_match",
    "enforcement_match",
    "account_restricted",
    "no_authority",
    "questionnaire_expired",
    "unsuitable_product",
    "concentration_limit",
    "insufficient_cash",
    "lots_unavailable",
    "margin_deficiency",
    "margin_limit",
    "registration_mismatch",
    "assets_not_transferable",
    "required_minimum",
]
