"""Hostile actions in every env: none raises, scores stay in range, and equal actions give equal results."""

import json
import math
import pickle
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import gymnasium as gym
import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import teller_gym
from teller_gym.registration import DAY, ENVS, WEALTH
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from tests.envs.play import INFO_KEYS
from tests.fuzz import texts
from tests.fuzz.arguments import value
from tests.fuzz.effort import examples

# Actions that are not text make Gymnasium's checker warn.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*")]

# Only the package's own envs: other tests in this process register scenarios that lack some splits.
IDS = sorted(card.id for card in ENVS)
GRAPHS = [name for name in IDS if "Graph" in name]
DAYS = [DAY.id]
OFFICES = [WEALTH.id]
EXECUTION = [name for name in IDS if name not in (*GRAPHS, *DAYS, *OFFICES) and "Without" not in name]
SEEDS = st.integers(0, 2**32 - 1)
ALL: dict[str, Any] = {
    "split": "generated", "sop": "explicit", "distractors": "all", "max_steps": 12, "diagnose": True,
    "policy_shift": 2, "schema_shift": True, "perturb": 3, "faults": True,
}  # fmt: skip
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"split": "heldout", "reward": "sparse", "max_steps": 1},
    {"split": "validation", "sop": "explicit", "max_steps": 7, "state_view": "none", "distractors": 5},
    {"split": "heldout_schema", "diagnose": True},
    {"split": "heldout_policy", "perturb": True, "reward": {"failed_call": 0.5, "failed_calls_at_most": 1.0}},
    {"split": "heldout_branch", "faults": 2},
    ALL,
)
GRAPH_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"split": "heldout", "distractors": "all", "reward": "edge_f1"},
    {"split": "validation", "distractors": 0, "schema_shift": False, "reward": "edit_similarity"},
)
DAY_ALL: dict[str, Any] = {"split": "generated", "sop": "explicit", "distractors": "all", "diagnose": True}
DAY_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"split": "heldout", "reward": "sparse", "max_steps": 1},
    {"split": "validation", "sop": "explicit", "max_steps": 60, "state_view": "none", "distractors": 5, "cases": 4},
    {"split": "generated", "reward": {"in_turn": 0.5, "on_time": 0.3, "work": 0.2}, "cases": [4, 6]},
    DAY_ALL | {"max_steps": 70},
)
OFFICE_ALL: dict[str, Any] = {"split": "generated", "perturb": "all", "faults": True, "diagnose": True}
OFFICE_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"split": "heldout", "reward": "sparse", "max_steps": 1},
    {"split": "heldout_worlds", "autonomy": "low", "auth": "must_login"},
    {"split": "validation", "auth": "expired", "mirror": True, "state_view": "none"},
    OFFICE_ALL | {"max_steps": 40},
)
WITH_EVERYTHING: dict[str, dict[str, Any]] = {DAY.id: DAY_ALL, WEALTH.id: OFFICE_ALL}
"""All variations at once, for envs with different options."""
NO_TEXT: tuple[Any, ...] = (None, 5, 1.5, b"{}", [], {"name": "x", "arguments": {}}, ("x",), float("nan"), 10**5000)

LONG = (
    ("", "x", ""),
    ('{"name": "', "x", '"}'),
    ('{"name": "x", "arguments": {"a": "', "é", '"}}'),
    ("", "[", ""),
    ("", "{", ""),
    ("", '"', ""),
    ("", "\\", ""),
    ("", "- ", ""),
    ("", "```\n", ""),
    ("", "<tool_call>", ""),
)
"""Beginning, repeated part and end of a long text."""


@cache
def made(env_id: str, options: str, number: int) -> Any:
    """Return a cached env; `number` distinguishes envs with equal options."""
    return gym.make(env_id, **json.loads(options))


@cache
def others(scenario: str, tool: str) -> dict[str, list[Any]]:
    """Return values of a tool's arguments in the standard calls of other tasks, by argument.

    Office tasks use the smaller held-out split, because their standard calls have to be computed by playing.
    """
    found: dict[str, dict[str, Any]] = {}
    tasks = teller_gym.load_tasks(scenario, "heldout" if scenario == "wealth" else "train")
    for task in tasks:
        for call in task.standard.calls:
            if call.name == tool:
                for name, value in call.arguments.items():
                    found.setdefault(name, {})[json.dumps(value, default=str)] = value
    return {name: list(values.values())[:20] for name, values in found.items()}


def as_written(core: Any, call: Call) -> Call:
    """Convert a call of the original schema to the shown schema."""
    return Call(*core.tools.write(call.name, call.arguments))


@lru_cache(4096)
def admitted(schema: str) -> st.SearchStrategy[Any]:
    """Return a cached strategy for values that an argument's JSON schema allows."""
    return value(json.loads(schema))


