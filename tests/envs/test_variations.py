"""The environment's randomisations: tasks stay solvable, results are reproducible, and no original name is revealed."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import teller_gym  # noqa: F401 - registers the ids
from teller_gym.agents import make_agent
from teller_gym.base.errors import OptionError
from teller_gym.envs.episode.bank import rubric_of
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split
from teller_gym.tasks.difficulty import difficulty_of
from teller_gym.tasks.store import find_task, load_tasks, split_tasks, under_policy_shift
from teller_gym.tools.run import action_text
from teller_gym.variation.faults import IN_A_ROW, addendum
from teller_gym.variation.options import Variation, heldout_schema, is_heldout
from teller_gym.variation.schema.fields import result_names
from tests.envs.play import Env, make

ROOT = Path(__file__).parents[2]
SWITCHES = ("policy_shift", "schema_shift", "perturb", "faults")
ALL: dict[str, Any] = {**dict.fromkeys(SWITCHES, True), "distractors": "all"}
PAIRS = [dict.fromkeys(pair, True) for pair in combinations(SWITCHES, 2)]
EACH: list[dict[str, Any]] = [{name: value} for name, value in ALL.items()]


def label(options: dict[str, Any]) -> str:
    return "+".join(options) or "none"


def episode(env: Env, agent: Any, task_id: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Let an agent play; yield each action with the resulting observation and ``info``."""
    obs, info = env.reset(options={"task_id": task_id})
    agent.reset()
    over = False
    while not over:
        action = agent.act(obs, {"task_id": task_id})
        obs, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        yield action, dict(obs), info


def last_info(env: Env, agent: Any, task_id: str) -> dict[str, Any]:
    return list(episode(env, agent, task_id))[-1][2]


def agent_for(env: Env, name: str) -> Any:
    env.reset(seed=0)
    return make_agent(name, env)


# -- solvable --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [*EACH, *PAIRS, ALL, {**ALL, "sop": "explicit"}], ids=label)
def test_the_expert_scores_one(options: dict[str, Any]) -> None:
    env = make(split="generated", **options)
    agent = agent_for(env, "expert")
    for seed in range(3):
        info = last_info(env, agent, f"loans-g-{seed}")
        assert info["success"] and info["score"] == 1.0, (seed, env.messages()[-1])


@pytest.mark.parametrize("split", VARIANT_SPLITS)
@pytest.mark.parametrize("options", [{}, ALL], ids=label)
def test_the_expert_scores_one_on_the_variant_splits(split: Split, options: dict[str, Any]) -> None:
    env = make(split=split, **options)
    agent = agent_for(env, "expert")
    for task in split_tasks("loans", split)[:5]:
        assert last_info(env, agent, task.id)["score"] == 1.0


def test_the_same_id_is_graded_by_the_policy_it_is_shown_under() -> None:
    usual, moved = make(), make(policy_shift=True)
    for split in (Split.TRAIN, Split.HELDOUT, *VARIANT_SPLITS):
        task = split_tasks("loans", split)[1]
        for env in (usual, moved, usual):
            assert last_info(env, agent_for(env, "expert"), task.id)["score"] == 1.0, task.id
        if split is not Split.HELDOUT_POLICY:
            other = under_policy_shift(task, 1)
            assert rubric_of(other).outputs == other.standard.outputs
            assert rubric_of(task).outputs == task.standard.outputs


def test_remembering_the_usual_policy_is_wrong() -> None:
    scenario = load_scenario("loans")
    env = make(split="heldout_policy")
    for task in split_tasks("loans", Split.HELDOUT_POLICY)[:10]:
        env.reset(options={"task_id": task.id})
        steps = scenario.expert(task.request, scenario.policy)
        call = next(steps)
        info: dict[str, Any] = {}
        for _ in range(env.max_steps):
            obs, _, terminated, truncated, info = env.step(action_text(call))
            result = json.loads(obs["tool_result"])
            if terminated or truncated or "error" in result:
                break
            try:
                call = steps.send(result)
            except StopIteration:
                break
        assert not info["success"]


# -- observations ----------------------------------------------------------------------------------------------------


class Hidden:
    """The original names of two words or more that must not appear under an env's schema."""

    def __init__(self, env: Env) -> None:
        tools = env.tools
        originals = tools.originals.values()
        rows = {"applicants": tuple(f.name for f in env.scenario.template.existing if f.group == "applicants")}
        fields = {name for tool in originals for name in result_names(tool, rows)}
        fields |= {p.name for tool in originals for p in tool.parameters}
        shown = {p.name for tool in tools.values() for p in tool.parameters} | set(tools)
        choices = {value for tool in originals for p in tool.parameters for value in enumerated(p.schema)}
        self.tools = {name for name in tools.originals if "_" in name} - shown - choices
        self.fields = {name for name in fields if "_" in name and tools.reword(name) != name} - shown - choices
        self.rows = {name: set(result_names(tool, rows)) for name, tool in tools.originals.items()}

    def in_text(self, text: str) -> set[str]:
        return (self.tools | self.fields) & set(re.findall(r"[A-Za-z][\w-]*", text))

    def in_result(self, name: str, text: str) -> set[str]:
        """Return hidden names in a result: tool names anywhere, and field names used as keys."""
        known = self.rows.get(name, set()) & self.fields
        keys = {key for key in keys_of(json.loads(text)) if key in known}
        return keys | (self.tools & set(re.findall(r"[A-Za-z][\w-]*", text)))


