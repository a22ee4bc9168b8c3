"""Actions of megabytes: the step fails with an error that names the limit, and the text is not stored."""

import copy
import pickle
from typing import Any

import gymnasium as gym
import pytest

import teller_gym  # noqa: F401  (registers the ids)
from teller_gym.base.errors import ErrorKind
from teller_gym.envs.contract import execution_of, reconstruction_of
from teller_gym.stage1.document import MAX_CHARACTERS
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored
from tests.envs.play import make

CALL = '{"name": "get_application_data", "arguments": {"application_id": "LA-100000"}}'
HUGE = {
    "prose": "x" * 10_000_000,
    "brackets": "[" * 10_000_000,
    "a padded call": CALL + " " * 10_000_000,
    "a call in tags": f"<tool_call>{CALL}</tool_call>" + "`" * 10_000_000,
}
ROOM = 30_000
"""Limit on the characters of all other texts in an episode of a few steps, without the procedure."""


def held(value: Any) -> int:
    """Return the number of characters of all texts within a value."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return held(list(value.items()))
    return sum(map(held, value)) if isinstance(value, list | tuple) else 0


@pytest.mark.parametrize("kind", HUGE)
def test_a_huge_action_is_a_failed_step_and_held_nowhere(kind: str) -> None:
    env = make(max_steps=9)
    env.reset(seed=1)
    before = held(env.messages())
    for step in range(1, 4):
        obs, _, terminated, truncated, info = env.step(HUGE[kind])
        assert (terminated, truncated, info["step"], info["invalid"]) == (False, False, step, False)
        assert info["error"]["kind"] == ErrorKind.MALFORMED
        assert f"at most {MAX_ACTION_CHARACTERS} characters, got {len(HUGE[kind])}" in info["error"]["message"]
        assert held([obs, info]) < ROOM
    assert held(env.messages()) - before < ROOM
    assert [m["content"] for m in env.messages() if m["role"] == "assistant"] == [stored(HUGE[kind])] * 3
    assert env.grade().errors == {"malformed": 3}
    for saved in (env.snapshot(), env):
        assert len(pickle.dumps(saved)) < 10 * ROOM


def test_a_copy_made_of_what_was_kept_is_the_same_episode() -> None:
    env = make(max_steps=9)
    env.reset(seed=1)
    env.step(HUGE["prose"])
    env.step(CALL)
    others = pickle.loads(pickle.dumps(env)), copy.deepcopy(env)
    assert [other.messages() for other in others] == [env.messages()] * 2
    expected = env.step(HUGE["brackets"])
    for other in others:
        assert other.step(stored(HUGE["brackets"])) == expected
        assert (other.messages(), other.grade()) == (env.messages(), env.grade())


def test_a_huge_graph_is_unreadable_and_held_nowhere() -> None:
    env = gym.make("Teller-LoansGraph-v0")
    env.reset(seed=1)
    core = reconstruction_of(env)
    answer = '{"nodes": [], "edges": []}' + " " * 10_000_000
    before = held(core.messages())
    obs, _, terminated, _, info = env.step(answer)
    assert terminated
    assert f"at most {MAX_CHARACTERS} characters, got {len(answer)}" in info["error"]["message"]
    assert held([obs, info]) < ROOM and held(core.messages()) - before < ROOM
    assert len(pickle.dumps(core.snapshot())) < 10 * ROOM
    again = gym.make("Teller-LoansGraph-v0")
    again.reset(seed=1)
    assert again.step(core.messages()[2]["content"])[0] == obs


def test_what_is_said_to_a_long_action_is_short() -> None:
    env = gym.make("Teller-Loans-v0")
    env.reset(seed=1)
    core = execution_of(env)
    before = held(core.messages())
    for action in (f'{{"name": "{"x" * 900_000}", "arguments": {{}}}}', f'{{"{"x" * 900_000}": 1}}', "{" * 900_000):
        obs, _, _, _, info = env.step(action)
        assert held([obs["tool_result"], info]) < ROOM
    assert held(core.messages()) - before < 4 * 900_000 + ROOM  # the name of a call is repeated with its result
