"""Office work as the paper reports it: tasks resolved, checkpoints passed, high against low autonomy, and why not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.agents.base import Prices
from teller_gym.evaluation.measures.sums import AUTONOMY, cost, is_office
from teller_gym.evaluation.measures.tables import NOTHING
from teller_gym.evaluation.records.episode import Episode
from teller_gym.office_tasks.verdict import Failure

HEADINGS = ("autonomy", "resolved", "checkpoints", "share", "steps", "cost $", *Failure)


class OfficeRow(msgspec.Struct, frozen=True):
    """The figures of one setting.

    Attributes:
        setting: such as ``high``.
        resolved: episodes whose work is right, of ``tasks``.
        passed: checkpoints passed in all of them, of ``checkpoints``.
        steps: of an episode, mean.
        cost: of an episode in US dollars, mean; None if it is not known.
        failures: checkpoints not passed, by class; empty if they are not recorded.
    """

    setting: str
    resolved: int
    tasks: int
    passed: int
    checkpoints: int
    steps: float
    cost: float | None = None
    failures: dict[str, int] = {}

    def cells(self) -> list[str]:
        """Return the row of the table."""
        share = f"{self.passed / self.checkpoints:.1%}" if self.checkpoints else NOTHING
        classes = [str(self.failures.get(one, 0)) if self.failures else NOTHING for one in Failure]
        return [
            self.setting,
            f"{self.resolved}/{self.tasks}",
            f"{self.passed}/{self.checkpoints}",
            share,
            f"{self.steps:.1f}",
            NOTHING if self.cost is None else f"{self.cost:.3f}",
            *classes,
        ]


@cache
def of_the_paper() -> tuple[OfficeRow, ...]:
    """Return the paper's figures."""
    text = resources.files("teller_gym.evaluation.measures").joinpath("office_paper.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=tuple[OfficeRow, ...])


def measure_office(episodes: Sequence[Episode], prices: Prices | None) -> tuple[OfficeRow, ...]:
    """Return the figures of the episodes of office work, by autonomy; none if there are no such episodes."""
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


def rows_of(figures: Sequence[OfficeRow]) -> list[list[str]]:
    """Return the rows of the table, the paper's below ours."""
    return [one.cells() for one in (*figures, *of_the_paper())]


def from_dicts(data: Sequence[Mapping[str, Any]]) -> tuple[OfficeRow, ...]:
    """Read what `msgspec.to_builtins` made of figures."""
    return tuple(msgspec.convert(one, OfficeRow) for one in data)
