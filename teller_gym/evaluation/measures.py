"""Measures: the two sums whose ratio a metric is, and what one episode adds to them.

For a mean the lower sum counts episodes. Invalid episodes never enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from teller_gym.agents.base import Prices
from teller_gym.evaluation.episodes import Episode, Status

Part = tuple[float, float]
"""What one episode adds to a metric's numerator and denominator."""

AUTONOMY = "autonomy"
"""What records of office work have among their branches, and no other."""

UNIT, GAP = (0.0, 1.0), (-1.0, 1.0)
"""Bounds of means."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What each episode adds to a metric.

    part: gives it. share: whether the metric is a share of episodes or calls, which has Wilson's interval.
    bounds: of what a task can come to; None where nothing bounds it.
    """

    part: Callable[[Episode], Part]
    share: bool = False
    bounds: tuple[float, float] | None = UNIT

    def __call__(self, episode: Episode) -> Part:
        return self.part(episode)


def valid(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes that count."""
    return [episode for episode in episodes if episode["status"] != Status.INVALID]


def is_office(episode: Episode) -> bool:
    """Whether an episode is one of office work."""
    return AUTONOMY in episode["branches"]


def failed_instead(episode: Episode) -> Episode:
    """An episode as it is; an invalid one as if the agent had failed it: for the second reading of a mean."""
    if episode["status"] != Status.INVALID:
        return episode
    return {
        **episode, "status": Status.FINISHED, "score": 0.0, "accurate": False, "success": False, "clean": False,
    }  # fmt: skip


def mean_of(measure: Callable[[Episode], float | None], bounds: tuple[float, float] | None = UNIT) -> Measure:
    """A mean over the episodes of which the measure says anything; bounds: of its values."""
    return Measure(_means(measure), bounds=bounds)


def share_of(measure: Callable[[Episode], bool | None]) -> Measure:
    """The share of the episodes of which the measure holds, among those of which it says anything."""
    return Measure(_means(measure), share=True)


def _means(measure: Callable[[Episode], float | None]) -> Callable[[Episode], Part]:
    def part(episode: Episode) -> Part:
        value = measure(episode)
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return part


def term(name: str) -> Measure:
    """The mean of one of the score's parts."""
    return mean_of(lambda episode: episode["reward_terms"].get(name))


def tokens(kind: str) -> Measure:
    """Mean tokens an episode, of the agents that count them; kind: prompt or completion."""
    return mean_of(lambda episode: None if episode["tokens"] is None else episode["tokens"][kind], bounds=None)


def cost(prices: Prices | None) -> Measure:
    """Mean cost of an episode in US dollars; says nothing where prices or tokens are unknown."""
    return mean_of(
        lambda one: None if prices is None or one["tokens"] is None else prices.of(one["tokens"]), bounds=None
    )
