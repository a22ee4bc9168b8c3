"""Tests of calls that are required twice, and of the checkpoints that sets of calls pass."""

import msgspec
import pytest

from teller_gym.grading.grader import Grader
from teller_gym.grading.rubric import Rubric
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.call import Call, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text

SCENARIO = load_scenario("loans")
TASK = next(iter(frozen_tasks("loans").values()))


def rubric(task: Task = TASK) -> Rubric:
    return Rubric(task, SCENARIO)


def with_calls(*calls: Call) -> Task:
    """Return the task with these calls as its standard result."""
    return msgspec.structs.replace(TASK, standard=msgspec.structs.replace(TASK.standard, calls=calls))


def read(call: Call) -> ToolCall:
    """Return a call as parsed from an action."""
    found = parse_action(action_text(call), SCENARIO.tools)
    assert isinstance(found, ToolCall)
    return found


def test_one_of_two_equal_calls_is_not_enough() -> None:
    first, *rest = TASK.standard.calls
    own = rubric(with_calls(first, first, *rest))
    call = read(first)
    grader = Grader(own, RewardConfig())
    assert grader.called(call) == ""  # must be made twice
    assert grader.called(call) == f"call:{first.name}"
    assert grader.earned == 2.0


def test_checkpoints_passed_are_kept_but_not_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.grading.rubric._MOST_KNOWN", 3)
    own = rubric()
    every = (1 << len(own.required)) - 1
    names = [required.checkpoint for required in own.required]
    for satisfied in [*range(8), every, *range(8)]:
        expected = {
            name: True
            for name in names
            if all(satisfied & required.bit for required in own.required if required.checkpoint == name)
        }
        assert list(own.passed_by_calls(satisfied).items()) == list(expected.items())
        assert len(own._passed) <= 3
