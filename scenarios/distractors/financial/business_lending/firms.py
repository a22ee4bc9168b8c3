"""Firms: whether their papers agree, and whether a supplier may be given orders."""

from __future__ import annotations

from datetime import date
from difflib import SequenceMatcher
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import whole_years
from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, to_cents
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.distractors.financial._banking import Country, FullName, Share, check_not_after
from teller_gym.scenarios.distractors.financial.business_lending._desk_tables import SupplierList, desk_tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

_REPORTED_FROM = 25
_TWO_SIGNATURES_FROM = 1_000_000


class BusinessIdentity(Result):
    """Whether what was given agrees with itself; ``reported_owners`` have a quarter of the firm or more."""

    identity_status: Literal["consistent", "incomplete", "inconsistent"]
    finding: Literal["none", "paper_expired", "owners_missing", "shares_above_100", "signer_is_no_owner"]
    reported_owners: list[str]
    age_years: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_business_identity(
    bank: Bank,
    legal_name: FullName,
    registration_number: Annotated[str, Meta(pattern="^[0-9]{2}-[0-9]{7}$", max_length=10)],
    country: Country,
    formation_date: date,
    document_type: Literal["articles", "good_standing", "partnership_agreement", "trade_license"],
    document_expiry: date,
    owner_names: Annotated[list[FullName], Meta(min_length=1, max_length=10)],
    owner_percents: Annotated[list[Share], Meta(min_length=1, max_length=10)],
    signer_name: FullName | None = None,
) -> BusinessIdentity:
    """Check whether the papers of a firm that opens a business account agree: number, age, owners and who signs. It is
    for firms alone: no person is verified, no registry is asked and no verification is recorded.

    Args:
        legal_name: Name of the firm.
        registration_number: Its employer number, such as 12-3456789.
        country: Country of registration, two letters.
        formation_date: Day on which it was formed.
        document_type: The paper shown.
        document_expiry: Day on which the paper expires.
        owner_names: Its owners.
        owner_percents: Share of each owner in percent.
        signer_name: Who signs; an owner, unless the paper is a trade license.
    """
    if len(owner_percents) != len(owner_names):
        raise invalid("owner_percents", f"expected a share for each of the {len(owner_names)} owners")
    check_not_after("formation_date", formation_date, bank.today)
    total = sum(map(exact, owner_percents))
    names = {normalise_text(name) for name in owner_names}
    signer_fits = signer_name is None or document_type == "trade_license" or normalise_text(signer_name) in names
    finding: Literal["none", "paper_expired", "owners_missing", "shares_above_100", "signer_is_no_owner"] = "none"
    if total > 100:
        finding = "shares_above_100"
    elif not signer_fits:
        finding = "signer_is_no_owner"
    elif document_expiry < bank.today:
        finding = "paper_expired"
    elif total < 100:
        finding = "owners_missing"
    lacking = finding in ("paper_expired", "owners_missing")
    return BusinessIdentity(
        identity_status="consistent" if finding == "none" else "incomplete" if lacking else "inconsistent",
        finding=finding,
        reported_owners=[
            name for name, part in zip(owner_names, owner_percents, strict=True) if part >= _REPORTED_FROM
        ],
        age_years=whole_years(formation_date, bank.today),
    )


class SupplierScreening(Result):
    """The listed supplier that is most like the name, if any is like it enough."""

    screening_result: Literal["clear", "possible_match", "excluded"]
    list_entry_id: str | None
    entry_name: str | None
    entry_country: str | None
    similarity_percent: int
    signatures_needed: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def screen_supplier(
    bank: Bank,
    supplier_name: FullName,
    country: Country,
    list_scope: Annotated[list[SupplierList], Meta(min_length=1, max_length=3)],
    order_amount: Money,
    minimum_similarity: Annotated[int, Meta(ge=50, le=100)] = 80,
    contract_date: date | None = None,
) -> SupplierScreening:
    """Screen a supplier of the bank's own offices against the purchasing desk's list of firms that get no orders. It
    holds no persons and is no watch list; customers and applicants are not screened with it.

    Args:
        supplier_name: Name of the firm.
        country: Country of the firm, two letters.
        list_scope: Parts of the list to look through.
        order_amount: Amount of the order in dollars; from 1,000,000 on two signatures are needed.
        minimum_similarity: From how many percent a name counts as alike.
        contract_date: Day of the contract; entries made after it are left out.
    """
    wanted = normalise_text(supplier_name)
    best, alike = None, 0
    for entry in desk_tables().excluded_suppliers:
        if entry.list not in list_scope or (contract_date is not None and entry.since > contract_date):
            continue
        share = round(100 * SequenceMatcher(None, wanted, normalise_text(entry.name), autojunk=False).ratio())
        if share > alike:
            best, alike = entry, share
    listed = best if best is not None and alike >= minimum_similarity else None
    excluded = listed is not None and alike == 100 and listed.country == country
    return SupplierScreening(
        screening_result="excluded" if excluded else "possible_match" if listed else "clear",
        list_entry_id=listed.entry_id if listed else None,
        entry_name=listed.name if listed else None,
        entry_country=listed.country if listed else None,
        similarity_percent=alike,
        signatures_needed=2 if to_cents(order_amount) >= 100 * _TWO_SIGNATURES_FROM else 1,
    )
