"""Tools of a savings desk outside the API graph, from ``auxiliary.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from teller_gym.scenarios.banking.tools.auxiliary import auxiliary_subject
from teller_gym.scenarios.savings.tools import types
from teller_gym.scenarios.savings.tools.coverage import insured
from teller_gym.scenarios.savings.tools.interest import check_method, days_of, interest_of
from teller_gym.scenarios.savings.tools.lookup import deposit
from teller_gym.scenarios.savings.tools.maturity import maturity_of


def yearly_yield(interest: int, cents: int, days: int) -> float:
    """Convert the interest of some days to a compound yearly yield in percent."""
    return 100 * float((1 + interest / cents) ** (365 / days) - 1)


def to_places(number: float, places: int) -> float:
    """Round a number half to even, as Python does."""
    return round(number, places)


def maturity_dates(start: date, terms: Sequence[int], anchor_day: int, only_weekdays: bool) -> list[date]:
    """Return the ends of consecutive terms, each moved to a weekday if requested."""
    days = []
    for months in terms:
        start = maturity_of(start, months, anchor_day)
        weekend = only_weekdays and start.weekday() > 4
        days.append(start + timedelta(days=7 - start.weekday()) if weekend else start)
    return days


SUBJECT = auxiliary_subject(__package__, types, check_method, days_of, deposit, insured, interest_of)
"""The auxiliary tools, in the order in which agents see them."""
