"""What a plan says: memory, tokens, hours and disk of each phase, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

GIB = 2**30


@dataclass(frozen=True)
class Room:
    """The attention cache of whatever generates, on one card or over the cards of one copy.

    Attributes:
        tokens: that it holds.
        mean: live episodes of mean length that it holds.
        longest: live episodes of ``model.total_tokens`` that it holds.
        wanted: episodes that are played at once, at most.
    """

    tokens: int
    mean: int
    longest: int
    wanted: int


@dataclass(frozen=True)
class PlannedPhase:
    """One phase of a run.

    Attributes:
        name: such as "grpo updates".
        memory: bytes by purpose on the fullest card, all at the same moment; empty if it uses none.
        tokens: that go through the model, over all cards.
        hours: that it takes, all of its rounds together.
        disk: bytes that it leaves in the run folder.
        passing: bytes on disk besides those while it runs.
        room: of the attention cache, in phases that generate.
        notes: in words.
        problems: why it cannot fit, in words; empty if it does.
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
        """Bytes on the fullest card."""
        return sum(self.memory.values())


@dataclass(frozen=True)
class Plan:
    """A whole run.

    Attributes:
        model: its name.
        parameters: of the model.
        trained: parameters that are trained.
        card: name of a card.
        card_bytes: memory of a card that programs can have.
        cards: of all nodes, those that only generate included.
        serving: of these, cards that only generate.
        phases: in their order.
        problems: those of all phases, each with the phase's name, and those of none.
        nearest: settings that make it fit, with the fewest changes; None if it fits, or nothing that was tried does.
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
    nearest: tuple[str, ...] | None = None

    @property
    def fits(self) -> bool:
        """Whether nothing was found that cannot be."""
        return not self.problems

    @property
    def needed(self) -> int:
        """Bytes that the fullest card holds at the fullest moment."""
        return max(phase.needed for phase in self.phases)

    @property
    def hours(self) -> float:
        """Of the whole run."""
        return sum(phase.hours for phase in self.phases)

    @property
    def tokens(self) -> int:
        """Of the whole run; rollouts count when they are drawn and when they are learned from."""
        return sum(phase.tokens for phase in self.phases)

    @property
    def disk(self) -> int:
        """Bytes that the run folder has at most."""
        left = most = 0
        for phase in self.phases:
            left += phase.disk
            most = max(most, left + phase.passing)
        return most

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON; every figure is planned, none is measured."""
        totals = {"fits": self.fits, "needed": self.needed, "hours": self.hours, "tokens": self.tokens}
        return {**asdict(self), **totals, "disk": self.disk, "figures": "planned"}
