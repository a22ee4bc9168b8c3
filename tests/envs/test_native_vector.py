"""The package's own vector environment: the episodes of Gymnasium's synchronous one, and what it offers besides."""

import random
import tracemalloc
import warnings
from contextlib import suppress
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import msgspec
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import teller_gym  # noqa: F401  (registers the ids)
from teller_gym.base.errors import OptionError, ToolError
from teller_gym.envs.known import MOST_BYTES, KnownCalls
from teller_gym.envs.spaces import ToolCallText
from teller_gym.envs.vector.env import TellerVectorEnv
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text, run_tool
from teller_gym.tools.tool import Result, ToolSet, tool
from teller_gym.variation.pool import tools_in_play
from tests.envs.play import make

COUNT = 7
STEPS = 45
TASKS = frozen_tasks("loans")
BROKEN = ("", "I am done.", "{", "[1]", '{"name": 1}', '{"name": "grant_loan", "arguments": {}}', '{"\ud800')
MODES = list(AutoresetMode)


class Nothing(Result):
    """No outputs."""


@tool()
def full_of_float(bank: Bank, items: list[float]) -> Nothing:
    """Take amounts.

    Args:
        items: Any.
    """
    return Nothing()


@tool()
def full_of_str(bank: Bank, items: list[str]) -> Nothing:
    """Take texts.

    Args:
        items: Any.
    """
    return Nothing()


FULL_OF = {"float": full_of_float, "str": full_of_str}


def native(count: int = COUNT, name: str = "Teller-Loans-v0", **options: Any) -> TellerVectorEnv:
    """Return the package's own vector environment, made as a user makes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make_vec(name, count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(env, TellerVectorEnv)
    return env


def sync(mode: AutoresetMode, count: int = COUNT, name: str = "Teller-Loans-v0", **options: Any) -> Any:
    """Return Gymnasium's."""
    kwargs = {"autoreset_mode": mode}
    return gym.make_vec(name, count, vectorization_mode="sync", vector_kwargs=kwargs, **options)


def same(one: Any, other: Any, path: str = "") -> None:
    """Check that two results of vector environments are equal to the last byte and type."""
    assert type(one) is type(other), path
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), path
        if one.dtype == object:
            assert list(map(repr, one)) == list(map(repr, other)), path
        else:
            assert one.tobytes() == other.tobytes(), path
    elif isinstance(one, tuple):
        assert len(one) == len(other), path
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            same(mine, theirs, f"{path}[{number}]")
    else:
        assert repr(one) == repr(other), path


