"""Previews of what the procedure works out in earnest: interest, withdrawals, maturity dates, coverage."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.savings.tools.coverage import insured
from teller_gym.scenarios.savings.tools.interest import check_method, days_of, interest_of
from teller_gym.scenarios.savings.tools.lookup import policy_of
from teller_gym.scenarios.savings.tools.maturity import maturity_of
from teller_gym.scenarios.savings.tools.types import AnchorDay, ChargeDays, Count, DayCount, Method, Term
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool


class InterestEstimate(Result):
    """The interest and the yield that it comes to over a year."""

    interest: Money
    annual_yield_percent: Percent


@tool(category=Category.AUXILIARY)
def estimate_interest(
    bank: Bank,
    amount: Money,
    yearly_rate: Percent,
    first_day: date,
    last_day: date,
    method: Method,
    day_count: DayCount,
    last_day_counts: bool = False,
) -> InterestEstimate:
    """Estimate interest for a caller. Nothing is recorded, and it is about no account of the bank.

    Args:
        amount: Amount in dollars.
        yearly_rate: Rate in percent.
        first_day: First day.
        last_day: Last day.
        method: How it is worked out; monthly goes with thirty_360.
        day_count: How days are counted.
        last_day_counts: Whether the last day earns interest, too, unlike in the bank's own accounts.
    """
    check_order(first_day, last_day, "first_day", "last_day")
    check_method(method, day_count)
    days = days_of(first_day, last_day, day_count) + (1 if last_day_counts else 0)
    cents = to_cents(amount)
    interest = interest_of(cents, yearly_rate, days, method, day_count)
    if cents == 0 or days == 0:
        raise invalid("amount", "expected an amount above 0 and a day or more")
    grown = 100 * ((1 + interest / cents) ** (365 / days) - 1)
    if grown > 1000:
        raise invalid("yearly_rate", "the yield is beyond 1000 %")
    return InterestEstimate(interest=usd(interest), annual_yield_percent=round(grown, 2))


class WithdrawalPreview(Result):
    """Interest, charge and what would be paid."""

    interest: Money
    charge: Money
    paid: Money


@tool(category=Category.AUXILIARY)
def preview_withdrawal(
    bank: Bank,
    amount: Money,
    yearly_rate: Percent,
    interest_from: date,
    withdrawn_on: date,
    method: Method,
    day_count: DayCount,
    charge_days: ChargeDays,
    charged: bool = True,
) -> WithdrawalPreview:
    """Preview for a caller what a withdrawal before maturity would bring. It reads no deposit and records nothing.

    Args:
        amount: Amount in dollars.
        yearly_rate: Rate in percent.
        interest_from: First day of the interest.
        withdrawn_on: Day of the withdrawal.
        method: How interest is worked out; monthly goes with thirty_360.
        day_count: How days are counted.
        charge_days: Days of simple interest that are charged.
        charged: Whether they are.
    """
    check_order(interest_from, withdrawn_on, "interest_from", "withdrawn_on")
    check_method(method, day_count)
    cents = to_cents(amount)
    interest = interest_of(cents, yearly_rate, days_of(interest_from, withdrawn_on, day_count), method, day_count)
    charge = interest_of(cents, yearly_rate, charge_days, "simple", "actual_365") if charged else 0
    if charge > cents + interest:
        raise invalid("charge_days", f"the charge would be more than the deposit, {charge_days} days")
    return WithdrawalPreview(interest=usd(interest), charge=usd(charge), paid=usd(cents + interest - charge))


class MaturityPreview(Result):
    """The days on which terms would end, in their order."""

    maturity_dates: list[date]


@tool(category=Category.AUXILIARY)
def preview_maturity_dates(
    bank: Bank,
    first_day: date,
    months: Term,
    anchor_day: AnchorDay,
    terms: Annotated[int, Meta(ge=1, le=6)] = 1,
    shorter_terms_after: Term | None = None,
    weekend_rule: Literal["stay", "next_weekday"] = "stay",
) -> MaturityPreview:
    """Preview for a caller when terms would end, one after the other. It schedules nothing.

    Args:
        first_day: First day of the first term.
        months: How long it lasts.
        anchor_day: Day of the month on which terms end.
        terms: How many terms.
        shorter_terms_after: How long the later ones last, if otherwise.
        weekend_rule: Whether a day at a weekend stays, as in the bank's own deposits.
    """
    days = []
    for _ in range(terms):
        first_day = maturity_of(first_day, months, anchor_day)
        shown = first_day
        if weekend_rule == "next_weekday" and shown.weekday() > 4:
            shown = date.fromordinal(shown.toordinal() + 7 - shown.weekday())
        days.append(shown)
        months = shorter_terms_after or months
    return MaturityPreview(maturity_dates=days)


class CoverageEstimate(Result):
    """Amounts that would be insured, and that would not."""

    insured: Money
    not_insured: Money


@tool(category=Category.AUXILIARY)
def estimate_coverage(
    bank: Bank,
    single: Money = 0,
    joint: Money = 0,
    joint_owners: Annotated[int, Meta(ge=1, le=6)] = 2,
    retirement: Money = 0,
    trust: Money = 0,
    beneficiaries: Count = 0,
    planned_deposit: Money = 0,
) -> CoverageEstimate:
    """Estimate for a caller how much would be insured. It looks at no account and adds no interest.

    Args:
        single: Money in single ownership, in dollars.
        joint: Joint accounts in all, in dollars; shares are equal.
        joint_owners: How many own them.
        retirement: Retirement accounts, in dollars.
        trust: Trust accounts, in dollars.
        beneficiaries: Their beneficiaries.
        planned_deposit: A further deposit in single ownership, in dollars.
    """
    share = (2 * to_cents(joint) + joint_owners) // (2 * joint_owners)
    totals = (to_cents(single) + to_cents(planned_deposit), share, to_cents(retirement))
    covered = insured(policy_of(bank), totals, to_cents(trust), beneficiaries)
    return CoverageEstimate(insured=usd(covered), not_insured=usd(sum(totals) + to_cents(trust) - covered))
