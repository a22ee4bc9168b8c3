"""Turning any one comparison of the solver or the expert of Accounts is noticed; see ``mutation.py`` beside it."""

from typing import Any

import pytest

from tests.scenarios.accounts.bent import all_bent
from tests.scenarios.accounts.guards import GUARDS
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "accounts",
    solver=("solver", "solver_items", "solver_kinds", "solver_facts"),
    expert=("expert", "clocks", "claims", "deposits", "judgement"),
    tools=("tools.availability", "tools.claims", "tools.deadlines"),
    bent=all_bent,
    guards=GUARDS,
    equivalent={
        "solver_kinds._liability: told <= limit  ->  told < limit": "on the limit nothing counted was posted after it",
        "claims.liability: self.received <= limit  ->  self.received < limit": "the same",
        "claims.last_letter_day: clock.roll == 'previous'  ->  clock.roll != 'previous'": (
            "no business day lies between a day and the last business day before it"
        ),
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