def enumerated(schema: dict[str, Any]) -> Iterator[Any]:
    yield from schema.get("enum", ())
    for part in (*schema.get("anyOf", ()), schema.get("items", {})):
        if part:
            yield from enumerated(part)


def keys_of(record: dict[str, Any]) -> Iterator[str]:
    yield from record
    for item in record.values():
        if isinstance(item, list):
            for row in item:
                if isinstance(row, dict):
                    yield from keys_of(row)


@pytest.mark.parametrize("name", ["expert", "random", "call_everything"])
@pytest.mark.parametrize("split", ["generated", "heldout_schema"])
def test_no_original_name_shows(name: str, split: str) -> None:
    env = make(split=split, schema_shift=True, sop="explicit", distractors=30)
    agent = agent_for(env, name)
    ids = [f"loans-g-{seed}" for seed in range(3)]
    if split == "heldout_schema":
        ids = [task.id for task in split_tasks("loans", Split.HELDOUT_SCHEMA)[:3]]
    searched = errors = 0
    for task_id in ids:
        steps = list(episode(env, agent, task_id))
        hidden = Hidden(env)
        assert len(hidden.tools) + len(hidden.fields) > 60
        texts = [json.dumps(env.tool_schemas()), env.episode.opening(), *(obs["state"] for _, obs, _ in steps)]
        assert [found for text in texts if (found := hidden.in_text(text))] == []
        for action, obs, info in steps:
            if info["error"] is not None:
                # An error may repeat names from the action.
                leaked = hidden.in_text(obs["tool_result"]) - set(re.findall(r"[A-Za-z][\w-]*", action))
                errors += 1
            elif obs["tool_result"]:
                called = env.tools[json.loads(action)["name"]].original.name
                leaked = hidden.in_result(called, obs["tool_result"])
            assert not leaked, (action, obs["tool_result"])
            searched += 1
    assert searched > 30 and (errors > 30 or name == "expert")


def test_a_heldout_schema_is_shown_in_its_split_under_all_options() -> None:
    for options in ({}, {"schema_shift": 3}, {"policy_shift": True}, ALL):
        env = make(split="heldout_schema", **options)
        for number, task in enumerate(split_tasks("loans", Split.HELDOUT_SCHEMA)[:3]):
            env.reset(options={"task_id": task.id})
            assert env.task.schema == heldout_schema(number) and is_heldout(env.task.schema)
            assert task.standard.calls[0].name not in env.tools


def test_training_never_shows_a_heldout_schema() -> None:
    for stream in (1, 2, 10**9):
        variation = Variation.read(schema_shift=stream)
        keys = {variation.schema_of(task) for task in load_tasks("loans", "train")}
        assert len(keys) > 60 and not any(map(is_heldout, keys))


def test_the_sop_follows_the_policy_and_mentions_temporary_errors_only_where_there_are_some() -> None:
    plain, moved, faulty = make(), make(policy_shift=True), make(faults=True)
    task = load_tasks("loans", "train", 1)[0]
    states = [env.reset(options={"task_id": task.id})[0]["state"] for env in (plain, moved, faulty)]
    assert states[0] != states[1] and moved.scenario.sop_of(moved.task, "abstract") in states[1]
    assert states[2] == states[0] + addendum() and addendum() not in states[1]
    assert addendum() in faulty.messages()[0]["content"]


# -- temporary errors ------------------------------------------------------------------------------------------------


def standard_actions(env: Env) -> list[str]:
    return [action_text(call) for call in env.task.standard.calls]


def test_a_failed_call_changes_nothing_costs_nothing_and_is_no_attempt() -> None:
    env = make(faults=True)
    failures = 0
    for task in load_tasks("loans", "train", 12):
        _, info = env.reset(options={"task_id": task.id})
        for action in standard_actions(env):
            for attempt in range(IN_A_ROW + 1):
                before = env.state_hash(), info["score"], info["checkpoints"], info["reward_terms"]
                obs, reward, terminated, truncated, info = env.step(action)
                if info["error"] is None:
                    break
                failures += 1
                assert info["error"]["kind"] == "temporary" and attempt < IN_A_ROW
                assert json.loads(obs["tool_result"])["error"]["kind"] == "temporary"
                assert (env.state_hash(), info["score"], info["checkpoints"], info["reward_terms"]) == before
                assert reward == 0.0 and not terminated and not truncated
                assert obs["state"].endswith("The last action failed (temporary).")
        assert info["score"] == 1.0 and info["success"]
        grade = env.grade()
        assert set(grade.errors) <= {"temporary"} and grade.invoked_tools == grade.required_tools
    assert failures > 20


