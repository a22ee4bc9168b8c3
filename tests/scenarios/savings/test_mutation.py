"""Turning any one comparison of the solver, expert or core tools of Savings is noticed; see ``mutation.py``."""

from typing import Any

import pytest

from tests.scenarios.mutation import FLIPPED, Mutation
from tests.scenarios.savings.bent import all_bent
from tests.scenarios.savings.guards import GUARDS

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "savings",
    solver=("solver", "solver_kinds", "solver_facts"),
    expert=("expert", "judgement", "account_judgement", "findings"),
    tools=tuple(f"tools.{name}" for name in ("deposits", "interest", "maturity", "bonus", "coverage", "decision")),
    shared=("teller_gym.scenarios.savings.tools.lookup",),
    bent=all_bent,
    guards=GUARDS,
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
