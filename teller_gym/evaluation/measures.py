"""What a metric is made of: what one episode adds to the two sums whose ratio it is.

For a mean the lower sum counts episodes. Invalid episodes never enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from teller_gym.agents.base import Prices
from teller_gym.evaluation.episodes import Episode, Status

Part = tuple[float, float]
"""What one episode adds to a metric's numerator and denominator."""

Measure = Callable[[Episode], Part]


def valid(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes that count."""
    return [episode for episode in episodes if episode["status"] != Status.INVALID]


def mean_of(measure: Callable[[Episode], float | None]) -> Measure:
    """A mean over the episodes of which the measure says anything."""

    def part(episode: Episode) -> Part:
        value = measure(episode)
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return part


def term(name: str) -> Measure:
    """The mean of one of the score's parts."""
    return mean_of(lambda episode: episode["reward_terms"].get(name))


def tokens(kind: str) -> Measure:
    """Mean tokens an episode, of the agents that count them; kind: prompt or completion."""
    return mean_of(lambda episode: None if episode["tokens"] is None else episode["tokens"][kind])


def cost(prices: Prices | None) -> Measure:
    """Mean cost of an episode in US dollars; says nothing where prices or tokens are unknown."""
    return mean_of(lambda one: None if prices is None or one["tokens"] is None else prices.of(one["tokens"]))
