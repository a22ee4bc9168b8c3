"""Options, resets and actions of every type: errors name the invalid option, and no action raises."""

import inspect
import json
import pickle
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, shown
from teller_gym.envs.bank import BankEnv
from teller_gym.envs.day import DayEnv
from teller_gym.envs.graph import GraphEnv
from teller_gym.envs.teller import TellerEnv
from tests.fuzz.effort import examples

LONGEST = 1_500
"""Maximum length of a message, which may list all options or all tools."""


class Silent:
    """A value whose ``str`` and ``repr`` raise."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Garbled(Silent):
    """A value whose ``str`` returns a number."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]


class Touchy:
    """A value that raises when it is compared."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")


class Text(str):
    """A text whose ``str`` raises."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


STRANGE: dict[str, Any] = {
    "an endless number": 10**5000,
    "a negative one": -(10**5000),
    "no number": float("nan"),
    "infinity": float("inf"),
    "a long text": "x" * 100_000,
    "a surrogate": "\ud800",
    "bytes": b"train",
    "a bytearray": bytearray(b"{}"),
    "silent": Silent(),
    "garbled": Garbled(),
    "touchy": Touchy(),
    "text": Text("{}"),
    "array": np.array([1, 2]),
    "texts of NumPy": np.array(["train", "heldout"]),
    "number of NumPy": np.float64(2.5),
    "complex": 1j,
    "set": {1, "x"},
    "function": len,
    "class": int,
    "object": object(),
    "deep": json.loads("[" * 500 + "]" * 500),
    "nested": {"task_id": [Silent()], 1: 2},
}

CLASSES: dict[type[Any], dict[str, Any]] = {
    TellerEnv: {"scenario": "loans"},
    BankEnv: {},
    DayEnv: {},
    GraphEnv: {"scenario": "loans"},
}


def options_of(made: type[Any]) -> list[str]:
    """Return the options of a constructor, including those that it passes on."""
    takers: list[type[Any]] = [made, *(() if made in (DayEnv, GraphEnv) else (TellerEnv,))]
    names = {name for taker in takers for name in inspect.signature(taker).parameters}
    return sorted(names - {"options", "others"} - ({"scenario"} if made is BankEnv else set()))


EVERY = [(made, option) for made in CLASSES for option in options_of(made)]


def expect_it_is_told(made: type[Any], option: str, value: Any) -> None:
    """Make an env with an option, and check that the value is accepted or an error names the option."""
    given = {**CLASSES[made], option: value}
    if option == "difficulty":
        given["split"] = "generated"
    try:
        made(**given)
    except OptionError as error:
        assert option in str(error)
        assert "expected" in str(error) and "got" in str(error)
        assert len(str(error)) <= LONGEST


@pytest.mark.parametrize(("made", "option"), EVERY, ids=lambda one: getattr(one, "__name__", one))
def test_values_of_wrong_types(made: type[Any], option: str) -> None:
    for value in (*STRANGE.values(), None, True, 0, -1, 2.5, "", [], {}, ()):
        expect_it_is_told(made, option, value)


@pytest.mark.parametrize("inside", ["reward", "weights", "difficulty"])
def test_values_inside_an_option(inside: str) -> None:
    for value in STRANGE.values():
        wraps: list[Any] = [[0, value], [(1, value)], [(value, (0, 1))], (value, value)]
        if inside == "reward":
            wraps = [{name: value} for name in ("checkpoints", "failed_call", "shaped", "nothing")]
        elif inside == "weights":
            wraps = [{"loans": value}]
        for wrapped in wraps:
            expect_it_is_told(BankEnv, inside, wrapped)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.sampled_from([*STRANGE]).map(lambda name: STRANGE[name]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TRIED = settings(max_examples=examples(100))


@TRIED
@given(st.sampled_from(EVERY), ANYTHING)
def test_any_value_of_any_option(one: tuple[type[Any], str], value: Any) -> None:
    expect_it_is_told(*one, value)


ENVS: dict[str, Any] = {
    "execution": TellerEnv("loans", render_mode="ansi"),
    "bank": BankEnv(),
    "day": DayEnv(render_mode="ansi"),
    "graph": GraphEnv("loans", render_mode="ansi"),
}


def expect_a_reset_is_told(name: str, **given: Any) -> None:
    """Reset an env, and check that an error, if there is one, names the wrong argument."""
    try:
        ENVS[name].reset(**given)
    except OptionError as error:
        assert any(word in str(error) for word in ("seed", "options", "task_id", "tools"))
        assert len(str(error)) <= LONGEST


@pytest.mark.parametrize("name", ENVS)
def test_resets_of_wrong_types(name: str) -> None:
    for value in (*STRANGE.values(), 5, True, -1, "x", [], [5]):
        expect_a_reset_is_told(name, seed=value)
        expect_a_reset_is_told(name, options=value)
        expect_a_reset_is_told(name, options={"task_id": value})
        expect_a_reset_is_told(name, options={"task_id": "loans-0001", "tools": value})
    for seed in (-1, "x", 2.5, True):
        with pytest.raises(OptionError, match=r"seed: expected .* got"):
            ENVS[name].reset(seed=seed)
    wrong: list[Any] = [5, [], 0, "x"]
    for options in wrong:
        with pytest.raises(OptionError, match="options: expected None or a dictionary"):
            ENVS[name].reset(options=options)
    ENVS[name].reset(seed=2**200)
    ENVS[name].reset(seed=np.int64(3))


@TRIED
@given(st.sampled_from([*ENVS]), ANYTHING, ANYTHING, ANYTHING)
def test_any_reset(name: str, seed: Any, task: Any, tools: Any) -> None:
    expect_a_reset_is_told(name, seed=seed, options={"task_id": task, "tools": tools})
    expect_a_reset_is_told(name, options=task)


def expect_it_counts(name: str, action: Any) -> None:
    """Send an action of any type, and check that it does not raise and is malformed if it is not text."""
    env = ENVS[name]
    env.reset(seed=1)
    _, _, _, _, info = env.step(action)
    env.render()
    assert json.dumps(env.messages())
    env.grade()
    env.restore(pickle.loads(pickle.dumps(env.snapshot())))
    assert env.messages()[-1]["role"] in ("tool", "assistant")
    if not isinstance(action, str):
        assert info["error"]["kind"] == "malformed"


@pytest.mark.parametrize("name", ENVS)
@pytest.mark.parametrize("action", STRANGE)
def test_actions_that_are_no_text(name: str, action: str) -> None:
    expect_it_counts(name, STRANGE[action])


@TRIED
@given(st.sampled_from([*ENVS]), ANYTHING)
def test_any_action(name: str, action: Any) -> None:
    expect_it_counts(name, action)


@TRIED
@given(ANYTHING)
def test_anything_can_be_shown(value: Any) -> None:
    assert len(shown(value)) <= 100
    assert type(as_text(value)) is str


def test_gymnasium_reaches_the_same_errors() -> None:
    kinds: Mapping[str, Any] = {"split": [], "reward": 5, "scenario": ["loans"]}
    for option, value in kinds.items():
        with pytest.raises(OptionError, match=f"{option}: expected"):
            gym.make("Teller-Loans-v0", **{option: value})
