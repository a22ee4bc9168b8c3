"""Complexity of a scenario's graph, and the measurements correlated with it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS


@dataclass(frozen=True, slots=True)
class GraphSize:
    """The size of a scenario's graph, and the number of output fields of its review."""

    nodes: int
    edges: int
    output_fields: int

    @property
    def density(self) -> float:
        """Share of the ordered pairs of nodes that are edges."""
        return self.edges / (self.nodes * (self.nodes - 1)) if self.nodes > 1 else 0.0


def graph_size(scenario: str) -> GraphSize | None:
    """Measure a scenario's own graph; None where the scenario is not installed."""
    if scenario not in SCENARIOS:
        return None
    loaded = load_scenario(scenario)
    return GraphSize(len(loaded.graph.nodes), len(loaded.graph.edges), len(loaded.output_fields))


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's r; None of fewer than three points, or where either is the same everywhere."""
    if len(xs) < 3 or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)
