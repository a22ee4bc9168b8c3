"""Gain of waiting for nobody, on a simulated card whose clock is computed: equal inputs, equal seconds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from benchmarks.rollout_lengths import Recorded, common, read
from benchmarks.rollout_throughput import CARDS, MAIN, TARGET, compare, live_of, play
from benchmarks.simulated_engine import BLOCK, Costs, shared
from teller_gym.training.demonstrations.expert import play_expert
from teller_gym.training.tasks.seeds import LeakGuard, make_env

COSTS = Costs(step=1.0, row=0.1, context=0.001, prefill=0.01, environment=0.5, cache=10_000, chunk=64)


def episode(task: str, *turns: tuple[int, int], prompt: int = 100, beginning: int = 48) -> Recorded:
    return Recorded(task, "loans", beginning, prompt, turns)


@pytest.mark.slow
def test_recorded_episodes_play_half_as_fast_again_without_a_barrier() -> None:
    recorded = read("model")
    found = compare(recorded, CARDS[MAIN])
    assert found.ratio >= TARGET == 1.5
    said = sum(said for one in recorded for said, _ in one.turns)
    assert found.barrier.said == found.turns.said == said
    assert found.barrier.most == found.turns.most == found.live
    assert play(recorded, CARDS[MAIN], found.live, False) == found.turns, "the clock is not worked out alone"


@pytest.mark.slow
@pytest.mark.parametrize("who", ["model", "expert"])
def test_what_prompts_share_is_read_once(who: str) -> None:
    recorded = read(who)[:64]
    costs = CARDS["Qwen3-1.7B on an A100"]
    found = play(recorded, costs, live_of(recorded, costs), False)
    scenarios = {one.scenario: one.shared for one in recorded}
    tasks = {one.task: one.prompt - one.shared for one in recorded}
    answers = sum(answered + 1 for one in recorded for _, answered in one.turns)
    turns = sum(len(one.turns) for one in recorded)
    once = sum(scenarios.values()) + sum(tasks.values()) + answers
    assert once - turns <= found.given - found.cached <= once + BLOCK * turns
    assert found.given > 20 * once


def test_one_episode_takes_what_its_steps_cost() -> None:
    """100 tokens are read in two steps of at most 64; the second one draws the first of three tokens as well."""
    found = play([episode("a", (3, 0))], COSTS, 1, False)
    steps, rows, context = 4, 3, 101 + 102 + 103
    assert found.seconds == pytest.approx(steps * 1.0 + rows * 0.1 + context * 0.001 + 100 * 0.01 + 0.5)
    assert (found.said, found.given, found.cached, found.most) == (3, 100, 0, 1)


def test_a_later_turn_reads_what_came_since() -> None:
    found = play([episode("a", (12, 20), (2, 0))], COSTS, 1, False)
    assert found.given == 100 + 132 and found.cached == 112 == 112 // BLOCK * BLOCK


def test_a_barrier_waits_for_the_longest_and_costs_nothing_else() -> None:
    short, long = [(2, 8)] * 6 + [(2, 0)], [(20, 8)] * 6 + [(20, 0)]
    alike = [episode(f"{number}", *long) for number in range(4)]
    assert compare(alike, replace(COSTS, chunk=1_000)).ratio == pytest.approx(1)
    mixed = [episode(f"{number}", *(long if number % 4 else short)) for number in range(12)]
    assert compare(mixed, COSTS, 4).ratio > 1
    rare = [episode(f"{number}", *[(20 if turn == number % 7 else 2, 8) for turn in range(7)]) for number in range(28)]
    assert compare(rare, COSTS, 7).ratio > 1.5


def test_the_cache_bounds_how_many_are_live() -> None:
    recorded = [episode(f"{number}", *[(20, 80)] * 9, (20, 0)) for number in range(20)]
    live = live_of(recorded, COSTS)
    assert live == (10_000 - 48) // (100 + 9 * 100 + 20 - 48) == 10
    assert compare(recorded, COSTS).turns.most == live
    with pytest.raises(MemoryError, match="conversations do not fit into a cache of 5000 tokens"):
        compare(recorded, replace(COSTS, cache=5_000), live)


def test_more_live_episodes_are_faster() -> None:
    recorded = [episode(f"{number}", *[(20, 10)] * 4, (20, 0)) for number in range(16)]
    seconds = [play(recorded, COSTS, live, False).seconds for live in (1, 4, 16)]
    assert seconds[0] > 1.5 * seconds[1] > 1.5 * seconds[2]


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_common_beginnings_are_counted(one: list[int], other: list[int]) -> None:
    expected = 0
    while expected < min(len(one), len(other)) and one[expected] == other[expected]:
        expected += 1
    assert shared(np.array(one, dtype=int), np.array(other, dtype=int)) == expected == common([one, other])


def test_the_recorded_lengths_are_those_of_episodes() -> None:
    model, expert = read("model"), read("expert")
    for recorded in (model, expert):
        assert len({one.task for one in recorded}) * 8 == len(recorded)
        assert all(0 < one.shared < one.prompt and one.turns[-1][1] == 0 for one in recorded)
        assert all(said > 0 and answered > 0 for one in recorded for said, answered in one.turns[:-1])
    assert max(said for one in model for said, _ in one.turns) == 512
    assert len({one.scenario for one in expert}) == 5
    # The expert's calls on a task, and at most one mistake before each.
    env = make_env("Teller-Bank-v0", {}, "generated")
    for one in expert[:24:8]:
        messages = play_expert(env, teller_gym.make_agent("expert", env), one.task, LeakGuard()).messages
        calls = sum(bool(message.get("tool_calls")) for message in messages)
        assert calls <= len(one.turns) <= 2 * calls
