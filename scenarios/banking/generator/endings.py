"""Planned endings of cases, read from ``planned_endings.yaml`` beside a generator."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Solution


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ending that a case may be planned to have.

    Attributes:
        weight: relative frequency among the endings of the same kind.
        decision: decision of a case with this ending.
        reasons: allowed reasons; any if empty.
        branches: required outcomes of decision points.
        tag: name among the endings of all kinds; the key itself if empty.
    """

    weight: float
    decision: str
    reasons: tuple[str, ...] = ()
    branches: dict[str, str] = {}
    tag: str = ""

    def is_met_by(self, solution: Solution, reason: str = "") -> bool:
        """Return True if a solution with this reason has the ending."""
        return (
            solution.outputs["decision"] == self.decision
            and (not self.reasons or reason in self.reasons)
            and all(solution.branches[point] == outcome for point, outcome in self.branches.items())
        )


class PlannedEndings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings by kind of request and name, with the weights of the kinds if there are several."""

    endings: dict[str, dict[str, Ending]]
    kinds: dict[str, float] = {}

    def draw_kind(self, draw: Draw) -> str:
        """Draw a kind of request by its weight."""
        return draw.weighted(list(self.kinds.items()))

    def draw_ending(self, draw: Draw, kind: str) -> str:
        """Draw the name of one of a kind's endings by its weight."""
        return draw.weighted([(name, ending.weight) for name, ending in self.endings[kind].items()])


@cache
def planned_endings(package: str) -> PlannedEndings:
    """Return the planned endings of a generator's package."""
    text = resources.files(package).joinpath("planned_endings.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=PlannedEndings)
