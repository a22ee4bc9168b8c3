"""Office work metrics as in the paper, by level of autonomy: resolved tasks, passed checkpoints and failures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import msgspec

from teller_gym.agents.base import Prices
from teller_gym.evaluation.measures.sums import AUTONOMY, cost, is_office
from teller_gym.evaluation.records.episode import Episode
from teller_gym.office_tasks.verdict import Failure
from teller_gym.tables.model import Column, Row, Table


@dataclass(frozen=True, slots=True)
class OfficeRow:
    """Metrics for one level of autonomy.

    Attributes:
        setting: level of autonomy, such as ``high``.
        resolved: number of successful episodes, out of ``tasks``.
        passed: number of checkpoints passed in all episodes, out of ``checkpoints``.
        steps: mean steps per episode.
        cost: mean cost per episode in US dollars; None if unknown.
        failures: failed checkpoints by class; empty if not recorded.
    """

    setting: str
    resolved: int
    tasks: int
    passed: int
    checkpoints: int
    steps: float
    cost: float | None = None
    failures: dict[str, int] = field(default_factory=dict)


@cache
def of_the_paper() -> tuple[OfficeRow, ...]:
    """Return the paper's published results."""
    text = resources.files("teller_gym.evaluation.measures").joinpath("office_paper.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=tuple[OfficeRow, ...])


def measure_office(episodes: Sequence[Episode], prices: Prices | None) -> tuple[OfficeRow, ...]:
    """Return the metrics of office work episodes by level of autonomy, or nothing if there are none."""
    settings: dict[str, list[Episode]] = {}
    for episode in episodes:
        if is_office(episode):
            settings.setdefault(episode["branches"][AUTONOMY], []).append(episode)
    return tuple(_row(name, settings[name], prices) for name in sorted(settings))


def _row(setting: str, episodes: Sequence[Episode], prices: Prices | None) -> OfficeRow:
    checkpoints = [one for episode in episodes for one in episode["checkpoints"]]
    parts = [part for part in map(cost(prices), episodes) if part[1]]
    classes = dict.fromkeys(map(str, Failure), 0)
    for episode in episodes:
        for fault in episode["faults"]:
            if fault["field"] in classes:
                classes[fault["field"]] += 1
    return OfficeRow(
        setting,
        sum(episode["success"] for episode in episodes),
        len(episodes),
        sum(one["passed"] for one in checkpoints),
        len(checkpoints),
        math.fsum(episode["steps"] for episode in episodes) / len(episodes),
        math.fsum(part[0] for part in parts) / len(parts) if parts else None,
        classes,
    )


def office_table(figures: Sequence[OfficeRow]) -> Table:
    """Return a table of office work metrics, with the paper's rows below the given ones."""
    columns = [
        Column("autonomy", "text"),
        Column("resolved", "text", right=True),
        Column("checkpoints", "text", right=True),
        Column("share", "text", right=True),
        Column("steps", "count"),
        Column("cost $", "text", right=True),
        *(Column(one, "int") for one in Failure),
    ]
    rows = [
        Row(
            [
                one.setting,
                f"{one.resolved}/{one.tasks}",
                f"{one.passed}/{one.checkpoints}",
                f"{one.passed / one.checkpoints:.1%}" if one.checkpoints else None,
                None if math.isnan(one.steps) else one.steps,
                None if one.cost is None else f"{one.cost:.3f}",
                *(one.failures.get(kind, 0) if one.failures else None for kind in Failure),
            ]
        )
        for one in (*figures, *of_the_paper())
    ]
    return Table(columns, rows)
