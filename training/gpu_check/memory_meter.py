"""Memory use of a card during a check: peaks for each part of a phase, and a placeholder for vLLM's share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from teller_gym.training.plan.model import GIB
from teller_gym.training.processes.isolate import give_back


def allocate(count: int) -> Any:
    """Allocate bytes on the card, or in main memory if there is no card."""
    return torch.empty(count, dtype=torch.uint8, device="cuda" if torch.cuda.is_available() else "cpu")


class Share:
    """Allocates the ``count`` bytes that vLLM would take on a card.

    Releases them between rounds if ``sleeps`` is true.
    """

    def __init__(self, count: int, sleeps: bool) -> None:
        self.count, self.sleeps = count, sleeps
        self.held: Any = None

    def begin(self) -> None:
        """Allocate the share for a round.

        Raises:
            torch.OutOfMemoryError: the share does not fit beside the trainer's memory.
        """
        if self.count and self.held is None:
            self.held = allocate(self.count)

    def end(self) -> None:
        """Release the share after a round, if ``sleeps`` is true."""
        if self.sleeps:
            self.close()

    def close(self) -> None:
        if self.held is not None:
            self.held = None
            give_back()


class Meter:
    """Measures a card's memory peaks, separately for rollouts and for everything else.

    Does nothing without a card.
    """

    def __init__(self, share: Share) -> None:
        self.share = share
        self.peaks: dict[str, tuple[float, float]] = {}
        """GiB allocated and reserved by torch for each part, ``rollouts`` or ``updates``."""
        self.rounds_seconds = 0.0
        """Seconds spent in rollout rounds."""
        self._reset()

    @contextmanager
    def round(self) -> Iterator[None]:
        """Measure the block as a rollout round, with vLLM's share allocated."""
        begun = time.perf_counter()
        self.mark("updates")
        try:
            self.share.begin()
            yield
        finally:
            self.share.end()
            self.mark("rollouts")
            self.rounds_seconds += time.perf_counter() - begun

    def mark(self, part: str) -> None:
        """Assign the peak since the last call to a part."""
        if torch.cuda.is_available():
            now = torch.cuda.max_memory_allocated() / GIB, torch.cuda.max_memory_reserved() / GIB
            before = self.peaks.get(part, (0.0, 0.0))
            self.peaks[part] = max(before[0], now[0]), max(before[1], now[1])
        self._reset()

    def _reset(self) -> None:
        if torch.cuda.is_available():
            # Otherwise cached memory would count as reserved in the next part.
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
