"""A working day: correct play scores 1, and ignoring any requirement of its SOP costs score."""

import json
from typing import Any

import gymnasium as gym
import msgspec
import pytest

import teller_gym  # noqa: F401 - registers the ids
from teller_gym.agents.days import CARELESS_DAY_AGENTS, CHEAP_DAY_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.days.day import Day
from teller_gym.days.law import minute_of, queue_policy
from teller_gym.days.schedule import turns
from teller_gym.days.score import DayReward
from teller_gym.envs.day import DayEnv
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.links import joined
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import OWN
from teller_gym.tools.run import action_text
from tests.envs.play import play_agent

DAY = "day-g-0"
"""A day with four cases, two of which are a linked pair of one customer."""


@pytest.fixture(scope="module")
def env() -> DayEnv:
    return DayEnv(split="generated", scenarios=("loans",), render_mode="ansi")


def begin(env: DayEnv, day: str = DAY) -> list[str]:
    """Start a day; return its standard calls as actions."""
    env.reset(options={"task_id": day})
    return [action_text(call) for call in env.task.standard.calls]


def play(env: DayEnv, name: str, day: str = DAY) -> tuple[dict[str, Any], float]:
    return play_agent(env, name, day)


def pair_of(day: Day) -> tuple[str, str]:
    """Return the references of the first and the second case of a pair."""
    second = next(case for case in day.cases if case.after)
    return second.after, second.reference


def call(name: str, **arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments})


