"""The instances of Investments: expert and solver agree, cases are realistic, and every ending is among them."""

import pytest

from teller_gym.procedure.task import Split
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
    assert min(lengths) <= 6 and max(lengths) >= 13


def test_rules_that_the_solver_names_stand_in_the_sop() -> None:
    rules = {rule for task in TASKS for rule in INVESTMENTS.solve(task).rules}
    assert rules <= INVESTMENTS.sop_document.rule_ids()
    clauses = set(INVESTMENTS.sop_document.clauses())
    assert clauses <= rules


def test_splits_have_their_sizes() -> None:
    sizes = {split: len(split_tasks("investments", split)) for split in (Split.HELDOUT, Split.VALIDATION, Split.TRAIN)}
    assert sizes == {Split.HELDOUT: 50, Split.VALIDATION: 13, Split.TRAIN: 121}
