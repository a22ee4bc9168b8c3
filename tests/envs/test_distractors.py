"""Distractors: their number and selection, and that they do not change the task."""

from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.base.errors import ErrorKind
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.run import action_text
from teller_gym.variation.pool import distractors

OWN = set(load_scenario("loans").tools)
TASKS = teller_gym.load_tasks("loans", "heldout")


def make(**options: Any) -> gym.Env[Any, Any]:
    return gym.make("Teller-Loans-v0", disable_env_checker=True, **options)


def tools_of(env: gym.Env[Any, Any], task_id: str) -> list[str]:
    env.reset(options={"task_id": task_id})
    core: Any = env.unwrapped
    names = [schema["function"]["name"] for schema in core.tool_schemas()]
    assert names == list(core.tools)
    return names


def test_the_whole_pool_has_284_tools_in_one_mixed_order() -> None:
    env = make(distractors="all")
    first, second = (tools_of(env, task.id) for task in TASKS[:2])
    assert len(first) == 284 and first == second
    assert set(first) == OWN | {tool.name for tool in distractors()}
    places = [place for place, name in enumerate(first) if name in OWN]
    assert places[0] < 60 and places[-1] > 220  # the scenario's own tools are spread over the list


def test_a_few_are_drawn_for_each_task_and_are_the_same_every_time() -> None:
    env, again = make(distractors=7), make(distractors=7)
    pools = [tools_of(env, task.id) for task in TASKS[:10]]
    assert pools == [tools_of(again, task.id) for task in TASKS[:10]]
    assert all(len(pool) == len(OWN) + 7 and set(pool) >= OWN for pool in pools)
    assert len({frozenset(pool) for pool in pools}) == 10


def test_none_leaves_the_tools_in_their_own_order() -> None:
    assert tools_of(make(), TASKS[0].id) == list(load_scenario("loans").tools)


@pytest.mark.parametrize("count", [3, "all"])
def test_the_standard_calls_score_one(count: Any) -> None:
    env = make(distractors=count)
    for task in TASKS[::5]:
        env.reset(options={"task_id": task.id})
        for call in task.standard.calls:
            *_, info = env.step(action_text(call))
        assert info["success"] and info["score"] == 1.0


MENU = '{"name":"get_canteen_menu","arguments":{"day":"2026-03-04"}}'
TICKET = (
    '{"name":"open_support_ticket","arguments":{"reporter":"E1234","subject":"No paper","affected_system":"printing",'
    '"impact":"one_person","urgency":"can_wait"}}'
)


def play(first: str) -> dict[str, Any]:
    env = make(distractors="all")
    env.reset(options={"task_id": TASKS[0].id})
    *_, info = env.step(first)
    assert info["error"] is None
    for call in TASKS[0].standard.calls:
        *_, info = env.step(action_text(call))
    result: dict[str, Any] = info
    return result


def test_reading_something_that_does_not_belong_costs_no_score() -> None:
    assert play(MENU)["score"] == 1.0


def test_writing_something_that_nobody_asked_for_is_collateral_damage() -> None:
    info = play(TICKET)
    assert not info["success"] and info["score"] < 0.7


def test_other_tools_are_unknown() -> None:
    env = make()
    env.reset(options={"task_id": TASKS[0].id})
    *_, info = env.step(MENU)
    assert info["error"]["kind"] == ErrorKind.UNKNOWN_TOOL
