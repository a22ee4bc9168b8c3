"""Two checkpoints over the same tasks, paired by task and by seed.

Two intervals stand beside each other, as a difference varies in two ways: from one training to the next, which
Student's t over seeds tells, and from task to task, which a bootstrap that draws tasks tells, all seeds' results of a
task together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.bootstrap import Resampler, interval
from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.evaluation.measures.sums import Measure, Part
from teller_gym.evaluation.records.episode import Episode
from teller_gym.training.study.measuring import MEASURES, OverSeeds, over_seeds
from teller_gym.training.study.reading import Evaluation

Pair = tuple[Evaluation, Evaluation]
"""One seed's evaluation before, and the one after."""


@dataclass(frozen=True)
class Difference:
    """A figure before and after, over the tasks that both have.

    Attributes:
        before, after: means over seeds; None where nothing is said of the figure.
        by_seed: after less before, seed by seed.
        by_task: the same with the interval of a bootstrap over tasks.
    """

    before: float | None
    after: float | None
    by_seed: OverSeeds
    by_task: Metric


def differences(pairs: Sequence[Pair], names: Sequence[str]) -> dict[str, Difference]:
    """Compare evaluations, a pair a seed, in figures of `MEASURES`.

    Raises:
        OptionError: the evaluations of a pair are of other frozen tasks under the same ids.
    """
    common = [_common(*pair) for pair in pairs]
    return {name: _difference(common, MEASURES[name]) for name in names}


Tasks = dict[str, tuple[list[Episode], list[Episode]]]
"""By task, the episodes before and those after."""


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
    # A seed that says nothing of the figure, before or after, is left out.
    known = [one for one in sums if all(_ratio([pair[side] for pair in one.values()]) is not None for side in (0, 1))]
    before, after = (over_seeds(_ratio([pair[side] for pair in one.values()]) for one in known) for side in (0, 1))
    gained = over_seeds(new - old for old, new in zip(before.values, after.values, strict=True))
    ends = _ends(known) if known else None
    return Difference(before.mean, after.mean, gained, Metric(gained.mean, *(ends or (None, None))))


Sums = dict[str, tuple[Part, Part]]
"""By task, numerator and denominator before and those after."""


def _ends(seeds: Sequence[Sums]) -> tuple[float, float] | None:
    """Return the ends of the bootstrap's interval; a task that is drawn is drawn in every seed."""
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
    """Return the ratio of sums in each resample, shape (resamples,)."""
    return resampler.drawn_ratios([top for top, _ in parts], [bottom for _, bottom in parts])


def _sums(episodes: Sequence[Episode], measure: Measure) -> Part:
    parts = [measure(one) for one in episodes]
    return math.fsum(top for top, _ in parts), math.fsum(bottom for _, bottom in parts)


def _ratio(parts: Sequence[Part]) -> float | None:
    bottom = math.fsum(one for _, one in parts)
    return math.fsum(one for one, _ in parts) / bottom if bottom else None
