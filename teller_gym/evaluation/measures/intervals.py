"""Confidence intervals (95 %) that remain wide when there are only a few tasks.

A share (accuracy, success, error shares, pass^k) has Wilson's interval: 0 of 50 is [0, 0.071], 4 of 4 is [0.51, 1].
Trials of one task are not independent, so the number of trials is divided by their design effect, which is estimated
between tasks (Korn and Graubard 1998). If all trials had the same outcome, it cannot be estimated and each task counts
once. The intervals of a mean of shares and of a difference of such means are combined from those of the shares by the
method of variance estimates recovery (Zou and Donner 2008), which never shrinks to a point either.

Other means are bootstrapped. If fewer than FEW tasks all gave the same value, the bootstrap interval would be a single
point; it is replaced by the range that remains possible if further tasks give other values, based on Wilson's interval
for 0 successes in that many tasks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]

FEW = 10
"""Number of tasks below which a bootstrap interval of zero width is replaced."""

Z = 1.959963984540054
"""Quantile of the normal distribution for a 95 % interval."""


def wilson(share: float, size: float) -> Interval:
    """Return Wilson's score interval of a share in [0, 1] observed in `size` > 0 independent trials."""
    square = Z * Z / size
    centre = share + square / 2
    half = Z * math.sqrt(share * (1 - share) / size + square / (4 * size))
    low, high = (centre - half) / (1 + square), (centre + half) / (1 + square)
    # At 0 and 1 the two terms cancel except for rounding errors.
    return _ends(0.0 if share <= 0 else max(0.0, low), 1.0 if share >= 1 else min(1.0, high))


def of_share(hits: Sequence[float], trials: Sequence[float], most: float | None = None) -> Interval | None:
    """Return the interval of sum(hits) / sum(trials), or None for fewer than two tasks.

    Args:
        hits, trials: one sum for each task, shape (tasks,); a task without trials is ignored.
        most: upper limit on the number of independent trials; by default the sum of `trials`.
    """
    known = [(hit, tried) for hit, tried in zip(hits, trials, strict=True) if tried]
    if len(known) < 2:
        return None
    total = math.fsum(tried for _, tried in known)
    share = min(1.0, max(0.0, math.fsum(hit for hit, _ in known) / total))
    return wilson(share, _size(known, total, share, total if most is None else most))


def _size(known: Sequence[tuple[float, float]], total: float, share: float, most: float) -> float:
    """Return the effective number of independent trials."""
    if all(tried <= 1 and hit in (0, tried) for hit, tried in known):
        return total
    tasks = len(known)
    if not 0 < share < 1:
        return tasks
    squares = math.fsum((hit - share * tried) ** 2 for hit, tried in known)
    variance = tasks / (tasks - 1) * squares / total**2
    if not variance:
        return most
    # Lower limit: if all trials of a task had the same outcome, each task would count once, with its weight.
    least = total**2 / math.fsum(tried**2 for _, tried in known)
    return max(least, min(most, share * (1 - share) / variance * (Z / _student(tasks - 1)) ** 2))


def _student(freedom: int) -> float:
    """Approximate the 97.5 % quantile of Student's t by a series, slightly too small for few degrees of freedom."""
    first, second = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / freedom + second / freedom**2


def of_constant(value: float, bounds: Interval | None, tasks: int) -> Interval | None:
    """Return the interval of a mean over a few tasks that all gave the same value.

    It is None if values are unbounded.
    """
    if bounds is None:
        return None
    others = wilson(0.0, tasks)[1]
    return _ends(value - others * (value - bounds[0]), value + others * (bounds[1] - value))


def of_mean(values: Sequence[float], intervals: Sequence[Interval]) -> Interval:
    """Return the interval of a mean of independent estimates, combined from their intervals."""
    below = math.sqrt(math.fsum((value - low) ** 2 for value, (low, _) in zip(values, intervals, strict=True)))
    above = math.sqrt(math.fsum((high - value) ** 2 for value, (_, high) in zip(values, intervals, strict=True)))
    mean = math.fsum(values) / len(values)
    return _ends(mean - below / len(values), mean + above / len(values))


def of_difference(value: float, interval: Interval, less: float, its: Interval) -> Interval:
    """Return the interval of value - less, combined from the intervals of the two independent estimates."""
    below, above = math.hypot(value - interval[0], its[1] - less), math.hypot(interval[1] - value, less - its[0])
    return _ends(value - less - below, value - less + above)


def _ends(low: float, high: float) -> Interval:
    """Round both bounds to the precision of a report's JSON."""
    return round(low, 6), round(high, 6)
