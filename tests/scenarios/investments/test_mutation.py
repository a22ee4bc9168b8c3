"""Turning any one comparison of the solver, expert or core tools of Investments is noticed."""

from typing import Any

import pytest

from tests.scenarios.investments.bent import all_bent
from tests.scenarios.investments.guards import GUARDS
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "investments",
    solver=("solver",),
    expert=("expert", "judgement", "sale_judgement", "purchase_judgement", "payout_judgement"),
    tools=tuple(f"tools.{name}" for name in ("authority", "purchase", "sale", "cash_out", "decision")),
    shared=("teller_gym.scenarios.investments.tools.lookup",),
    bent=all_bent,
    guards=GUARDS,
    equivalent={
        # Not equal, but no frozen case sells a lot at just its cost; test_figures asks the tool about such a lot.
        "sale.check_wash_sale: row['result'] < 0  ->  row['result'] <= 0": "refuses a lot that test_figures sells",
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
