"""Envs and snapshots can be pickled and copied during an episode, and the copies continue with the same bytes."""

import copy
import functools
import pickle
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

import gymnasium as gym
import msgspec
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics

import teller_gym
from teller_gym.envs.episode.bank import BankEpisode
from teller_gym.grading.score import RewardConfig
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.variation.options import Variation

EVERYTHING: dict[str, Any] = {
    "split": "generated",
    "sop": "explicit",
    "distractors": "all",
    "max_steps": 40,
    "diagnose": True,
    "policy_shift": 2,
    "schema_shift": True,
    "perturb": 3,
    "faults": True,
    "difficulty": [(1, (0.0, 0.7)), (2, (0.1, 1.0))],
    "render_mode": "ansi",
    "reward": RewardConfig(checkpoints=0.2, parameters=0.3, outcome=0.5, failed_call=0.02),
}
# Actions that are not text make Gymnasium's checker warn.
pytestmark = pytest.mark.filterwarnings("ignore:.*")

MADE: dict[str, tuple[str, dict[str, Any]]] = {
    "loans": ("Teller-Loans-v0", {}),
    "loans, all options": ("Teller-Loans-v0", EVERYTHING),
    "loans, wrapped twice": ("Teller-Loans-v0", {"max_episode_steps": 30, "reward": "sparse"}),
    "bank, all options": ("Teller-Bank-v0", EVERYTHING),
    "graph": ("Teller-LoansGraph-v0", {}),
    "graph, all options": (
        "Teller-LoansGraph-v0",
        {"split": "heldout", "distractors": "all", "reward": "edge_f1", "render_mode": "ansi"},
    ),
    "day": ("Teller-Day-v0", {"split": "generated", "cases": 4, "scenarios": ("loans",), "render_mode": "ansi"}),
    "office": ("Teller-Wealth-v0", {"auth": "must_login", "faults": True}),
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickled": lambda item: pickle.loads(pickle.dumps(item)),
    "copied": copy.deepcopy,
}


def make(name: str) -> gym.Env[Any, Any]:
    env_id, options = MADE[name]
    return gym.make(env_id, **options)


def as_written(core: Any, call: Call) -> str:
    """Return a call of the original schema as an action in the env's shown schema."""
    name, arguments = core.tools.write(call.name, call.arguments)
    return action_text(Call(name, arguments))


def actions_of(env: gym.Env[Any, Any]) -> list[Any]:
    """Return some actions: correct calls in the shown schema, a wrong one, a sampled one, and one that is not text."""
    core: Any = env.unwrapped
    env.action_space.seed(5)
    if core.stage == 1:
        return ['{"nodes": ["x"], "edges": []}']
    calls = [action_text(call) for call in core.task.standard.calls[:-1]]
    written = [as_written(core, each) for each in core.task.standard.calls[:-1]]
    return [*written[:4], calls[0], env.action_space.sample(), 42, *written[4:]]


def played(env: gym.Env[Any, Any], actions: list[Any]) -> bytes:
    """Play actions until the episode ends, then start another; return everything observed as bytes."""
    core: Any = env.unwrapped
    seen: list[Any] = []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append([observation, reward, terminated, truncated, info, core.state_hash(), env.render()])
        if terminated or truncated:
            break
    seen += [core.grade(), core.messages(), core.tool_schemas()]
    seen += [env.reset(), env.reset(seed=11), env.action_space.sample()]
    return msgspec.json.encode(seen)


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", MADE)
def test_an_env_in_the_middle_of_an_episode(name: str, way: str) -> None:
    env = make(name)
    env.reset(seed=3)
    actions = actions_of(env)
    middle = len(actions) // 2
    for action in actions[:middle]:
        env.step(action)
    twin = COPIES[way](env)
    assert twin.unwrapped is not env.unwrapped
    assert played(twin, actions[middle:]) == played(env, actions[middle:])


