"""Seen procedures against one that was left out of training: what carries over.

An env that leaves a scenario out, such as ``Teller-BankWithoutLoans-v0``, is evaluated on that scenario's tasks, too.
The others are weighted equally, regardless of their number of tasks. Intervals of shares are combined from those of the
scenarios; other intervals resample tasks within each scenario.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teller_gym.evaluation.measures.bootstrap import RESAMPLES, Resampler, interval
from teller_gym.evaluation.measures.intervals import of_difference, of_mean, of_share
from teller_gym.evaluation.measures.labels import column
from teller_gym.evaluation.measures.metrics import measures
from teller_gym.evaluation.measures.sums import Measure, Part, valid
from teller_gym.evaluation.records.episode import Episode, key
from teller_gym.tables.model import Column, Metric, Row, Table

SEEN, UNSEEN, DIFFERENCE = "seen", "unseen", "difference"


@dataclass(frozen=True, slots=True)
class Transfer:
    """The figures of the scenarios that were seen, of those that were not, and the second less the first."""

    left_out: tuple[str, ...]
    """The scenarios that were not seen."""
    figures: dict[str, dict[str, Metric]]
    """By ``seen``, ``unseen`` and ``difference``, then by metric."""

    def table(self, names: Sequence[str]) -> Table:
        """Return a table of these metrics."""
        heads = {SEEN: SEEN, UNSEEN: f"{UNSEEN} ({', '.join(self.left_out)})", DIFFERENCE: DIFFERENCE}
        rows = [Row([head, *(self.figures[kind][name] for name in names)]) for kind, head in heads.items()]
        return Table([Column("procedure", "text"), *map(column, names)], rows)


def measure_transfer(
    episodes: Sequence[Episode],
    unseen: Collection[str],
    *,
    stage: int = 2,
    names: Sequence[str],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Transfer | None:
    """Measure what carries over; None where one of the two sides has no episode.

    Args:
        unseen: scenarios that were left out.
        names: of the metrics.
        seed: of the bootstrap's draws.
        resamples: 0 leaves the intervals out.
    """
    by_scenario: dict[str, list[Episode]] = {}
    for episode in sorted(valid(episodes), key=key):
        by_scenario.setdefault(episode["scenario"], []).append(episode)
    left_out = tuple(sorted(name for name in by_scenario if name in unseen))
    order = [*sorted(by_scenario.keys() - unseen), *left_out]
    if not left_out or len(order) == len(left_out):
        return None
    groups = [_Scenario(by_scenario[name], seed + 1 + place, resamples) for place, name in enumerate(order)]
    seen, new = groups[: -len(left_out)], groups[-len(left_out) :]
    figures: dict[str, dict[str, Metric]] = {SEEN: {}, UNSEEN: {}, DIFFERENCE: {}}
    known = measures(stage)
    for name in names:
        if known[name].share:
            before, after = _share(seen, known[name]), _share(new, known[name])
            found = {SEEN: before, UNSEEN: after, DIFFERENCE: _less(after, before)}
            for kind, metric in found.items():
                figures[kind][name] = metric
            continue
        sides = _side(seen, known[name]), _side(new, known[name])
        for kind, side in zip((SEEN, UNSEEN), sides, strict=True):
            figures[kind][name] = _metric(*side)
        (old, drawn_old), (fresh, drawn_fresh) = sides
        if old is None or fresh is None:
            figures[DIFFERENCE][name] = Metric(None)
        else:
            drawn = None if drawn_old is None or drawn_fresh is None else drawn_fresh - drawn_old
            figures[DIFFERENCE][name] = _metric(fresh - old, drawn)
    return Transfer(left_out, figures)


class _Scenario:
    """The episodes of a scenario, by task, and the draws over its tasks."""

    def __init__(self, episodes: Sequence[Episode], seed: int, resamples: int) -> None:
        tasks: dict[str, list[Episode]] = {}
        for episode in episodes:
            tasks.setdefault(episode["task_id"], []).append(episode)
        self._tasks = list(tasks.values())
        enough = resamples and len(self._tasks) > 1
        self._resampler = Resampler(len(self._tasks), seed, resamples) if enough else None

    def share(self, measure: Measure) -> Metric:
        """Return a share with its interval; see `intervals.of_share`."""
        sums = [_sum([measure(episode) for episode in task]) for task in self._tasks]
        hits, trials = [a for a, _ in sums], [b for _, b in sums]
        if not math.fsum(trials):
            return Metric(None)
        ends = of_share(hits, trials) if self._resampler is not None else None
        return Metric(math.fsum(hits) / math.fsum(trials), *(ends or (None, None)))

    def ratio(self, measure: Measure) -> tuple[float | None, Draws]:
        """Return a metric and its draws, None where there is nothing to measure or to draw from."""
        sums = [_sum([measure(episode) for episode in task]) for task in self._tasks]
        bottom = math.fsum(b for _, b in sums)
        if not bottom:
            return None, None
        drawn = self._resampler and self._resampler.drawn_ratios([a for a, _ in sums], [b for _, b in sums])
        return math.fsum(a for a, _ in sums) / bottom, drawn


Draws = Any
"""A metric in each resample, shape (resamples,), or None."""


def _sum(parts: Sequence[Part]) -> Part:
    return math.fsum(a for a, _ in parts), math.fsum(b for _, b in parts)


def _side(scenarios: Sequence[_Scenario], measure: Measure) -> tuple[float | None, Draws]:
    """Return the mean over scenarios, and its draws."""
    found = [scenario.ratio(measure) for scenario in scenarios]
    values = [value for value, _ in found if value is not None]
    if len(values) < len(found):
        return None, None
    drawn = [draws for _, draws in found if draws is not None]
    if len(drawn) < len(found):
        return math.fsum(values) / len(values), None
    total = np.zeros(len(drawn[0]))
    for draws in drawn:  # one after the other: the order of a sum in floats shows in its last bit
        total += draws
    return math.fsum(values) / len(values), total / len(drawn)


def _share(scenarios: Sequence[_Scenario], measure: Measure) -> Metric:
    """Return the mean of a share over scenarios."""
    found = [scenario.share(measure) for scenario in scenarios]
    values = [one.value for one in found if one.value is not None]
    if len(values) < len(found):
        return Metric(None)
    ranges = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
    ends = of_mean(values, ranges) if len(ranges) == len(values) else None
    return Metric(math.fsum(values) / len(values), *(ends or (None, None)))


def _less(one: Metric, other: Metric) -> Metric:
    if one.value is None or other.value is None:
        return Metric(None)
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Metric(one.value - other.value)
    ends = of_difference(one.value, (one.low, one.high), other.value, (other.low, other.high))
    return Metric(one.value - other.value, *ends)


def _metric(value: float | None, drawn: Draws) -> Metric:
    if value is None or drawn is None:
        return Metric(value)
    ends = interval(sorted(drawn[~np.isnan(drawn)].tolist()))
    return Metric(value, *(ends or (None, None)))
