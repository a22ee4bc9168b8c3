"""The bank's calendar: the span of days that it covers, and checks of due dates."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from functools import lru_cache

from teller_gym.base.dates import is_business_day
from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import policy_of
from teller_gym.tools.bank import Bank


@lru_cache(maxsize=64)
def known_span(holidays: frozenset[date]) -> tuple[date, date]:
    """Return the calendar's span: from the start of the first holiday's year to the end of the last holiday's month."""
    if not holidays:
        return date.min, date.max
    last = max(holidays)
    return date(min(holidays).year, 1, 1), date(last.year, last.month, monthrange(last.year, last.month)[1])


def require_known(day: date, holidays: frozenset[date], field: str) -> None:
    """Raise a tool error if the bank's calendar does not cover a day."""
    first, last = known_span(holidays)
    if not first <= day <= last:
        raise invalid(field, f"business days are known from {first} to {last} only, and {day} is needed")


MOST_DAYS_AHEAD = 90
"""Number of calendar days from today within which due dates must be."""


def check_days_ahead(bank: Bank, due: date, field: str) -> int:
    """Return the calendar days until a due date, or raise a tool error if there are too many."""
    ahead = (due - bank.today).days
    if ahead > MOST_DAYS_AHEAD:
        raise invalid(field, f"expected at most {MOST_DAYS_AHEAD} days from {bank.today}, got {due}")
    return ahead


def check_due_day(bank: Bank, due: date, field: str) -> None:
    """Raise a tool error if a due date is past, outside the calendar, or not a business day."""
    if due < bank.today:
        raise invalid(field, f"expected the business date {bank.today} or later, got {due}")
    require_known(due, policy_of(bank).holidays, field)
    if not is_business_day(due, policy_of(bank).holidays):
        raise invalid(field, f"expected a business day, {due} is a weekend or a bank holiday")
