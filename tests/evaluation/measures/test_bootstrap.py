"""The bootstrap is deterministic, agrees with known results, and resamples whole tasks."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.evaluation.measures.bootstrap import RESAMPLES, Resampler, interval
from teller_gym.evaluation.measures.metrics import summarise
from tests.evaluation.samples import episode


def test_equal_seeds_give_equal_intervals_for_ever() -> None:
    # Recorded once; NumPy guarantees the stream, so that the values hold on every machine and version.
    ratios = Resampler(5, seed=3, resamples=8).ratios([1, 0, 0, 1, 1], [1] * 5)
    assert ratios == [0.2, 0.2, 0.2, 0.4, 0.4, 0.6, 0.8, 1.0]
    assert ratios != Resampler(5, seed=4, resamples=8).ratios([1, 0, 0, 1, 1], [1] * 5)


def test_a_plain_bootstrap_agrees() -> None:
    values = [0.1 * (i % 7) for i in range(30)]
    ends = interval(Resampler(30, seed=5).ratios(values, [1] * 30))
    rng = random.Random(0)
    means = sorted(sum(rng.choices(values, k=30)) / 30 for _ in range(4000))
    assert ends is not None
    assert list(ends) == pytest.approx([means[100], means[3900]], abs=0.01)


def test_trials_of_a_task_are_drawn_together() -> None:
    """Five copies of every episode add no information, so the interval must not shrink."""
    once = [episode(task_id=f"t-{i:02}", score=float(i % 2)) for i in range(20)]
    often = [episode(task_id=one["task_id"], trial=trial, score=one["score"]) for one in once for trial in range(5)]
    assert summarise(often)["score"] == summarise(once)["score"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50).map(sorted))
def test_interval_lies_within_the_values(values: list[float]) -> None:
    ends = interval(values)
    assert ends is not None
    assert values[0] <= ends[0] <= ends[1] <= values[-1]


def test_interval_by_hand() -> None:
    assert interval([float(i) for i in range(41)], level=0.95) == (1.0, 39.0)
    assert interval([]) is None
    assert RESAMPLES >= 1000


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 3 values"):
        Resampler(3).ratios([1, 2], [1, 1])


def test_huge_values_are_resampled_as_exactly() -> None:
    small = Resampler(3).ratios([5.0, 1.0, 2.0], [1, 1, 1])
    assert Resampler(3).ratios([5e15, 1e15, 2e15], [1, 1, 1]) == pytest.approx([1e15 * one for one in small], rel=1e-12)
