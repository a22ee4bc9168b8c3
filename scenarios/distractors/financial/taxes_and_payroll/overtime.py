"""Overtime of hourly workers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Hours
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

DayHours = Annotated[float, Meta(ge=0, le=24, extra={"unit": "hours"})]


class OvertimePay(Result):
    """Hours by kind and the pay for them; ``premium_pay`` is what the factors add to the plain rate."""

    regular_hours: float
    overtime_hours: float
    double_time_hours: float
    premium_pay: Money
    total_pay: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def split_overtime_pay(
    bank: Bank,
    hours_by_day: Annotated[list[DayHours], Meta(min_length=1, max_length=7)],
    hourly_rate: Annotated[float, Meta(ge=0, le=10_000, extra={"unit": "usd"})],
    daily_limit: DayHours,
    weekly_limit: Hours,
    overtime_factor: Annotated[float, Meta(ge=1, le=5)] = 1.5,
    double_time_after: DayHours | None = None,
    double_time_factor: Annotated[float, Meta(ge=1, le=5)] = 2,
) -> OvertimePay:
    """Split the hours of one week into regular time, overtime and double time, and pay them. Hours that are overtime by
    the day do not count toward the limit of the week.

    Args:
        hours_by_day: Hours worked on each day of the week.
        hourly_rate: Plain pay for an hour, in dollars.
        daily_limit: Hours of a day after which overtime begins.
        weekly_limit: Regular hours of the week after which overtime begins.
        overtime_factor: Factor on the plain rate for overtime.
        double_time_after: Hours of a day after which double time begins; none if left out.
        double_time_factor: Factor on the plain rate for double time.
    """
    if double_time_after is not None and double_time_after < daily_limit:
        raise invalid("double_time_after", f"expected at least the daily limit {daily_limit}, got {double_time_after}")
    hours = sums.split_hours(hours_by_day, daily_limit, weekly_limit, double_time_after)
    premium, pay = hours.pay(to_cents(hourly_rate), overtime_factor, double_time_factor)
    return OvertimePay(
        regular_hours=float(hours.regular),
        overtime_hours=float(hours.overtime),
        double_time_hours=float(hours.double),
        premium_pay=usd(premium),
        total_pay=usd(pay),
    )
