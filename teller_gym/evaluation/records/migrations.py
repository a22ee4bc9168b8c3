"""Converts records of earlier formats to the present one.

Records of format 2 are read only to be regraded: the meaning of `success` has changed since, so their figures are not
comparable with today's. Records of format 3 have the same content as today's in other types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from teller_gym.base.errors import ErrorKind
from teller_gym.evaluation.records.episode import FORMAT, Episode

EARLIER = 2
UNTYPED = 3
"""Format whose records keep faults' values and calls' arguments in their own types, which differ from line to line."""

ADDED = frozenset({"accurate", "clean", "faults"})
"""Keys that a record of format 2 does not have."""


def brought_up(record: dict[str, Any]) -> Episode:
    """Return a record of format 2 or 3 in the present format; for format 2, without faults, which it did not record.

    Raises:
        LookupError, TypeError, AttributeError: it is no such record.
    """
    graded = _graded(record) if record["format"] == EARLIER else {}
    found: dict[str, Any] = {**record, **graded, "format": FORMAT}
    found["faults"] = [
        {**fault, "expected": json_text(fault["expected"]), "got": json_text(fault["got"])} for fault in found["faults"]
    ]
    found["messages"] = wired(found["messages"])
    return found  # type: ignore[return-value]


def _graded(record: Mapping[str, Any]) -> dict[str, Any]:
    fields = [row["passed"] for row in record["checkpoints"] if row["checkpoint"].startswith("field:")]
    failed = any(kind != ErrorKind.TEMPORARY for kind in record["error_counts"])
    return {
        "accurate": record["success"] or (bool(fields) and all(fields)),
        "clean": record["success"] and not failed,
        "faults": [],
    }


def json_text(value: Any) -> str | None:
    """Return a value as JSON text, so that every value has the same type; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def wired(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a chat with calls' arguments as JSON text, as in OpenAI's format."""
    found = []
    for message in messages:
        calls = message.get("tool_calls")
        found.append({**message, "tool_calls": [_wired_call(call) for call in calls]} if calls else dict(message))
    return found


def _wired_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    given = function.get("arguments")
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": text}}
