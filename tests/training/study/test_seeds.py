"""Seeds as they are written, and intervals over them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.training.study.seeds import mean_interval, parse_seeds


@pytest.mark.parametrize(("text", "seeds"), [("0-3", [0, 1, 2, 3]), ("5", [5]), ("0,2,5-6,2", [0, 2, 5, 6])])
def test_seeds_are_parsed(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_the_interval_is_students(values: list[float]) -> None:
    """Against the density, integrated by sums: 95 % of it lies within the half width."""
    mean, low, high = mean_interval(values)
    assert low <= mean <= high and mean == pytest.approx(sum(values) / len(values))
    spread = float(np.std(values, ddof=1)) / len(values) ** 0.5
    if spread > 1e-6:
        steps, free = np.linspace(0, (high - mean) / spread, 20_001), len(values) - 1
        scale = math.exp(math.lgamma((free + 1) / 2) - math.lgamma(free / 2)) / math.sqrt(free * math.pi)
        density = scale * (1 + steps**2 / free) ** (-(free + 1) / 2)
        within = 2 * float(np.trapezoid(density, steps))
        assert within == pytest.approx(0.95, abs=2e-4)


def test_one_value_has_no_interval() -> None:
    with pytest.raises(ValueError, match="got 1"):
        mean_interval([0.3])


@pytest.mark.parametrize("text", ["", "a", "3-1", "0,,2", "1.5"])
def test_what_are_no_seeds_is_told(text: str) -> None:
    with pytest.raises(OptionError, match="--seeds: expected numbers and rising ranges"):
        parse_seeds(text)
