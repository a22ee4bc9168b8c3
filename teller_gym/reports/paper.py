"""Results in the paper's tables 2 to 6, stored in `paper.json` with this package's metric names."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Source(msgspec.Struct, frozen=True):
    """Source of the results, and a note on their comparability."""

    title: str
    kind: str
    tables: str
    comparable: str


class Complexity(msgspec.Struct, frozen=True):
    """Row of table 4, with the size of a scenario's graph and the mean accuracy of all models."""

    nodes: int
    edges: int
    density: float
    accuracy: float
    output_fields: int


class Paper(msgspec.Struct, frozen=True):
    """Results of the paper, with shares and scores from 0 to 1."""

    source: Source
    tiers: dict[str, str]
    """Label of each model tier."""
    models: dict[str, str]
    """Tier of each model, in the paper's order."""
    averages: dict[str, dict[str, float]]
    """Table 2: metrics of each model over both stages."""
    scenarios: dict[str, dict[str, dict[str, float]]]
    """Table 3: metrics of each model in each scenario."""
    complexity: dict[str, Complexity]
    """Table 4, by scenario."""
    errors: dict[str, dict[str, float]]
    """Table 5: share of instances with each type of error, by model."""
    gaps: dict[str, dict[str, float]]
    """Table 6: tool precision and recall of each tier."""
    correlations: dict[str, float]
    """Pearson's r between each stage 1 metric and accuracy, over the models."""

    @property
    def scenario_names(self) -> list[str]:
        """Scenarios in the paper's order."""
        return list(self.complexity)

    def of_tier(self, tier: str) -> list[str]:
        """Return the models in a tier, in the paper's order."""
        return [model for model, its in self.models.items() if its == tier]


@cache
def paper() -> Paper:
    """Load the paper's results."""
    return msgspec.json.decode(resources.files(__package__).joinpath("paper.json").read_bytes(), type=Paper)
