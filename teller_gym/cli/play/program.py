"""Interface for programs that play a case, with one JSON object per line of input and output."""

from __future__ import annotations

import json
import sys
from typing import Any

from .case import Case
from .console import Lines

_EXPECTED = 'expected {"action": "<text>"} or {"name": "<tool>", "arguments": {...}}'


class ProtocolError(Exception):
    """Raised for a line that contains no action; it does not count as a step."""


class Program:
    """Case played by a program through standard input and output."""

    def __init__(self, case: Case, lines: Lines) -> None:
        self.case = case
        self._lines = lines

    def play(self) -> None:
        """Process lines until the case is over or the input ends."""
        case = self.case
        _write(
            type="start",
            env=case.env_id,
            task_id=case.task_id,
            seed=case.seed,
            stage=case.stage,
            max_steps=case.max_steps,
            observation=case.observation,
            messages=case.opening,
            tools=case.tools,
        )
        while not case.over and (line := self._lines.next()) is not None:
            if not line.strip():
                continue
            try:
                action = read_line(line)
            except ProtocolError as error:
                _write(type="error", message=str(error))
                continue
            answer = case.act(action)
            _write(
                type="step",
                step=len(case.history),
                observation=answer.observation,
                error=answer.error,
                over=case.over,
            )

    def end(self) -> None:
        """Write the current grade, which is null after a system failure."""
        case = self.case
        _write(type="end", over=case.over, out_of_steps=case.out_of_steps, failure=case.failure, grade=case.grade())


def read_line(line: str) -> str:
    """Return the action in a line.

    Raises:
        ProtocolError: the line contains no action.
    """
    if any("\udc80" <= character <= "\udcff" for character in line):
        raise ProtocolError(f"{_EXPECTED} in UTF-8, got bytes that are none")
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ProtocolError(f"{_EXPECTED}, got no JSON: {error}") from None
    except RecursionError:
        raise ProtocolError(f"{_EXPECTED}, got brackets nested too deeply") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"{_EXPECTED}, got JSON of another kind ({type(value).__name__})")
    if value.keys() == {"action"} and isinstance(value["action"], str):
        return value["action"]
    if (
        value.keys() == {"name", "arguments"}
        and isinstance(value["name"], str)
        and isinstance(value["arguments"], dict)
    ):
        return json.dumps(value, separators=(",", ":"))
    raise ProtocolError(f"{_EXPECTED}, got the keys {sorted(value)}, or values of other types")


def _write(**values: Any) -> None:
    sys.stdout.write(json.dumps(values, separators=(",", ":")) + "\n")
    sys.stdout.flush()
