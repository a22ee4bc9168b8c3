"""Paired comparison of two runs by task.

A run's result for a task is the mean over its valid trials. Tasks without a valid trial in both runs are left out and
counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from teller_gym.evaluation.measures.bootstrap import RESAMPLES, Resampler, interval
from teller_gym.evaluation.measures.labels import SUCCESS
from teller_gym.evaluation.measures.metrics import measures
from teller_gym.evaluation.measures.sums import Measure, valid
from teller_gym.evaluation.records.episode import Episode
from teller_gym.tables.model import Metric

COMPARED = {
    1: ("exact", "score", "node_f1", "edge_f1", "path_overlap"),
    2: ("success", "accuracy", "clean_success", "score", "tool_f1"),
}
"""Compared metrics of each stage."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric of both runs, averaged over their common tasks."""

    run: float | None
    baseline: float | None
    difference: Metric
    """Run minus baseline, with a 95 % interval.

    The interval is from a bootstrap over tasks that draws both runs' results together.
    """


@dataclass(frozen=True, slots=True)
class Paired:
    """Comparison of a run with a baseline in one stage."""

    stage: int
    common: int
    """Number of compared tasks, which have a valid trial in both runs."""
    only_run: int
    """Number of tasks that only the run has; `only_baseline` likewise."""
    only_baseline: int
    won: tuple[str, ...]
    """Ids of the tasks in which the run succeeds more often than the baseline."""
    lost: tuple[str, ...]
    """Ids of the tasks in which the run succeeds less often."""
    p_value: float | None
    """Two-sided p-value of McNemar's exact test that winning and losing are equally likely.

    None if either run has a task with several trials: these are not independent, so the test does not apply, and the
    bootstrap interval is to be used instead.
    """
    differences: dict[str, Difference]


def paired(
    run: Iterable[Episode], baseline: Iterable[Episode], *, stage: int = 2, seed: int = 0, resamples: int = RESAMPLES
) -> Paired:
    """Compare the episodes of two runs in one stage; `seed` and `resamples` are for the bootstrap."""
    ours, theirs = _by_task(run, stage), _by_task(baseline, stage)
    common = sorted(ours.keys() & theirs.keys())
    known = measures(stage)
    resampler = Resampler(len(common), seed, resamples) if resamples and len(common) > 1 else None
    success = known[SUCCESS[stage]]
    gains = {task: _mean(ours[task], success) - _mean(theirs[task], success) for task in common}
    won = tuple(task for task, gain in gains.items() if gain > 0)
    lost = tuple(task for task, gain in gains.items() if gain < 0)
    once = all(len(episodes[task]) == 1 for task in common for episodes in (ours, theirs))
    return Paired(
        stage=stage,
        common=len(common),
        only_run=len(ours) - len(common),
        only_baseline=len(theirs) - len(common),
        won=won,
        lost=lost,
        p_value=mcnemar(len(won), len(lost)) if once and common else None,
        differences={
            name: _difference([(ours[task], theirs[task]) for task in common], known[name], resampler)
            for name in COMPARED[stage]
        },
    )


def mcnemar(won: int, lost: int) -> float:
    """Return the exact two-sided p-value of McNemar's test, given the numbers of tasks that only one run solved."""
    total = won + lost
    tail = sum(math.comb(total, k) for k in range(min(won, lost) + 1))
    share: float = 2 * tail / 2**total
    return min(1.0, share)


def _by_task(episodes: Iterable[Episode], stage: int) -> Mapping[str, list[Episode]]:
    tasks: dict[str, list[Episode]] = {}
    for episode in valid(episodes):
        if episode["stage"] == stage:
            tasks.setdefault(episode["task_id"], []).append(episode)
    return tasks


def _mean(episodes: Iterable[Episode], measure: Measure) -> float:
    parts = [measure(episode) for episode in episodes]
    weight = math.fsum(b for _, b in parts)
    return math.fsum(a for a, _ in parts) / weight if weight else 0.0


def _difference(
    pairs: list[tuple[list[Episode], list[Episode]]], measure: Measure, resampler: Resampler | None
) -> Difference:
    if not pairs:
        return Difference(None, None, Metric(None))
    ours = [_mean(run, measure) for run, _ in pairs]
    theirs = [_mean(baseline, measure) for _, baseline in pairs]
    gains = [a - b for a, b in zip(ours, theirs, strict=True)]
    ends = interval(resampler.ratios(gains, [1.0] * len(gains))) if resampler else None
    count = len(pairs)
    change = Metric(math.fsum(gains) / count, *(ends or (None, None)))
    return Difference(math.fsum(ours) / count, math.fsum(theirs) / count, change)
