"""Comparisons of a study's checkpoints between phases and between variants.

Differences are over the same tasks, paired by task and by seed. They have two intervals, since they vary in two ways:
between trainings, measured by Student's t over seeds, and between tasks, measured by a bootstrap over tasks that keeps
all seeds' results of a task together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.bootstrap import Resampler, interval
from teller_gym.evaluation.measures.sums import Measure, Part
from teller_gym.evaluation.records.episode import Episode
from teller_gym.tables.model import Metric
from teller_gym.training.study.measuring import MEASURES, OverSeeds, over_seeds
from teller_gym.training.study.reading import Evaluation, Read, Run

COMPARED = ("score", "success", "accuracy", "valid_calls", "error_validation", "tool_f1")
"""Names of the compared metrics."""

Pair = tuple[Evaluation, Evaluation]
"""One seed's evaluations before and after."""


@dataclass(frozen=True)
class Difference:
    """Means of a metric over seeds and common tasks, before and after, and their difference with both intervals."""

    before: float | None
    after: float | None
    by_seed: OverSeeds
    by_task: Metric


@dataclass(frozen=True)
class Comparison:
    """Differences between two checkpoints by metric, over the seeds that have both; ``of`` names the checkpoints."""

    of: str
    figures: dict[str, Difference]


def between_phases(read: Read, variants: Sequence[str]) -> list[Comparison]:
    """Compare each phase of a variant with the previous one, on the runs' own evaluation split."""
    found = []
    for variant in variants:
        steps: dict[tuple[str, str], list[Pair]] = {}
        for run in read.of(variant):
            for before, after in list(zip(run.phases, run.phases[1:], strict=False))[max(0, run.inherited - 1) :]:
                steps.setdefault((before.phase, after.phase), []).append((before, after))
        for (before_name, after_name), pairs in steps.items():
            found.append(Comparison(f"{variant}: {after_name} less {before_name}", differences(pairs, COMPARED)))
    return found


def between_variants(read: Read, variants: Sequence[str]) -> list[Comparison]:
    """Compare each other variant with the first one.

    Comparisons are after common phases, and between the last checkpoints by split.
    """
    first, *others = variants
    found = []
    for variant in others:
        runs = {run.seed: run for run in read.of(variant)}
        both = [(base, runs[base.seed]) for base in read.of(first) if base.seed in runs]
        for what, pairs in [*_by_phase(both), *_by_split(both)]:
            found.append(Comparison(f"{variant} less {first}, {what}", differences(pairs, COMPARED)))
    return found


def _by_phase(both: Sequence[tuple[Run, Run]]) -> list[tuple[str, list[Pair]]]:
    found: dict[str, list[Pair]] = {}
    for base, run in both:
        theirs = {(one.phase, one.split): one for one in run.made}
        for one in base.phases:
            if (one.phase, one.split) in theirs:
                found.setdefault(one.phase, []).append((one, theirs[one.phase, one.split]))
    return [(f"after {phase}", pairs) for phase, pairs in found.items()]


def _by_split(both: Sequence[tuple[Run, Run]]) -> list[tuple[str, list[Pair]]]:
    """Return pairs of last checkpoints by split, except those already in `_by_phase`."""
    found: dict[str, list[Pair]] = {}
    for base, run in both:
        theirs: dict[str, Evaluation] = {one.split: one for one in run.elsewhere}
        for one in base.elsewhere:
            other = theirs.get(one.split)
            if other is not None and not (_own(base, one) and _own(run, other) and one.phase == other.phase):
                found.setdefault(one.split, []).append((one, other))
    return [(f"last checkpoint on {split}", pairs) for split, pairs in found.items()]


def _own(run: Run, evaluation: Evaluation) -> bool:
    return any(evaluation is one for one in run.phases)


def differences(pairs: Sequence[Pair], names: Sequence[str]) -> dict[str, Difference]:
    """Return the differences between evaluations in the named `MEASURES`, given one pair per seed.

    Raises:
        OptionError: the evaluations of a pair have different frozen tasks under the same ids.
    """
    common = [_common(*pair) for pair in pairs]
    return {name: _difference(common, MEASURES[name]) for name in names}


Tasks = dict[str, tuple[list[Episode], list[Episode]]]
"""Episodes before and after, by task."""


def _common(before: Evaluation, after: Evaluation) -> Tasks:
    for scenario in before.frozen.keys() & after.frozen.keys():
        if before.frozen[scenario] != after.frozen[scenario]:
            raise OptionError(
                f"tasks of {scenario} differ under the same ids between two evaluations ({before.phase}, "
                f"{after.phase}; frozen_sha256): runs of different versions of the package cannot be compared"
            )
    found: Tasks = {}
    for place, evaluation in enumerate((before, after)):
        for episode in evaluation.episodes:
            found.setdefault(episode["task_id"], ([], []))[place].append(episode)
    return {task: found[task] for task in sorted(found) if all(found[task])}


def _difference(seeds: Sequence[Tasks], measure: Measure) -> Difference:
    sums = [{task: (_sums(old, measure), _sums(new, measure)) for task, (old, new) in one.items()} for one in seeds]
    # Seeds without the figure before or after are left out.
    known = [one for one in sums if all(_ratio([pair[side] for pair in one.values()]) is not None for side in (0, 1))]
    before, after = (over_seeds(_ratio([pair[side] for pair in one.values()]) for one in known) for side in (0, 1))
    gained = over_seeds(new - old for old, new in zip(before.values, after.values, strict=True))
    ends = _ends(known) if known else None
    return Difference(before.mean, after.mean, gained, Metric(gained.mean, *(ends or (None, None))))


Sums = dict[str, tuple[Part, Part]]
"""Numerator and denominator before and after, by task."""


def _ends(seeds: Sequence[Sums]) -> tuple[float, float] | None:
    """Return the bounds of the bootstrap interval, or None with fewer than two tasks.

    A drawn task is drawn in every seed.
    """
    tasks = sorted({task for one in seeds for task in one})
    if len(tasks) < 2:
        return None
    resampler, total = Resampler(len(tasks)), 0.0
    for one in seeds:
        old, new = ([one[task][side] if task in one else (0.0, 0.0) for task in tasks] for side in (0, 1))
        total = total + _drawn(resampler, new) - _drawn(resampler, old)
    found = np.asarray(total) / len(seeds)
    return interval(sorted(found[~np.isnan(found)].tolist()))


def _drawn(resampler: Resampler, parts: Sequence[Part]) -> Any:
    """Return the ratio of sums in each resample, of shape (resamples,)."""
    return resampler.drawn_ratios([top for top, _ in parts], [bottom for _, bottom in parts])


def _sums(episodes: Sequence[Episode], measure: Measure) -> Part:
    parts = [measure(one) for one in episodes]
    return math.fsum(top for top, _ in parts), math.fsum(bottom for _, bottom in parts)


def _ratio(parts: Sequence[Part]) -> float | None:
    bottom = math.fsum(one for _, one in parts)
    return math.fsum(one for one, _ in parts) / bottom if bottom else None
