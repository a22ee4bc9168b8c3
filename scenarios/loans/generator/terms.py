"""The generated loan request, its collateral, and its monthly cost."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.money import level_payment, round_half_up
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.loans.generator.plan import OLD_VEHICLE_AMOUNT, OLD_VEHICLE_YEARS, Plan
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

_THOUSAND = 100_000
_MODEST_HOME = 36_000_000
"""Largest home purchase loan that a single retired applicant asks for, in cents."""


class Loan(msgspec.Struct, frozen=True, kw_only=True):
    """The requested loan, in cents; price, appraisal, premium and tax are 0 without collateral."""

    requested: int
    considered: int
    """The lower of the requested amount and the amount that the collateral supports."""
    term: int
    autopay: bool
    value: int
    """The lower of price and appraisal."""
    price: int
    appraised: int
    premium: int
    tax: int


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """Monthly cost of the considered amount, in cents."""

    payment: int
    insurance: int
    escrow: int


def draw_loan(draw: Draw, policy: LoanPolicy, plan: Plan, people: list[Person]) -> Loan:
    """Draw the loan and its collateral.

    Raises:
        NoCaseError: the drawn amounts and collateral do not fit the plan.
    """
    product = policy.products[plan.product]
    requested = _amount(draw, policy, plan, people)
    term = draw.choice(product.terms)
    if plan.has("deny_term"):
        term = draw.choice([months for months in (6, 18, 30, 84, 96, 120, 300) if months not in product.terms])
    autopay = draw.chance(0.4)
    if not product.secured:
        return Loan(
            requested=requested, considered=requested, term=term, autopay=autopay,
            value=0, price=0, appraised=0, premium=0, tax=0,
        )  # fmt: skip
    requested, value = _value(draw, policy, plan, requested)
    largest = value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step
    if (largest < requested) != (plan.capped or plan.ending == "deny_collateral"):
        raise NoCaseError
    if (min(requested, largest) < product.min_amount) != (plan.ending in ("deny_collateral", "deny_amount")):
        raise NoCaseError
    home = plan.product == "home"
    step = _THOUSAND if home else 5_000
    other = value if draw.chance(0.2) else value + max(step, round(value * draw.real(0.01, 0.09)) // step * step)
    price, appraised = (value, other) if draw.chance(0.5) else (other, value)
    return Loan(
        requested=requested,
        considered=min(requested, largest),
        term=term,
        autopay=autopay,
        value=value,
        price=price,
        appraised=appraised,
        premium=draw.steps(value // 250, value // 140, 1_200) if home else draw.steps(60_000, 240_000, 1_200),
        tax=draw.steps(value // 125, value // 60, 1_200) if home else 0,
    )


def cost_of(policy: LoanPolicy, product: str, loan: Loan, score: int) -> Cost:
    """Calculate the monthly cost of the considered amount at a qualifying score."""
    terms, amount = policy.products[product], loan.considered
    rate = terms.rates.get(loan.term, 9_000) + policy.grade_of(score).surcharge
    rate -= policy.autopay_discount if loan.autopay else 0
    if terms.secured and amount * 10_000 > terms.ltv_surcharge_above * loan.value:
        rate += terms.ltv_surcharge
    home = product == "home"
    bands = policy.mortgage_insurance if home else ()
    insurance = next((band.rate for band in bands if amount * 10_000 > band.above_ltv * loan.value), 0)
    return Cost(
        payment=level_payment(amount, rate / 1000, loan.term),
        insurance=round_half_up(Fraction(amount * insurance, 1_200_000)),
        escrow=round_half_up(Fraction(loan.premium + loan.tax, 12)) if home else 0,
    )


def _amount(draw: Draw, policy: LoanPolicy, plan: Plan, people: list[Person]) -> int:
    """Draw the requested amount, occasionally exactly the product's minimum or maximum."""
    product = policy.products[plan.product]
    low, high = product.min_amount, product.max_amount
    old = plan.vehicle_age is not None and plan.vehicle_age >= OLD_VEHICLE_YEARS
    step = _THOUSAND if plan.product == "home" else draw.choice((10_000, 50_000))
    if plan.ending == "deny_amount":
        if old or draw.chance(0.5):
            return draw.steps(low * 2 // 5, low * 24 // 25, step)
        return draw.steps(high * 21 // 20, high * 3 // 2, step)
    if plan.ending == "deny_collateral":
        return draw.steps(low, low * 5 // 4, step)
    if plan.product == "home" and all(person.employment_type == "retired" for person in people):
        high = min(high, max(_MODEST_HOME, low * 3 // 2))
    if old:
        high = OLD_VEHICLE_AMOUNT
    if draw.chance(0.03):
        return low
    if draw.chance(0.02) and high == product.max_amount:
        return high
    # Small amounts are more common than large ones.
    middle = low + (high - low) // 2
    return draw.steps(low, middle, step) if draw.chance(0.6) else draw.steps(middle, high, step)


def _value(draw: Draw, policy: LoanPolicy, plan: Plan, requested: int) -> tuple[int, int]:
    """Return the requested amount, moved slightly to make a round ratio exact, and the value of the collateral."""
    product = policy.products[plan.product]
    home = plan.product == "home"
    step = _THOUSAND if home else 5_000
    at_limit = requested * 10_000 // product.max_ltv
    if plan.ending == "deny_collateral":
        return requested, round(product.min_amount * 10_000 // product.max_ltv * draw.real(0.78, 0.985)) // step * step
    if plan.capped:
        return requested, round(at_limit * draw.real(0.84, 0.985)) // step * step
    if draw.chance(0.15):
        # Place the loan-to-value ratio exactly on a band's boundary.
        ratios = [product.ltv_surcharge_above, product.max_ltv]
        ratios += [band.above_ltv for band in policy.mortgage_insurance] if home else []
        ratio = draw.choice(ratios)
        value = requested * 10_000 // ratio // (20 * step) * (20 * step)
        exact = value * ratio // 10_000
        if exact % policy.amount_step == 0 and product.min_amount <= exact <= product.max_amount:
            return exact, value
    band = Fraction(product.ltv_surcharge_above, 10_000)
    # An old vehicle is worth little, so the loan is close to its price.
    old = plan.vehicle_age is not None and plan.vehicle_age >= OLD_VEHICLE_YEARS
    low, high = (
        (0.8 if old else 0.55, float(band)) if draw.chance(0.42) else (float(band), product.max_ltv / 10_000 - 0.002)
    )
    return requested, round(requested / draw.real(low, high)) // step * step + step


def personal_fields() -> Record:
    """Return the fields of a new application for a personal loan that pays off nothing."""
    return {
        "product": "personal", "purpose": "other", "property_use": None, "completed_date": None,
        "closing_payoff_tradelines": [], "closing_payoff_accounts": [], "collateral_id": None, "collateral_type": None,
        "purchase_price": 0, "appraised_value": 0, "appraisal_date": None,
    }  # fmt: skip
