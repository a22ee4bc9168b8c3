"""Progress display of a run on stderr, as one updated line on a terminal and occasional new lines in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from teller_gym.evaluation.runs.limits import Gate

_TERMINAL_S, _LOG_S = 0.2, 15.0
"""Minimum seconds between two updates, on a terminal and in a log."""


@dataclass(slots=True)
class _Stage:
    """Episode counts and total score in one stage."""

    total: int
    done: int = 0
    invalid: int = 0
    score: float = 0.0

    def mean(self) -> str:
        """Return text with the mean score, with and without invalid episodes.

        It is empty if no episode is valid.
        """
        valid = self.done - self.invalid
        if not valid:
            return ""
        second = f" ({self.score / self.done:.3f} with the invalid as failures)" if self.invalid else ""
        return f"mean score {self.score / valid:.3f}{second}"


class Progress:
    """Counts finished episodes by stage and prints the progress.

    Args:
        totals: number of episodes in each stage.
        before: scores of the valid episodes from earlier calls, by stage.
        gate: counts running episodes and used resources.
        shown: False to print nothing.
        stream: output stream, stderr by default.
    """

    def __init__(
        self,
        totals: Mapping[int, int],
        before: Mapping[int, Sequence[float]],
        gate: Gate,
        *,
        shown: bool = True,
        stream: TextIO | None = None,
    ) -> None:
        self._stages = {stage: _Stage(count) for stage, count in sorted(totals.items())}
        for stage, scores in before.items():
            self._stages[stage].done, self._stages[stage].score = len(scores), sum(scores)
        self._gate = gate
        self._stream = stream or sys.stderr
        self._shown = shown
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()
        self._last = float("-inf") if self._terminal else self._started
        self._before = self._done
        self._printed = self._cut_answers = self._cut_prompts = 0

    @property
    def _done(self) -> int:
        return sum(stage.done for stage in self._stages.values())

    def say(self, text: str) -> None:
        """Print a message on a separate line."""
        if self._shown:
            self._write(f"{text}\n")

    def count(self, score: float | None, stage: int, *, cut_answers: int = 0, cut_prompts: int = 0) -> None:
        """Count a finished episode; `score` is None if it is invalid."""
        mine = self._stages[stage]
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
        """Print the final state if any episode was played."""
        if self._shown and self._done > self._before:
            if self._terminal or self._printed < self._done:
                self._print(time.monotonic())
            if self._terminal:
                self._write("\n")

    def _print(self, now: float) -> None:
        self._printed = self._done
        spent, total = now - self._started, sum(stage.total for stage in self._stages.values())
        rest = spent / (self._done - self._before) * (total - self._done)
        invalid = sum(stage.invalid for stage in self._stages.values())
        parts = [
            f"{self._done}/{total} episodes",
            f"{self._gate.running} running" if self._gate.running else "",
            *self._scores(),
            f"{invalid} invalid" if invalid else "",
            _many(self._cut_answers, "answer cut by its token limit", "answers cut by their token limit"),
            _many(self._cut_prompts, "prompt cut by the server", "prompts cut by the server"),
            f"{_clock(spent)} spent",
            f"about {_clock(rest)} left" if self._done < total else "",
            f"{self._gate.usd:.2f} USD so far" if self._gate.usd else "",
        ]
        line = ", ".join(filter(None, parts))
        self._write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")

    def _scores(self) -> list[str]:
        """Return the mean score of each stage that has finished episodes, formatted for the progress line."""
        if len(self._stages) == 1:
            return [stage.mean() for stage in self._stages.values()]
        return [
            ", ".join(filter(None, (f"stage {number}: {stage.done}/{stage.total}", stage.mean())))
            for number, stage in self._stages.items()
            if stage.done
        ]

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # a full disk or a closed terminal must not end the run
            self._stream.write(text)
            self._stream.flush()


def _many(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}" if count else ""


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
