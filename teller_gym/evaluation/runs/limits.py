"""Limits of a run.

Once one is reached, no further episode starts, while running ones are finished.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from teller_gym.agents.base import Prices
from teller_gym.agents.usage import add_counts
from teller_gym.base.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Resource limits of a run; None means unlimited.

    Attributes:
        tokens: tokens of all episodes, including those of earlier calls.
        usd: cost of all episodes, including those of earlier calls; requires an agent with prices.
        hours: wall time of this call.
    """

    tokens: int | None = None
    usd: float | None = None
    hours: float | None = None


class Gate:
    """Counts running episodes and used resources, and decides if another episode may start.

    Args:
        prices: prices of the agent's tokens, if known.
        clock: returns the time in seconds.

    Raises:
        OptionError: the cost is limited but the agent has no prices.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        prices: Prices | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits or Limits()
        self.prices = prices
        if self._limits.usd is not None and prices is None:
            raise OptionError("limits.usd: expected an agent with prices; give agent.price_prompt and price_completion")
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self.running = 0
        self.tokens: dict[str, int] = {"prompt": 0, "completion": 0}
        """Number of `prompt` and `completion` tokens, and of `cached` prompt tokens if an agent reports them."""
        self.reached: str | None = None
        """Description of the reached limit, or None."""

    def enter(self) -> bool:
        """Return True and count a running episode if another may start.

        `leave` has to be called when it ends.
        """
        with self._lock:
            self.reached = self.reached or self._exceeded()
            self.running += self.reached is None
            return self.reached is None

    def leave(self) -> None:
        with self._lock:
            self.running -= 1

    def use(self, tokens: Mapping[str, int] | None) -> None:
        """Add an episode's tokens to those used."""
        if tokens is not None:
            with self._lock:
                self.tokens = add_counts(self.tokens, tokens)

    @property
    def total(self) -> int:
        """Number of prompt and completion tokens; prompt tokens include cached ones."""
        return self.tokens["prompt"] + self.tokens["completion"]

    @property
    def usd(self) -> float | None:
        """Cost of the used tokens in US dollars, or None without prices."""
        return None if self.prices is None else self.prices.of(self.tokens)

    def _exceeded(self) -> str | None:
        limits, used = self._limits, self.total
        if limits.tokens is not None and used >= limits.tokens:
            return f"limits.tokens={limits.tokens} ({used} used)"
        if limits.usd is not None and (self.usd or 0.0) >= limits.usd:
            return f"limits.usd={limits.usd:g} ({self.usd:.2f} spent)"
        hours = (self._clock() - self._started) / 3600
        if limits.hours is not None and hours >= limits.hours:
            return f"limits.hours={limits.hours:g}"
        return None
