"""Tool for the deadlines of a request."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from teller_gym.base.dates import is_business_day, on_or_before_business_day
from teller_gym.base.errors import invalid
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.lookup import policy_of, service_request
from teller_gym.scenarios.accounts.tools.types import (
    ClockCode,
    Direction,
    Event,
    Length,
    Purpose,
    RequestId,
    Roll,
    Unit,
)
from teller_gym.scenarios.banking.lookup import check_code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Result, tool

_DAY = timedelta(days=1)
FIRST, LAST = date(1990, 1, 1), date(2040, 12, 31)
"""Range of days on which deadlines may start."""


class DeadlineSet(Result):
    """ID and date of the recorded deadline."""

    deadline_id: str
    deadline_date: date


def moved(policy: AccountPolicy, start: date, direction: str, length: int, unit: str, roll: str) -> date:
    """Return the day some business days, calendar days or months after or before a day, rolled as asked."""
    step = _DAY if direction == "after" else -_DAY
    if unit == "months":
        end = _by_months(start, length if direction == "after" else -length)
    elif unit == "calendar_days":
        end = start + length * step
    else:
        end, left = start, length
        while left:
            end += step
            left -= is_business_day(end, policy.holidays)
    return on_or_before_business_day(end, policy.holidays) if roll == "previous" else end


def _by_months(start: date, months: int) -> date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def check_start(start: date, field: str) -> None:
    """Raise an error for a day outside the years in which deadlines may start."""
    if not FIRST <= start <= LAST:
        raise invalid(field, f"expected a day from {FIRST} to {LAST}, got {start}")


@tool(act=Act.REVISABLE)
def set_deadline(
    bank: Bank,
    request_id: RequestId,
    purpose: Purpose,
    clock: ClockCode,
    start_event: Event,
    start_date: date,
    direction: Direction,
    length: Length,
    unit: Unit,
    roll: Roll,
) -> DeadlineSet:
    """Work out and record a deadline that runs on a request. The starting day is not counted; a later record of the
    same purpose replaces an earlier one.

    Args:
        request_id: The request.
        purpose: Whether it is the due date of the next action, or the day on which the matter is over.
        clock: Code of the clock.
        start_event: The event that starts it.
        start_date: The day of this event.
        direction: Whether the deadline lies after the event or before it.
        length: How long the clock runs.
        unit: In what it is counted; business days leave out weekends and bank holidays.
        roll: Whether a deadline on a day that is no business day moves to the business day before it.
    """
    service_request(bank, request_id)
    policy = policy_of(bank)
    check_code("clock", clock, [item.code for item in policy.clocks.values()])
    check_start(start_date, "start_date")
    found = moved(policy, start_date, direction, length, unit, roll)
    deadline_id = bank.reference("DL", request_id, purpose)
    bank.put(
        "deadlines",
        deadline_id,
        {
            "owner": request_id,
            "kind": purpose,
            "clock": clock,
            "event": start_event,
            "start": start_date.isoformat(),
            "rule": [direction, length, unit, roll],
            "date": found.isoformat(),
        },
    )
    return DeadlineSet(deadline_id=deadline_id, deadline_date=found)
