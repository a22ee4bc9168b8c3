"""Preliminary looks at what the procedure checks in earnest: credit standing, watch lists, value of collateral."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up, to_cents
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import CustomerId, FullName, State
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.banking.tools.names_preview import names_preview_tool
from teller_gym.scenarios.loans.tools.aux_reference import Market, reference_data
from teller_gym.scenarios.loans.tools.types import CollateralType
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class SoftInquiry(Result):
    """Outcome of a soft inquiry; the band is null where no file was found."""

    file_found: bool
    score_band: Literal["exceptional", "very_good", "good", "fair", "poor"] | None


@tool(category=Category.AUXILIARY)
def request_soft_credit_inquiry(
    bank: Bank,
    customer_id: CustomerId,
    full_name: FullName,
    date_of_birth: date,
    inquiry_reason: Literal["prequalification", "account_review"],
    consent_date: date | None = None,
) -> SoftInquiry:
    """Make a soft inquiry at the bureau: a broad score band only, without score, factors, alerts or tradelines. It is
    no credit report, is not part of the file, and no decision on an application may rest on it.

    Args:
        customer_id: The customer.
        full_name: Name by which the bureau searches; another name than the customer's finds nothing.
        date_of_birth: Birth date by which the bureau searches.
        inquiry_reason: A prequalification needs the customer's consent, an account review an open account.
        consent_date: When the customer consented; not after the business date.
    """
    item = customer(bank, customer_id)
    if inquiry_reason == "prequalification" and consent_date is None:
        raise invalid("consent_date", "expected the day of the customer's consent for a prequalification, got null")
    if consent_date is not None and consent_date > bank.today:
        raise invalid("consent_date", f"expected a day up to the business date {bank.today}, got {consent_date}")
    if inquiry_reason == "account_review" and not _has_open_account(bank, customer_id):
        raise invalid("inquiry_reason", f"{customer_id} has no open account to review; expected prequalification")
    bureau = bank.get("bureau_files", customer_id)
    same_name = normalise_text(full_name) == normalise_text(item["full_name"])
    if bureau is None or not same_name or date_of_birth != day(item["date_of_birth"]):
        return SoftInquiry(file_found=False, score_band=None)
    score: int = bureau["current"]["score"]
    band = next(band.name for band in reference_data().score_bands if score >= band.min_score)
    return SoftInquiry(file_found=True, score_band=band)  # type: ignore[arg-type]


def _has_open_account(bank: Bank, customer_id: str) -> bool:
    return any(item["customer_id"] == customer_id and item["status"] != "closed" for _, item in bank.rows("accounts"))


preview_watch_list_names = names_preview_tool(
    "Count watch-list entries with a name similar to one you give. A preliminary count for a first conversation: it "
    "screens no applicant, shows no entry, and is not part of the file."
)


class MarketValueEstimate(Result):
    """An index value in whole dollars, and the yearly change in percent that it rests on."""

    index_value: Money
    yearly_change_percent: float


@tool(category=Category.AUXILIARY)
def estimate_market_value(
    bank: Bank,
    collateral_type: CollateralType,
    location_state: State,
    bought_on: date,
    price_paid: Money,
    valuation_date: date,
    condition: Literal["excellent", "good", "fair", "poor"],
    miles_driven: Annotated[int, Meta(ge=0, le=500_000)] = 0,
) -> MarketValueEstimate:
    """Estimate what a house, condominium or vehicle may be worth from a market index. A rough value for a first
    conversation: no appraisal, no loan-to-value ratio, no insurance, and not part of the file.

    Args:
        collateral_type: What it is.
        location_state: Where it is, two letters; the index of homes differs by region.
        bought_on: When it was bought.
        price_paid: What was paid then, in dollars.
        valuation_date: Day for which to estimate; from the purchase to the business date.
        condition: Its condition.
        miles_driven: Miles since the purchase of a vehicle; 0 for a home.
    """
    reference = reference_data()
    check_order(bought_on, valuation_date, "bought_on", "valuation_date")
    if valuation_date > bank.today:
        raise invalid("valuation_date", f"expected a day up to the business date {bank.today}, got {valuation_date}")
    region = reference.region_of(location_state)
    if region is None:
        raise invalid("location_state", f"expected the postal code of a US state or DC, got {location_state}")
    is_home = collateral_type in ("house", "condominium")
    if is_home and miles_driven:
        raise invalid("miles_driven", f"expected 0 for a {collateral_type}, got {miles_driven}")
    price = to_cents(price_paid)
    if price == 0:
        raise invalid("price_paid", "expected a price above 0")
    yearly = _yearly_change(reference.market, collateral_type, region)
    years = Fraction((valuation_date - bought_on).days, 365)
    value = _value_after(price, yearly, years) * (100_000 + reference.market.condition[condition]) / 100_000
    if not is_home:
        value -= reference.market.dollars_a_mile * (miles_driven - reference.market.miles_a_year * years)
    floor = Fraction(price * reference.market.floor, 100_000)
    return MarketValueEstimate(
        index_value=float(round_half_up(max(value, floor) / 100)), yearly_change_percent=yearly / 1000
    )


def _yearly_change(market: Market, collateral_type: str, region: str) -> int:
    """Change of value a year, in thousandths of a percent."""
    if collateral_type in market.vehicle_change:
        return market.vehicle_change[collateral_type]
    return market.home_change[region] + (market.condominium if collateral_type == "condominium" else 0)


def _value_after(price: int, yearly_change: int, years: Fraction) -> Fraction:
    """Compound over whole years, linear within the last one; cents."""
    whole, rest = divmod(years, 1)
    change = Fraction(yearly_change, 100_000)
    return price * (1 + change) ** int(whole) * (1 + change * rest)