def result(env: DayEnv, action: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(env.step(action)[0]["tool_result"])
    return read


# -- scores of agents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", [DAY, "day-g-1"])
def test_the_expert_scores_one_and_the_rewards_add_up(env: DayEnv, day: str) -> None:
    info, rewards = play(env, "expert", day)
    assert info["success"] and info["score"] == 1.0 and abs(rewards - 1) < 1e-9
    assert all(info["checkpoints"].values())
    grade = env.grade()
    assert grade.success and grade.clean and not grade.faults
    assert set(grade.required_tools) == set(grade.invoked_tools)


@pytest.mark.parametrize("name", CARELESS_DAY_AGENTS)
def test_who_leaves_one_thing_out_loses(env: DayEnv, name: str) -> None:
    info, rewards = play(env, name)
    assert not info["success"] and info["score"] < 1 and abs(rewards - info["score"]) < 1e-9
    assert env.grade().faults and not all(info["checkpoints"].values())


@pytest.mark.parametrize("name", CHEAP_DAY_AGENTS)
def test_cheap_agents_get_nowhere(env: DayEnv, name: str) -> None:
    info, _ = play(env, name)
    assert not info["success"] and info["score"] < 0.1


def test_each_careless_agent_loses_what_it_leaves_out(env: DayEnv) -> None:
    play(env, "first_come")
    assert any(row.checkpoint.startswith("in_turn@") and not row.passed for row in env.diagnosis())
    play(env, "unhurried")
    rows = [row for row in env.diagnosis() if not row.passed and row.checkpoint != "outcome"]
    assert rows and all(row.checkpoint.startswith("on_time@") for row in rows)
    play(env, "stale_reader")
    _, second = pair_of(env.task)
    failed = {row.checkpoint for row in env.diagnosis() if not row.passed}
    assert f"call:record_credit_decision@{second}" in failed


def test_sparse_pays_when_all_is_right() -> None:
    sparse = DayEnv(split="generated", scenarios=("loans",), reward="sparse")
    assert play(sparse, "expert")[1] == 1.0
    assert play(sparse, "first_come")[1] == 0.0


# -- links -------------------------------------------------------------------------------------------------------------


def test_an_approved_loan_counts_in_the_second_application(env: DayEnv) -> None:
    actions = begin(env)
    first, second = pair_of(env.task)
    case = env.task.case(second)
    assert case.before is not None and case.before != case.task.tables
    for action in actions:
        env.step(action)
        if first in env.episode.desk.closed:
            break
    effects = env.episode.effects[second]
    assert joined(case.before, effects) == case.task.tables
    (account,) = effects["accounts"].values()
    assert account["balance"] == round(env.task.case(first).task.standard.outputs["approved_amount"] * 100)


def test_a_case_that_was_opened_before_sees_the_change(env: DayEnv) -> None:
    begin(env)
    first, second = pair_of(env.task)
    result(env, call("list_queue"))
    while env.episode.desk.now < env.task.case(second).arrived:
        result(env, call("wait_until_next"))
    result(env, call("open_case", reference=second))
    tasks = {name: env.task.case(name).task for name in (first, second)}
    exposure = next(one for one in tasks[second].standard.calls if one.name == "calculate_total_exposure")
    before = result(env, action_text(exposure))
    result(env, call("open_case", reference=first))
    for each in tasks[first].standard.calls:
        env.step(action_text(each))
    result(env, call("open_case", reference=second))
    after = result(env, action_text(exposure))
    granted = tasks[first].standard.outputs["approved_amount"]
    assert after["total_exposure"] == pytest.approx(before["total_exposure"] + granted)


def test_the_second_case_comes_out_otherwise_without_the_first(env: DayEnv) -> None:
    begin(env)
    _, second = pair_of(env.task)
    case = env.task.case(second)

    assert case.before is not None
    stale = msgspec.structs.replace(case.task, tables=case.before)
    assert load_scenario(case.task.scenario).run_expert(stale) != case.task.standard


# -- the queue and the clock -------------------------------------------------------------------------------------------


def test_only_what_has_arrived_is_shown_and_every_call_takes_its_minutes(env: DayEnv) -> None:
    begin(env, "day-g-4")
    policy = queue_policy()
    queue = result(env, call("list_queue"))
    arrived = [case.reference for case in env.task.cases if case.arrived <= policy.opening]
    assert [row["reference"] for row in queue["waiting"]] == arrived
    assert queue["to_come"] == len(env.task.cases) - len(arrived)
    late = next(case for case in env.task.cases if case.arrived > policy.opening)
    assert "error" in result(env, call("open_case", reference=late.reference))
    env.step('{"name": "list_queue", "arguments"')  # malformed
    times = minute_of(result(env, call("list_queue"))["time"])
    assert times == policy.opening + 3 * policy.minutes_per_call


def test_the_tools_of_a_desk_are_in_play_while_its_case_is_open(env: DayEnv) -> None:
    actions = begin(env)
    assert set(env.tools) == {"list_queue", "open_case", "wait_until_next"}
    opened = 0
    for action in actions:
        env.step(action)
        has = load_scenario("loans").submit in env.tools
        assert has == bool(env.episode.desk.current)
        assert {schema["function"]["name"] for schema in env.tool_schemas()} == set(env.tools)
        opened += has
    assert opened


def test_the_procedure_of_a_desk_is_shown_once(env: DayEnv) -> None:
    shown = [json.loads(step) for step in (env.step(action)[0]["tool_result"] for action in begin(env))]
    procedures = [one["procedure"] for one in shown if "procedure" in one]
    assert procedures[0].startswith("# SOP") and procedures[1:] == [None] * (len(env.task.cases) - 1)


def test_the_day_ends_at_closing_time(env: DayEnv) -> None:
    begin(env)
    steps = truncated = 0
    while not truncated:
        _, _, terminated, truncated, info = env.step(call("list_queue"))
        steps += 1
        assert not terminated
    assert steps == env.max_steps and not info["success"]
    assert env.grade().errors == {"budget": 1}
    with pytest.raises(gym.error.ResetNeeded):
        env.step(call("list_queue"))


def test_nothing_done_twice_pays_more(env: DayEnv) -> None:
    """Repeating calls earns nothing."""
    actions = begin(env)
    best = 0.0
    for action in actions[:14]:
        _, reward, *_ = env.step(action)
        again = action if "open_case" in action or "list_queue" in action else None
        best += float(reward)
        if again and not env.episode.over:
            assert env.step(again)[1] <= 0


def test_waiting_for_nothing_is_refused(env: DayEnv) -> None:
    actions = begin(env)
    for action in actions[:-1]:
        env.step(action)
    assert result(env, call("wait_until_next"))["error"]["kind"] == "order"


# -- options -----------------------------------------------------------------------------------------------------------


def test_frozen_days_have_as_many_cases_as_asked_for() -> None:
    frozen = DayEnv(split="heldout", cases=4)
    frozen.reset(seed=3)
    assert len(frozen.task.cases) == 4 and frozen.task.split == "heldout"
    desks = len(frozen.task.desks)
    assert desks >= min(3, len(OWN)) or desks == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cases": 3}, "cases: expected a number of 4 to 12"),
        ({"cases": (8, 5)}, "cases"),
        ({"split": "heldout_policy"}, "split: expected one of train, validation, heldout, generated"),
        ({"policy_shift": True}, "policy_shift: a working day has no such variation"),
        ({"difficulty": (0.1, 0.2)}, r"say cases=\(low, high\)"),
        ({"scenarios": ("nothing",)}, "scenarios: expected one of"),
        ({"reward": {"work": 1.0}}, "add up to 1"),
        ({"reward": {"speed": 1.0}}, "reward: expected fields of"),
    ],
)
def test_unknown_values_say_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        DayEnv(**options)


def test_weights_may_be_given_as_plain_values() -> None:
    given = {"work": 0.5, "in_turn": 0.25, "on_time": 0.25, "case": {"failed_call": 0.0}}
    assert DayEnv(reward=given)._settings.reward == DayReward(
        work=0.5, in_turn=0.25, on_time=0.25, case=RewardConfig(failed_call=0.0)
    )


def test_the_law_keeps_every_case_on_time(env: DayEnv) -> None:
    begin(env)
    due = {case.reference: case.due for case in env.task.cases}
    assert all(turn.ended <= due[turn.reference] for turn in turns(env.task.cases) if turn.reference)
