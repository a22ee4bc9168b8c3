"""Engines that generate the model's turns in a round of rollouts.

Turns are submitted one by one and returned as they end.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.agents.sampling import Sampler, Turn


@dataclass(frozen=True)
class Draws:
    """Sampling settings for turns.

    Attributes:
        end: token that ends a turn.
        temperature: sampling temperature; 0 takes the likeliest token.
        seed: seed for sampling; a turn depends on it, the slot and the turn's number.
        top_p: total probability of the likeliest tokens to sample from; 1 samples from all.
    """

    end: int
    temperature: float
    seed: int
    top_p: float = 1.0

    def seed_of(self, slot: int, turn: int) -> int:
        """Return the seed for one turn, with 63 bits."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{slot}/{turn}".encode()).digest()[:8], "big") >> 1


class Engine(ABC):
    """Continues conversations given as token ids, each in its own slot.

    `begin` and `end` enclose a round. Within a round no process waits for another, so that processes may play different
    numbers of turns.
    """

    def begin(self) -> None:  # noqa: B027 (an engine may have nothing to do)
        """Prepare for a round, and load the current weights once."""

    @abstractmethod
    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """Request the next turn of a conversation that has no pending turn.

        Args:
            slot: slot of the conversation.
            context: all tokens of the conversation so far.
            max_new: maximum tokens of the turn.
        """

    @abstractmethod
    def wait(self) -> list[tuple[int, Turn]]:
        """Return slots and turns that have ended since the last call.

        At least one is returned while any turn is pending.

        Raises:
            InfrastructureError: the engine failed.
        """

    def end(self) -> None:  # noqa: B027
        """End the round, and discard pending turns and all state."""


class BatchEngine(Engine):
    """Engine that wraps a batch sampler.

    All submitted turns are sampled together and wait for the longest.
    """

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._asked: dict[int, Sequence[int]] = {}
        self._max_new = 0

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        self._asked[slot], self._max_new = context, max_new

    def wait(self) -> list[tuple[int, Turn]]:
        """Sample all submitted turns and return them in the order of their slots."""
        slots = sorted(self._asked)
        contexts = [self._asked[slot] for slot in slots]
        self._asked.clear()
        if not slots:
            return []
        return list(zip(slots, self._sampler.sample(slots, contexts, self._max_new), strict=True))

    def end(self) -> None:
        """Reset the sampler's state at the end of the round."""
        self._asked.clear()
        self._sampler.forget()


def as_engine(sampler: Sampler | Engine) -> Engine:
    """Return an engine unchanged, or wrap a sampler in a `BatchEngine`."""
    return sampler if isinstance(sampler, Engine) else BatchEngine(sampler)
