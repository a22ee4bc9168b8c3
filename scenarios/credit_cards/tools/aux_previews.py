"""Rough figures for a talk with a customer: near the procedure's calculations, recorded nowhere, deciding nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.credit_cards.tools.ability import assumed_payment
from teller_gym.scenarios.credit_cards.tools.lookup import policy_of
from teller_gym.scenarios.credit_cards.tools.types import Product
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool

AnnualRate = Annotated[float, Meta(ge=0, le=60, extra={"unit": "percent"})]
CycleDays = Annotated[int, Meta(ge=1, le=62)]
Score = Annotated[int, Meta(ge=300, le=850)]
Months = Annotated[int, Meta(ge=1, le=120)]
_LONGEST = 600


class LimitPreview(Result):
    """A rough limit and what it would cost a month."""

    rough_limit: Money
    rough_payment: Money
    rough_ratio_percent: Percent


@tool(category=Category.AUXILIARY)
def preview_card_limit(
    bank: Bank,
    product: Product,
    credit_score: Score,
    stated_yearly_income: Money,
    stated_monthly_debts: Money,
    wished_limit: Money,
    is_student: bool,
    share_of_income: Percent = 10.0,
) -> LimitPreview:
    """Preview what limit somebody may hope for, from figures that they state. It looks at no report and no rule but
    the product's, and it is no assessment of the ability to pay.

    Args:
        product: The kind of card.
        credit_score: The score that the customer names.
        stated_yearly_income: Yearly income as stated, in dollars.
        stated_monthly_debts: Monthly debts and housing as stated, in dollars.
        wished_limit: The limit wished for, in dollars.
        is_student: Whether the customer is a student.
        share_of_income: Share of yearly income that the limit may reach, in percent.
    """
    policy, item = policy_of(bank), policy_of(bank).products[product]
    income = to_cents(stated_yearly_income)
    if income <= 0:
        raise invalid("stated_yearly_income", "expected more than 0")
    bounds = [to_cents(wished_limit), int(income * exact(share_of_income) / 100), item.max_limit]
    if is_student:
        bounds.append(policy.student_cap)
    if credit_score < policy.min_credit_score:
        bounds.append(0)
    limit = min(bounds) // policy.limit_step * policy.limit_step
    payment = assumed_payment(policy, limit, exact(item.purchase_rate / 100))
    burden = to_cents(stated_monthly_debts) + payment
    return LimitPreview(
        rough_limit=usd(limit),
        rough_payment=usd(payment),
        rough_ratio_percent=min(percent(12 * burden, income), 1000.0),
    )


class ChargePreview(Result):
    """Rough interest of a period."""

    rough_interest: Money
    rough_new_balance: Money


@tool(category=Category.AUXILIARY)
def preview_finance_charge(
    bank: Bank,
    opening_balance: Money,
    purchases: Money,
    payments: Money,
    annual_rate: AnnualRate,
    days: CycleDays,
    payment_on_day: CycleDays,
    purchases_on_day: CycleDays,
    year_days: Literal[360, 365] = 365,
) -> ChargePreview:
    """Preview the interest of a period in which all purchases and all payments fall on one day each. It reads no
    account and knows neither grace nor lines without interest.

    Args:
        opening_balance: Balance at the beginning, in dollars.
        purchases: Purchases of the period, in dollars.
        payments: Payments of the period, in dollars.
        annual_rate: Yearly rate in percent.
        days: Length of the period.
        payment_on_day: Day of the period on which the payments count.
        purchases_on_day: Day of the period on which the purchases count.
        year_days: Days of a year.
    """
    for field, number in (("payment_on_day", payment_on_day), ("purchases_on_day", purchases_on_day)):
        if number > days:
            raise invalid(field, f"expected a day of the period, 1 to {days}, got {number}")
    opening, bought, paid = map(to_cents, (opening_balance, purchases, payments))
    total = sum(
        max(0, opening + (bought if day >= purchases_on_day else 0) - (paid if day >= payment_on_day else 0))
        for day in range(1, days + 1)
    )
    interest = round_half_up(total * exact(annual_rate) / (100 * year_days))
    return ChargePreview(
        rough_interest=usd(interest), rough_new_balance=usd(max(0, opening + bought - paid + interest))
    )


class MinimumPreview(Result):
    """A rough minimum payment."""

    rough_minimum: Money
    first_part: Money


@tool(category=Category.AUXILIARY)
def estimate_minimum_payment(
    bank: Bank,
    new_balance: Money,
    interest: Money,
    fees: Money,
    past_due: Money,
    over_limit: Money,
    floor_amount: Money,
    share_percent: Percent,
) -> MinimumPreview:
    """Estimate the minimum payment of a statement from figures that are given. It changes no statement.

    Args:
        new_balance: The statement's new balance, in dollars.
        interest: Interest in it, in dollars.
        fees: Fees in it, in dollars.
        past_due: What is past due, in dollars; it is asked for in full.
        over_limit: What lies above the credit limit, in dollars; it is asked for in full.
        floor_amount: The least that is asked for, in dollars.
        share_percent: Share of the balance that is asked for, in percent.
    """
    balance = to_cents(new_balance)
    first = round_half_up(balance * exact(share_percent) / 100) + to_cents(interest) + to_cents(fees)
    rest = to_cents(past_due) + to_cents(over_limit)
    return MinimumPreview(
        rough_minimum=usd(min(balance, max(first, to_cents(floor_amount)) + rest)), first_part=usd(min(balance, first))
    )


class PayoffPlan(Result):
    """Course of paying off a balance; ``months`` is 600 if it never is paid off."""

    months: int
    last_payment: Money
    total_interest: Money


@tool(category=Category.AUXILIARY)
def estimate_payoff(
    bank: Bank,
    balance: Money,
    annual_rate: AnnualRate,
    monthly_payment: Money,
    extra_first_payment: Money = 0,
    new_charges_each_month: Money = 0,
    payment_holiday_months: Annotated[int, Meta(ge=0, le=12)] = 0,
    rate_after_promotion: AnnualRate | None = None,
    promotion_months: Months = 1,
) -> PayoffPlan:
    """Estimate how long a balance takes to pay off at a level payment, with interest by the month. For a talk only.

    Args:
        balance: Balance today, in dollars.
        annual_rate: Yearly rate in percent.
        monthly_payment: Payment each month, in dollars.
        extra_first_payment: Paid besides in the first month, in dollars.
        new_charges_each_month: New purchases each month, in dollars.
        payment_holiday_months: Months at the beginning in which nothing is paid.
        rate_after_promotion: Yearly rate once the promotion has ended; null if the rate stays.
        promotion_months: Length of the promotion, where there is one.
    """
    left, pay, added = to_cents(balance), to_cents(monthly_payment), to_cents(new_charges_each_month)
    interest = last = 0
    for month in range(1, _LONGEST + 1):
        rate = annual_rate if rate_after_promotion is None or month <= promotion_months else rate_after_promotion
        charge = round_half_up(Fraction(left) * exact(rate) / 1200)
        interest += charge
        paid = 0 if month <= payment_holiday_months else pay
        paid += to_cents(extra_first_payment) if month == 1 else 0
        last = min(left + charge + added, paid)
        left += charge + added - last
        if left <= 0:
            return PayoffPlan(months=month, last_payment=usd(last), total_interest=usd(interest))
        if left > 10**10:
            break
    return PayoffPlan(months=_LONGEST, last_payment=usd(last), total_interest=usd(min(interest, 10**10)))
