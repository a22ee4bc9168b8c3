"""Tests of the grader against an independent computation of the score, and of each rule."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from tests.envs.play import Env, make, play_expert
from tests.grading.regrade import Turn, dependencies, regrade, tables_of

TASKS = list(frozen_tasks("loans").values())
SHORT = next(task for task in TASKS if len(task.standard.calls) == 5)
LONG = max(TASKS, key=lambda task: len(task.standard.calls))
JOINT = next(task for task in TASKS if len(task.owners) == 3 and task.standard.outputs["decision"] == "approve")
COUNTER = next(task for task in TASKS if task.branches["affordability"] == "dti_reduced")


def start(task: Task, **options: Any) -> Env:
    env = make(**options)
    env.reset(options={"task_id": task.id})
    return env


def call_text(task: Task, name: str, **changes: Any) -> str:
    """Return a task's (first) standard call of a tool, with some arguments changed."""
    call = next(call for call in task.standard.calls if call.name == name)
    return action_text(Call(name, call.arguments | changes))


def other_application(task: Task) -> str:
    return next(key for key in task.tables["applications"] if key != task.case_id)


def note_on(task: Task, application_id: str) -> str:
    arguments = {
        "case_id": application_id, "note_category": "visit", "note_text": "In person.", "confidential": False,
    }  # fmt: skip
    return json.dumps({"name": "add_case_note", "arguments": arguments})


# A second computation

STRAY = [
    '{"name": "get_rate_table", "arguments": {"product": "auto"}}',
    '{"name": "grant_loan", "arguments": {}}',
    '{"name": "price_loan", "arguments": {}}',
    "{",
    "[1, 2]",
]


def bend(call: Call, other: Call, draw: random.Random) -> Call:
    """Return a call with one argument slightly changed or taken from another call."""
    name = draw.choice(list(call.arguments))
    value = call.arguments[name]
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int | float):
        value = value + draw.choice([1, -1])
    elif isinstance(value, list):
        value = value[1:] if draw.random() < 0.5 else value[::-1]
    elif isinstance(value, str) and value[4:5] == "-" and value[7:8] == "-":
        value = f"{value[:8]}{1 + int(value[8:]) % 28:02d}"
    elif name in other.arguments:
        value = other.arguments[name]
    return Call(call.name, call.arguments | {name: value})


def random_actions(task: Task, seed: int) -> list[str]:
    """Return a task's standard calls, randomly reordered, repeated and changed, mixed with unrelated actions."""
    draw = random.Random(seed)
    calls = list(task.standard.calls)
    neighbours = list(TASKS[seed % len(TASKS)].standard.calls)
    much = draw.choice([0.1, 0.3, 1.0])  # scales the probability of each mistake
    actions = []
    for call in calls[:-1]:
        if draw.random() < 0.25 * much:
            actions.append(action_text(bend(call, draw.choice(calls), draw)))
        if draw.random() < 1 - 0.15 * much:
            actions.append(action_text(call))
        if draw.random() < 0.15:
            actions.append(draw.choice(STRAY))
        if draw.random() < 0.15 * much:
            actions.append(action_text(draw.choice(calls[:-1])))
        if draw.random() < 0.1 * much:
            actions.append(action_text(draw.choice(neighbours)))
        if draw.random() < 0.05:
            actions.append(note_on(task, draw.choice([task.case_id, *task.tables["applications"]])))
    if draw.random() < 0.3 * much:
        at = draw.randrange(len(actions))
        actions[at:] = draw.sample(actions[at:], len(actions) - at)
    last = calls[-1] if draw.random() < 0.6 else bend(calls[-1], calls[-1], draw)
    return [*actions, action_text(last)] if draw.random() < 0.9 else [*actions, "Done."]


def play(env: Env, actions: list[str], turns: list[Turn] | None = None) -> tuple[list[float], list[float]]:
    """Play until the episode ends, append each turn to ``turns``, and return rewards and scores."""
    rewards, scores = [], []
    for action in actions:
        _, reward, terminated, truncated, info = env.step(action)
        if turns is not None:
            call = json.loads(action) if action.startswith('{"') else {}
            kind = info["error"] and info["error"]["kind"]
            turns.append(Turn(call.get("name"), call.get("arguments", {}), kind, tables_of(env.episode.bank)))
        rewards.append(reward)
        scores.append(info["score"])
        if terminated or truncated:
            break
    return rewards, scores


