"""Every threshold is met exactly, from just above and from just below: read off calls and results, not tags.

Frozen cases lie on limits now and then, as cases do; those beside them by a cent are bent there.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pytest

from teller_gym.base.money import to_cents
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from tests.scenarios.guards import run
from tests.scenarios.loans.bent import around_limits

LOANS = load_scenario("loans")
POLICY = LOANS.policy
TASKS = [*frozen_tasks("loans").values(), *around_limits()]
CENT = 10_000  # one cent, in the unit of cents times hundredths of a percent
Met = dict[str, dict[str, list[Task]]]


@cache
def transcripts() -> list[tuple[Task, list[tuple[str, dict[str, Any], dict[str, Any]]]]]:
    """Return every task with its standard calls and what the tools answered."""
    found = []
    for task in TASKS:
        bank = LOANS.bank(task)
        turns = [(c.name, c.arguments, run(bank, LOANS.tools, c.name, c.arguments)) for c in task.standard.calls]
        found.append((task, turns))
    return found


def side(distance: int, step: int) -> str | None:
    """Say where a value lies that is ``distance`` away from its limit: exactly on it, within a step, or further off."""
    if distance == 0:
        return "exactly"
    if abs(distance) > step:
        return None
    return "just above" if distance > 0 else "just below"


def distances(task: Task, turns: list[tuple[str, dict[str, Any], dict[str, Any]]]) -> Iterator[tuple[str, int, int]]:
    """Yield each threshold that the case is measured by, how far it is off, and what counts as just off."""
    case = turns[0][2]
    product = POLICY.products[case["product"]]
    asked = to_cents(case["requested_amount"])
    yield f"{case['product']} smallest amount", asked - product.min_amount, 1
    yield f"{case['product']} largest amount", asked - product.max_amount, 1
    scores = [result["score"] for name, _, result in turns if name == "pull_credit_report"]
    if scores:
        yield "score", min(scores) - POLICY.min_credit_score, 1
        for person in case["applicants"]:
            if person["report_on_file_date"] is not None:
                age = date.fromisoformat(case["business_date"]) - date.fromisoformat(person["report_on_file_date"])
                yield "age of the report", age.days - POLICY.report_max_age_days, 1
    for name, given, result in turns:
        if name == "calculate_total_exposure":
            yield "exposure", to_cents(result["total_exposure"]) - POLICY.escalation_exposure, 1
        if name == "assess_collateral":
            value = to_cents(given["collateral_value"])
            # The closest whole dollars of value to either side.
            yield f"{case['product']} LTV", asked * 10_000 - product.max_ltv * value, 100 * product.max_ltv
    first = next((given for name, given, _ in turns if name == "assess_affordability"), None)
    if first is not None:
        income, payment = to_cents(first["monthly_income"]), to_cents(first["monthly_payment"])
        others = ("monthly_debts", "monthly_mortgage_insurance", "monthly_escrow")
        obligations = payment + sum(to_cents(first[name]) for name in others)
        yield "DTI", obligations * 10_000 - POLICY.max_dti * income, CENT
        if case["product"] == "auto":
            yield "PTI", payment * 10_000 - POLICY.max_pti * income, CENT


@cache
def met() -> Met:
    """Return the tasks that meet each threshold, by side."""
    found: Met = defaultdict(lambda: defaultdict(list))
    for task, turns in transcripts():
        for threshold, distance, step in distances(task, turns):
            if where := side(distance, step):
                found[threshold][where].append(task)
    return found


SIDES = ("exactly", "just above", "just below")
THRESHOLDS = ("score", "DTI", "PTI", "exposure", "age of the report", "home LTV", "auto LTV")


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("where", SIDES)
def test_every_threshold_is_met(threshold: str, where: str) -> None:
    assert met()[threshold][where]


@pytest.mark.parametrize("product", ["home", "auto", "personal"])
def test_every_range_is_met_from_within_and_from_just_outside(product: str) -> None:
    low, high = met()[f"{product} smallest amount"], met()[f"{product} largest amount"]
    for inside in (low["exactly"], high["exactly"]):
        assert any(task.branches["request"] == "in_range" for task in inside)
    for outside in (low["just below"], high["just above"]):
        assert outside
        assert all("validation" in task.tags for task in outside)
        reasons = {task.standard.outputs["principal_reason"] for task in outside}
        assert reasons == {"amount_below_minimum" if outside is low["just below"] else "amount_above_maximum"}


OUTCOMES: dict[str, tuple[str, dict[str, set[str]]]] = {
    "score": ("score", {"exactly": {"pass"}, "just above": {"pass"}, "just below": {"fail"}}),
    "exposure": ("exposure", {"exactly": {"standard"}, "just above": {"escalated"}, "just below": {"standard"}}),
    "home LTV": ("collateral", {"exactly": {"ok"}, "just above": {"capped"}, "just below": {"ok"}}),
    "auto LTV": ("collateral", {"exactly": {"ok"}, "just above": {"capped"}, "just below": {"ok"}}),
    "DTI": (
        "affordability",
        {"exactly": {"within"}, "just above": {"dti_reduced", "dti_failed"}, "just below": {"within"}},
    ),
    "PTI": (
        "affordability",
        {"exactly": {"within"}, "just above": {"pti_reduced", "pti_failed"}, "just below": {"within"}},
    ),
}


@pytest.mark.parametrize("threshold", OUTCOMES)
def test_a_threshold_decides_on_its_side(threshold: str) -> None:
    point, expected = OUTCOMES[threshold]
    for where, outcomes in expected.items():
        found = {task.branches[point] for task in met()[threshold][where]}
        # Other findings (a full appraisal, another limit) may come first in some case, but one case turns on this.
        assert found & outcomes, (threshold, where, found)
    exact = {task.branches[point] for task in met()[threshold]["exactly"]}
    above = {task.branches[point] for task in met()[threshold]["just above"]}
    assert exact != above or threshold == "score"


def test_reports_of_29_30_and_31_days_are_reused_or_not() -> None:
    requests: dict[int, set[str]] = defaultdict(set)
    for task, turns in transcripts():
        for name, given, _ in turns:
            if name == "pull_credit_report" and given["report_on_file_date"] is not None:
                age = (task.today - date.fromisoformat(given["report_on_file_date"])).days
                requests[age].add(given["request_type"])
    assert (requests[29], requests[30], requests[31]) == ({"reuse"}, {"reuse"}, {"new"})


def test_the_amounts_next_to_100_000_are_routed_apart() -> None:
    for where, routing in (("exactly", "branch"), ("just below", "branch"), ("just above", "senior_credit")):
        granted = [
            t for t in met()["exposure"][where] if t.standard.outputs["decision"] in ("approve", "counter_offer")
        ]
        assert granted and {task.standard.outputs["routing"] for task in granted} == {routing}
