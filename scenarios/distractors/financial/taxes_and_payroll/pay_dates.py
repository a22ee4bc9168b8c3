"""Days on which wages are paid."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class PayDates(Result):
    """The pay dates in order; months are given as 2026-05."""

    pay_dates: list[date]
    moved_for_weekend: int
    months_with_extra_pay: list[str]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_pay_dates(
    bank: Bank,
    frequency: Literal["weekly", "biweekly", "semimonthly", "monthly"],
    first_pay_date: date,
    count: Annotated[int, Meta(ge=1, le=53)],
    weekend_rule: Literal["keep", "friday_before", "monday_after"] = "friday_before",
) -> PayDates:
    """List the pay dates of a payroll and the months in which weekly or biweekly pay falls once more often than usual.

    Args:
        frequency: Semimonthly is the 15th and the last day; monthly the day of the first date, or else the last.
        first_pay_date: First pay date, or for semimonthly pay the earliest one possible, in the years 2000 to 2100.
        count: How many dates.
        weekend_rule: What happens to a date on a weekend; public holidays are not looked at.
    """
    if not 2000 <= first_pay_date.year <= 2100:
        raise invalid("first_pay_date", f"expected a day of the years 2000 to 2100, got {first_pay_date}")
    planned = sums.plan_pay_dates(frequency, first_pay_date, count)
    paid = [sums.off_weekend(day, weekend_rule) for day in planned]
    return PayDates(
        pay_dates=paid,
        moved_for_weekend=sum(day != new for day, new in zip(planned, paid, strict=True)),
        months_with_extra_pay=sums.extra_pay_months(planned, frequency),
    )
