"""Progress of long work on stderr: one line that is rewritten on a terminal, now and then a new line elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from teller_gym.evaluation.runs.limits import Gate

_TERMINAL_S = 0.2
_RATES_FROM_S = 2.0
"""Seconds from which on it says something how much an hour takes."""
_ONLY = 2
"""Stage under which a run is counted if its stages are not given."""
_LOG_S = 15.0
"""Seconds between two lines; a log file should not drown in them."""


@dataclass(slots=True)
class _Stage:
    """Counts of one stage."""

    total: int = 0
    done: int = 0
    invalid: int = 0
    score: float = 0.0

    def mean(self) -> str:
        """Return the mean score in words, with a second reading if episodes are invalid; empty if none is valid."""
        valid = self.done - self.invalid
        if not valid:
            return ""
        second = f" ({self.score / self.done:.3f} with the invalid as failures)" if self.invalid else ""
        return f"mean score {self.score / valid:.3f}{second}"


class Progress:
    """Counts episodes by stage.

    Args:
        total: episodes of the run, or of each stage.
        before: scores of the valid episodes that an earlier call played, or those of each stage.
        gate: counts running episodes and used resources.
        shown: False prints nothing.
        stream: stderr unless given.
    """

    def __init__(
        self,
        total: int | Mapping[int, int],
        *,
        before: Sequence[float] | Mapping[int, Sequence[float]] = (),
        gate: Gate | None = None,
        shown: bool = True,
        stream: TextIO | None = None,
    ) -> None:
        totals = total if isinstance(total, Mapping) else {_ONLY: total}
        scores = before if isinstance(before, Mapping) else {_ONLY: before}
        self._stages = {stage: _Stage(count) for stage, count in sorted(totals.items())}
        for stage, found in scores.items():
            self._stages[stage].done, self._stages[stage].score = len(found), sum(found)
        self._total = sum(totals.values())
        self._gate = gate
        self._used = (0, 0.0) if gate is None else _usage(gate)
        self._stream = stream or sys.stderr
        self._shown = shown
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()
        self._last = float("-inf") if self._terminal else self._started
        self._before = self._done
        self._printed = 0
        self._cut_answers = self._cut_prompts = 0

    @property
    def _done(self) -> int:
        return sum(stage.done for stage in self._stages.values())

    def say(self, text: str) -> None:
        """Print a line of its own."""
        if self._shown:
            self._write(f"{text}\n")

    def count(
        self, score: float | None, stage: int | None = None, *, cut_answers: int = 0, cut_prompts: int = 0
    ) -> None:
        """Count one episode; score None: it was invalid. stage: for a run with several.

        Args:
            cut_answers, cut_prompts: of the episode.
        """
        mine = self._stages[stage] if stage is not None else next(iter(self._stages.values()))
        mine.done += 1
        mine.invalid += score is None
        mine.score += score or 0.0
        self._cut_answers += cut_answers
        self._cut_prompts += cut_prompts
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
        parts = [f"{self._done}/{self._total} episodes"]
        parts += [f"{self._gate.running} running"] if self._gate and self._gate.running else []
        parts += self._scores()
        invalid = sum(stage.invalid for stage in self._stages.values())
        parts += [f"{invalid} invalid"] if invalid else []
        parts += [_many(self._cut_answers, "answer cut by its token limit", "answers cut by their token limit")]
        parts += [_many(self._cut_prompts, "prompt cut by the server", "prompts cut by the server")]
        parts = [part for part in parts if part]
        parts += [f"{_clock(spent)} spent"] + ([f"about {_clock(rest)} left"] if self._done < self._total else [])
        line = ", ".join([*parts, *self._rates(spent)])
        self._write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")

    def _scores(self) -> list[str]:
        """Return the mean score of each stage that has one."""
        if len(self._stages) == 1:
            return [stage.mean() for stage in self._stages.values()]
        return [
            f"stage {number}: {stage.done}/{stage.total}" + (f", {mean}" if (mean := stage.mean()) else "")
            for number, stage in self._stages.items()
            if stage.done
        ]

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # a log on a full disk, or a terminal that is gone, ends no run
            self._stream.write(text)
            self._stream.flush()

    def _rates(self, spent: float) -> list[str]:
        """Return the cost of the whole run so far, and tokens and cost per hour of this call."""
        if self._gate is None:
            return []
        total = [f"{self._gate.usd:.2f} USD so far"] if self._gate.usd else []
        return total + self._an_hour(self._gate, spent)

    def _an_hour(self, gate: Gate, spent: float) -> list[str]:
        if spent < _RATES_FROM_S:
            return []
        (tokens, usd), (tokens_before, usd_before) = _usage(gate), self._used
        an_hour = 3600 / spent
        used = (tokens - tokens_before) * an_hour
        rates = [f"{used / 1e6:,.1f} M tokens/h" if used >= 1e6 else f"{used:,.0f} tokens/h"] if used else []
        return rates + ([f"{(usd - usd_before) * an_hour:.2f} USD/h"] if usd > usd_before else [])


def _usage(gate: Gate) -> tuple[int, float]:
    return gate.total, gate.usd or 0.0


def _many(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}" if count else ""


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
