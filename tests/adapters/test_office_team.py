"""Office work by two agents: PettingZoo's own tests pass, and the executor knows only what it receives."""

import json
import warnings

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra office")

from pettingzoo.test import api_test, seed_test

from teller_gym.adapters.pettingzoo.office_team import EXECUTOR, PLANNER, OfficeTeamEnv
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

TASK = "wealth-net_worth-high"
ABOUT_ARRAYS = ("Observation is not a NumPy array", "probably should be gymnasium.spaces")


def begun() -> OfficeTeamEnv:
    env = OfficeTeamEnv(split="heldout")
    env.reset(options={"task_id": TASK})
    return env


def test_pettingzoos_own_tests_pass() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(OfficeTeamEnv(split="heldout"), num_cycles=40)
    told = {str(one.message) for one in caught}
    assert not {one for one in told if not any(part in one for part in ABOUT_ARRAYS)}, "text is no array"
    seed_test(lambda: OfficeTeamEnv(), num_cycles=30)


def test_a_request_that_is_handed_over_is_done_and_both_are_paid() -> None:
    env = begun()
    assert env.agent_selection == PLANNER
    work = env.episode
    request, user = work.task.request, work.desk.user
    assert request in env.observe(PLANNER)["state"] and request not in env.observe(EXECUTOR)["state"]
    env.step(action_text(Call("send_message", {"to": f"@{user}", "text": request})))
    assert env.agent_selection == PLANNER, "a call keeps the turn"
    env.step("Please do what I have written.")
    assert env.agent_selection == EXECUTOR
    planner = env.observe(EXECUTOR)["state"].split("direct message of @")[1].split(",")[0]
    env.step(action_text(Call("read_messages", {"room": f"@{planner}"})))
    assert request in json.loads(env.observe(EXECUTOR)["tool_result"])["messages"][-1]["text"]
    steps, paid = work.office.expert(work.task), 0.0
    call = next(steps)
    try:
        while True:
            env.step(action_text(call))
            paid += env.rewards[PLANNER]
            assert env.rewards[PLANNER] == env.rewards[EXECUTOR]
            call = steps.send(json.loads(env.observe(EXECUTOR)["tool_result"]))
    except StopIteration:
        pass
    assert paid == pytest.approx(1.0) and not work.verdict.collateral
    env.step("Done.")
    assert not any(env.terminations.values())
    env.step("Thank you.")
    assert all(env.terminations.values()) and env.infos[PLANNER]["success"]


def test_nobody_answers_in_the_planners_name_and_the_planner_has_no_files() -> None:
    env = begun()
    user = env.episode.desk.user
    # A work item for the other agent is no collateral damage.
    env.step(action_text(Call("list_projects", {})))
    projects = json.loads(env.observe(PLANNER)["tool_result"])["projects"]
    project = next(one["id"] for one in projects if one["identifier"] == "CW")
    env.step(action_text(Call("create_item", {"project_id": project, "name": "Net worth", "description": "Please."})))
    assert "error" not in json.loads(env.observe(PLANNER)["tool_result"]) and not env.episode.verdict.collateral
    env.step("Over to you.")
    planner = env.observe(EXECUTOR)["state"].split("direct message of @")[1].split(",")[0]
    env.step(action_text(Call("send_message", {"to": f"@{planner}", "text": "What shall I do, please?"})))
    assert json.loads(env.observe(EXECUTOR)["tool_result"])["answers"] == 0
    env.step("Over to you.")
    assert env.agent_selection == PLANNER
    env.step(action_text(Call("read_file", {"path": "/a"})))
    assert "error" in json.loads(env.observe(PLANNER)["tool_result"])
    env.step(action_text(Call("send_message", {"to": f"@{user}", "text": "Have a look at the handbook."})))
    env.step(action_text(Call("send_message", {"to": "#general", "text": "We are at it."})))
    assert env.episode.verdict.collateral, "who plans posts nothing either"


def test_two_who_hand_over_at_once_are_done() -> None:
    env = begun()
    env.step("I do not know.")
    env.step("Nor do I.")
    assert all(env.terminations.values()) and env.rewards == {PLANNER: 0.0, EXECUTOR: 0.0}
    env.step(None)
    assert env.agents == [PLANNER] or env.agents == [EXECUTOR]
    spent = OfficeTeamEnv(split="heldout", max_steps=3)
    spent.reset(options={"task_id": TASK})
    for action in (action_text(Call("list_rooms", {})), "Over to you.", action_text(Call("list_rooms", {}))):
        spent.step(action)
    assert all(spent.truncations.values()), "the budget is of both together"
