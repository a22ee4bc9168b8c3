"""The paper's measurements: its tables 2 to 6, which ship in `paper.json` under this package's names of metrics."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Source(msgspec.Struct, frozen=True):
    """Source of the figures, and how far they can be compared."""

    title: str
    kind: str
    tables: str
    comparable: str


class Complexity(msgspec.Struct, frozen=True):
    """A row of table 4: a scenario's graph and the mean accuracy of all models on it."""

    nodes: int
    edges: int
    density: float
    accuracy: float
    output_fields: int


class Paper(msgspec.Struct, frozen=True):
    """The paper's figures; shares and scores from 0 to 1."""

    source: Source
    tiers: dict[str, str]
    """Label of each tier of models."""
    models: dict[str, str]
    """The tier of each model, models in the paper's order."""
    averages: dict[str, dict[str, float]]
    """Table 2: metrics of each model over both stages."""
    scenarios: dict[str, dict[str, dict[str, float]]]
    """Table 3: metrics of each model in each scenario."""
    complexity: dict[str, Complexity]
    """Table 4, by scenario."""
    errors: dict[str, dict[str, float]]
    """Table 5: share of the instances that show each error, by model."""
    gaps: dict[str, dict[str, float]]
    """Table 6: tool precision and recall of each tier."""
    correlations: dict[str, float]
    """Pearson's r of a metric of stage 1 with the accuracy, over the models."""

    @property
    def scenario_names(self) -> list[str]:
        """The scenarios in the paper's order."""
        return list(self.complexity)

    def of_tier(self, tier: str) -> list[str]:
        """Return the models of a tier."""
        return [model for model, its in self.models.items() if its == tier]


@cache
def paper() -> Paper:
    """Return the paper's figures."""
    return msgspec.json.decode(resources.files(__package__).joinpath("paper.json").read_bytes(), type=Paper)
