"""Changing any one comparison of a solver, an expert or a core tool is detected; see ``mutation.py``."""

from typing import Any

import pytest

from teller_gym.procedure.scenario import load_scenario
from tests.scenarios.bank_scenarios import NAMES, bent_tasks
from tests.scenarios.mutation import FLIPPED, Mutation

pytestmark = pytest.mark.slow

MUTATIONS = {
    "loans": Mutation(
        "loans",
        solver=("solver", "solver_facts"),
        expert=("expert", "judgement"),
        tools=("intake", "identity", "credit", "income", "collateral", "pricing", "decision"),
        shared=("teller_gym.scenarios.banking.lookup", "teller_gym.scenarios.banking.tools.identity"),
        equivalent={
            "solver_facts.qualifying_income: latest < before  ->  latest <= before": "equal years are their own mean",
            "income.monthly_income: latest >= prior  ->  latest > prior": "the same",
        },
    ),
    "accounts": Mutation(
        "accounts",
        solver=("solver", "solver_items", "solver_kinds", "solver_facts"),
        expert=("expert", "clocks", "claims", "deposits", "judgement"),
        tools=("availability", "claims", "deadlines"),
        equivalent={
            "solver_kinds._liability: told <= limit  ->  told < limit": "on the limit nothing counted was posted after",
            "claims.liability: self.received <= limit  ->  self.received < limit": "the same",
            "claims.last_letter_day: clock.roll == 'previous'  ->  clock.roll != 'previous'": (
                "no business day lies between a day and the last business day before it"
            ),
        },
    ),
    "credit_cards": Mutation(
        "credit_cards",
        solver=("solver", "solver_account", "solver_facts"),
        expert=("expert", "judgement", "account_judgement"),
        tools=("identity", "activity", "ability", "blocking", "charges", "disputes", "decision"),
        equivalent={
            "solver._granted: limit == proposed  ->  limit != proposed": "of the reason, which is no output field",
            "solver._granted: limit > 0  ->  limit >= 0": "no limit is too low, and so is one below",
        },
    ),
    "savings": Mutation(
        "savings",
        solver=("solver", "solver_kinds", "solver_facts"),
        expert=("expert", "judgement", "account_judgement", "findings"),
        tools=("deposits", "interest", "maturity", "bonus", "coverage", "decision"),
        shared=("teller_gym.scenarios.savings.tools.lookup", "teller_gym.scenarios.banking.amounts"),
    ),
    "investments": Mutation(
        "investments",
        solver=("solver",),
        expert=("expert", "judgement", "sale_judgement", "purchase_judgement", "payout_judgement"),
        tools=("authority", "purchase", "sale", "cash_out", "decision"),
        shared=("teller_gym.scenarios.investments.tools.lookup",),
        equivalent={
            # Not equivalent, but no frozen case sells a lot exactly at cost; test_figures covers such a lot.
            "sale.check_wash_sale: row['result'] < 0  ->  row['result'] <= 0": "refuses a lot that test_figures sells",
        },
    ),
}


@FLIPPED
@pytest.mark.parametrize(("name", "module"), [(name, module) for name in NAMES for module in MUTATIONS[name].modules])
def test_a_turned_comparison_is_noticed(name: str, module: str, flips: Any) -> None:
    assert MUTATIONS[name].survivors(module, flips) == set()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_turned_is_nothing_noticed_and_equivalent_mutants_exist(name: str) -> None:
    MUTATIONS[name].check()


@pytest.mark.parametrize("name", NAMES)
def test_each_boundary_has_cases_and_both_computations_agree_on_them(name: str) -> None:
    for boundary, tasks in bent_tasks(name).items():
        assert tasks, boundary
        for task in tasks:
            assert load_scenario(name).solve(task).outputs == task.standard.outputs, (boundary, task.id)
