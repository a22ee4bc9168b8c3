"""The frozen instances and the generator's: realistic, varied, reproducible, and agreed on by expert and solver."""

from collections import Counter

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import frozen_tasks, generate_task, heldout_fingerprints
from tests.scenarios.accounts.bent import all_bent

ACCOUNTS = load_scenario("accounts")
TASKS = list(frozen_tasks("accounts").values())
FRESH = range(5_000_000, 5_001_000)
MANY = range(1_000_000, 1_010_000)


@pytest.fixture(scope="module")
def fresh() -> list[Task]:
    """A thousand generated tasks."""
    return [generate_task("accounts", seed) for seed in FRESH]


def test_214_instances_in_three_splits() -> None:
    assert [task.id for task in TASKS] == [f"accounts-{number:04d}" for number in range(1, 215)]
    assert Counter(task.split for task in TASKS) == {Split.HELDOUT: 50, Split.VALIDATION: 16, Split.TRAIN: 148}
    assert len({task.fingerprint for task in TASKS}) == 214


def test_held_out_cases_are_of_every_kind_and_decision() -> None:
    held = [task for task in TASKS if task.split is Split.HELDOUT]
    assert {task.branches["kind"] for task in held} == {task.branches["kind"] for task in TASKS}
    assert {task.standard.outputs["decision"] for task in held} == {t.standard.outputs["decision"] for t in TASKS}


def test_expert_and_solver_agree_on_frozen_instances() -> None:
    for task in TASKS:
        solution = ACCOUNTS.solve(task)
        assert solution.outputs == task.standard.outputs, task.id
        assert solution.branches == task.branches, task.id
        assert ACCOUNTS.run_expert(task) == task.standard, task.id
        assert list(ACCOUNTS.realism(task, ACCOUNTS.policy)) == [], task.id


def test_expert_and_solver_agree_on_bent_instances() -> None:
    for kind, tasks in all_bent().items():
        assert tasks, kind
        for task in tasks:
            assert ACCOUNTS.solve(task).outputs == task.standard.outputs, (kind, task.id)


def test_expert_and_solver_agree_on_fresh_instances(fresh: list[Task]) -> None:
    for task in fresh:
        assert ACCOUNTS.solve(task).outputs == task.standard.outputs, task.id
        assert list(ACCOUNTS.realism(task, ACCOUNTS.policy)) == [], task.id
        assert task.fingerprint not in heldout_fingerprints("accounts")


@pytest.mark.slow
def test_expert_and_solver_agree_on_10_000_generated_instances() -> None:
    for seed in MANY:
        task = generate_task("accounts", seed)
        assert ACCOUNTS.solve(task).outputs == task.standard.outputs, seed


def test_the_same_seed_gives_the_same_task() -> None:
    for seed in FRESH[:20]:
        assert generate_task("accounts", seed) == generate_task("accounts", seed)


def test_cases_take_five_to_thirty_calls(fresh: list[Task]) -> None:
    lengths = [len(task.standard.calls) for task in fresh]
    assert 5 <= min(lengths) <= 6 and 14 <= max(lengths) <= 30


def test_every_policy_drawn_anew_makes_cases_on_which_both_agree() -> None:
    for number in range(40):
        task = ACCOUNTS.generate(number, policy=ACCOUNTS.draw_policy(f"test/{number}"))
        assert ACCOUNTS.solve(task).outputs == task.standard.outputs, number
