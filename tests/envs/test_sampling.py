"""Sampled calls are valid for the schemas of all tools, and the samples for the loan tools never change."""

import hashlib
import re
from typing import Any

import gymnasium as gym
import msgspec
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import teller_gym
from teller_gym.base.errors import ScenarioError, ToolError
from teller_gym.base.patterns import unbounded
from teller_gym.envs.spaces.pattern_text import sample_pattern
from teller_gym.envs.spaces.sampling import sample_arguments, sample_value
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import OWN
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.variation.pool import tools_in_play

SEEDS = 15


def draws(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def loan_sample(name: str, seed: int) -> bytes:
    parameters = load_scenario("loans").tools.parameters[name]
    return msgspec.json.encode([name, seed, sample_arguments(parameters, draws(seed))])


def test_the_samples_of_the_loan_tools_are_what_they_always_were() -> None:
    names = list(load_scenario("loans").tools)
    assert len(names) == 41
    assert loan_sample(names[0], 0) == b'["get_application_data",0,{"application_id":"LA-865230"}]'
    assert loan_sample("verify_insurance", 40) == (
        b'["verify_insurance",40,{"application_id":"LA-570649","policy_number":"PN-004609",'
        b'"coverage_amount":709948.96,"insurance_expiry":"2023-10-21","annual_premium":56242.15,'
        b'"annual_property_tax":338390.69,"collateral_value":660450.06,"required_cover":"utvd_cjrfbobwirffuevdexdn"}]'
    )
    lines = [loan_sample(name, seed) for name in names for seed in range(50)]
    assert hashlib.sha256(b"\n".join(lines)).hexdigest() == (
        "63309c5bc7eaa6086cd0d0cd8cf0e81f9d53f12add7834d4ccdfde4cae42f35a"
    )


@pytest.mark.parametrize("schema", ["", "1/5", "heldout/3"])
@pytest.mark.parametrize("scenario", [entry.name for entry in OWN])
def test_a_sampled_call_of_every_tool_decodes(scenario: str, schema: str) -> None:
    tools = tools_in_play(scenario, 243 if scenario == "loans" else 0, "", schema)
    assert len(tools) >= len(load_scenario(scenario).tools)
    wrong: dict[str, str] = {}
    for name, parameters in tools.parameters.items():
        for seed in range(SEEDS):
            call = {"name": name, "arguments": sample_arguments(parameters, draws(seed))}
            try:
                assert isinstance(parse_action(msgspec.json.encode(call).decode(), tools), ToolCall)
            except ToolError as error:
                # A date split into three numbers can be 31 February, which their separate schemas cannot rule out.
                if not schema or "expected a day of the calendar" not in error.message:
                    wrong[name] = error.message
    assert not wrong


def test_the_action_space_samples_calls_that_decode_with_distractors() -> None:
    env = gym.make("Teller-Loans-v0", distractors="all")
    env.reset(options={"task_id": teller_gym.load_tasks("loans", "heldout")[0].id})
    core: Any = env.unwrapped
    env.action_space.seed(7)
    assert all(isinstance(parse_action(env.action_space.sample(), core.tools), ToolCall) for _ in range(600))


# Parts of supported patterns.
_CHARACTERS = st.sampled_from(
    ["a", "Z", "0", " ", "-", ":", "/", "#", r"\.", r"\(", r"\\", r"\d", r"\w", r"\S", r"\s", "."]
)
_CLASSES = st.sampled_from(
    ["[a-z]", "[0-9A-Za-z -]", "[ -~]", "[()./+-]", "[^a-z]", r"[\d.]", r"[\]\\-]", "[]x]", "[^]x]", r"[\w,-]"]
)
_COUNTS = st.sampled_from(["", "", "?", "*", "+", "{0}", "{2}", "{1,3}", "{0,5}", "{2,}", "{,3}", "*?", "{1,2}?"])
_LEAVES = st.builds("".join, st.tuples(_CHARACTERS | _CLASSES, _COUNTS))


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    branches = st.lists(inner, min_size=1, max_size=3).map("|".join)
    group = st.tuples(st.sampled_from(["(", "(?:"]), branches, st.just(")"), _COUNTS).map("".join)
    return st.lists(inner | group, min_size=0, max_size=4).map("".join)


PATTERNS = st.recursive(_LEAVES, _larger, max_leaves=8).map("^({})$".format)


@settings(deadline=None, max_examples=60)
@given(PATTERNS, st.integers(0, 2**32), st.integers(0, 12), st.integers(0, 12) | st.none())
def test_a_text_drawn_for_a_pattern_matches_it_and_keeps_limits(
    pattern: str, seed: int, shortest: int, more: int | None
) -> None:
    assume(unbounded(pattern) is None)  # other patterns are refused in tools, since a match might never end
    free = sample_pattern(pattern, draws(seed))
    assert re.search(pattern, free)
    longest = None if more is None else shortest + more
    try:
        text = sample_pattern(pattern, draws(seed), shortest, longest)
    except ScenarioError:
        assert len(free) < shortest or (longest is not None and len(free) > longest)
        return
    assert re.search(pattern, text)
    assert shortest <= len(text) and (longest is None or len(text) <= longest)


@pytest.mark.parametrize("pattern", ["^((a{999}){999}){9}$", "^(((b{0}){1000}){1000}){1000}$", "^a{2000000}$"])
def test_a_text_too_long_to_draw_is_refused(pattern: str) -> None:
    with pytest.raises(ScenarioError, match="counts for longer"):
        sample_pattern(pattern, draws(0))


@pytest.mark.parametrize(
    ("pattern", "shortest", "longest", "lengths"),
    [
        ("^[A-Z]{6}([A-Z]{3})?$", 8, 11, {9}),
        ("^[a-z]+$", 40, None, set(range(40, 42))),
        ("^(a|bbb)(cc)*$", 4, 5, {5}),
        ("^(ab|cdcd){1,9}$", 0, 5, {2, 4}),
        ("^[a-z]{0,40}[a-z]{0,40}$", 0, 3, {0, 1, 2, 3}),
        ("^([0-9]{4}){1,}$", 9, None, {12, 16, 20, 24, 28, 32, 36, 40}),
    ],
)
def test_all_and_only_the_lengths_that_fit_are_drawn(
    pattern: str, shortest: int, longest: int | None, lengths: set[int]
) -> None:
    seen = {len(sample_pattern(pattern, draws(seed), shortest, longest)) for seed in range(200)}
    assert seen == lengths


def test_every_branch_and_every_character_is_drawn() -> None:
    assert {sample_pattern(r"^(a|(?:b|[cd])e?)$", draws(seed)) for seed in range(200)} == {
        *("a", "b", "c", "d", "be", "ce", "de")
    }
    assert {sample_pattern("^[ -~]$", draws(seed)) for seed in range(2000)} == set(map(chr, range(32, 127)))


@pytest.mark.parametrize("pattern", [r"(a)\1", "^(?=a)a$", "a^b", "a$b", "a)", "[^ -~]", r"[\w-.]", "a?+b", "(?P=n)"])
def test_what_cannot_be_drawn_is_refused_with_the_pattern(pattern: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(repr(pattern))):
        sample_pattern(pattern, draws(0))


def test_a_pattern_without_a_text_of_the_lengths_wanted_is_refused() -> None:
    with pytest.raises(ScenarioError, match="4 to 5 characters"):
        sample_pattern("^(abc){1,9}$", draws(0), 4, 5)


@pytest.mark.parametrize(
    ("low", "high"), [(0.01, 10_000_000), (1, 3), (1e-9, 10), (0.001, 1), (1, 1.2), (-180, 180), (0, 0), (0.005, 0.006)]
)
def test_numbers_stay_in_their_range_without_noise_of_floats(low: float, high: float) -> None:
    for seed in range(300):
        number = sample_value({"type": "number", "minimum": low, "maximum": high}, draws(seed))
        assert isinstance(number, float) and low <= number <= high
        assert number == low or round(number, 6) == number
