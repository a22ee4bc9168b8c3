"""Measures, which give each episode's contributions to the numerator and denominator of a metric.

Each metric is a ratio of two sums over valid episodes; for a mean, the denominator counts episodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from teller_gym.agents.base import Prices
from teller_gym.evaluation.records.episode import Episode, Status

Part = tuple[float, float]
"""One episode's contribution to a metric's numerator and denominator."""

AUTONOMY = "autonomy"
"""Key in `branches` that only office work records have."""

UNIT, GAP = (0.0, 1.0), (-1.0, 1.0)
"""Bounds of averaged values."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Function that returns an episode's contribution to a metric.

    Attributes:
        part: computes an episode's contribution.
        share: True if the metric is a share of episodes or calls, for which Wilson's interval is used.
        bounds: bounds of a task's value; None if it is unbounded.
    """

    part: Callable[[Episode], Part]
    share: bool = False
    bounds: tuple[float, float] | None = UNIT

    def __call__(self, episode: Episode) -> Part:
        return self.part(episode)


def valid(episodes: Iterable[Episode]) -> list[Episode]:
    """Return the episodes whose status is not invalid."""
    return [episode for episode in episodes if episode["status"] != Status.INVALID]


def is_office(episode: Episode) -> bool:
    """Return True for an office work episode, which has an `autonomy` branch."""
    return AUTONOMY in episode["branches"]


def failed_instead(episode: Episode) -> Episode:
    """Return an invalid episode as if the agent had failed it, and any other episode unchanged."""
    if episode["status"] != Status.INVALID:
        return episode
    return {
        **episode, "status": Status.FINISHED, "score": 0.0, "accurate": False, "success": False, "clean": False,
    }  # fmt: skip


def mean_of(measure: Callable[[Episode], float | None], bounds: tuple[float, float] | None = UNIT) -> Measure:
    """Return a measure for the mean over the episodes for which `measure` is not None."""
    return Measure(_means(measure), bounds=bounds)


def share_of(measure: Callable[[Episode], bool | None]) -> Measure:
    """Return a measure for the share of episodes for which `measure` is true.

    Episodes for which it is None do not count.
    """
    return Measure(_means(measure), share=True)


def _means(measure: Callable[[Episode], float | None]) -> Callable[[Episode], Part]:
    def part(episode: Episode) -> Part:
        value = measure(episode)
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return part


def term(name: str) -> Measure:
    """Return a measure for the mean of one of the reward terms."""
    return mean_of(lambda episode: episode["reward_terms"].get(name))


def tokens(kind: str) -> Measure:
    """Return a measure for the mean number of `prompt` or `completion` tokens per episode, if agents count them."""
    return mean_of(lambda episode: None if episode["tokens"] is None else episode["tokens"][kind], bounds=None)


def cost(prices: Prices | None) -> Measure:
    """Return a measure for the mean cost per episode in US dollars.

    It has no value if prices or tokens are unknown.
    """
    return mean_of(
        lambda one: None if prices is None or one["tokens"] is None else prices.of(one["tokens"]), bounds=None
    )
