"""Tool that computes the interest of a period."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, exact, round_half_up, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.savings.tools.lookup import deposit, savings_request
from teller_gym.scenarios.savings.tools.types import DayCount, InterestId, Method, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Percent, Result, tool

_PRECISE = Context(prec=50)


def days_of(first: date, last: date, day_count: str) -> int:
    """Return the number of days between two dates by a day-count convention; the last day does not count."""
    if day_count != "thirty_360":
        return (last - first).days
    months = 12 * (last.year - first.year) + last.month - first.month
    return 30 * months + min(last.day, 30) - min(first.day, 30)


def interest_of(cents: int, rate: float, days: int, method: str, day_count: str) -> int:
    """Return the interest on an amount, in cents; ``rate`` is the yearly percentage."""
    year = 365 if day_count == "actual_365" else 360
    percent = exact(rate)
    if method == "simple":
        return divide_half_up(cents * percent.numerator * days, percent.denominator * 100 * year)
    yearly = percent / 100
    if method == "daily":
        with localcontext(_PRECISE):
            factor = (1 + Decimal(yearly.numerator) / yearly.denominator / year) ** days - 1
            return int((cents * factor).to_integral_value(ROUND_HALF_UP))
    months, rest = divmod(days, 30)
    return round_half_up(cents * ((1 + yearly / 12) ** months * (1 + yearly * rest / 360) - 1))


def check_method(method: str, day_count: str) -> None:
    """Raise an error unless monthly interest uses months of 30 days."""
    if method == "monthly" and day_count != "thirty_360":
        raise invalid("day_count", f"expected thirty_360 with method monthly, got {day_count}")


class Interest(Result):
    """The computed interest, and the principal plus interest."""

    interest_id: InterestId
    days: int
    interest: Money
    balance_with_interest: Money


@tool(act=Act.REVISABLE)
def calculate_interest(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    principal: Money,
    annual_rate: Percent,
    from_date: date,
    to_date: date,
    method: Method,
    day_count: DayCount,
) -> Interest:
    """Work out the interest of an account for a period. The first day counts, the last does not.

    Args:
        request_id: The request.
        account_id: The account.
        principal: The amount that earns it, in dollars.
        annual_rate: Rate in percent a year.
        from_date: First day.
        to_date: Day on which it ends.
        method: How it is worked out; monthly goes with thirty_360.
        day_count: How days are counted.
    """
    savings_request(bank, request_id)
    deposit(bank, account_id)
    check_order(from_date, to_date, "from_date", "to_date")
    check_method(method, day_count)
    cents = to_cents(principal)
    days = days_of(from_date, to_date, day_count)
    interest = interest_of(cents, annual_rate, days, method, day_count)
    key = bank.reference("IN", request_id, account_id)
    bank.put(
        "interests",
        key,
        {"owner": request_id, "account": account_id, "principal": cents, "interest": interest, "days": days},
    )
    return Interest(interest_id=key, days=days, interest=usd(interest), balance_with_interest=usd(cents + interest))
