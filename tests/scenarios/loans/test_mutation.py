"""Turning any one comparison of the solver, expert or core tools of Loans is noticed; see ``mutation.py`` beside it."""

from typing import Any

import pytest

from tests.scenarios.loans.bent import all_bent
from tests.scenarios.loans.guards import GUARDS
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATION = Mutation(
    "loans",
    solver=("solver", "solver_facts"),
    expert=("expert", "judgement"),
    tools=tuple(
        f"tools.{name}" for name in ("intake", "identity", "credit", "income", "collateral", "pricing", "decision")
    ),
    shared=("teller_gym.scenarios.banking.lookup", "teller_gym.scenarios.banking.tools.identity"),
    bent=all_bent,
    guards=GUARDS,
    equivalent={
        "solver_facts.qualifying_income: latest < before  ->  latest <= before": "equal years are their own mean",
        "income.monthly_income: latest >= prior  ->  latest > prior": "the same",
    },
)


@FLIPPED
@pytest.mark.parametrize("module", MUTATION.modules)
def test_a_turned_comparison_is_noticed(module: str, flips: Any) -> None:
    assert MUTATION.survivors(module, flips) == set()


def test_nothing_turned_is_nothing_noticed_and_equivalent_mutants_exist() -> None:
    MUTATION.check()
