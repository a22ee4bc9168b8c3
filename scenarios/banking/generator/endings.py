"""The endings that cases are planned to have, read from ``planned_endings.yaml`` beside a generator."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Solution


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way in which a case may end.

    Attributes:
        weight: how often it is planned, in proportion to the others of its kind.
        decision: the decision of such a case.
        reasons: the reasons that it may have; any if empty.
        branches: outcomes of decision points that it has.
        tag: its name among the endings of all kinds; the name itself if empty.
    """

    weight: float
    decision: str
    reasons: tuple[str, ...] = ()
    branches: dict[str, str] = {}
    tag: str = ""

    def is_met_by(self, solution: Solution, reason: str = "") -> bool:
        """Return True if a case with this solution and this reason has this ending."""
        return (
            solution.outputs["decision"] == self.decision
            and (not self.reasons or reason in self.reasons)
            and all(solution.branches[point] == outcome for point, outcome in self.branches.items())
        )


class PlannedEndings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The endings by kind of request and name, and the weights of the kinds if there are several."""

    endings: dict[str, dict[str, Ending]]
    kinds: dict[str, float] = {}

    def draw_kind(self, draw: Draw) -> str:
        """Draw a kind of request."""
        return draw.weighted(list(self.kinds.items()))

    def draw_ending(self, draw: Draw, kind: str) -> str:
        """Draw the name of an ending of a kind."""
        return draw.weighted([(name, ending.weight) for name, ending in self.endings[kind].items()])


@cache
def planned_endings(package: str) -> PlannedEndings:
    """Return the endings that the generator in a package plans."""
    text = resources.files(package).joinpath("planned_endings.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=PlannedEndings)