@given(st.sampled_from(TASKS), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_any_episode_scores_what_a_second_computation_says(task: Task, seed: int) -> None:
    env = start(task)
    turns: list[Turn] = []
    rewards, scores = play(env, random_actions(task, seed), turns)
    expected = regrade(task, turns)
    grade = env.grade()
    second = {
        "checkpoints": expected.checkpoints, "parameters": expected.parameters, "outcome": expected.outcome,
        "penalties": expected.penalties,
    }  # fmt: skip
    assert grade.terms == pytest.approx(second, abs=1e-9)
    assert grade.score == scores[-1] == pytest.approx(expected.score, abs=1e-9)
    assert sum(rewards) == pytest.approx(grade.score, abs=1e-9)
    assert all(0 <= score <= 1 for score in scores)
    assert grade.success == (expected.outcome == 1)
    if env.episode.over:
        assert bool(grade.collateral) == bool(expected.wrong), (grade.collateral, expected.wrong)


def test_the_random_episodes_are_of_many_kinds() -> None:
    grades = []
    for seed in range(150):
        task = TASKS[seed]
        env = start(task)
        play(env, random_actions(task, seed))
        grades.append(env.grade())
    assert sum(grade.success for grade in grades) > 20
    assert sum(bool(grade.collateral) for grade in grades) > 3
    assert sum(not grade.success for grade in grades) > 20
    kinds = {kind for grade in grades for kind in grade.errors}
    assert {"malformed", "unknown_tool", "validation", "type", "order", "provenance"} - kinds <= {"type"}
    assert len({round(grade.score, 3) for grade in grades}) > 60


@given(st.sampled_from(TASKS), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_sparse_pays_the_outcome_alone(task: Task, seed: int) -> None:
    env = start(task, reward="sparse")
    rewards, _ = play(env, random_actions(task, seed))
    assert rewards[:-1] == [0.0] * (len(rewards) - 1)
    assert rewards[-1] == float(env.grade().success)


def test_the_expert_scores_one_on_every_frozen_task() -> None:
    env = make()
    for task in TASKS:
        rewards, info = play_expert(env, task)
        assert info["score"] == 1.0 and info["success"] and all(info["checkpoints"].values()), task.id
        assert sum(rewards) == pytest.approx(1.0) and min(rewards) > 0, task.id
        assert env.grade().required_tools == env.grade().invoked_tools, task.id


# Any order that the graph allows


def random_order(task: Task, seed: int) -> list[Call]:
    draw = random.Random(seed)
    waits = [set(earlier) for earlier in dependencies(task)]
    order: list[int] = []
    while len(order) < len(waits):
        ready = [n for n in range(len(waits)) if n not in order and waits[n] <= set(order)]
        if len(ready) > 1:  # the final review ends the episode
            ready = [n for n in ready if n != len(waits) - 1]
        order.append(draw.choice(ready))
    return [task.standard.calls[n] for n in order]


def test_any_order_that_the_graph_allows_scores_one() -> None:
    different = 0
    for number, task in enumerate(TASKS[::3]):
        for seed in range(3):
            env = start(task)
            order = random_order(task, 100 * number + seed)
            different += order != list(task.standard.calls)
            _, scores = play(env, [action_text(call) for call in order])
            assert scores[-1] == 1.0, (task.id, [call.name for call in order], env.diagnosis())
    assert different > 100


# Rule by rule


def test_a_checkpoint_is_paid_once() -> None:
    env = start(LONG)
    first = action_text(LONG.standard.calls[0])
    assert env.step(first)[1] > 0
    for _ in range(5):
        assert env.step(first)[1] == 0
    done = env.grade()
    assert done.score == pytest.approx(0.3 / len(done.checkpoints) + 0.3 / len(LONG.standard.calls))


def test_a_correction_earns_half() -> None:
    task = LONG
    name = "check_application_completeness"
    count = len(next(call for call in task.standard.calls if call.name == name).arguments)
    env = start(task)
    env.step(call_text(task, "get_application_data"))
    before = env.grade().terms["parameters"] * len(task.standard.calls)
    wrong = call_text(task, name, requested_amount=1.0)
    one_off = (count - 1) / count
    for expected in (one_off, one_off):  # a second wrong attempt is worth less than the first
        env.step(wrong)
        assert env.grade().terms["parameters"] * len(task.standard.calls) - before == pytest.approx(expected)
    assert f"call:{name}" not in env.grader_passed()
    env.step(call_text(task, name))  # correct, but a third attempt earns a quarter, less than the best so far
    assert env.grade().terms["parameters"] * len(task.standard.calls) - before == pytest.approx(one_off)
    assert f"call:{name}" in env.grader_passed()

    env = start(task)
    env.step(call_text(task, "get_application_data"))
    env.step(call_text(task, name, requested_amount=1.0, product="home", term_months=7, documents=[],
                       received_date="2026-01-01", earliest_id_expiry="2026-01-01"))  # fmt: skip
    env.step(call_text(task, name))
    gained = env.grade().terms["parameters"] * len(task.standard.calls) - before
    assert gained == pytest.approx(0.5)


REFUSED = {
    "validation": {"requested_amount": -1.0},
    "type": {"requested_amount": "much"},
    "id that does not exist": {"application_id": "LA-000000"},
}


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED)
def test_a_call_refused_for_its_arguments_is_an_attempt(changes: dict[str, Any]) -> None:
    name = "check_application_completeness"
    env = start(LONG)
    env.step(call_text(LONG, "get_application_data"))
    before = env.grade().terms["parameters"] * len(LONG.standard.calls)
    for _ in range(2):
        assert env.step(call_text(LONG, name, **changes))[4]["error"]["kind"] in ("validation", "type")
    env.step(call_text(LONG, name))
    assert env.grade().terms["parameters"] * len(LONG.standard.calls) - before == pytest.approx(0.25)
    env.step(call_text(LONG, name, **changes))  # a later mistake does not lower the credit
    assert env.grade().terms["parameters"] * len(LONG.standard.calls) - before == pytest.approx(0.25)


def test_a_call_refused_for_its_order_or_form_is_no_attempt() -> None:
    env = start(COUNTER)
    error = env.step(call_text(COUNTER, "verify_identity"))[4]["error"]
    assert error is not None and error["kind"] == "order"
    env.step(call_text(COUNTER, "verify_identity")[:-1])
    play(env, [action_text(call) for call in COUNTER.standard.calls])
    assert env.grade().terms["parameters"] == 1.0


def test_a_call_belongs_to_its_customer() -> None:
    """A call is matched to the required call about the same customer, even if another has more equal arguments."""
    first, second = (call for call in JOINT.standard.calls if call.name == "verify_identity")
    arguments = first.arguments | {"customer_id": second.arguments["customer_id"]}
    env = start(JOINT)
    for call in JOINT.standard.calls[: JOINT.standard.calls.index(first)]:
        env.step(action_text(call))
    before = env.grade().terms["parameters"] * len(JOINT.standard.calls)
    same = sum(arguments[name] == value for name, value in second.arguments.items())
    assert 0 < same < len(arguments) - 1
    assert env.step(action_text(Call(first.name, arguments)))[4]["error"] is None
    gained = env.grade().terms["parameters"] * len(JOINT.standard.calls) - before
    assert gained == pytest.approx(same / len(arguments))
    env.step(action_text(first))  # not affected by the attempt for the other customer
    gained = env.grade().terms["parameters"] * len(JOINT.standard.calls) - before
    assert gained == pytest.approx(1 + same / len(arguments))


def test_right_arguments_too_early_pass_no_checkpoint() -> None:
    task = SHORT
    env = start(task)
    name = "check_application_completeness"
    env.step(call_text(task, name))  # before get_application_data, so the values are guessed
    assert env.grade().checkpoints[f"call:{name}"] is False
    reason = next(item.reason for item in env.diagnosis() if item.checkpoint == f"call:{name}")
    assert reason == "called before get_application_data had been done right"
    env.step(call_text(task, "get_application_data"))
    env.step(call_text(task, name))
    assert env.grade().checkpoints[f"call:{name}"] is True


def test_one_checkpoint_for_both_applicants() -> None:
    env = start(JOINT)
    passed = []
    for call in JOINT.standard.calls:
        env.step(action_text(call))
        if call.name == "verify_identity":
            passed.append("call:verify_identity" in env.grader_passed())
    assert passed == [False, True]


def test_failed_calls_cost_a_cent_each_and_ten_at_most() -> None:
    env = start(LONG)
    for call in LONG.standard.calls[:12]:
        env.step(action_text(call))
    reached = env.grade().score
    for number in range(1, 15):
        _, reward, *_ = env.step("{")
        assert env.grade().score == pytest.approx(reached * (1 - min(0.01 * number, 0.1)))
        assert reward == pytest.approx(-0.01 * reached if number <= 10 else 0.0)
    assert env.grade().errors == {"malformed": 14}


def test_the_score_never_falls_below_zero() -> None:
    env = start(LONG)
    assert [env.step("{")[1] for _ in range(3)] == [0.0, 0.0, 0.0]
    assert env.grade().score == 0.0


def test_calls_that_the_procedure_does_not_ask_for_earn_and_cost_nothing() -> None:
    env = start(SHORT)
    assert env.step(STRAY[0])[1] == 0.0
    rewards, scores = play(env, [action_text(call) for call in SHORT.standard.calls])
    assert scores[-1] == 1.0 and env.grade().success and sum(rewards) == pytest.approx(1.0)
    assert "get_rate_table" in env.grade().invoked_tools


def test_names_of_unknown_tools_are_invoked_names() -> None:
    env = start(SHORT)
    env.step('{"name": "grant_loan", "arguments": {}}')
    env.step(json.dumps({"name": "x" * 1000, "arguments": {}}))
    named, shortened = env.grade().invoked_tools
    assert named == "grant_loan" and shortened.startswith("xxx") and len(shortened) < 120


def test_collateral_damage_takes_the_outcome_away() -> None:
    env = start(SHORT)
    env.step(note_on(SHORT, other_application(SHORT)))
    calls = [action_text(call) for call in SHORT.standard.calls]
    _, scores = play(env, calls)
    grade = env.grade()
    assert not grade.success and all(grade.checkpoints.values())
    assert scores[-1] == pytest.approx(0.6)
    assert any("was created for" in found for found in grade.collateral)


def test_a_change_of_another_case_is_damage() -> None:
    task = SHORT
    env = start(task)
    other = other_application(task)
    env.step(call_text(task, "check_application_completeness", application_id=other))
    play(env, [action_text(call) for call in task.standard.calls])
    act, state = env.grade().collateral
    assert act.startswith("check_application_completeness was done with wrong values (application_id)")
    assert state == f"applications/{other} was changed, which is not of this case (completeness_status)"


@pytest.mark.parametrize("ending", ["Done.", "budget"])
def test_damage_is_found_however_the_episode_ends(ending: str) -> None:
    env = start(SHORT, max_steps=2)
    env.step(note_on(SHORT, other_application(SHORT)))
    env.step("{" if ending == "budget" else ending)
    assert len(env.grade().collateral) == 1


@pytest.mark.parametrize("field", list(SHORT.standard.outputs))
def test_every_output_field_counts(field: str) -> None:
    task = COUNTER
    value = task.standard.outputs[field]
    wrong: dict[str, Any] = {
        "routing": "intake", "principal_reason": "payment_to_income_high", "action_due_date": "2026-01-02",
        "decision": "deny",
    }  # fmt: skip
    changed = {field: wrong.get(field) or round(value + 0.01, 2)}
    env = start(task)
    *calls, _ = map(action_text, task.standard.calls)
    play(env, calls)
    info = env.step(call_text(task, "submit_final_review", **changed))[4]
    if field == "decision":  # the tool itself insists on the recorded decision
        assert info["error"]["kind"] == "validation"
        return
    failed = {name for name, passed in info["checkpoints"].items() if not passed}
    assert failed == {f"field:{field}", "call:submit_final_review"}
    assert not info["success"] and info["score"] < 0.6
    reason = next(item.reason for item in env.diagnosis() if item.checkpoint == f"field:{field}")
    assert reason == f"expected {value!r}, got {changed[field]!r}"


def test_reasons_say_where_a_value_should_have_come_from() -> None:
    env = start(COUNTER)
    for call in COUNTER.standard.calls:
        if call.name == "pull_credit_report":
            break
        env.step(action_text(call))
    env.step(call_text(COUNTER, "pull_credit_report", permissible_purpose="collection"))
    reasons = {item.checkpoint: item.reason for item in env.diagnosis()}
    expected = "permissible_purpose should be 'credit_application' (the SOP, clause 5.5.1)"
    assert reasons["call:pull_credit_report"] == expected
    assert reasons["call:price_loan"] == "never called"
    assert reasons["field:decision"] == "expected 'counter_offer', nothing was submitted"
    assert reasons["finish"] == "submit_final_review was never accepted"
    assert env.grade().errors == {"provenance": 1}
    assert sum(item.weight for item in env.diagnosis()) == pytest.approx(1)


# Configuration


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"outcome": 0.5}, r"checkpoints, parameters and outcome to add up to 1, got \(0.3, 0.3, 0.5\)"),
        ({"checkpoints": -0.1, "parameters": 0.7}, "reward.checkpoints: expected a number of 0 or more, got -0.1"),
        ({"failed_call": -1}, "reward.failed_call: expected a number of 0 or more, got -1"),
        ({"failed_call": float("nan")}, "reward.failed_call: expected a number of 0 or more, got nan"),
        (
            {"failed_calls_at_most": float("inf")},
            "reward.failed_calls_at_most: expected a number of 0 or more, got inf",
        ),
        ({"outcome": "0.4"}, "reward.outcome: expected a number of 0 or more, got '0.4'"),
        ({"outcome": True}, "reward.outcome: expected a number of 0 or more, got True"),
        ({"shaped": "no"}, "reward.shaped: expected True or False, got 'no'"),
    ],
)
def test_rewards_are_checked(values: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        RewardConfig(**values)


def test_weights_of_ones_own() -> None:
    config = RewardConfig(checkpoints=0.0, parameters=0.0, outcome=1.0, failed_call=0.2, failed_calls_at_most=0.3)
    env = start(SHORT, reward=config)
    assert [env.step("{")[1] for _ in range(2)] == [0.0, 0.0]
    rewards, scores = play(env, [action_text(call) for call in SHORT.standard.calls])
    assert scores[-1] == pytest.approx(0.7) and rewards[-1] == pytest.approx(0.7) and rewards[:-1] == [0, 0, 0, 0]
