"""The notation of seeds, and intervals over them."""

from __future__ import annotations

import statistics

import pytest
from scipy.stats import t as student  # type: ignore[import-untyped]

from teller_gym.base.errors import OptionError
from teller_gym.training.study.measuring import STUDENT, mean_interval, parse_seeds


@pytest.mark.parametrize(("text", "seeds"), [("0-3", [0, 1, 2, 3]), ("5", [5]), ("0,2,5-6,2", [0, 2, 5, 6])])
def test_seeds_are_parsed(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "3-1", "0,,2", "1.5"])
def test_what_are_no_seeds_is_told(text: str) -> None:
    with pytest.raises(OptionError, match="--seeds: expected numbers and rising ranges"):
        parse_seeds(text)


def test_the_interval_is_students() -> None:
    assert pytest.approx([student.ppf(0.975, free) for free in range(1, 20)], abs=6e-4) == STUDENT
    values = [0.1, 0.5, 0.2, 0.9]
    mean, half = statistics.fmean(values), STUDENT[2] * statistics.stdev(values) / 2
    assert mean_interval(values) == pytest.approx((mean, mean - half, mean + half))
    with pytest.raises(ValueError, match="got 1"):
        mean_interval([0.3])
