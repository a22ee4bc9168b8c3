"""Customers at the service desk: who calls, and how the relationship stands."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import whole_years
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.distractors.financial._banking import (
    CustomerId,
    FullName,
    State,
    balance_of,
    check_not_after,
    day_of,
    known_customer,
    open_accounts,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Band = Literal["a", "b", "c", "d"]

_ITEMS_TO_PASS = {"balance": 2, "card_lost": 2, "address_change": 4, "new_limit": 3}


class CallerIdentity(Result):
    """What agreed with the master data, and what the desk may do with the call."""

    identity_status: Literal["passed", "failed"]
    matched_items: list[str]
    items_needed: int
    next_action: Literal["serve_call", "ask_more", "call_back"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def verify_caller_identity(
    bank: Bank,
    customer_id: CustomerId,
    full_name: FullName,
    date_of_birth: date,
    call_reason: Literal["balance", "card_lost", "address_change", "new_limit"],
    phone_last4: Annotated[str, Meta(pattern="^[0-9]{4}$", max_length=4)] | None = None,
    city: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
    state: State | None = None,
) -> CallerIdentity:
    """Compare what a caller says with the bank's master data, so that the telephone desk may talk to the caller. It
    looks at no document, asks no registry, and no application can rest on it.

    Args:
        customer_id: The customer the caller says to be.
        full_name: Name as the caller says it.
        date_of_birth: Birth date as the caller says it.
        call_reason: What the call is about; 2 to 4 items must agree.
        phone_last4: Last four digits of the number the call comes from.
        city: City as the caller says it.
        state: State as the caller says it, two letters.
    """
    row = known_customer(bank, customer_id)
    stored = {
        "full_name": normalise_text(str(row.get("full_name", ""))) == normalise_text(full_name),
        "date_of_birth": day_of(row.get("date_of_birth")) == date_of_birth,
        "phone": phone_last4 is not None and str(row.get("phone", ""))[-4:] == phone_last4,
        "city": city is not None and normalise_text(str(row.get("city", ""))) == normalise_text(city),
        "state": state is not None and row.get("state") == state,
    }
    matched, needed = [name for name, agrees in stored.items() if agrees], _ITEMS_TO_PASS[call_reason]
    passed = stored["full_name"] and len(matched) >= needed
    more: Literal["ask_more", "call_back"] = "ask_more" if stored["full_name"] else "call_back"
    return CallerIdentity(
        identity_status="passed" if passed else "failed",
        matched_items=matched,
        items_needed=needed,
        next_action="serve_call" if passed else more,
    )


class RelationshipSnapshot(Result):
    """A band of the bank's own customers, ``a`` for the closest; accounts are open ones."""

    score_band: Band
    main_factor: Literal["short_relationship", "few_accounts", "small_deposits", "none"]
    loan_accounts: int
    deposit_accounts: int
    relationship_years: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def get_credit_snapshot(
    bank: Bank,
    customer_id: CustomerId,
    consent_date: date,
    snapshot_purpose: Literal["marketing", "service", "limit_review"],
    large_deposits_from: Annotated[float, Meta(ge=100, le=1_000_000, extra={"unit": "usd"})] = 10_000,
) -> RelationshipSnapshot:
    """Get a band for a customer out of the accounts that the customer has with this bank, as marketing uses it. No
    bureau is asked: it is neither a credit report nor an inquiry, and has no score, tradelines or alerts.

    Args:
        customer_id: The customer.
        consent_date: Day on which the customer agreed to marketing, not after today.
        snapshot_purpose: What it is for; a limit review counts loans, too.
        large_deposits_from: Deposits in dollars from which they count as large.
    """
    row = known_customer(bank, customer_id)
    check_not_after("consent_date", consent_date, bank.today)
    accounts = list(open_accounts(bank, [customer_id]).values())
    loans = [account for account in accounts if account.get("kind") == "loan"]
    deposits = [account for account in accounts if account.get("kind") != "loan"]
    since = day_of(row.get("customer_since"))
    years = whole_years(since, bank.today) if since is not None and since <= bank.today else 0
    counted = len(accounts) if snapshot_purpose == "limit_review" else len(deposits)
    large = sum(map(balance_of, deposits)) >= round(large_deposits_from * 100)
    bands: tuple[Band, ...] = ("d", "c", "b", "a")
    band = bands[(years >= 3) + (counted >= 2) + large]
    factor: Literal["short_relationship", "few_accounts", "small_deposits", "none"] = "none"
    if years < 3:
        factor = "short_relationship"
    elif counted < 2 or not large:
        factor = "few_accounts" if counted < 2 else "small_deposits"
    return RelationshipSnapshot(
        score_band=band,
        main_factor=factor,
        loan_accounts=len(loans),
        deposit_accounts=len(deposits),
        relationship_years=years,
    )
