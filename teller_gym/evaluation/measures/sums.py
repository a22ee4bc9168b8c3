"""Measures: the two sums whose ratio is a metric, and the contribution of one episode to them.

For a mean the lower sum counts episodes. Invalid episodes never enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from teller_gym.agents.base import Prices
from teller_gym.evaluation.records.episode import Episode, Status

Part = tuple[float, float]
"""One episode's contribution to a metric's numerator and denominator."""

AUTONOMY = "autonomy"
"""Branch that occurs only in records of office work."""

UNIT, GAP = (0.0, 1.0), (-1.0, 1.0)
"""Bounds of means."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Contribution of each episode to a metric.

    Attributes:
        part: returns it.
        share: True if the metric is a share of episodes or calls, which has Wilson's interval.
        bounds: of a task's value; None if it is unbounded.
    """

    part: Callable[[Episode], Part]
    share: bool = False
    bounds: tuple[float, float] | None = UNIT

    def __call__(self, episode: Episode) -> Part:
        return self.part(episode)


def valid(episodes: Iterable[Episode]) -> list[Episode]:
    """Return the episodes that count."""
    return [episode for episode in episodes if episode["status"] != Status.INVALID]


def is_office(episode: Episode) -> bool:
    """Return True if an episode is office work."""
    return AUTONOMY in episode["branches"]


def failed_instead(episode: Episode) -> Episode:
    """Return an episode, an invalid one as if the agent had failed it, for the second reading of a mean."""
    if episode["status"] != Status.INVALID:
        return episode
    return {
        **episode, "status": Status.FINISHED, "score": 0.0, "accurate": False, "success": False, "clean": False,
    }  # fmt: skip


def mean_of(measure: Callable[[Episode], float | None], bounds: tuple[float, float] | None = UNIT) -> Measure:
    """Return the mean over the episodes to which the measure applies; bounds: of its values."""
    return Measure(_means(measure), bounds=bounds)


def share_of(measure: Callable[[Episode], bool | None]) -> Measure:
    """Return the share of the episodes for which the measure is true, among those to which it applies."""
    return Measure(_means(measure), share=True)


def _means(measure: Callable[[Episode], float | None]) -> Callable[[Episode], Part]:
    def part(episode: Episode) -> Part:
        value = measure(episode)
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return part


def term(name: str) -> Measure:
    """Return the mean of one of the score's parts."""
    return mean_of(lambda episode: episode["reward_terms"].get(name))


def tokens(kind: str) -> Measure:
    """Mean tokens an episode, of the agents that count them; kind: prompt or completion."""
    return mean_of(lambda episode: None if episode["tokens"] is None else episode["tokens"][kind], bounds=None)


def cost(prices: Prices | None) -> Measure:
    """Mean cost of an episode in US dollars; says nothing where prices or tokens are unknown."""
    return mean_of(
        lambda one: None if prices is None or one["tokens"] is None else prices.of(one["tokens"]), bounds=None
    )
