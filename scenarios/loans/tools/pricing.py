"""Pricing, payment and affordability."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import (
    annual_percentage_rate,
    divide_half_up,
    level_payment,
    payment_per_thousand,
    percent,
    to_cents,
    usd,
)
from teller_gym.scenarios.banking.lookup import existing, obtained, too_early
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.tools.lookup import QUOTE, application, policy_of
from teller_gym.scenarios.loans.tools.types import ApplicationId, Months, Product, QuoteId, Score
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Percent, Result, tool

Factor = Annotated[float, Meta(ge=0, le=1000, extra={"unit": "factor"})]
"""Monthly dollars for each 1,000 dollars borrowed, to four decimals."""


class Quote(Result):
    """Price of a loan, with rates in percent; ``mortgage_insurance_rate`` is 0 if no insurance is due."""

    quote_id: QuoteId
    loan_amount: Money
    term_months: Months
    grade: str
    annual_rate: Percent
    origination_fee_percent: Percent
    mortgage_insurance_rate: Percent


@tool(act=Act.REVISABLE)
def price_loan(
    bank: Bank,
    application_id: ApplicationId,
    product: Product,
    term_months: Months,
    loan_amount: Money,
    collateral_value: Money,
    qualifying_score: Score,
    autopay: bool,
) -> Quote:
    """Price a loan by product, term, grade, loan-to-value ratio and autopay. The quote holds for smaller amounts too.

    Args:
        application_id: The application.
        product: The product.
        term_months: The term; one that the product offers.
        loan_amount: The amount considered, in dollars.
        collateral_value: Value of the collateral in dollars; 0 for an unsecured loan.
        qualifying_score: The credit score that counts for the application.
        autopay: Whether payments are drawn from an account with this bank.
    """
    case = application(bank, application_id)
    for person in case["applicants"]:
        _require_no_open_alert(bank, person["customer_id"])
    policy = policy_of(bank)
    terms = policy.products[product]
    if term_months not in terms.rates:
        raise invalid(
            "term_months", f"expected one of {', '.join(map(str, terms.terms))} for {product}, got {term_months}"
        )
    if terms.secured != (collateral_value > 0):
        raise invalid("collateral_value", f"expected {'a value above 0' if terms.secured else '0'} for {product}")
    amount, value = to_cents(loan_amount), to_cents(collateral_value)
    grade = policy.grade_of(qualifying_score)
    rate = terms.rates[term_months] + grade.surcharge - (policy.autopay_discount if autopay else 0)
    if terms.secured and amount * 10_000 > terms.ltv_surcharge_above * value:
        rate += terms.ltv_surcharge
    insurance = _mortgage_insurance(policy, amount, value) if product == "home" else 0
    fee = grade.fees[product]
    quote_id = bank.reference("QU", application_id)
    bank.put(
        "quotes",
        quote_id,
        {"owner": application_id, "rate": rate, "fee": fee, "insurance": insurance, "max_amount": amount},
    )
    return Quote(
        quote_id=quote_id,
        loan_amount=loan_amount,
        term_months=term_months,
        grade=grade.name,
        annual_rate=rate / 1000,
        origination_fee_percent=fee / 1000,
        mortgage_insurance_rate=insurance / 1000,
    )


def _require_no_open_alert(bank: Bank, customer_id: str) -> None:
    report = existing(bank, "reports", "CR", customer_id)
    if report is None or report["alert_type"] == "none":
        return
    resolution = existing(bank, "alert_resolutions", "AR", customer_id)
    if resolution is None or not resolution["confirmed"]:
        raise too_early(f"the fraud alert on the file of {customer_id} is open; resolve_fraud_alert comes first")


def _mortgage_insurance(policy: LoanPolicy, amount: int, value: int) -> int:
    bands = policy.mortgage_insurance
    return next((band.rate for band in bands if amount * 10_000 > band.above_ltv * value), 0)


class Payment(Result):
    """Cost of a loan; amounts in dollars, APR in percent. ``payment_per_thousand`` includes mortgage insurance, ``apr``
    leaves it out.
    """

    monthly_payment: Money
    monthly_mortgage_insurance: Money
    origination_fee: Money
    amount_financed: Money
    apr: Percent
    payment_per_thousand: Factor


@tool(act=Act.REVISABLE)
def calculate_payment(
    bank: Bank,
    application_id: ApplicationId,
    quote_id: QuoteId,
    loan_amount: Money,
    annual_rate: Percent,
    term_months: Months,
    origination_fee_percent: Percent,
    mortgage_insurance_rate: Percent,
) -> Payment:
    """Work out the level monthly payment, mortgage insurance, fee, amount financed and APR of a quoted loan. The APR
    takes in payment and fee and leaves mortgage insurance out.

    Args:
        application_id: The application.
        quote_id: The quote.
        loan_amount: The amount considered or, after a limit was broken, offered, in dollars; at most the quoted one.
        annual_rate: The quote's rate in percent.
        term_months: The term.
        origination_fee_percent: The quote's origination fee in percent of the amount.
        mortgage_insurance_rate: The quote's yearly mortgage insurance in percent of the amount.
    """
    application(bank, application_id)
    quote = obtained(bank, QUOTE, application_id, "quote_id", quote_id)
    amount = to_cents(loan_amount)
    if amount == 0:
        raise invalid("loan_amount", "expected an amount above 0")
    if amount > quote["max_amount"]:
        raise invalid(
            "loan_amount",
            f"the quote holds for up to {usd(quote['max_amount'])}, got {loan_amount}; price_loan quotes other amounts",
        )
    fee = divide_half_up(amount * round(origination_fee_percent * 1000), 100_000)
    if fee >= amount:
        raise invalid(
            "origination_fee_percent", f"the fee would eat the loan: expected under 100, got {origination_fee_percent}"
        )
    payment = level_payment(amount, annual_rate, term_months)
    insurance = divide_half_up(amount * round(mortgage_insurance_rate * 1000), 1_200_000)
    bank.update("applications", application_id, monthly_payment=payment)
    return Payment(
        monthly_payment=usd(payment),
        monthly_mortgage_insurance=usd(insurance),
        origination_fee=usd(fee),
        amount_financed=usd(amount - fee),
        apr=annual_percentage_rate(amount - fee, payment, term_months),
        payment_per_thousand=payment_per_thousand(annual_rate, term_months, mortgage_insurance_rate),
    )


class Affordability(Result):
    """Ratios in percent (payment-to-income is 0 unless it applies), and the largest amount that stays within limits."""

    dti_percent: Percent
    pti_percent: Percent
    within_limits: bool
    binding_limit: Literal["none", "dti", "pti"]
    max_affordable_amount: Money


@tool(act=Act.REVISABLE)
def assess_affordability(
    bank: Bank,
    application_id: ApplicationId,
    monthly_income: Money,
    monthly_debts: Money,
    monthly_payment: Money,
    monthly_mortgage_insurance: Money,
    monthly_escrow: Money,
    payment_per_thousand: Factor,
) -> Affordability:
    """Compare debt-to-income and, for auto loans, payment-to-income with the limits, and find the largest
    affordable amount.

    Args:
        application_id: The application.
        monthly_income: Qualifying income a month of all applicants together, in dollars.
        monthly_debts: Counted monthly debts in dollars.
        monthly_payment: Payment of the loan considered, in dollars.
        monthly_mortgage_insurance: Mortgage insurance a month in dollars; 0 if none.
        monthly_escrow: Insurance and property tax a month in dollars; 0 if none.
        payment_per_thousand: Payment factor of the quote, dollars a month for each 1,000 borrowed.
    """
    case = application(bank, application_id)
    income, debts, payment = to_cents(monthly_income), to_cents(monthly_debts), to_cents(monthly_payment)
    factor = round(payment_per_thousand * 10_000)
    if income == 0 or factor == 0:
        raise invalid("monthly_income", "expected income and payment_per_thousand above 0")
    fixed = debts + to_cents(monthly_escrow)
    obligations = fixed + payment + to_cents(monthly_mortgage_insurance)
    policy = policy_of(bank)
    is_auto = case["product"] == "auto"
    # Room that the limits leave for the loan, in ten thousandths of a cent to avoid rounding.
    room = policy.max_dti * income - 10_000 * fixed
    binding: Literal["none", "dti", "pti"] = "dti" if obligations * 10_000 > policy.max_dti * income else "none"
    if is_auto and policy.max_pti * income < room:
        room = policy.max_pti * income
        binding = "pti" if payment * 10_000 > room else binding
    # One cent is kept back because payment and mortgage insurance of the smaller amount are each rounded to a cent.
    largest = max(0, (room - 10_000) * 1000 // factor)
    largest -= largest % policy.amount_step
    dti = percent(obligations, income)
    bank.update("applications", application_id, monthly_income=income, dti_percent=dti)
    return Affordability(
        dti_percent=dti,
        pti_percent=percent(payment, income) if is_auto else 0.0,
        within_limits=binding == "none",
        binding_limit=binding,
        max_affordable_amount=usd(largest),
    )