def test_not_sending_it_again_loses() -> None:
    env = make(faults=True)
    scores = []
    for task in load_tasks("loans", "train", 12):
        _, info = env.reset(options={"task_id": task.id})
        failed = 0
        for action in standard_actions(env):
            info = env.step(action)[4]
            failed += info["error"] is not None and info["error"]["kind"] == "temporary"
        scores.append(info["score"])
        assert (info["score"] < 1.0) == (failed > 0)
    assert sum(scores) / len(scores) < 0.7


def test_no_more_than_two_in_a_row_for_any_calls() -> None:
    env = make(faults=True, max_steps=60)
    for seed in range(6):
        env.reset(seed=seed)
        env.action_space.seed(seed)
        row, over = 0, False
        while not over:
            *_, terminated, truncated, info = env.step(env.action_space.sample())
            failed = info["error"] is not None and info["error"]["kind"] == "temporary"
            row = row + 1 if failed else 0
            assert row <= IN_A_ROW
            over = terminated or truncated


def test_what_is_no_call_meets_no_temporary_error() -> None:
    env = make(faults=True)
    env.reset(seed=3)
    kinds = [env.step("{")[4]["error"]["kind"] for _ in range(12)]
    assert set(kinds) == {"malformed"}
    assert env.step("I give up.")[2]


# -- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize("value", [-1, 0.5, "yes", None, [1]])
def test_wrong_values_are_refused(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"{name}: expected False, True, or a stream's number of 1 or more, got"):
        make(**{name: value})


@pytest.mark.parametrize("name", SWITCHES)
def test_false_and_zero_are_off_and_true_is_the_first_stream(name: str) -> None:
    task_id = load_tasks("loans", "train", 1)[0].id
    assert trace({name: False}, [task_id]) == trace({name: 0}, [task_id]) == trace({}, [task_id])
    assert trace({name: True}, [task_id]) == trace({name: 1}, [task_id]) != trace({}, [task_id])
    assert trace({name: 2}, [task_id]) != trace({name: 1}, [task_id])


def trace(options: dict[str, Any], ids: Iterable[str]) -> str:
    """Return a digest of all observations and results of sampled actions and of the expert."""
    env = make(**options)
    agent = agent_for(env, "expert")
    digest = hashlib.sha256()
    for task_id in ids:
        env.reset(options={"task_id": task_id})
        for action in [*env.action_space_samples(5), "{", "[1]"]:
            digest.update(json.dumps([action, env.step(action)]).encode())
        for action, obs, info in episode(env, agent, task_id):
            digest.update(json.dumps([action, obs, info["score"], info["reward_terms"]]).encode())
        diagnosis = [repr(row) for row in env.diagnosis()]
        digest.update(json.dumps([env.messages(), env.tool_schemas(), env.state_hash(), diagnosis]).encode())
    return digest.hexdigest()


IDS = ("loans-0003", "loans-g-11", "loans-policy-0002", "loans-schema-0004", "loans-branch-0001")
SCRIPT = "from tests.envs.test_variations import ALL, IDS, trace; print(trace(ALL, IDS), trace({}, IDS))"


def test_the_same_bytes_in_another_process() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [trace(ALL, IDS), trace({}, IDS)]


def test_the_frozen_tasks_are_found_by_id_under_every_split() -> None:
    for task_id in IDS:
        env = make(split="validation", **ALL)
        env.reset(options={"task_id": task_id})
        assert env.task.id == task_id == find_task("loans", task_id).id


def test_a_schedule_of_difficulty_begins_anew_with_a_seed() -> None:
    env = make(split="generated", difficulty=[(1, (0.0, 0.3)), (1, (0.6, 1.0))])
    first = env.reset(seed=5)[1]["task_id"]
    second = env.reset()[1]["task_id"]
    assert second != first
    assert [env.reset(seed=5)[1]["task_id"], env.reset()[1]["task_id"]] == [first, second]


def test_a_range_of_difficulty_holds_under_drawn_policies() -> None:
    env = make(split="generated", difficulty=(0.2, 0.5), policy_shift=True)
    for seed in range(20):
        env.reset(seed=seed)
        assert 0.2 <= difficulty_of(env.task, env.scenario).level <= 0.5


@pytest.mark.parametrize("action", [5, None, b"x", {"name": "get_application_data", "arguments": {}}])
def test_an_action_that_is_no_text_is_malformed(action: Any) -> None:
    env = make()
    env.reset(seed=1)
    *_, info = env.step(action)
    assert info["error"].kind == "malformed" and "expected the action as text" in info["error"].message
    assert not info["invalid"] and len(env.messages()) == 4
