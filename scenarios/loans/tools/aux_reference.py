"""Types and reading of ``reference_data.yaml``, and what several auxiliary tools share; units stand in the file."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from teller_gym.base.dates import is_business_day
from teller_gym.base.errors import invalid
from teller_gym.scenarios.loans.tools.lookup import application, customer, policy_of
from teller_gym.tools.bank import Bank, Record

State = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
Limit = Annotated[int, Meta(ge=1, le=10)]
AnnualRate = Annotated[float, Meta(ge=0, le=100)]


class ScoreBand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band of credit scores."""

    name: str
    min_score: int


class Market(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The market value index."""

    home_change: dict[str, int]
    vehicle_change: dict[str, int]
    condition: dict[str, int]
    condominium: int
    miles_a_year: int
    dollars_a_mile: int
    floor: int


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wording of letters in one language."""

    greeting: dict[str, str]
    closing: dict[str, str]
    status_update: str
    document_reminder: str
    offer_explanation: str
    decline_explanation: str


class ReferenceData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that the auxiliary tools know besides the bank's tables and its policy."""

    score_bands: tuple[ScoreBand, ...]
    card_payment_share: int
    net_to_gross: int
    market: Market
    regions: dict[str, frozenset[str]]
    letters: dict[str, Letters]
    reasons: dict[str, dict[str, str]]

    def region_of(self, state: str) -> str | None:
        """Return the region of a state's postal code, or None if there is no such state."""
        return next((region for region, states in self.regions.items() if state in states), None)


@cache
def reference_data() -> ReferenceData:
    """Read the file that stands beside this module."""
    text = resources.files("teller_gym.scenarios.loans.tools").joinpath("reference_data.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=ReferenceData)


def check_order(first: Any, last: Any, first_field: str, last_field: str) -> None:
    """Tell the agent when a range is given upside down; an end that is None is open."""
    if first is not None and last is not None and first > last:
        raise invalid(last_field, f"expected {first_field} or later, {first}, got {last}")


def within(value: Any, first: Any, last: Any) -> bool:
    """Whether a value lies in a range whose ends belong to it and may be None, that is open."""
    return (first is None or value >= first) and (last is None or value <= last)


def check_rate(rate: float, field: str) -> None:
    """Tell the agent when a percentage has more decimals than the bank quotes."""
    if round(rate, 3) != rate:
        raise invalid(field, f"expected percent with at most three decimals, got {rate!r}")


@lru_cache(maxsize=64)
def known_span(holidays: frozenset[date]) -> tuple[date, date]:
    """First and last day of the calendar: from the first holiday's year to the last holiday's month."""
    if not holidays:
        return date.min, date.max
    last = max(holidays)
    return date(min(holidays).year, 1, 1), date(last.year, last.month, monthrange(last.year, last.month)[1])


def require_known(day: date, holidays: frozenset[date], field: str) -> None:
    """Tell the agent when the bank's calendar does not reach to a day."""
    first, last = known_span(holidays)
    if not first <= day <= last:
        raise invalid(field, f"business days are known from {first} to {last} only, and {day} is needed")


MOST_DAYS_AHEAD = 90
"""How far ahead, in calendar days, an applicant or a desk may be asked to act."""


def check_days_ahead(bank: Bank, due: date, field: str) -> int:
    """Return how many calendar days a day to act on is ahead, or tell the agent that these are too many."""
    ahead = (due - bank.today).days
    if ahead > MOST_DAYS_AHEAD:
        raise invalid(field, f"expected at most {MOST_DAYS_AHEAD} days from {bank.today}, got {due}")
    return ahead


def check_due_day(bank: Bank, due: date, field: str) -> None:
    """Tell the agent when a day to act on is past, or the bank is closed on it or does not know yet."""
    if due < bank.today:
        raise invalid(field, f"expected the business date {bank.today} or later, got {due}")
    require_known(due, policy_of(bank).holidays, field)
    if not is_business_day(due, policy_of(bank).holidays):
        raise invalid(field, f"expected a business day, {due} is a weekend or a bank holiday")


def applicant_of(bank: Bank, application_id: str, customer_id: str) -> Record:
    """Return the customer's record after checking that the customer is an applicant of the application."""
    case = application(bank, application_id)
    if customer_id not in [person["customer_id"] for person in case["applicants"]]:
        raise invalid("customer_id", f"{customer_id} is no applicant of {application_id}")
    return customer(bank, customer_id)
