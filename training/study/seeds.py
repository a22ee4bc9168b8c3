"""Seeds, and statistics over them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from teller_gym.base.errors import OptionError

STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
)  # fmt: skip
"""97.5 % points of Student's t distribution for 1, 2, … degrees of freedom."""


def parse_seeds(text: str) -> list[int]:
    """Return the distinct seeds in a text such as ``0-7`` or ``0,2,5-6``.

    Raises:
        OptionError: the text has another form.
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        try:
            found = range(int(first), int(last or first) + 1)
        except ValueError:
            found = range(0)
        if not found:
            raise OptionError(f"--seeds: expected numbers and rising ranges, such as 0-2 or 0,3,5-7, got {text!r}")
        seeds += found
    return list(dict.fromkeys(seeds))


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of 2 to 20 values and the bounds of its 95 % interval by Student's t."""
    if not 2 <= len(values) <= len(STUDENT) + 1:
        raise ValueError(f"expected 2 to {len(STUDENT) + 1} values, got {len(values)}")
    mean = statistics.fmean(values)
    half = STUDENT[len(values) - 2] * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half
