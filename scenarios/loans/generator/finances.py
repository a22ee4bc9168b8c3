"""Incomes and debts that give the planned affordability outcome, by realistic margins."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.loans.generator.pay import RETIRED_INCOME_LIMIT, draw_pay
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.generator.terms import Cost, Loan
from teller_gym.scenarios.loans.generator.tradelines import LEAST
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

_ATTEMPTS = 12
_LEAST_INCOME, _MOST_INCOME = 240_000, 4_500_000
"""Bounds of an applicant's income, in cents a month."""


class Burden(msgspec.Struct, frozen=True, kw_only=True):
    """An applicant's monthly payments other than the loan and the counted tradelines, in cents."""

    housing: int
    """0 if the loan replaces the present housing cost."""
    support: int
    paid_off: int
    """Total debt that a consolidation pays off, the least amount worth offering; 0 if it is no consolidation."""


class Finances(msgspec.Struct, frozen=True, kw_only=True):
    """Pay of each applicant, their total qualifying income, and the total payments of the counted tradelines."""

    pay: list[Record]
    income: int
    lines: int


def draw_incomes(
    draw: Draw, policy: LoanPolicy, plan: Plan, people: list[Person], loan: Loan, cost: Cost, burden: Burden
) -> tuple[list[Record], int]:
    """Draw the pay of each applicant; return it with the total qualifying income.

    Raises:
        NoCaseError: no realistic pay gives the income that the plan needs.
    """
    for _ in range(_ATTEMPTS):
        wanted = _wanted_income(draw, policy, plan, loan, cost, burden)
        most = sum(RETIRED_INCOME_LIMIT if p.employment_type == "retired" else _MOST_INCOME for p in people)
        if not _LEAST_INCOME * (2 + len(people)) // 3 <= wanted <= most:
            continue
        first = wanted if len(people) == 1 else round(wanted * draw.real(0.35, 0.7))
        pays = [
            draw_pay(draw, policy, p, part)
            for p, part in zip(people, (first, wanted - first)[: len(people)], strict=True)
        ]
        found = [pay for pay in pays if pay is not None]
        if len(found) == len(people):
            return [figures for figures, _ in found], sum(monthly for _, monthly in found)
    raise NoCaseError


def _wanted_income(draw: Draw, policy: LoanPolicy, plan: Plan, loan: Loan, cost: Cost, burden: Burden) -> int:
    obligations = burden.housing + burden.support + cost.payment + cost.insurance + cost.escrow
    if plan.finances in ("counter_pti", "deny_pti") or (plan.finances == "counter_both" and plan.by_payment):
        times = draw.real(1.04, 1.6)
        if plan.finances == "deny_pti":
            times = draw.real(1.03, 1.5) * loan.considered / policy.products["auto"].min_amount
        return round(cost.payment * 10_000 / (policy.max_pti * times))
    share = draw.real(0.44, 0.8) * policy.max_dti / 10_000
    income = round(obligations / share)
    if plan.product == "auto":
        income = max(income, round(cost.payment * 10_000 / (policy.max_pti * draw.real(0.45, 0.97))))
    return max(income, draw.integer(_LEAST_INCOME, 2 * _LEAST_INCOME))


def draw_counted(
    draw: Draw, policy: LoanPolicy, plan: Plan, loan: Loan, cost: Cost, burden: Burden, income: int, uncounted: int
) -> int:
    """Draw the total monthly payment of the counted tradelines.

    Args:
        uncounted: Payments of the lines that do not count, so that wrongly counting them sometimes breaks the limit.

    Raises:
        NoCaseError: no total fits the plan.
    """
    left = Fraction(policy.max_dti * income, 10_000) - burden.housing - burden.support - cost.escrow
    monthly = cost.payment + cost.insurance
    by_payment = Fraction(policy.max_pti * income, 10_000) if plan.product == "auto" else left + monthly
    wanted = plan.finances
    if wanted == "counter_both":
        wanted = "counter_pti" if plan.by_payment else "counter_dti"
    if wanted in ("counter_pti", "deny_pti"):
        _check_share(policy, plan, loan, burden, by_payment / cost.payment, wanted.startswith("deny"))
        total = int((left - by_payment * Fraction(21, 20)) * Fraction(draw.integer(0, 95), 100))
    elif wanted in ("counter_dti", "deny_dti"):
        total = int(left - monthly * _share(draw, policy, plan, loan, cost, burden, wanted.startswith("deny")))
        if left - total > by_payment:
            raise NoCaseError
    else:
        if monthly > by_payment:
            raise NoCaseError
        total = _within(draw, int(left - monthly), uncounted)
    if total < 0:
        raise NoCaseError
    return total if total >= LEAST else 0


def _within(draw: Draw, room: int, uncounted: int) -> int:
    """Draw a total within the limit, often so near to it that adding the uncounted payments would break it."""
    if uncounted > 0 and room > LEAST and draw.chance(0.6):
        return max(0, room - max(300, min(room, uncounted) * draw.integer(4, 90) // 100))
    if draw.chance(0.04):
        return room  # exactly on the limit if that is a whole number of cents
    return room * draw.integer(5, 95) // 100


def _share(draw: Draw, policy: LoanPolicy, plan: Plan, loan: Loan, cost: Cost, burden: Burden, fails: bool) -> Fraction:
    """Draw the share of the considered amount that the applicants can afford besides their debts."""
    smallest = policy.products[plan.product].min_amount / loan.considered
    if fails:
        low, high = 0.2 * smallest, 0.94 * smallest
        if plan.product == "personal" and draw.chance(0.5):
            low, high = -0.9, 0.0
    else:
        low = max(0.45, 1.03 * smallest, 1.02 * burden.paid_off / loan.considered)
        high = 0.975
        if cost.insurance and draw.chance(0.6):
            # Affordable if the mortgage insurance is ignored.
            low, high = max(low, cost.payment / (cost.payment + cost.insurance) + 0.003), 0.992
    if low >= high:
        raise NoCaseError
    return Fraction(draw.integer(round(low * 10_000), round(high * 10_000)), 10_000)


def _check_share(policy: LoanPolicy, plan: Plan, loan: Loan, burden: Burden, share: Fraction, fails: bool) -> None:
    """Raise NoCaseError unless the affordable share fits the plan."""
    smallest = policy.products[plan.product].min_amount
    affordable = share * loan.considered
    if fails != (affordable < smallest) or affordable < burden.paid_off:
        raise NoCaseError
