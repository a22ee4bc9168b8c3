"""The frozen credit card instances: sizes, realism, and that expert and solver agree on each."""

from collections import Counter

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import frozen_tasks, generate_task, split_tasks

CARDS = load_scenario("credit_cards")
TASKS = list(frozen_tasks("credit_cards").values())


def test_sizes_of_the_splits() -> None:
    assert len(TASKS) == 221
    assert Counter(task.split for task in TASKS) == {Split.TRAIN: 154, Split.VALIDATION: 17, Split.HELDOUT: 50}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_expert_and_solver_agree_and_the_case_is_realistic(task: Task) -> None:
    assert CARDS.solve(task).outputs == task.standard.outputs
    assert list(CARDS.realism(task, CARDS.policy_of(task))) == []


def test_generated_cases_are_realistic() -> None:
    for number in range(60):
        task = generate_task("credit_cards", 31_000 + number)
        assert list(CARDS.realism(task, CARDS.policy)) == [], task.id


def test_every_node_is_needed_and_every_decision_occurs() -> None:
    assert {call.name for task in TASKS for call in task.standard.calls} == set(CARDS.graph.nodes)
    decisions = Counter(task.standard.outputs["decision"] for task in TASKS)
    assert set(decisions) == {"approve", "partial", "deny", "incomplete", "refer"}


def test_no_frozen_case_shows_a_withheld_combination() -> None:
    assert not [task.id for task in TASKS if CARDS.is_withheld(task.branches)]
    held = split_tasks("credit_cards", Split.HELDOUT_BRANCH)
    assert held and all(CARDS.is_withheld(task.branches) for task in held)
