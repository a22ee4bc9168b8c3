"""Quick estimates for a first conversation: a payment and a debt-to-income ratio outside any application."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import percent, round_half_up, to_cents, usd
from teller_gym.scenarios.loans.tools.aux_reference import AnnualRate, check_rate, reference_data
from teller_gym.scenarios.loans.tools.lookup import policy_of
from teller_gym.scenarios.loans.tools.types import Months
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool

_PERIODS_A_YEAR = {"monthly": 12, "biweekly": 26, "weekly": 52}


class PaymentEstimate(Result):
    """An estimate in dollars; ``estimated_payment`` is per payment and includes the yearly insurance."""

    estimated_payment: Money
    number_of_payments: int
    balloon_due: Money
    total_paid: Money


@tool(category=Category.AUXILIARY)
def estimate_payment(
    bank: Bank,
    loan_amount: Money,
    annual_rate: AnnualRate,
    term_months: Months,
    payment_frequency: Literal["monthly", "biweekly", "weekly"] = "monthly",
    upfront_fee: Money = 0,
    finance_fee: bool = False,
    yearly_insurance_percent: Annotated[float, Meta(ge=0, le=5)] = 0,
    balloon_amount: Money = 0,
) -> PaymentEstimate:
    """Estimate the payment of any loan, also weekly or with a balloon, from figures you give. An estimate outside any
    application: it takes no quote, works out no APR, and nothing is put on file.

    Args:
        loan_amount: Amount borrowed, in dollars.
        annual_rate: Rate in percent.
        term_months: Term; for weekly and biweekly payments it must be whole years.
        payment_frequency: How often is paid.
        upfront_fee: Fee in dollars.
        finance_fee: Whether the fee is added to the amount borrowed instead of paid at once.
        yearly_insurance_percent: Insurance a year in percent of the amount borrowed.
        balloon_amount: Part of the amount that falls due with the last payment, in dollars.
    """
    check_rate(annual_rate, "annual_rate")
    check_rate(yearly_insurance_percent, "yearly_insurance_percent")
    fee, balloon = to_cents(upfront_fee), to_cents(balloon_amount)
    amount = to_cents(loan_amount) + (fee if finance_fee else 0)
    if to_cents(loan_amount) == 0:
        raise invalid("loan_amount", "expected an amount above 0")
    if balloon >= amount:
        raise invalid("balloon_amount", f"expected less than the amount borrowed, {usd(amount)}, got {balloon_amount}")
    if payment_frequency != "monthly" and term_months % 12:
        raise invalid("term_months", f"expected whole years for {payment_frequency} payments, got {term_months} months")
    a_year = _PERIODS_A_YEAR[payment_frequency]
    count = term_months * a_year // 12
    base = _periodic_payment(amount, balloon, annual_rate, count, a_year)
    insurance = round_half_up(Fraction(amount) * Fraction(repr(yearly_insurance_percent)) / (100 * a_year))
    total = (base + insurance) * count + balloon + (0 if finance_fee else fee)
    return PaymentEstimate(
        estimated_payment=usd(base + insurance),
        number_of_payments=count,
        balloon_due=usd(balloon),
        total_paid=usd(total),
    )


def _periodic_payment(amount: int, balloon: int, annual_rate: float, count: int, periods_a_year: int) -> int:
    """Cents per period that bring ``amount`` down to ``balloon`` in ``count`` periods."""
    if annual_rate == 0:
        return round_half_up(Fraction(amount - balloon, count))
    with localcontext() as context:
        context.prec = 40
        rate = Decimal(repr(annual_rate)) / 100 / periods_a_year
        discount = (1 + rate) ** -count
        return round_half_up((amount - balloon * discount) * rate / (1 - discount))


class DebtToIncomeEstimate(Result):
    """Estimated ratios in percent; ``indication`` compares with the policy's limit and decides nothing."""

    estimated_dti_percent: Percent
    estimated_housing_percent: Percent
    indication: Literal["below_limit", "near_limit", "above_limit"]


@tool(category=Category.AUXILIARY)
def estimate_debt_to_income(
    bank: Bank,
    stated_income: Money,
    income_period: Literal["month", "year"],
    income_basis: Literal["gross", "net"],
    other_monthly_income: Money,
    monthly_housing: Money,
    monthly_installments: Money,
    card_balances: Money,
    proposed_payment: Money,
    near_margin_percent: Annotated[float, Meta(ge=0, le=20)] = 5,
) -> DebtToIncomeEstimate:
    """Estimate a debt-to-income ratio from what a customer says in a first conversation. A rule of thumb on unverified
    figures: it reads no report and no application, is not put on file, and finds no affordable amount.

    Args:
        stated_income: Income as the customer states it, in dollars.
        income_period: Whether it is per month or per year.
        income_basis: Before or after tax; income after tax is grossed up by a flat factor.
        other_monthly_income: Any other income a month, before tax, in dollars.
        monthly_housing: Rent or home loan payment a month, in dollars.
        monthly_installments: Payments on other loans a month, in dollars.
        card_balances: Balances of credit cards in dollars; a flat share of them counts as the monthly payment.
        proposed_payment: Payment of the loan the customer thinks of, in dollars.
        near_margin_percent: How many percentage points under the limit count as near it.
    """
    reference = reference_data()
    check_rate(near_margin_percent, "near_margin_percent")
    income = Fraction(to_cents(stated_income), 12 if income_period == "year" else 1)
    if income_basis == "net":
        income = income * reference.net_to_gross / 10_000
    monthly = round_half_up(income) + to_cents(other_monthly_income)
    if monthly == 0:
        raise invalid("stated_income", "expected some income above 0")
    housing = to_cents(monthly_housing)
    cards = round_half_up(Fraction(to_cents(card_balances) * reference.card_payment_share, 10_000))
    debts = housing + to_cents(monthly_installments) + cards + to_cents(proposed_payment)
    ratio, limit = Fraction(100 * debts, monthly), Fraction(policy_of(bank).max_dti, 100)
    near = ratio > limit - Fraction(repr(near_margin_percent))
    return DebtToIncomeEstimate(
        estimated_dti_percent=percent(debts, monthly),
        estimated_housing_percent=percent(housing, monthly),
        indication="above_limit" if ratio > limit else "near_limit" if near else "below_limit",
    )
