"""Which calls a rubric recognises as its own, and what follows for a grader."""

import msgspec
import pytest

from teller_gym.grading.grader import Grader
from teller_gym.grading.rubric import RecognisedCall, Rubric
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.call import Call, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text

SCENARIO = load_scenario("loans")
TASK = next(
    task
    for task in frozen_tasks("loans").values()
    if any(call.arguments.get("monthly_support_paid") == 0 for call in task.standard.calls)
)


def rubric(task: Task = TASK) -> Rubric:
    return Rubric(task, SCENARIO)


def with_calls(*calls: Call) -> Task:
    """Return the task with these calls as its standard result."""
    return msgspec.structs.replace(TASK, standard=msgspec.structs.replace(TASK.standard, calls=calls))


def read(call: Call) -> ToolCall:
    """Return a call as it is read from an action."""
    found = parse_action(action_text(call), SCENARIO.tools)
    assert isinstance(found, ToolCall)
    return found


@pytest.mark.parametrize("number", range(len(TASK.standard.calls)))
def test_every_required_call_is_recognised_with_the_case_s_own_arguments(number: int) -> None:
    own = rubric()
    call = own.recognise(read(TASK.standard.calls[number]))
    assert isinstance(call, RecognisedCall)
    assert call.required is own.required[number]
    assert call.arguments is call.required.exact


def test_other_arguments_are_not_recognised() -> None:
    first = TASK.standard.calls[0]
    other = read(Call(first.name, {"application_id": "LA-000000"}))
    assert rubric().recognise(other) is other


def test_nothing_that_differs_in_a_byte_is_recognised() -> None:
    (call,) = (call for call in TASK.standard.calls if "monthly_support_paid" in call.arguments)
    negative = read(Call(call.name, {**call.arguments, "monthly_support_paid": -0.0}))
    assert negative.arguments == read(call).arguments
    assert rubric().recognise(negative) is negative


def test_one_of_two_equal_calls_is_not_recognised() -> None:
    first, *rest = TASK.standard.calls
    own = rubric(with_calls(first, first, *rest))
    call = read(first)
    assert own.recognise(call) is call
    grader = Grader(own, RewardConfig())
    assert grader.called(call) == ""  # it has to be made twice
    assert grader.called(call) == f"call:{first.name}"
    assert grader.earned == 2.0


def test_a_call_that_another_rubric_recognised_is_looked_up() -> None:
    first, *rest = TASK.standard.calls
    call = rubric().recognise(read(first))
    assert isinstance(call, RecognisedCall)
    for task, passed in ((TASK, f"call:{first.name}"), (with_calls(*rest), "")):
        grader = Grader(rubric(task), RewardConfig())
        assert grader.called(call) == passed
        assert grader.earned == bool(passed)
        assert list(grader.passed) == [passed] * bool(passed)
        assert grader.grade().invoked_tools == (first.name,)


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
