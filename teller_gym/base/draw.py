"""Random draws built on ``random.Random.random()``, the only stream that Python guarantees not to change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Seeded random generator; equal seeds give equal draws on every machine and Python version."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random
        self._ids: set[int] = set()

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self._random() < probability

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + int(self._random() * (high - low + 1))

    def real(self, low: float, high: float) -> float:
        """Return a number between ``low`` and ``high``."""
        return low + self._random() * (high - low)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, all equally likely."""
        return items[int(self._random() * len(items))]

    def weighted(self, items: Sequence[tuple[T, float]]) -> T:
        """Return one of the items, with probabilities in proportion to their weights."""
        point = self._random() * sum(weight for _, weight in items)
        for item, weight in items:
            point -= weight
            if point < 0:
                return item
        return items[-1][0]

    def steps(self, low: int, high: int, step: int) -> int:
        """Return a multiple of ``step`` between ``low`` and ``high``."""
        return self.integer(-(-low // step), high // step) * step

    def identifier(self, prefix: str) -> str:
        """Return an id that this generator has not returned before, such as ``LA-482913``."""
        while True:
            number = self.integer(100_000, 999_999)
            if number not in self._ids:
                self._ids.add(number)
                return f"{prefix}-{number}"

    def digits(self, count: int) -> str:
        """Return a string of ``count`` random digits."""
        return f"{self.integer(0, 10**count - 1):0{count}d}"

    def day(self, first: date, last: date) -> date:
        """Return a day from ``first`` to ``last``, both included."""
        return first + timedelta(days=self.integer(0, (last - first).days))