class Player:
    """Chooses actions that are right, random or broken, with a share of its own for each env."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(f"native vector {seed}").random
        self._space = make().action_space
        self._space.seed(seed)

    def act(self, env: TellerVectorEnv) -> tuple[str, ...]:
        """Return one action for each env."""
        return tuple(self._choose(episode, number / (COUNT - 1)) for number, episode in enumerate(env.episodes))

    def _choose(self, episode: Any, skill: float) -> str:
        right = [action_text(call) for call in episode.task.standard.calls]
        said = [action for action, _ in episode.history]
        rest = [action for action in right if action not in said]
        if rest and self._draw() <= skill:
            return rest[0]
        if self._draw() < 0.3:
            return BROKEN[int(self._draw() * len(BROKEN))]
        return str(self._space.sample())


OPTIONS: list[dict[str, Any]] = [
    {},
    {"split": "generated", "max_steps": 6, "sop": "explicit"},
    {"diagnose": True, "max_steps": 9, "reward": "sparse", "state_view": "none", "distractors": 5},
    {"schema_shift": True, "policy_shift": 2, "perturb": 3, "faults": True, "split": "generated"},
    {"name": "Teller-Bank-v0", "split": "heldout", "reward": RewardConfig(failed_call=0, failed_calls_at_most=1)},
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "generated", "diagnose", "varied", "bank"])
def test_the_same_bytes_as_gymnasiums_own(mode: AutoresetMode, options: dict[str, Any]) -> None:
    one, other = native(autoreset_mode=mode, **options), sync(mode, **options)
    same(one.reset(seed=3), other.reset(seed=3))
    player, endings = Player(3), 0
    for _ in range(STEPS):
        actions = player.act(one)
        mine, theirs = one.step(actions), other.step(actions)
        same(mine, theirs)
        ended = mine[2] | mine[3]
        endings += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            same(one.reset(options={"reset_mask": ended}), other.reset(options={"reset_mask": ended}))
    assert endings > COUNT
    for name in ("messages", "state_hash", "task", "failure", "render", "np_random_seed"):
        assert one.call(name) == other.call(name), name
    same(one.reset(), other.reset())
    seeds = [5, None, 6, 7, 8, None, 9]
    assert list(one.reset(seed=seeds)[1]["task_id"]) == list(other.reset(seed=seeds)[1]["task_id"])


def test_an_expert_gets_full_marks_in_every_env() -> None:
    ids = list(TASKS)[:COUNT]
    env = native(autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(options={"task_id": ids})
    total = np.zeros(COUNT)
    scores: dict[int, float] = {}
    for step in range(max(len(TASKS[name].standard.calls) for name in ids)):
        calls = [TASKS[name].standard.calls for name in ids]
        actions = [action_text(each[min(step, len(each) - 1)]) for each in calls]
        _, rewards, terminated, _, infos = env.step(actions)
        for number in np.flatnonzero(terminated).tolist():
            scores.setdefault(number, float(infos["final_info"]["score"][number]))
        total += np.where([step < len(each) for each in calls], rewards, 0)
    assert scores == dict.fromkeys(range(COUNT), 1.0)
    assert total == pytest.approx(np.ones(COUNT))


def test_spaces_are_those_of_gymnasiums_own() -> None:
    one, other = native(), sync(AutoresetMode.NEXT_STEP)
    for name in ("action_space", "observation_space", "single_action_space", "single_observation_space"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine == theirs
        mine.seed(5), theirs.seed(5)
        assert mine.sample() == theirs.sample()
    observations, _ = one.reset(seed=1)
    assert one.observation_space.contains(observations)
    assert one.observation_space.contains(one.step(one.action_space.sample())[0])


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_is_in_the_metadata(mode: AutoresetMode) -> None:
    for given in (mode, mode.value):
        env = native(autoreset_mode=given)
        assert env.metadata["autoreset_mode"] is mode
        assert env.metadata["render_modes"] == ["ansi"]
    assert native().metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_tasks_for_all_and_one_by_one() -> None:
    env = native()
    ids = list(TASKS)[10 : 10 + COUNT]
    assert list(env.reset(options={"task_id": ids[0]})[1]["task_id"]) == [ids[0]] * COUNT
    assert list(env.reset(options={"task_id": ids})[1]["task_id"]) == ids
    assert list(env.reset(options={"task_id": np.array(ids)})[1]["task_id"]) == ids
    with pytest.raises(OptionError, match="task_id: expected an id, or 7, one for each env, got 2"):
        env.reset(options={"task_id": ids[:2]})
    with pytest.raises(OptionError, match="task_id: expected loans-0001"):
        env.reset(options={"task_id": "loans-9999"})
    with pytest.raises(OptionError, match="options: expected 'task_id'"):
        env.reset(options={"task": ids[0]})


def test_a_masked_reset_takes_tasks_for_its_envs_alone() -> None:
    env = native(3, autoreset_mode=AutoresetMode.DISABLED)
    ids = list(TASKS)[:3]
    env.reset(seed=1)
    before = [task.id for task in env.call("task")]
    options = {"task_id": ids, "reset_mask": np.array([False, True, False])}
    infos = env.reset(options=options)[1]
    assert list(infos["task_id"]) == [None, ids[1], None]
    assert [task.id for task in env.call("task")] == [before[0], ids[1], before[2]]
    assert set(options) == {"task_id", "reset_mask"}


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([True, False, False], TypeError, "expected a NumPy array of booleans, got list"),
        (np.array([1, 0, 0]), TypeError, "got dtype int64"),
        (np.array([True]), ValueError, r"expected the shape \(3,\), got \(1,\)"),
        (np.zeros(3, dtype=np.bool_), ValueError, "expected at least one True"),
    ],
)
def test_masks_that_do_not_fit(mask: Any, error: type[Exception], message: str) -> None:
    env = native(3, autoreset_mode="Disabled")
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        env.reset(options={"reset_mask": mask})


def test_whoever_resets_is_reminded() -> None:
    env = native(3, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(("{}",) * 3)
    env.reset(seed=1)
    env.step(("{}", "I am done.", "{}"))
    with pytest.raises(ResetNeeded, match=r"envs \[1\] are over: .*reset_mask"):
        env.step(("{}",) * 3)
    assert [len(episode.history) for episode in env.episodes] == [1, 1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs: expected a whole number from 1 to 1000000, got 0"),
        ({"num_envs": True}, "num_envs: .*got True"),
        ({"autoreset_mode": "never"}, "autoreset_mode: expected one of NextStep, SameStep, Disabled, got 'never'"),
        ({"split": "test"}, "split: expected one of .*got 'test'"),
        ({"max_steps": 0}, "max_steps: expected .*got 0"),
    ],
)
def test_unknown_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        TellerVectorEnv(**{"num_envs": 2, "scenario": "loans", **options})


def test_not_one_for_each_env() -> None:
    env = native(3)
    with pytest.raises(ValueError, match="seed: expected a number, or 3, one for each env, got 2"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="actions: expected 3, one for each env, got 2"):
        env.step(("{}", "{}"))
    with pytest.raises(ValueError, match="values: expected 3, one for each env, got 2"):
        env.set_attr("render_mode", [None, "ansi"])


def test_single_envs_are_at_hand() -> None:
    env = native(3, render_mode="ansi")
    env.reset(seed=1)
    first = action_text(env.episodes[1].task.standard.calls[0])
    env.step(("{", first, "I am done."))
    frames = env.render()
    assert first in str(frames[1]) and "(episode over)" in str(frames[2])
    assert [chat[2]["role"] for chat in env.call("messages")] == ["assistant"] * 3
    assert env.call("messages") == tuple(episode.messages() for episode in env.episodes)
    assert env.episodes[0].tool_schemas() == env.envs[0].tool_schemas()
    assert env.get_attr("max_steps") == (make().max_steps,) * 3
    env.set_attr("render_mode", [None, "ansi", None])
    assert [frame is None for frame in env.render()] == [True, False, True]
    env.set_attr("render_mode", "ansi")
    assert None not in env.render()
    env.close()
    env.close()


def test_a_restored_episode_goes_on_the_same() -> None:
    env, other = native(3), native(3)
    long = [name for name, task in TASKS.items() if len(task.standard.calls) > 10][:3]
    for each in (env, other):
        each.reset(options={"task_id": long})
    actions = [[action_text(call) for call in episode.task.standard.calls] for episode in env.episodes]
    for step in range(4):
        for each in (env, other):
            each.step([calls[step] for calls in actions])
    saved = env.envs[1].snapshot()
    for step in range(4, 7):
        env.step([actions[0][step], "[1]", actions[2][step]])
        other.step([actions[0][step], actions[1][step], actions[2][step]])
    env.envs[1].restore(saved)
    for step in range(4, 7):
        env.envs[1].step(actions[1][step])
    same(env.step([calls[7] for calls in actions]), other.step([calls[7] for calls in actions]))


def test_envs_before_a_refused_task_have_started() -> None:
    env = native(3, autoreset_mode="Disabled")
    first, second, third, *_ = TASKS
    env.reset(options={"task_id": [first] * 3})
    ended = env.step(["I give up."] * 3)[2]
    assert ended.all()
    with pytest.raises(OptionError, match="loans-9999"):
        env.reset(options={"task_id": [second, "loans-9999", third], "reset_mask": ended})
    assert [episode.task.id for episode in env.episodes] == [second, first, first]
    with pytest.raises(ResetNeeded, match=r"\[1, 2\]"):
        env.step(["I give up."] * 3)
    env.reset(options={"task_id": [third] * 3, "reset_mask": np.array([False, True, True])})
    observations, *_, infos = env.step([action_text(TASKS[name].standard.calls[0]) for name in (second, third, third)])
    assert infos["task_id"].tolist() == [second, third, third]
    assert infos["step"].tolist() == [1, 1, 1]
    assert all("Step 1 of" in state for state in observations["state"])


def test_returned_arrays_are_the_callers() -> None:
    env, other = native(3), native(3)
    env.reset(seed=1), other.reset(seed=1)
    actions = [action_text(episode.task.standard.calls[0]) for episode in env.episodes]
    for array in (*env.step(actions)[1:4], *flat(env.reset(seed=1)[1]), *flat(env.step(actions)[4])):
        array[:] = 0
    other.step(actions), other.reset(seed=1), other.step(actions)
    actions = [action_text(episode.task.standard.calls[1]) for episode in env.episodes]
    same(env.step(actions), other.step(actions))


def flat(infos: dict[str, Any]) -> list[Any]:
    """Return all arrays of the infos."""
    return [array for item in infos.values() for array in (flat(item) if isinstance(item, dict) else [item])]


def test_a_fault_of_the_machine_ends_that_episode_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    env = native(3)
    env.reset(seed=1)
    actions = [action_text(each.task.standard.calls[0]) for each in env.episodes]
    broken = env.episodes[1].bank

    def fail(bank: Any, call: Any) -> str:
        if bank is broken:
            raise MemoryError("none left")
        return run_tool(bank, call)

    monkeypatch.setattr("teller_gym.envs.episode.run_tool", fail)
    _, _, terminated, truncated, infos = env.step(actions)
    assert list(truncated) == list(infos["invalid"]) == [False, True, False] and not terminated.any()
    infos = env.step(actions)[4]
    assert list(infos["step"]) == [2, 0, 2] and not infos["invalid"].any()


def test_a_tool_that_crashes_fails_that_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    env, single = native(3), make()
    env.reset(seed=1)
    actions = [action_text(each.task.standard.calls[0]) for each in env.episodes]
    case_id = env.episodes[1].task.case_id
    single.reset(options={"task_id": env.episodes[1].task.id})

    def fail(bank: Any, call: Any) -> str:
        if bank.case_id == case_id:
            raise ZeroDivisionError("by nothing")
        return run_tool(bank, call)

    monkeypatch.setattr("teller_gym.envs.episode.run_tool", fail)
    observations, rewards, terminated, truncated, infos = env.step(actions)
    observation, reward, _, _, info = single.step(actions[1])
    assert not (truncated | infos["invalid"] | terminated).any()
    assert list(infos["error"]) == [None, info["error"], None] and info["error"]["kind"] == "crash"
    assert list(infos["defect"]) == [None, info["defect"], None] and "ZeroDivisionError: by nothing" in info["defect"]
    assert observations["tool_result"][1] == observation["tool_result"] and rewards[1] == reward
    monkeypatch.undo()
    infos = env.step(actions)[4]
    assert list(infos["defect"]) == [None] * 3 and list(infos["step"]) == [2] * 3


def test_envs_are_as_many_as_one() -> None:
    env = native(1)
    env.reset(seed=4)
    single = make()
    single.reset(seed=4)
    for call in single.task.standard.calls:
        observations, rewards, terminated, _, infos = env.step([action_text(call)])
        observation, reward, ended, _, info = single.step(action_text(call))
        assert {name: texts[0] for name, texts in observations.items()} == observation
        assert (rewards[0], terminated[0], infos["score"][0]) == (reward, ended, info["score"])
        passed = {name: bool(column[0]) for name, column in infos["checkpoints"].items() if name[0] != "_"}
        assert passed == info["checkpoints"]


def test_calls_sent_before_are_known_and_not_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.envs.known.MOST_BYTES", 8_000)
    env, other = native(COUNT), sync(AutoresetMode.NEXT_STEP, COUNT)
    same(env.reset(seed=3), other.reset(seed=3))
    known = env._known
    calls_of = [TASKS[one.task.id].standard.calls for one in env.envs]
    experts = [chain(calls, repeat(calls[0])) for calls in calls_of]  # a case may end after a few calls
    most = 0
    for _ in range(6):
        actions = tuple(action_text(next(calls)) if number % 2 else "{" for number, calls in enumerate(experts))
        for _ in range(2):  # the second time every call is known, or has just been forgotten
            same(env.step(actions), other.step(actions))
            assert 0 < known.size <= 8_000
            assert len(known) <= 16
            most = max(most, len(known))
    assert most > 3
    env.close()
    assert (len(known), known.size) == (0, 0)


def test_long_texts_of_calls_are_not_kept() -> None:
    """A call may have a million characters, and whoever trains for days sends millions of calls."""
    env = native(4)
    env.reset(seed=3)
    calls = [action_text(TASKS[one.task.id].standard.calls[0]) for one in env.envs]
    env.step(calls)  # what is made once is made by now
    tracemalloc.start()
    for number in range(12):
        actions = [call[:-1] + " " * (900_000 + number) + "}" for call in calls]
        assert not any(error is not None for error in env.step(actions)[4]["error"])
    del actions
    env.reset(seed=3)  # the episodes before it had kept them, too
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2**21
    env.close()


@pytest.mark.parametrize("filling", ["9,", "1234567,", '"\u00e9\u00e9",', '"\u4e2d\u6587\u5b57",'])
def test_calls_that_are_known_take_no_more_than_is_counted(filling: str) -> None:
    kind = "float" if filling[0] != '"' else "str"
    tools = ToolSet([FULL_OF[kind]])
    rubric = SimpleNamespace(recognise=lambda call: call, kept=False)
    episode = SimpleNamespace(tools=tools, rubric=rubric, read=lambda action: parse_action(action, tools))
    known = KnownCalls()
    head = '{"name": "full_of_' + kind + '", "arguments": {"items": ['
    texts = [head + (filling * (3900 // len(filling)) + filling[:-1]) + " " * number + "]}}" for number in range(60)]
    known.read(episode, texts[0])
    tracemalloc.start()
    for text in texts[1:]:
        copied = (text + " ")[:-1]
        assert isinstance(known.read(episode, copied), ToolCall)
    del copied
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(known) == 60
    assert taken <= known.size <= MOST_BYTES


def test_a_call_is_read_by_the_tools_in_play() -> None:
    """The same words are another call under other tools."""
    known, task = KnownCalls(), TASKS["loans-0001"]
    plain, shifted = (make(schema_shift=shift).unwrapped for shift in (False, True))
    for env in (plain, shifted):
        env.reset(options={"task_id": task.id})
    action = action_text(task.standard.calls[0])
    for _ in range(2):
        assert isinstance(known.read(plain.episode, action), ToolCall)
        assert isinstance(known.read(shifted.episode, action), ToolError)


def test_no_tool_changes_the_arguments_of_a_call() -> None:
    """Else a call that is known by its text would be another one the next time."""
    tools = tools_in_play("loans", 243, "")
    space = ToolCallText(tools, seed=5)
    names, bank = set(), load_scenario("loans").bank(TASKS["loans-0001"])
    texts = [action_text(call) for task in list(TASKS.values())[::9] for call in task.standard.calls]
    for text in [*texts, *(space.sample() for _ in range(2500))]:
        try:
            call = parse_action(text, tools)
        except ToolError:
            continue
        assert isinstance(call, ToolCall)
        before = msgspec.json.encode(call.arguments)
        with suppress(ToolError):
            call.tool.call(bank, call.arguments)
        assert msgspec.json.encode(call.arguments) == before, call.tool.name
        names.add(call.tool.name)
    assert len(names) == len(tools)
