"""Engines that draw the model's turns in a round of rollouts: turns are submitted one by one and returned as they
end."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.agents.sampling import Sampler, Turn


@dataclass(frozen=True)
class Draws:
    """Sampling settings of turns.

    Attributes:
        end: the token that ends a turn.
        temperature: 0 takes the likeliest token.
        seed: seed of the draws; a turn depends on it, the slot and the turn's number.
        top_p: probability mass of the likeliest tokens that are drawn from; 1 draws from all.
    """

    end: int
    temperature: float
    seed: int
    top_p: float = 1.0

    def seed_of(self, slot: int, turn: int) -> int:
        """Return the seed of one turn, in 63 bits."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{slot}/{turn}".encode()).digest()[:8], "big") >> 1


class Engine(ABC):
    """Continues conversations given as token ids; each conversation of a round has its own slot.

    `begin` and `end` enclose a round. In between no process waits for another, so that processes may play different
    numbers of turns.
    """

    def begin(self) -> None:  # noqa: B027 (an engine may have nothing to do)
        """Prepare for a round: the current weights are loaded once, here."""

    @abstractmethod
    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """Request the next turn of a conversation, which must have no pending one: at most ``max_new`` tokens after
        the ``context``, all its tokens so far."""

    @abstractmethod
    def wait(self) -> list[tuple[int, Turn]]:
        """Return the slots and turns that have ended since the last call: at least one while any is pending.

        Raises:
            InfrastructureError: the engine failed.
        """

    def end(self) -> None:  # noqa: B027
        """End the round: drop pending turns and all state."""


class BatchEngine(Engine):
    """Engine around a sampler of batches: all submitted turns are drawn together and wait for the longest."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._asked: dict[int, Sequence[int]] = {}
        self._max_new = 0

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        self._asked[slot], self._max_new = context, max_new

    def wait(self) -> list[tuple[int, Turn]]:
        """Sample all submitted turns; return them in the order of their slots."""
        slots = sorted(self._asked)
        contexts = [self._asked[slot] for slot in slots]
        self._asked.clear()
        if not slots:
            return []
        return list(zip(slots, self._sampler.sample(slots, contexts, self._max_new), strict=True))

    def end(self) -> None:
        """Reset the sampler's state of the round."""
        self._asked.clear()
        self._sampler.forget()


def as_engine(sampler: Sampler | Engine) -> Engine:
    """Return an engine unchanged, a sampler as a `BatchEngine`."""
    return sampler if isinstance(sampler, Engine) else BatchEngine(sampler)