def draw_extreme(data: st.DataObject, core: Any, own: Call) -> str:
    """Draw a call of an available tool with extreme arguments.

    Half of the calls use the tool of ``own``, the correct call, and some of its arguments, to get past its checks.
    """
    is_own = own.name in core.tools and data.draw(st.booleans())
    tool = core.tools[own.name if is_own else data.draw(st.sampled_from(sorted(core.tools)))]
    given_: dict[str, Any] = {}
    for parameter in tool.parameters:
        if parameter.required or data.draw(st.booleans()):
            given_[parameter.name] = data.draw(admitted(json.dumps(parameter.schema, sort_keys=True)))
    if tool.name == own.name and own.arguments:
        given_ |= {name: own.arguments[name] for name in data.draw(st.sets(st.sampled_from(sorted(own.arguments))))}
    return action_text(Call(tool.name, given_))


def draw_action(data: st.DataObject, core: Any) -> Any:
    """Draw an action, usually a bad one, for an env's current state."""
    kind = data.draw(st.integers(0, 14))
    right: tuple[Call, ...] = () if core.stage == 1 else core.task.standard.calls
    if core.stage == 1 and kind > 4:
        text = data.draw(texts.graphs(tuple(core.tools)))
        return data.draw(texts.mutated(text)) if kind > 8 else data.draw(texts.wrapped(text))
    if kind == 0:
        return data.draw(st.sampled_from(NO_TEXT))
    if kind == 1:
        return data.draw(texts.any_text | texts.raw_bytes)
    if kind == 2:
        return data.draw(texts.nested)
    if kind == 3:
        return data.draw(texts.strings)
    if kind == 4 or not right:
        core.action_space.seed(data.draw(st.integers(0, 999)))
        return core.action_space.sample()
    done = len(core.snapshot().history)
    own = right[min(done, len(right) - 1)] if kind > 8 else data.draw(st.sampled_from(right))
    call = as_written(core, own)
    if kind > 12:
        return draw_extreme(data, core, call)
    text = action_text(call)
    if kind in (5, 9, 10):
        return text
    if kind == 6:
        return data.draw(texts.mutated(text))
    if kind == 7:
        return data.draw(texts.doubled(text))
    if kind == 8:
        return data.draw(texts.wrapped(text))
    foreign = others(core.scenario.name, own.name)
    bent = data.draw(texts.bent(call, [value for values in foreign.values() for value in values]))
    return data.draw(texts.wrapped(bent)) if kind == 12 else bent


def as_bytes(seen: Any) -> bytes:
    """Encode a value as JSON; fails if it is not strict JSON."""
    json.dumps(seen, allow_nan=False)
    return msgspec.json.encode(seen)


def check(env: Any, seen: tuple[Any, ...], before: float) -> float:
    """Check the result of a step, and return the sum of the rewards so far."""
    observation, reward, terminated, truncated, info = seen
    assert env.observation_space.contains(observation)
    assert isinstance(reward, float) and math.isfinite(reward)
    assert isinstance(terminated, bool) and isinstance(truncated, bool)
    assert tuple(info) == INFO_KEYS
    assert not info["invalid"], env.unwrapped.failure
    assert not info.get("defect"), info["defect"]
    assert 0.0 <= info["score"] <= 1.0
    assert all(math.isfinite(value) for value in info["reward_terms"].values())
    return before + reward


