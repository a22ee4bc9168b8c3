"""Experts with a worksheet solve every case, and note only values that they have seen or correctly derived."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.scripted import WorkingExpert
from teller_gym.configuration.envs import env_id_of
from teller_gym.envs.contract import execution_of
from teller_gym.procedure.officer import NotedCall
from teller_gym.procedure.working import OPENING, columns, compared, read, written
from teller_gym.registration import OWN, SCENARIOS
from teller_gym.training.tasks.seeds import make_env

SHOWING = sorted(name for name in SCENARIOS if teller_gym.load_scenario(name).working)
"""Scenarios whose expert has a worksheet."""


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def scalars(text: str) -> set[str]:
    return {json.dumps(leaf) for leaf in leaves(json.loads(text))}


def is_column(leaf: Any) -> bool:
    """Return True if a text is a correct column of a written addition."""
    found = re.fullmatch(r"(\d(?:\+\d)+)=(\d\d)", str(leaf))
    return found is not None and sum(map(int, found[1].split("+"))) == int(found[2])


def is_digit_pair(leaf: Any) -> bool:
    """Return True if a text is a correct comparison of two digits."""
    found = re.fullmatch(r"(\d) (\d) ([<=>])", str(leaf))
    return found is not None and found[3] == "<=>"[1 + (found[1] > found[2]) - (found[1] < found[2])]


def sum_of(found: list[str]) -> int:
    """Return the sum that the columns give: the last column's carry, then the last digits."""
    return int(found[-1][-2] + "".join(column[-1] for column in reversed(found)))


def test_all_of_the_benchmark_do() -> None:
    assert [entry.name for entry in OWN] == [name for name in SCENARIOS if name in SHOWING]


@pytest.mark.parametrize("name", SHOWING)
@pytest.mark.parametrize("options", [{}, {"policy_shift": 1, "schema_shift": 1, "perturb": 1, "faults": 1}])
def test_the_work_is_right_and_what_is_noted_was_seen(name: str, options: dict[str, Any]) -> None:
    """Covers held-out and validation tasks, also with shifted schemas."""
    env = make_env(env_id_of(name), options, "heldout")
    expert = WorkingExpert(env)
    tasks = [task for split in ("heldout", "validation") for task in teller_gym.load_tasks(name, split)]
    noted, step = 0, 6 if options else 2
    for task in tasks[::step]:
        obs, info = env.reset(options={"task_id": task.id})
        expert.reset()
        seen: set[str] = set()
        over = False
        while not over:
            action = expert.act(obs, info)
            words, tag, call = action.partition("<tool_call>")
            if tag:
                noted += 1
                # All other values are in a result, or in the call that follows.
                known = seen | scalars(call.removesuffix("</tool_call>")) | {"true", "false", '"primary"', '"co"'}
                assert words.startswith(OPENING)
                note = read(words)
                if "columns" in note:
                    known = known | {json.dumps(sum_of(note["columns"]) / 100)}
                for leaf in leaves(note):
                    is_working = is_column(leaf) or is_digit_pair(leaf)
                    assert options or json.dumps(leaf) in known or is_working, (task.id, words)
            obs, _, terminated, truncated, info = env.step(action)
            if obs["tool_result"]:
                seen |= scalars(obs["tool_result"])
            over = terminated or truncated
        assert info["success"] and info["score"] == pytest.approx(1.0), task.id
        core = execution_of(env)
        assistant = [one for one in core.messages() if one["role"] == "assistant"]
        assert all(one.get("tool_calls") for one in assistant)
    assert noted > 4 * len(tasks[::step])
    env.close()


def test_without_working_it_is_the_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_env("Teller-Loans-v0", {}, "validation")
    monkeypatch.setattr(execution_of(env).scenario, "working", None)
    task = teller_gym.load_tasks("loans", "validation")[0]
    agents = WorkingExpert(env), teller_gym.make_agent("expert", env)
    obs, info = env.reset(options={"task_id": task.id})
    for _ in range(3):
        first, second = (agent.act(obs, info) for agent in agents)
        assert first == second
        obs, _, _, _, info = env.step(first)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_last_pair_of_digits_tells_which_amount_is_the_higher(first: int, second: int) -> None:
    found = compared(first / 100, second / 100)
    assert all(map(is_digit_pair, found))
    assert all(pair.endswith("=") for pair in found[:-1])
    assert found[-1][-1] == "<=>"[1 + (first > second) - (first < second)]
    assert [pair[0] for pair in found] == list(str(first).zfill(len(str(max(first, second)))))[: len(found)]


def test_a_note_is_read_as_it_was_written() -> None:
    note = {"days": 12, "score": [648, 700], "kind": "été"}
    assert read(written(note)) == note
    assert written({}) == "" and read("") == {} and read("Notes: {") == {} and read("Well. {}") == {}


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=8))
def test_sums_on_paper_add_up(cents: list[int]) -> None:
    """The carries are correct, and the digits are those of the sum."""
    found = columns(*(cent / 100 for cent in cents))
    assert all(map(is_column, found))
    carried = ["0", *(column[-2] for column in found)]
    assert [column.partition("=")[0][-1] for column in found] == carried[:-1]
    assert sum_of(found) == sum(cents)
    assert columns(1.25, 2.8) == ["5+0+0=05", "2+8+0=10", "1+2+1=04"]


def test_persons_are_told_apart_by_names() -> None:
    """In loans notes, entries about the two applicants never share a name."""
    env = make_env("Teller-Loans-v0", {}, "validation")
    expert = WorkingExpert(env)
    seen = 0
    for task in teller_gym.load_tasks("loans", "validation"):
        obs, info = env.reset(options={"task_id": task.id})
        customers = re.findall(r"CU-\d{6}", str(obs["state"]).partition("\n")[0])
        expert.reset()
        over = False
        while not over:
            action = expert.act(obs, info)
            for name, value in read(action.partition("<tool_call>")[0]).items():
                if value in customers:
                    assert name == ("primary_customer_id", "co_customer_id")[customers.index(value)]
                    seen += value == customers[-1] != customers[0]
            obs, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    assert seen > 20
    env.close()


def test_tools_do_not_see_the_note() -> None:
    call = NotedCall("add_days", {"days": 3}, 'Notes: {"days":3}')
    assert call.arguments == {"days": 3}
