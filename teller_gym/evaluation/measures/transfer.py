"""Transfer to procedures left out of training, compared with procedures seen in training.

An env that leaves a scenario out, such as ``Teller-BankWithoutLoans-v0``, is evaluated on that scenario's tasks too.
Scenarios are weighted equally, regardless of their number of tasks. The interval of the difference is combined from
those of the two sides (`intervals.of_difference`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from teller_gym.evaluation.measures.bootstrap import RESAMPLES
from teller_gym.evaluation.measures.intervals import of_difference
from teller_gym.evaluation.measures.labels import column
from teller_gym.evaluation.measures.metrics import macro
from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, key
from teller_gym.tables.model import Column, Metric, Row, Table

SEEN, UNSEEN, DIFFERENCE = "seen", "unseen", "difference"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Metrics of seen and unseen scenarios, and their difference."""

    left_out: tuple[str, ...]
    """Scenarios left out of training."""
    figures: dict[str, dict[str, Metric]]
    """Metrics by name under ``seen``, ``unseen`` and ``difference`` (unseen minus seen)."""

    def table(self, names: Sequence[str]) -> Table:
        """Return a table of the named metrics, with rows for seen, unseen and difference."""
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
    """Compare the named metrics between seen and unseen scenarios, or return None if either side has no episodes."""
    by_scenario: dict[str, list[Episode]] = {}
    for episode in sorted(valid(episodes), key=key):
        by_scenario.setdefault(episode["scenario"], []).append(episode)
    left_out = tuple(sorted(name for name in by_scenario if name in unseen))
    others = sorted(by_scenario.keys() - unseen)
    if not left_out or not others:
        return None
    # Different seeds keep the draws of the two sides independent.
    old, new = (
        macro([by_scenario[name] for name in side], stage=stage, names=names, seed=first, resamples=resamples)
        for side, first in ((others, seed), (left_out, seed + len(others)))
    )
    change = {name: _less(new[name], old[name]) for name in names}
    return Transfer(left_out, {SEEN: old, UNSEEN: new, DIFFERENCE: change})


def _less(one: Metric, other: Metric) -> Metric:
    if one.value is None or other.value is None:
        return Metric(None)
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Metric(one.value - other.value)
    ends = of_difference(one.value, (one.low, one.high), other.value, (other.low, other.high))
    return Metric(one.value - other.value, *ends)
