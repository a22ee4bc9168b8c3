"""Turning any one comparison of the solver, expert or core tools of Credit cards is noticed."""

from typing import Any

import pytest

from tests.scenarios.credit_cards.bent import all_bent
from tests.scenarios.credit_cards.guards import GUARDS
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "credit_cards",
    solver=("solver", "solver_account", "solver_facts"),
    expert=("expert", "judgement", "account_judgement"),
    tools=tuple(
        f"tools.{name}" for name in ("identity", "activity", "ability", "blocking", "charges", "disputes", "decision")
    ),
    bent=all_bent,
    guards=GUARDS,
    equivalent={
        "solver._granted: limit == proposed  ->  limit != proposed": "of the reason, which is no output field",
        "solver._granted: limit > 0  ->  limit >= 0": "no limit is too low, and so is one below",
    },
)


@FLIPPED
@pytest.mark.parametrize("module", MUTATION.modules)
def test_a_turned_comparison_is_noticed(module: str, flips: Any) -> None:
    assert MUTATION.survivors(module, flips) == set()


def test_nothing_turned_is_nothing_noticed() -> None:
    MUTATION.check()


@pytest.mark.parametrize("boundary", all_bent())
def test_each_boundary_has_cases_and_both_computations_agree_on_them(boundary: str) -> None:
    tasks = all_bent()[boundary]
    assert tasks
    for task in tasks:
        assert MUTATION.scenario.solve(task).outputs == task.standard.outputs
