"""Figures of evaluations, and the same over seeds."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from teller_gym.evaluation.measures.metrics import ratios
from teller_gym.evaluation.measures.mistakes import Mistake, count
from teller_gym.evaluation.measures.stage2 import METRICS, error_share
from teller_gym.evaluation.measures.sums import Measure
from teller_gym.evaluation.records.episode import Episode
from teller_gym.training.study.reading import Evaluation, Run
from teller_gym.training.study.seeds import mean_interval

ERRORS = ("validation", "type", "malformed", "order", "provenance")
"""Kinds of errors whose share of episodes is shown."""

MEASURES: Mapping[str, Measure] = {
    **{name: METRICS[name] for name in ("score", "success", "accuracy", "valid_calls")},
    **{f"error_{kind}": error_share(kind) for kind in ERRORS},
    "tool_f1": METRICS["tool_f1"],
}
"""Measures of every evaluation, by name."""


@dataclass(frozen=True)
class OverSeeds:
    """A figure over seeds.

    Attributes:
        values: values of the seeds that have the figure.
        low, high: bounds of the mean's 95 % interval by Student's t; None for fewer than two values.
    """

    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None

    @property
    def mean(self) -> float | None:
        """Mean of the seeds; None without any."""
        return statistics.fmean(self.values) if self.values else None


def figures(episodes: Iterable[Episode]) -> dict[str, float | None]:
    """Return every figure of some episodes; None for undefined ones, such as the share of valid calls without calls."""
    return {name: metric.value for name, metric in ratios(episodes, MEASURES, resamples=0).items()}


def over_seeds(values: Iterable[float | None]) -> OverSeeds:
    """Return a figure over seeds."""
    known = tuple(value for value in values if value is not None)
    return OverSeeds(known, *(mean_interval(known)[1:] if len(known) > 1 else ()))


def means(evaluations: Sequence[Evaluation], scenario: str | None = None) -> dict[str, OverSeeds]:
    """Return every figure over the evaluations of several seeds, for all tasks or for one scenario's."""
    found = [figures(of_scenario(one, scenario)) for one in evaluations]
    return {name: over_seeds(one[name] for one in found) for name in MEASURES}


def of_scenario(evaluation: Evaluation, scenario: str | None) -> list[Episode]:
    """Return the episodes of a scenario; None returns all."""
    return [one for one in evaluation.episodes if scenario in (None, one["scenario"])]


def mistakes(evaluations: Iterable[Evaluation]) -> tuple[dict[Mistake, int], int]:
    """Return the number of episodes that failed by each kind of mistake, and the number of episodes, over
    evaluations."""
    found: Counter[Mistake] = Counter()
    episodes = 0
    for one in evaluations:
        found.update(count(one.episodes))
        episodes += len(one.episodes)
    return {kind: found[kind] for kind in Mistake}, episodes


def by_phase(runs: Iterable[Run], inherited: bool = False) -> dict[str, list[Evaluation]]:
    """Return the evaluations of several seeds phase by phase, in the order of training.

    Args:
        runs: runs of the seeds.
        inherited: True to include phases copied from the first variant's runs.
    """
    found: dict[str, list[Evaluation]] = {}
    for run in runs:
        for one in run.phases if inherited else run.made:
            found.setdefault(one.phase, []).append(one)
    return found


def by_split(runs: Iterable[Run]) -> dict[str, list[Evaluation]]:
    """Return the evaluations of several seeds' last checkpoints by split."""
    found: dict[str, list[Evaluation]] = {}
    for run in runs:
        for one in run.elsewhere:
            found.setdefault(one.split, []).append(one)
    return found
