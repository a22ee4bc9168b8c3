"""Formatting of texts, results and grades for a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Mapping
from typing import Any

import msgspec

_INDENT = re.compile(r"\s*(?:[-*] )?")
_NARROWEST = 40


def columns() -> int:
    """Return the width of the terminal in characters, or 80 if there is no terminal."""
    return max(_NARROWEST, shutil.get_terminal_size().columns)


def wrap(text: str, width: int, hang: str = "") -> str:
    """Wrap each line of a text to a width.

    Continuation lines are indented by ``hang`` or, if it is empty, like the line's first word.
    """
    return "\n".join(_fold(line, width, hang) for line in text.split("\n"))


def _fold(line: str, width: int, hang: str) -> str:
    if len(line) <= width or line.startswith("|"):  # rows of tables are not wrapped
        return line
    indent = _INDENT.match(line)
    under = hang or " " * min(len(indent[0]) if indent else 0, width // 2)
    return textwrap.fill(
        line, width, subsequent_indent=under, replace_whitespace=False, break_on_hyphens=False, tabsize=4
    )


def result_text(result: str, width: int) -> str:
    """Format a tool's result, with a JSON object on one line if it fits, otherwise with one line per field or row.

    The output is valid JSON with numbers as they were written. A result that is not a JSON object is wrapped as text.
    """
    try:
        fields = msgspec.json.decode(result, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return wrap(result, width)
    one_line = _in_a_line(result)
    if len(one_line) <= width:
        return one_line
    lines = []
    for name, raw in fields.items():
        value = _in_a_line(bytes(raw).decode())
        rows = msgspec.json.decode(value, type=list[msgspec.Raw]) if value.startswith("[{") else []
        if rows:
            value = ",\n".join(f"    {_in_a_line(bytes(row).decode())}" for row in rows)
            value = f"[\n{value}\n  ]"
        lines.append(f"  {msgspec.json.encode(name).decode()}: {value}")
    return "\n".join(["{", ",\n".join(lines), "}"])


def call_text(action: str) -> str:
    """Format an action as it was sent, with spaces added if it is JSON."""
    try:
        msgspec.json.decode(action, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return action
    return _in_a_line(action)


def _in_a_line(value: str) -> str:
    return msgspec.json.format(value, indent=0)


def grade_text(grade: Mapping[str, Any], width: int) -> str:
    """Format a grade with score, reward terms, checkpoints with reasons, errors and collateral damage."""
    terms = "  ".join(f"{name} {value:.3f}" for name, value in grade["reward_terms"].items())
    lines = [f"score {grade['score']:.3f}, {'success' if grade['success'] else 'no success'}", wrap(terms, width), ""]
    rows = grade["checkpoints"]
    label = max((len(row["checkpoint"]) for row in rows), default=0)
    for row in rows:
        passed = "passed" if row["passed"] else "missed"
        lines.append(wrap(f"{passed}  {row['checkpoint']:{label}}  {row['reason']}", width, " " * 10))
    if grade["errors"]:
        errors = ", ".join(f"{kind} {count}" for kind, count in grade["errors"].items())
        lines += ["", wrap(f"errors: {errors}", width)]
    lines += [wrap(f"collateral damage: {what}", width) for what in grade["collateral"]]
    return "\n".join(lines)
