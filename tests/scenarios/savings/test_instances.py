"""The frozen instances and the generator's: realistic, varied, reproducible, and agreed on by expert and solver."""

from collections import Counter
from datetime import date, timedelta

import pytest

from teller_gym.procedure.task import Split, Task
from teller_gym.scenarios.savings.generator.plan import ENDINGS
from teller_gym.tasks.store import frozen_tasks, generate_task, heldout_fingerprints
from tests.scenarios.savings.bent import SAVINGS, account_of

TASKS = list(frozen_tasks("savings").values())
FRESH = range(5_000_000, 5_001_000)
MANY = range(1_000_000, 1_010_000)


@pytest.fixture(scope="module")
def fresh() -> list[Task]:
    """A thousand generated tasks."""
    return [generate_task("savings", seed) for seed in FRESH]


def test_200_instances_in_three_splits() -> None:
    assert [task.id for task in TASKS] == [f"savings-{number:04d}" for number in range(1, 201)]
    assert Counter(task.split for task in TASKS) == {Split.HELDOUT: 50, Split.VALIDATION: 15, Split.TRAIN: 135}
    assert len({task.fingerprint for task in TASKS}) == 200


def test_held_out_cases_show_nothing_that_no_case_of_training_shows() -> None:
    outcomes: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for task in TASKS:
        outcomes[task.split is Split.TRAIN] |= set(task.branches.items())
    assert outcomes[False] <= outcomes[True]
    held = [task for task in TASKS if task.split is Split.HELDOUT]
    assert {task.branches["kind"] for task in held} == {task.branches["kind"] for task in TASKS}
    assert {task.standard.outputs["decision"] for task in held} == {t.standard.outputs["decision"] for t in TASKS}


def test_expert_and_solver_agree_on_frozen_instances() -> None:
    for task in TASKS:
        solution = SAVINGS.solve(task)
        assert solution.outputs == task.standard.outputs, task.id
        assert solution.branches == task.branches, task.id
        assert SAVINGS.run_expert(task) == task.standard, task.id
        assert list(SAVINGS.realism(task, SAVINGS.policy)) == [], task.id


def test_expert_and_solver_agree_on_fresh_instances(fresh: list[Task]) -> None:
    for task in fresh:
        assert SAVINGS.solve(task).outputs == task.standard.outputs, task.id
        assert list(SAVINGS.realism(task, SAVINGS.policy)) == [], task.id
        assert task.fingerprint not in heldout_fingerprints("savings")


@pytest.mark.slow
def test_expert_and_solver_agree_on_10_000_generated_instances() -> None:
    for seed in MANY:
        task = generate_task("savings", seed)
        assert SAVINGS.solve(task).outputs == task.standard.outputs, seed


def test_every_policy_drawn_anew_makes_cases_on_which_both_agree() -> None:
    for number in range(60):
        task = SAVINGS.generate(number, policy=SAVINGS.draw_policy(f"test/{number}"))
        assert SAVINGS.solve(task).outputs == task.standard.outputs, number
        assert list(SAVINGS.realism(task, SAVINGS.policy_of(task))) == [], number


def test_the_same_seed_gives_the_same_task() -> None:
    for seed in FRESH[:20]:
        assert generate_task("savings", seed) == generate_task("savings", seed)


def test_cases_take_five_to_thirty_calls(fresh: list[Task]) -> None:
    lengths = [len(task.standard.calls) for task in fresh]
    assert min(lengths) == 5 and 20 <= max(lengths) <= 30


def test_every_ending_is_drawn_and_frozen(fresh: list[Task]) -> None:
    names = {f"ending:{ending[0]}" for endings in ENDINGS.values() for ending in endings}
    assert names <= {tag for task in fresh for tag in task.tags}
    rare = {"ending:mat_hold", "ending:cust_match", "ending:cov_identity", "ending:mat_match"}
    assert names - {tag for task in TASKS for tag in task.tags} <= rare


def test_what_a_banker_would_smile_at_is_not_drawn(fresh: list[Task]) -> None:
    for task in fresh:
        case, account = task.tables["requests"][task.case_id], account_of(task)
        if account["term_months"] is not None:
            until = min(task.today, date.fromisoformat(account["maturity_date"]))
            credited = date.fromisoformat(account["interest_paid_to"])
            assert until - credited <= timedelta(days=367), task.id
            assert account["balance"] >= SAVINGS.policy.products[account["product"]].minimum
        if case["purpose"] is not None:
            assert 300_00 <= case["requested_amount"] <= 1_800_00
        assert case["requested_amount"] <= account["balance"]
        for row in account["movements"]:
            assert row["kind"] not in ("cash_withdrawal", "cash_deposit") or row["amount"] <= 5_000_00, task.id