class Episodes(RuleBasedStateMachine):
    """Plays an env, and checks that a second env with the same actions ends in the same state."""

    ids = EXECUTION
    options = OPTIONS

    @initialize(data=st.data(), seed=SEEDS)
    def begin(self, data: st.DataObject, seed: int) -> None:
        self.env_id = data.draw(st.sampled_from(self.ids))
        self.told = json.dumps(data.draw(st.sampled_from(self.options)))
        self.sparse = json.loads(self.told).get("reward") == "sparse"
        self.env: Any = made(self.env_id, self.told, 0)
        self.start(seed)
        self.kept: Any = None

    def start(self, seed: int) -> None:
        self.seed = seed
        self.seen = [as_bytes(self.env.reset(seed=seed))]
        self.actions: list[Any] = []
        self.total, self.over = 0.0, False
        self.info: dict[str, Any] = {}

    @precondition(lambda self: self.over)
    @rule(seed=SEEDS)
    def again(self, seed: int) -> None:
        self.settle()
        self.start(seed)
        self.kept = None

    @precondition(lambda self: not self.over)
    @rule(data=st.data(), most=st.integers(1, 5))
    def act(self, data: st.DataObject, most: int) -> None:
        for _ in range(most):
            if not self.over:
                self.play(draw_action(data, self.env.unwrapped))

    def play(self, action: Any) -> None:
        seen = self.env.step(action)
        self.total = check(self.env, seen, self.total)
        self.over = seen[2] or seen[3]
        self.info = seen[4]
        self.actions.append(action)
        self.seen.append(as_bytes(seen))
        expected = float(self.info["success"]) * self.over if self.sparse else self.info["score"]
        assert self.total == pytest.approx(expected, abs=1e-9)

    @precondition(lambda self: not self.over)
    @rule()
    def keep(self) -> None:
        self.kept = (self.env.unwrapped.snapshot(), len(self.actions), self.total, self.env.unwrapped.state_hash())

    @precondition(lambda self: self.kept is not None)
    @rule(through=st.sampled_from([lambda one: one, lambda one: pickle.loads(pickle.dumps(one))]))
    def go_back(self, through: Callable[[Any], Any]) -> None:
        """Restore a snapshot, repeat the actions since then, and check that they give the same bytes."""
        snapshot, at, total, digest = self.kept
        env, later, seen = self.env, self.actions[at:], self.seen[at + 1 :]
        env.unwrapped.restore(through(snapshot))
        assert env.unwrapped.state_hash() == digest
        self.actions, self.seen, self.total, self.over = self.actions[:at], self.seen[: at + 1], total, False
        for action in later:
            self.play(action)
        assert self.seen[at + 1 :] == seen

    @invariant()
    def can_be_looked_at(self) -> None:
        if hasattr(self, "env"):
            json.dumps(self.env.unwrapped.messages(), allow_nan=False)

    def settle(self) -> None:
        """Play the same actions in a second env, and compare the two episodes."""
        twin = made(self.env_id, self.told, 1)
        seen = [as_bytes(twin.reset(seed=self.seed)), *(as_bytes(twin.step(action)) for action in self.actions)]
        assert seen == self.seen
        one, two = self.env.unwrapped, twin.unwrapped
        assert one.state_hash() == two.state_hash()
        assert one.messages() == two.messages()
        if self.over:
            assert as_bytes(msgspec.to_builtins(one.grade())) == as_bytes(msgspec.to_builtins(two.grade()))
            assert as_bytes(msgspec.to_builtins(one.diagnosis())) == as_bytes(msgspec.to_builtins(two.diagnosis()))

    def teardown(self) -> None:
        if hasattr(self, "env"):
            self.settle()


class Answers(Episodes):
    """Plays envs of stage 1."""

    ids = GRAPHS
    options = GRAPH_OPTIONS


class Days(Episodes):
    """Plays working days, some of which begin with a part of the right calls."""

    ids = DAYS
    options = DAY_OPTIONS

    def start(self, seed: int) -> None:
        super().start(seed)
        for call in self.env.unwrapped.task.standard.calls[: seed % 30]:
            if not self.over:
                self.play(action_text(call))


class Offices(Days):
    """Plays offices, some of which begin with a part of the work done."""

    ids = OFFICES
    options = OFFICE_OPTIONS


TestEpisodes = Episodes.TestCase
TestEpisodes.settings = settings(max_examples=examples(40), stateful_step_count=15)
TestAnswers = Answers.TestCase
TestAnswers.settings = settings(max_examples=examples(15), stateful_step_count=6)

TestDays = Days.TestCase
TestDays.settings = settings(max_examples=examples(12), stateful_step_count=10)

TestOffices = Offices.TestCase
TestOffices.settings = settings(max_examples=examples(20), stateful_step_count=10)


@pytest.mark.parametrize("env_id", [*EXECUTION, *DAYS, *OFFICES])
@given(data=st.data(), seed=SEEDS, ahead=st.integers(0, 15))
@settings(max_examples=examples(15))
def test_extremes_that_schemas_admit_pass_through_every_variation(
    env_id: str, data: st.DataObject, seed: int, ahead: int
) -> None:
    """No call is a defect, even with shifted schemas, perturbed results and temporary faults."""
    env = made(env_id, json.dumps(WITH_EVERYTHING.get(env_id, ALL) | {"max_steps": 40}), 0)
    env.reset(seed=seed)
    core, total = env.unwrapped, 0.0
    right = [as_written(core, call) for call in core.task.standard.calls]
    extremes = data.draw(st.integers(1, 20))
    for number in range(ahead + extremes):
        own = right[min(number, ahead, len(right) - 1)]
        seen = env.step(action_text(own) if number < ahead else draw_extreme(data, core, own))
        as_bytes(seen)
        total = check(env, seen, total)
        if seen[2] or seen[3]:
            break
    assert total == pytest.approx(seen[4]["score"], abs=1e-9)


@pytest.mark.parametrize("env_id", [EXECUTION[0], GRAPHS[0], *DAYS, *OFFICES])
@pytest.mark.parametrize("size", texts.SIZES[-2:])
def test_long_texts_are_survived(env_id: str, size: int) -> None:
    env, over = made(env_id, "{}", 0), True
    for opening, piece, closing in LONG:
        if over:
            env.reset(seed=3)
        seen = env.step(opening + piece * (size // len(piece)) + closing)
        check(env, seen, 0.0)
        over = seen[2] or seen[3]
