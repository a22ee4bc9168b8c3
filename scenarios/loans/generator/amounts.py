"""Amounts of a case: loan, value, income and debts, chosen so that the case ends as planned."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.money import level_payment, payment_per_thousand, round_half_up
from teller_gym.scenarios.loans.generator.people import RETIRED_INCOME_LIMIT, Person
from teller_gym.scenarios.loans.generator.plan import OLD_VEHICLE_AMOUNT, OLD_VEHICLE_YEARS, Plan
from teller_gym.scenarios.loans.policy import LoanPolicy

_ATTEMPTS = 60
_MOST_INCOME = 6_000_000
_LEAST_HOUSING = 50_000
"""Cents a month: what a shared flat costs."""
LEAST_LINE = 2_500
_HOURLY_PAY = (1_000, 9_000)
"""Cents an hour; who earns less or more is paid in another form."""


class NoAmountsError(Exception):
    """No amounts were found that make the plan come true."""


class Terms(msgspec.Struct, kw_only=True):
    """The loan asked for and what it costs a month at the considered amount, in cents."""

    requested: int
    term: int
    value: int
    price: int
    premium: int
    tax: int
    payment: int
    other: int
    """Mortgage insurance and escrow."""


def draw_score(draw: Draw, policy: LoanPolicy, plan: Plan) -> int:
    """Draw the qualifying credit score that the plan asks for."""
    if plan.boundary.startswith("score="):
        return policy.min_credit_score + int(plan.boundary.removeprefix("score=limit") or 0)
    if plan.has("deny_score"):
        return draw.integer(560, policy.min_credit_score - 1)
    return draw.integer(policy.min_credit_score, 835)


def draw_finances(
    draw: Draw, policy: LoanPolicy, plan: Plan, people: list[Person], score: int
) -> tuple[Terms, list[int], dict[str, Any]]:
    """Choose amounts, incomes (cents a month, one each) and debts that make the plan come true."""
    autopay = draw.chance(0.4)
    for _ in range(_ATTEMPTS):
        terms = _draw_terms(draw, policy, plan, score, autopay)
        income = _draw_income(draw, policy, plan, terms, people)
        if income is None:
            continue
        limit = Fraction(policy.max_dti * income, 10_000)
        fixed = _draw_debts(draw, plan, income, limit, terms)
        if fixed is None or not _comes_true(policy, plan, score, autopay, terms, income, fixed):
            continue
        debts = {**_split_debts(draw, plan, fixed), "autopay": autopay}
        return terms, _split_income(draw, people, income), debts
    raise NoAmountsError


def _draw_terms(draw: Draw, policy: LoanPolicy, plan: Plan, score: int, autopay: bool) -> Terms:
    product = policy.products[plan.product]
    requested = _amount(draw, policy, plan)
    term = draw.choice(product.terms)
    if plan.has("deny_term"):
        term = draw.choice([months for months in (6, 18, 30, 84, 96, 120, 300) if months not in product.terms])
    value = price = premium = tax = other = 0
    if product.secured:
        value, price = _value(draw, policy, plan, requested)
        home = plan.product == "home"
        premium = draw.steps(value // 250, value // 140, 1_200) if home else draw.steps(60_000, 240_000, 1_200)
        tax = draw.steps(value // 125, value // 60, 1_200) if home else 0
    considered = min(
        requested, value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step or requested
    )
    rate, insurance = _rates(policy, plan.product, term, score, autopay, considered, value)
    other = round_half_up(Fraction(considered * insurance, 1_200_000)) + round_half_up(Fraction(premium + tax, 12)) * (
        plan.product == "home"
    )
    payment = level_payment(considered, rate / 1000, term)
    return Terms(
        requested=requested, term=term, value=value, price=price, premium=premium, tax=tax, payment=payment, other=other
    )


def _amount(draw: Draw, policy: LoanPolicy, plan: Plan) -> int:
    product = policy.products[plan.product]
    exact = {
        "amount=min": product.min_amount,
        "amount=max": product.max_amount,
        "amount=min-0.01": product.min_amount - 1,
        "amount=max+0.01": product.max_amount + 1,
    }
    if plan.boundary in exact:
        return exact[plan.boundary]
    old = plan.vehicle_age is not None and plan.vehicle_age >= OLD_VEHICLE_YEARS
    if plan.ending == "deny_amount":
        if old or draw.chance(0.5):
            return draw.steps(product.min_amount // 3, product.min_amount - 50_000, 10_000)
        return draw.steps(product.max_amount + 50_000, product.max_amount * 3 // 2, 50_000)
    if plan.boundary.startswith("ltv"):
        # Multiples that leave a whole-dollar value at the highest loan-to-value ratio, and are not rounded down.
        step = lcm(product.max_ltv * (20 if plan.product == "home" else 10), policy.amount_step)
        return draw.steps(product.min_amount, product.max_amount, step)
    if plan.ending == "deny_collateral":
        return draw.steps(product.min_amount, product.min_amount * 13 // 10, 10_000)
    if plan.ending in ("deny_dti", "deny_pti"):
        return draw.steps(product.min_amount, OLD_VEHICLE_AMOUNT if old else product.min_amount * 2, 10_000)
    lowest = product.min_amount * 5 // 4 if plan.ending.startswith("counter") else product.min_amount
    step = 50_000 if plan.product == "home" else 10_000
    return draw.steps(lowest, OLD_VEHICLE_AMOUNT if old else product.max_amount, step)


def _value(draw: Draw, policy: LoanPolicy, plan: Plan, requested: int) -> tuple[int, int]:
    """Return the lower of price and appraisal, and the price, in whole dollars (as cents)."""
    product = policy.products[plan.product]
    at_limit = requested * 10_000 // product.max_ltv
    shift = {"ltv=limit": 0, "ltv=limit-": 100, "ltv=limit+": -100}.get(plan.boundary)
    if shift is not None:
        value = at_limit + shift
    elif plan.ending == "counter_collateral":
        value = round(at_limit * draw.real(0.92, 0.995)) // 10_000 * 10_000
    elif plan.ending == "deny_collateral":
        value = round(product.min_amount * 10_000 // product.max_ltv * draw.real(0.7, 0.99)) // 10_000 * 10_000
    else:
        value = round(at_limit * draw.real(1.01, 1.6)) // 10_000 * 10_000
    return value, value if draw.chance(0.15) else value + draw.steps(10_000, min(900_000, value // 8), 10_000)


def _rates(
    policy: LoanPolicy, product: str, term: int, score: int, autopay: bool, amount: int, value: int
) -> tuple[int, int]:
    """Return yearly rate and mortgage insurance rate, in thousandths of a percent."""
    terms = policy.products[product]
    rate = terms.rates.get(term, 9_000) + policy.grade_of(score).surcharge - (policy.autopay_discount if autopay else 0)
    if terms.secured and amount * 10_000 > terms.ltv_surcharge_above * value:
        rate += terms.ltv_surcharge
    bands = policy.mortgage_insurance if product == "home" else ()
    return rate, next((band.rate for band in bands if amount * 10_000 > band.above_ltv * value), 0)


def _draw_income(draw: Draw, policy: LoanPolicy, plan: Plan, terms: Terms, people: list[Person]) -> int | None:
    """Return a monthly income in cents, or None if the draw leads nowhere."""
    cost = terms.payment + terms.other
    if plan.boundary.startswith("pti"):
        exact = Fraction(terms.payment * 10_000, policy.max_pti)
        if exact.denominator > 1 or exact.numerator % 2:  # paid twice a month, so it must be even
            return None
        return exact.numerator + {"pti=limit": 0, "pti=limit-0.01": 2, "pti=limit+0.01": -2}[plan.boundary]
    if plan.ending == "counter_pti":
        share = draw.real(0.16, 0.3)
    elif plan.ending == "deny_pti":
        share = draw.real(0.3, 0.6)
    elif plan.ending in ("counter_dti", "deny_dti") or plan.boundary.startswith("dti"):
        low, high = {"home": (0.26, 0.38), "auto": (0.08, 0.14), "personal": (0.12, 0.32)}[plan.product]
        share = draw.real(low, high)
    else:
        share = draw.real(0.04, 0.145) if plan.product == "auto" else draw.real(0.06, 0.34)
    income = max(round(cost / share), draw.integer(280_000, 460_000))
    income = income // 200 * 200  # whole even dollars: 43 % of them, and half of them, are whole cents
    retired = sum(person.employment_type == "retired" for person in people)
    if income > _MOST_INCOME or (retired and income > RETIRED_INCOME_LIMIT):
        return None
    return income


def _draw_debts(draw: Draw, plan: Plan, income: int, limit: Fraction, terms: Terms) -> int | None:
    """Return counted monthly debts in cents."""
    room = limit - terms.payment - terms.other
    least = 0 if plan.housing_replaced else _LEAST_HOUSING
    exact = {"dti=limit": 0, "dti=limit-0.01": -1, "dti=limit+0.01": 1}.get(plan.boundary)
    if exact is not None:
        return int(room) + exact if room.denominator == 1 and room > least else None
    if plan.ending in ("counter_dti", "deny_dti"):
        over = draw.real(0.01, 0.25) if plan.ending == "counter_dti" else draw.real(0.05, 0.5)
        return max(1, least, int(room + over * income))
    if room <= least:
        return None
    return least + int((room - least) * Fraction(draw.integer(5, 96), 100))


def _comes_true(
    policy: LoanPolicy, plan: Plan, score: int, autopay: bool, terms: Terms, income: int, debts: int
) -> bool:
    """Whether affordability comes out as planned (endings before that step are not touched by amounts)."""
    smallest = policy.products[plan.product].min_amount
    obligations = debts + terms.payment + terms.other
    over_dti = obligations * 10_000 > policy.max_dti * income
    over_pti = plan.product == "auto" and terms.payment * 10_000 > policy.max_pti * income
    if plan.ending in ("counter_dti", "deny_dti", "counter_pti", "deny_pti"):
        product = policy.products[plan.product]
        considered = min(
            terms.requested,
            terms.value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step or terms.requested,
        )
        rate, insurance = _rates(policy, plan.product, terms.term, score, autopay, considered, terms.value)
        factor = payment_per_thousand(rate / 1000, terms.term, insurance / 1000)
        escrow = round_half_up(Fraction(terms.premium + terms.tax, 12)) if plan.product == "home" else 0
        room = Fraction(policy.max_dti * income, 10_000) - debts - escrow
        pti_room = Fraction(policy.max_pti * income, 10_000) if plan.product == "auto" else room
        binds_pti = plan.product == "auto" and pti_room < room
        largest = (
            max(0, int((min(room, pti_room) - 1) * 1000 / Fraction(repr(factor))))
            // policy.amount_step
            * policy.amount_step
        )
        enough = largest >= smallest
        wants_pti = plan.ending.endswith("pti")
        return (over_dti or over_pti) and binds_pti == wants_pti and enough == plan.ending.startswith("counter")
    return not over_dti and not over_pti


def _split_debts(draw: Draw, plan: Plan, fixed: int) -> dict[str, Any]:
    """Split counted debts into housing, support and tradelines."""
    housing = draw.steps(60_000, 220_000, 500)
    if plan.housing_replaced:
        left = fixed
    else:
        housing = min(housing, max(_LEAST_HOUSING, fixed * draw.integer(45, 90) // 100 // 500 * 500))
        left = fixed - housing
        if left < LEAST_LINE:  # nobody pays a few dollars a month on a debt
            housing, left = fixed, 0
    support = draw.steps(20_000, 90_000, 500) if draw.chance(0.12) else 0
    if support > left // 2:
        support = 0
    return {"housing": housing, "support": support, "lines": left - support}


def _split_income(draw: Draw, people: list[Person], income: int) -> list[int]:
    """Return each applicant's monthly income; forms of pay may round it by some cents, which moves no planned limit."""
    if len(people) == 1:
        person = people[0]
        if person.employment_type == "employed":
            person.pay_type = draw.choice(("semimonthly", "semimonthly", "salaried", person.pay_type))
        parts = [income]
    else:
        first = round(income * draw.real(0.35, 0.7))
        parts = [first, income - first]
    for person, part in zip(people, parts, strict=True):
        low, high = (pay * 36 * 52 // 12 for pay in _HOURLY_PAY)
        if person.pay_type == "hourly" and not low * 40 // 32 <= part <= high * 32 // 40:
            person.pay_type = "biweekly" if part < high else "salaried"
    return parts