@pytest.mark.parametrize("way", ["itself", *COPIES])
@pytest.mark.parametrize("name", MADE)
def test_a_snapshot(name: str, way: str) -> None:
    """A snapshot restores its own env and another one, including tools, after any later steps."""
    env, other = make(name), make(name)
    env.reset(seed=3)
    actions = actions_of(env)
    for action in actions[: len(actions) // 2]:
        env.step(action)
    core: Any = env.unwrapped
    snapshot = COPIES.get(way, lambda item: item)(core.snapshot())
    rest = actions[len(actions) // 2 :]
    before = [core.messages(), core.state_hash(), list(core.tools)]
    env.step(rest[0])
    other.reset(seed=8)
    cores: Any = other.unwrapped
    for each in (core, cores):
        each.restore(snapshot)
        assert [each.messages(), each.state_hash(), list(each.tools)] == before
    seen = [[env.step(action), other.step(action)] for action in rest]
    assert all(msgspec.json.encode(one) == msgspec.json.encode(two) for one, two in seen)
    assert msgspec.json.encode(core.grade()) == msgspec.json.encode(cores.grade())


@pytest.mark.parametrize("name", MADE)
def test_before_the_first_reset_and_after_the_end(name: str) -> None:
    fresh = pickle.loads(pickle.dumps(make(name)))
    env = make(name)
    assert msgspec.json.encode(fresh.reset(seed=4)) == msgspec.json.encode(env.reset(seed=4))
    env.step("I am done.")
    ended = pickle.loads(pickle.dumps(env))
    assert msgspec.json.encode(ended.unwrapped.grade()) == msgspec.json.encode(env.unwrapped.grade())  # type: ignore[attr-defined]
    with pytest.raises(gym.error.ResetNeeded):
        ended.step("I am done.")


def test_an_episode_that_went_on_under_other_options() -> None:
    """A snapshot that continued in an env with other tools is replayed under both settings."""
    first: Any = gym.make("Teller-Loans-v0").unwrapped
    second: Any = gym.make("Teller-Loans-v0", schema_shift=True, distractors=4, max_steps=9).unwrapped
    first.reset(options={"task_id": "loans-0001"})
    calls = first.task.standard.calls
    for call in calls[:2]:
        first.step(action_text(call))
    second.restore(first.snapshot())
    second.step(as_written(second, calls[2]))
    twin: BankEpisode = pickle.loads(pickle.dumps(second.snapshot()))
    original: BankEpisode = second.snapshot()
    assert twin.history == original.history and list(twin.tools) == list(original.tools)
    assert (twin.max_steps, twin.score) == (9, original.score)
    assert twin.bank.state_hash() == original.bank.state_hash()
    assert twin.settings.variation == Variation.read(schema_shift=True)


def test_a_copy_is_independent() -> None:
    env: Any = gym.make("Teller-Loans-v0").unwrapped
    env.reset(options={"task_id": "loans-0002"})
    snapshot = env.snapshot()
    twin = copy.deepcopy(env)
    assert twin.scenario is env.scenario
    twin.step(action_text(env.task.standard.calls[0]))
    assert len(env.snapshot().history) == 0 and len(snapshot.history) == 0
    assert len(twin.snapshot().history) == 1


@pytest.mark.parametrize("way", COPIES)
def test_a_vector_env_of_gymnasium(way: str) -> None:
    """The vector env is built from picklable functions; those of ``gym.make_vec`` itself cannot be pickled."""
    options = {**EVERYTHING, "difficulty": None, "max_steps": 4}
    env: Any = gym.vector.SyncVectorEnv([functools.partial(gym.make, "Teller-Bank-v0", **options)] * 2)
    env.reset(seed=3)
    for _ in range(3):
        env.step(["{}", "nothing"])
    twin = COPIES[way](env)
    for _ in range(3):
        assert repr(twin.step(["{}", "{}"])) == repr(env.step(["{}", "{}"]))


def test_a_wrapped_env_goes_on_in_a_spawned_process() -> None:
    env = RecordEpisodeStatistics(make("loans, all options"))
    env.reset(seed=3)
    actions = actions_of(env)
    for action in actions[:5]:
        env.step(action)
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(stepped, (env, actions[5:8])) == stepped(env, actions[5:8])


def stepped(env: gym.Env[Any, Any], actions: list[Any]) -> bytes:
    """Return the results of further steps, without the times in the statistics."""
    core: Any = env.unwrapped
    return msgspec.json.encode([[core.step(action) for action in actions], core.messages(), core.state_hash()])


def test_a_scenario_is_the_one_that_is_loaded() -> None:
    scenario = teller_gym.load_scenario("loans")
    assert pickle.loads(pickle.dumps(scenario)) is scenario
    assert copy.deepcopy(scenario) is scenario
