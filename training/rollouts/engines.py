"""What draws the model's turns during a round of rollouts: turns are handed in one by one and come back as they end."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.agents.sampling import Sampler, Turn


@dataclass(frozen=True)
class Draws:
    """How turns are drawn.

    Attributes:
        end: token that ends a turn.
        temperature: 0 takes the likeliest token.
        seed: each turn is drawn from it, the slot and the number of the turn.
        top_p: draw from the likeliest tokens that make up this share of the probability; 1 draws from all.
    """

    end: int
    temperature: float
    seed: int
    top_p: float = 1.0

    def seed_of(self, slot: int, turn: int) -> int:
        """Seed of one turn, in 63 bits."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{slot}/{turn}".encode()).digest()[:8], "big") >> 1


@dataclass
class Reads:
    """Tokens that an engine was given to continue, over all turns of its rounds.

    Attributes:
        given: tokens of the contexts.
        cached: how many of them it had read before; None if it does not tell.
    """

    given: int = 0
    cached: int | None = 0

    def add(self, given: int, cached: int | None) -> None:
        """Count one turn."""
        self.given += given
        self.cached = None if self.cached is None or cached is None else self.cached + cached


class Engine(ABC):
    """Continues conversations given as token ids; those of one round have slots of their own.

    `begin` and `end` enclose a round. Between them no process waits for another, so that processes may play unequal
    numbers of turns.
    """

    def __init__(self) -> None:
        self.reads = Reads()

    def begin(self) -> None:  # noqa: B027 (an engine may have nothing to do)
        """Make ready for a round: the current weights are loaded once, here."""

    @abstractmethod
    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """Ask for the next turn of a conversation.

        Args:
            slot: which conversation it is; it has no other turn under way.
            context: all tokens of the conversation so far.
            max_new: cap on the tokens of the turn.
        """

    @abstractmethod
    def wait(self) -> list[tuple[int, Turn]]:
        """Return the slots and turns that have ended since: at least one while any is under way.

        Raises:
            InfrastructureError: the engine broke.
        """

    def end(self) -> None:  # noqa: B027
        """End the round: drop what is still under way, and all state."""


class BatchEngine(Engine):
    """A sampler that takes batches: all turns that were handed in are drawn together, and wait for the longest."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._asked: dict[int, Sequence[int]] = {}
        self._max_new = 0

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """See `Engine.submit`; the cap is that of the whole batch."""
        self._asked[slot], self._max_new = context, max_new

    def wait(self) -> list[tuple[int, Turn]]:
        """Return all turns, in the order of their slots."""
        slots = sorted(self._asked)
        contexts = [self._asked[slot] for slot in slots]
        self._asked.clear()
        if not slots:
            return []
        before = self._reused
        turns = self._sampler.sample(slots, contexts, self._max_new)
        known = before is not None and self._reused is not None
        self.reads.add(sum(map(len, contexts)), (self._reused or 0) - (before or 0) if known else None)
        return list(zip(slots, turns, strict=True))

    @property
    def _reused(self) -> int | None:
        """Tokens that the sampler did not have to read again since it was made; None if it does not count."""
        return getattr(self._sampler, "reused", None)

    def end(self) -> None:
        """Let the sampler forget the round."""
        self._asked.clear()
        self._sampler.forget()


def as_engine(sampler: Sampler | Engine) -> Engine:
    """Return an engine as it is, a sampler as a `BatchEngine`."""
    return sampler if isinstance(sampler, Engine) else BatchEngine(sampler)
