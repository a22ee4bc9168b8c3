"""The instances of Investments: expert and solver agree, cases are realistic, and every ending is among them."""

from datetime import date, timedelta

import pytest

from teller_gym.procedure.task import Split, Task
from teller_gym.scenarios.investments.generator.accounts import PROTECTED_AGE
from teller_gym.scenarios.investments.generator.plan import OUTCOMES
from teller_gym.tasks.store import frozen_tasks, split_tasks
from tests.scenarios.investments.desk import INVESTMENTS

TASKS = list(frozen_tasks("investments").values())


def test_expert_and_solver_agree() -> None:
    for task in TASKS:
        assert INVESTMENTS.solve(task).outputs == task.standard.outputs, task.id
        assert INVESTMENTS.run_expert(task, INVESTMENTS.policy_of(task)) == task.standard, task.id


@pytest.mark.parametrize("seed", range(30))
def test_generated_cases_are_realistic_under_any_policy(seed: int) -> None:
    values = INVESTMENTS.draw_policy(f"test/{seed}")
    for task in (INVESTMENTS.generate(seed), INVESTMENTS.generate(seed, policy=values)):
        policy = INVESTMENTS.policy_of(task)
        assert list(INVESTMENTS.realism(task, policy)) == []
        assert INVESTMENTS.solve(task).outputs == task.standard.outputs


def test_frozen_cases_are_realistic() -> None:
    for task in TASKS:
        assert list(INVESTMENTS.realism(task, INVESTMENTS.policy_of(task))) == [], task.id


def test_every_ending_is_frozen() -> None:
    assert {tag.removeprefix("ending:") for task in TASKS for tag in task.tags if tag.startswith("ending:")} == set(
        OUTCOMES
    )


def test_every_node_is_needed_and_lengths_differ() -> None:
    assert {call.name for task in TASKS for call in task.standard.calls} == set(INVESTMENTS.graph.nodes)
    lengths = {len(task.standard.calls) for task in TASKS}
    assert min(lengths) <= 6 and max(lengths) >= 18


def _agrees(task: Task, policy: object) -> bool:
    """Whether expert and solver, who share only money, dates and policy, come to the same."""
    return bool(INVESTMENTS.solve(task).outputs == INVESTMENTS.run_expert(task, policy).outputs)


@pytest.mark.parametrize("start", range(100_000, 101_000, 200))
def test_expert_and_solver_agree_on_generated_cases(start: int) -> None:
    tasks = [INVESTMENTS.generate(seed) for seed in range(start, start + 60)]
    assert [task.seed for task in tasks if not _agrees(task, INVESTMENTS.policy_of(task))] == []


@pytest.mark.parametrize("number", range(8))
def test_expert_and_solver_agree_under_any_policy(number: int) -> None:
    values = INVESTMENTS.draw_policy(f"agreement/{number}")
    tasks = [INVESTMENTS.generate(200_000 + seed, policy=values) for seed in range(20)]
    assert [task.seed for task in tasks if not _agrees(task, INVESTMENTS.policy_of(task))] == []


def test_what_a_banker_would_smile_at_is_not_drawn() -> None:
    for seed in range(300_000, 300_120):
        tables = INVESTMENTS.generate(seed).tables
        for lot in tables["lots"].values():
            assert isinstance(lot["quantity"], int)
            assert lot["source"] != "reinvestment" or lot["quantity"] <= 14
        for statement in tables["statements"].values():
            assert (date.fromisoformat(statement["statement_date"]) + timedelta(days=1)).day == 1
            for asset in statement["assets"]:
                assert asset["asset_kind"] != "sweep_fund" or asset["value"] == 100 * asset["quantity"]
        for account in tables["brokerage_accounts"].values():
            born = date.fromisoformat(account["owner_birth_date"] or "1950-01-01")
            held = any(row["kind"] == "exploitation_hold" for row in account["restrictions"])
            assert not held or born.year < INVESTMENTS.generate(seed).today.year - PROTECTED_AGE


def test_rules_that_the_solver_names_stand_in_the_sop() -> None:
    rules = {rule for task in TASKS for rule in INVESTMENTS.solve(task).rules}
    assert rules <= INVESTMENTS.sop_document.rule_ids()
    clauses = set(INVESTMENTS.sop_document.clauses())
    assert clauses <= rules


def test_splits_have_their_sizes() -> None:
    sizes = {split: len(split_tasks("investments", split)) for split in (Split.HELDOUT, Split.VALIDATION, Split.TRAIN)}
    assert sizes == {Split.HELDOUT: 50, Split.VALIDATION: 13, Split.TRAIN: 121}
