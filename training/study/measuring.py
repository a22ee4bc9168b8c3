"""Metrics of evaluations, their means over seeds, and parsing of seed ranges."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.metrics import ratios
from teller_gym.evaluation.measures.mistakes import Mistake, count
from teller_gym.evaluation.measures.stage2 import METRICS, error_share
from teller_gym.evaluation.measures.sums import Measure
from teller_gym.evaluation.records.episode import Episode
from teller_gym.training.study.reading import Evaluation, Run

ERRORS = ("validation", "type", "malformed", "order", "provenance")
"""Error types whose share of episodes is shown."""

MEASURES: Mapping[str, Measure] = {
    **{name: METRICS[name] for name in ("score", "success", "accuracy", "valid_calls")},
    **{f"error_{kind}": error_share(kind) for kind in ERRORS},
    "tool_f1": METRICS["tool_f1"],
}
"""Metrics computed for every evaluation, by name."""

STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093,
)  # fmt: skip
"""97.5 % quantiles of Student's t distribution for 1, 2, … degrees of freedom."""


def parse_seeds(text: str) -> list[int]:
    """Return the distinct seeds in a text such as ``0-7`` or ``0,2,5-6``.

    Raises:
        OptionError: the text has a different form.
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


@dataclass(frozen=True)
class OverSeeds:
    """Values of the seeds for which a metric is defined, and the bounds of their mean's interval if there are at least
    two."""

    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None

    @property
    def mean(self) -> float | None:
        """Mean over the seeds, or None if there are none."""
        return statistics.fmean(self.values) if self.values else None


def figures(episodes: Iterable[Episode]) -> dict[str, float | None]:
    """Return every metric of some episodes by name.

    Undefined metrics are None, such as the share of valid calls without calls.
    """
    return {name: metric.value for name, metric in ratios(episodes, MEASURES, resamples=0).items()}


def over_seeds(values: Iterable[float | None]) -> OverSeeds:
    """Leave out seeds without a value, and compute the interval of the mean over the others."""
    known = tuple(value for value in values if value is not None)
    return OverSeeds(known, *(mean_interval(known)[1:] if len(known) > 1 else ()))


def means(evaluations: Sequence[Evaluation], scenario: str | None = None) -> dict[str, OverSeeds]:
    """Return every metric over several seeds, for all tasks or those of one scenario."""
    found = [figures(of_scenario(one, scenario)) for one in evaluations]
    return {name: over_seeds(one[name] for one in found) for name in MEASURES}


def of_scenario(evaluation: Evaluation, scenario: str | None) -> list[Episode]:
    """Return an evaluation's episodes of a scenario, or all of them if it is None."""
    return [one for one in evaluation.episodes if scenario in (None, one["scenario"])]


def mistakes(evaluations: Iterable[Evaluation]) -> tuple[dict[Mistake, int], int]:
    """Return the number of episodes that failed by each type of mistake, and the total number of episodes."""
    found: Counter[Mistake] = Counter()
    episodes = 0
    for one in evaluations:
        found.update(count(one.episodes))
        episodes += len(one.episodes)
    return {kind: found[kind] for kind in Mistake}, episodes


def by_phase(runs: Iterable[Run], inherited: bool = False) -> dict[str, list[Evaluation]]:
    """Group the runs' evaluations by phase, with or without the phases copied from the first variant."""
    found: dict[str, list[Evaluation]] = {}
    for run in runs:
        for one in run.phases if inherited else run.made:
            found.setdefault(one.phase, []).append(one)
    return found


def by_split(runs: Iterable[Run]) -> dict[str, list[Evaluation]]:
    """Group the evaluations of the runs' last checkpoints by split."""
    found: dict[str, list[Evaluation]] = {}
    for run in runs:
        for one in run.elsewhere:
            found.setdefault(one.split, []).append(one)
    return found
