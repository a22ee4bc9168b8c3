"""95 % intervals that do not suggest certainty when few tasks were tried.

A share (accuracy, success, an error's share, pass^k) has Wilson's interval: 0 of 50 is [0, 0.071], 4 of 4 is [0.51, 1].
Several trials of a task are not independent of each other, so the number of trials is divided by their design effect,
which is measured between tasks (Korn and Graubard 1998); if all trials had the same outcome it cannot be measured, and
only the tasks count. The interval of a mean of several shares, and of a difference of such means, is combined from
theirs by the method of variance estimates recovery (Zou and Donner 2008), which never shrinks to a point either.

Other means are bootstrapped. A bootstrap of fewer than FEW tasks that all gave the same value would show a point; it is
replaced by the range that a Wilson interval of 0 in that many other tasks leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]

FEW = 10
"""Number of tasks below which a bootstrap without spread is not used."""

Z = 1.959963984540054
"""Quantile of the normal distribution for a 95 % interval."""


def wilson(share: float, size: float) -> Interval:
    """Return Wilson's score interval of a share in [0, 1] of `size` independent trials, `size` above 0."""
    square = Z * Z / size
    centre = share + square / 2
    half = Z * math.sqrt(share * (1 - share) / size + square / (4 * size))
    low, high = (centre - half) / (1 + square), (centre + half) / (1 + square)
    # At the ends the two terms cancel except for rounding errors.
    return _ends(0.0 if share <= 0 else max(0.0, low), 1.0 if share >= 1 else min(1.0, high))


def of_share(hits: Sequence[float], trials: Sequence[float], most: float | None = None) -> Interval | None:
    """Return the interval of sum(hits) / sum(trials); None for fewer than two tasks.

    Args:
        hits, trials: one sum for each task, shape (tasks,); a task without trials is ignored.
        most: upper limit on independent trials, the sum of `trials` unless given.
    """
    known = [(hit, tried) for hit, tried in zip(hits, trials, strict=True) if tried]
    if len(known) < 2:
        return None
    total = math.fsum(tried for _, tried in known)
    share = min(1.0, max(0.0, math.fsum(hit for hit, _ in known) / total))
    return wilson(share, _size(known, total, share, total if most is None else most))


def _size(known: Sequence[tuple[float, float]], total: float, share: float, most: float) -> float:
    """Return the number of independent trials equivalent to these tasks' trials."""
    if all(tried <= 1 and hit in (0, tried) for hit, tried in known):
        return total
    tasks = len(known)
    if not 0 < share < 1:
        return tasks
    squares = math.fsum((hit - share * tried) ** 2 for hit, tried in known)
    variance = tasks / (tasks - 1) * squares / total**2
    if not variance:
        return most
    # If all trials of a task were alike, only the tasks would count, each with its weight.
    least = total**2 / math.fsum(tried**2 for _, tried in known)
    return max(least, min(most, share * (1 - share) / variance * (Z / _student(tasks - 1)) ** 2))


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t by expansion; slightly too small for very few degrees of freedom."""
    first, second = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / freedom + second / freedom**2


def of_constant(value: float, bounds: Interval | None, tasks: int) -> Interval | None:
    """Return the interval of a mean of a few tasks that all gave the same value; None for a mean without bounds."""
    if bounds is None:
        return None
    others = wilson(0.0, tasks)[1]
    return _ends(value - others * (value - bounds[0]), value + others * (bounds[1] - value))


def of_mean(values: Sequence[float], intervals: Sequence[Interval]) -> Interval:
    """Return the interval of the mean of independent figures, each with its interval."""
    below = math.sqrt(math.fsum((value - low) ** 2 for value, (low, _) in zip(values, intervals, strict=True)))
    above = math.sqrt(math.fsum((high - value) ** 2 for value, (_, high) in zip(values, intervals, strict=True)))
    mean = math.fsum(values) / len(values)
    return _ends(mean - below / len(values), mean + above / len(values))


def of_difference(value: float, interval: Interval, less: float, its: Interval) -> Interval:
    """Return the interval of value - less, two independent figures, each with its interval."""
    below, above = math.hypot(value - interval[0], its[1] - less), math.hypot(interval[1] - value, less - its[0])
    return _ends(value - less - below, value - less + above)


def _ends(low: float, high: float) -> Interval:
    """Return the ends as they appear in a report's JSON."""
    return round(low, 6), round(high, 6)
