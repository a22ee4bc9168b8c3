"""Progress of long work on stderr: one line that is rewritten on a terminal, now and then a new line elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from teller_gym.evaluation.gate import Gate

_TERMINAL_S = 0.2
_RATES_FROM_S = 2.0
"""Seconds from which on it says something how much an hour takes."""
_LOG_S = 15.0
"""Seconds between two lines; a log file should not drown in them."""


class Progress:
    """Counts episodes.

    before: scores of the valid episodes that an earlier call played. gate: knows what is running and what was used.
    shown: False keeps silent. stream: stderr unless given.
    """

    def __init__(
        self,
        total: int,
        *,
        before: Sequence[float] = (),
        gate: Gate | None = None,
        shown: bool = True,
        stream: TextIO | None = None,
    ) -> None:
        self._total = total
        self._gate = gate
        self._used = (0, 0.0) if gate is None else _usage(gate)
        self._stream = stream or sys.stderr
        self._shown = shown
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()
        self._last = float("-inf") if self._terminal else self._started
        self._before = self._done = len(before)
        self._printed = 0
        self._invalid = 0
        self._score = sum(before)

    def say(self, text: str) -> None:
        """Print a line of its own."""
        if self._shown:
            self._write(f"{text}\n")

    def count(self, score: float | None) -> None:
        """Count one episode; score None: it was invalid."""
        self._done += 1
        self._invalid += score is None
        self._score += score or 0.0
        now = time.monotonic()
        if self._shown and (now - self._last >= (_TERMINAL_S if self._terminal else _LOG_S)):
            self._last = now
            self._print(now)

    def close(self) -> None:
        """Print the final state."""
        if self._shown and self._done > self._before:
            if self._terminal or self._printed < self._done:
                self._print(time.monotonic())
            if self._terminal:
                self._write("\n")

    def _print(self, now: float) -> None:
        self._printed = self._done
        spent = now - self._started
        rest = spent / (self._done - self._before) * (self._total - self._done)
        valid = self._done - self._invalid
        parts = [f"{self._done}/{self._total} episodes"]
        parts += [f"{self._gate.running} running"] if self._gate and self._gate.running else []
        parts += [f"mean score {self._score / valid:.3f}"] if valid else []
        parts += [f"{self._invalid} invalid"] if self._invalid else []
        parts += [f"{_clock(spent)} spent"] + ([f"about {_clock(rest)} left"] if self._done < self._total else [])
        line = ", ".join([*parts, *self._rates(spent)])
        self._write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # a log on a full disk, or a terminal that is gone, ends no run
            self._stream.write(text)
            self._stream.flush()

    def _rates(self, spent: float) -> list[str]:
        """Tokens and money an hour of this call."""
        if self._gate is None or spent < _RATES_FROM_S:
            return []
        (tokens, usd), (tokens_before, usd_before) = _usage(self._gate), self._used
        an_hour = 3600 / spent
        used = (tokens - tokens_before) * an_hour
        rates = [f"{used / 1e6:,.1f} M tokens/h" if used >= 1e6 else f"{used:,.0f} tokens/h"] if used else []
        return rates + ([f"{(usd - usd_before) * an_hour:.2f} USD/h"] if usd > usd_before else [])


def _usage(gate: Gate) -> tuple[int, float]:
    return sum(gate.tokens.values()), gate.usd or 0.0


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
