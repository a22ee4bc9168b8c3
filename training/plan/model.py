"""Plan of a run as plain data: memory, tokens, hours and disk space of each phase."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

GIB = 2**30


@dataclass(frozen=True)
class Room:
    """Capacity of an engine's attention cache, over all cards that share a copy of the model.

    Attributes:
        tokens: capacity in tokens.
        mean: capacity in live episodes of mean length.
        longest: capacity in live episodes of ``model.total_tokens``.
        wanted: maximum number of simultaneous episodes.
    """

    tokens: int
    mean: int
    longest: int
    wanted: int


@dataclass(frozen=True)
class PlannedPhase:
    """Needs of one phase, or of a part of it.

    Attributes:
        memory: peak bytes by purpose on the fullest card; empty if the phase uses no card.
        tokens: tokens that pass through the model, over all cards.
        hours: total duration of all rounds.
        disk: bytes left in the run folder.
        passing: additional temporary bytes on disk.
        room: capacity of the attention cache, in phases that generate.
        problems: reasons why the phase cannot fit; empty if it fits.
    """

    name: str
    memory: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    hours: float = 0.0
    disk: int = 0
    passing: int = 0
    room: Room | None = None
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """Peak bytes on the fullest card."""
        return sum(self.memory.values())


@dataclass(frozen=True)
class Plan:
    """Plan of a whole run.

    Attributes:
        card_bytes: memory of a card that is available to programs.
        cards: number of cards on all nodes, including those that only generate.
        serving: number of cards that only generate.
        problems: problems of all phases, each with the phase's name, and of the run as a whole.
    """

    model: str
    parameters: int
    trained: int
    card: str
    card_bytes: int
    cards: int
    serving: int
    phases: tuple[PlannedPhase, ...]
    problems: tuple[str, ...] = ()

    @property
    def fits(self) -> bool:
        return not self.problems

    @property
    def needed(self) -> int:
        """Peak bytes on the fullest card."""
        return max(phase.needed for phase in self.phases)

    @property
    def hours(self) -> float:
        """Hours of the whole run."""
        return sum(phase.hours for phase in self.phases)

    @property
    def tokens(self) -> int:
        """Tokens of the whole run; rollouts count twice, for generation and for learning."""
        return sum(phase.tokens for phase in self.phases)

    @property
    def disk(self) -> int:
        """Maximum size of the run folder in bytes."""
        left = most = 0
        for phase in self.phases:
            left += phase.disk
            most = max(most, left + phase.passing)
        return most

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data for JSON, marked as planned rather than measured figures."""
        totals = {"fits": self.fits, "needed": self.needed, "hours": self.hours, "tokens": self.tokens}
        return {**asdict(self), **totals, "disk": self.disk, "figures": "planned"}
