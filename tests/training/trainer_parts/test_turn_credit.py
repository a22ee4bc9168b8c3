"""Advantages of turns: right by hand, against a second computation, and blind to what they must not see."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.training.rollouts.rollout import End, Rollout, Span
from teller_gym.training.trainer_parts.turn_credit import returns, turn_advantages


def rollout(gains: Sequence[float], end: End = End.DONE) -> Rollout:
    made = Rollout("task", [1, 2], end=end, score=sum(gains))
    made.spans = [Span(2 * number, 2 * number + 2, gain) for number, gain in enumerate(gains)]
    return made


GAINS = st.lists(st.floats(-0.1, 0.5), min_size=1, max_size=6)
GROUPS = st.lists(st.lists(GAINS, min_size=3, max_size=3), min_size=1, max_size=3)


def test_a_turn_is_compared_with_the_same_turn_of_the_others() -> None:
    first, second = turn_advantages([rollout([0.1, 0.3]), rollout([0.1, 0.1])], 2, 0.0, "none")
    assert first == pytest.approx([0.0, 0.1]) and second == pytest.approx([0.0, -0.1])
    # Later gains are discounted, and a rollout that has ended earns no more.
    assert returns(rollout([0.1, 0.2, 0.4]), 0.5) == pytest.approx([0.1 + 0.1 + 0.1, 0.2 + 0.2, 0.4])
    assert returns(rollout([0.1, 0.2, 0.4]), 1.0) == pytest.approx([0.7, 0.6, 0.4])
    short, long = turn_advantages([rollout([0.2]), rollout([0.2, 0.4])], 2, 0.0, "none")
    assert short == pytest.approx([0.0]) and long == pytest.approx([0.0, 0.2])
    assert turn_advantages([rollout([0.1, 0.2])] * 4, 4, 0.5, "group") == [[0.0, 0.0]] * 4


def test_an_invalid_rollout_counts_in_no_mean() -> None:
    valid = [rollout([0.1, 0.3]), rollout([0.3])]
    broken = rollout([9.0], End.INVALID)
    assert turn_advantages([*valid, broken], 3, 0.5, "none") == [*turn_advantages(valid, 2, 0.5, "none"), [0.0]]
    assert turn_advantages([broken, broken], 2, 0.5, "batch") == [[0.0], [0.0]]


@given(GROUPS, st.floats(0, 1))
def test_against_sums_over_turns(groups: list[list[list[float]]], discount: float) -> None:
    found = turn_advantages([rollout(gains) for group in groups for gains in group], 3, discount, "none")
    for number, group in enumerate(groups):

        def value(gains: list[float], turn: int) -> float:
            return math.fsum(gain * discount**later for later, gain in enumerate(gains[turn:]))

        for member, gains in enumerate(group):
            wanted = [value(gains, turn) - sum(value(one, turn) for one in group) / 3 for turn in range(len(gains))]
            assert found[3 * number + member] == pytest.approx(wanted, abs=1e-9)


@given(GROUPS, st.sampled_from(["group", "batch"]))
def test_what_is_divided_has_unit_spread_or_none(groups: list[list[list[float]]], scale: str) -> None:
    found = turn_advantages([rollout(gains) for group in groups for gains in group], 3, 0.5, scale)  # type: ignore[arg-type]
    parts = [found[start : start + 3] for start in range(0, len(found), 3)] if scale == "group" else [found]
    for part in parts:
        values = [value for one in part for value in one]
        mean = sum(values) / len(values)
        assert math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)) <= 1.0
