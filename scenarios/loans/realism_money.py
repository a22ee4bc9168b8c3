"""Realism rules for debts, scores and limits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.generator.bureau import fitting_factors
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.solver_facts import Case, considered_amount, installments, price, reports, room_by_limit
from teller_gym.tools.bank import Record

_MARGIN = Fraction(1, 200)
"""Smallest share of the loan's monthly cost by which an unaffordable loan exceeds a limit."""
_WORTH = (Fraction(8, 10), Fraction(1))
"""Bounds of a debt's balance, as a share of the sum of its remaining payments."""
_CARD_PAYMENT = (Fraction(15, 1000), Fraction(6, 100))
"""Bounds of a card's monthly payment, as a share of its balance, unless it is 0."""
_CARD_LEAST = 3_500
"""Payment, in cents, that a card may ask for regardless of its balance."""


def credit_complaints(task: Task, case: Record, policy: LoanPolicy) -> Iterator[str]:
    """Yield a complaint for each report whose score, main factor or tradelines do not fit together."""
    for person in case["applicants"]:
        who = person["customer_id"]
        for report in filter(None, task.tables["bureau_files"][who].values()):
            if report["main_factor"] not in fitting_factors(report["score"], report["tradelines"]):
                yield f"{who}: {report['main_factor']} does not fit a score of {report['score']} and such tradelines"
            for line in report["tradelines"]:
                yield from _line(line)
    scores = [report["score"] for report in reports(Case(task, policy))]
    if len(scores) > 1 and scores[0] == scores[1] < policy.min_credit_score:
        yield f"two applicants fail with the same score, {scores[0]}"


def _line(line: Record) -> Iterator[str]:
    balance, payment = line["balance"], line["monthly_payment"]
    if line["kind"] == "revolving":
        low, high = (share * balance for share in _CARD_PAYMENT)
        if payment and not low - 100 <= payment <= max(high, _CARD_LEAST):
            yield f"{line['tradeline_id']}: a card of {balance} cents that asks for {payment} a month"
        return
    low, high = (share * payment * line["payments_left"] for share in _WORTH)
    if not low - 100 <= balance <= high:
        yield f"{line['tradeline_id']}: {balance} cents in {line['payments_left']} payments of {payment}"


def offer_complaints(task: Task, case: Record, policy: LoanPolicy) -> Iterator[str]:
    """Yield a complaint if a payment exceeds its limit by a negligible amount."""
    if task.branches.get("affordability", "not_reached") in ("not_reached", "within"):
        return
    facts = Case(task, policy)
    considered = considered_amount(facts)
    cost = sum(installments(price(facts, considered), considered))
    lacking = cost - min(room_by_limit(facts).values())
    if lacking < _MARGIN * cost:
        yield f"a limit is missed by {float(lacking):.2f} cents"
