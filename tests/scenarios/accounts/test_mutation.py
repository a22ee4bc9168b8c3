"""Turning any one comparison of the solver or the expert of Accounts is noticed; see ``mutation.py`` beside it."""

from typing import Any

import pytest

from tests.scenarios.accounts.bent import all_bent
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "accounts",
    solver=("solver", "solver_items", "solver_kinds", "solver_facts"),
    expert=("expert", "clocks", "claims", "deposits", "judgement"),
    tools=("tools.availability", "tools.claims", "tools.deadlines"),
    bent=all_bent,
)


@FLIPPED
@pytest.mark.parametrize("module", MUTATION.modules)
def test_a_turned_comparison_is_noticed(module: str, flips: Any) -> None:
    assert MUTATION.survivors(module, flips) == set()
