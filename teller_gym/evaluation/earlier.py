"""Records of formats before the present one, brought up to it.

Those of format 2 are only read to be regraded: what `success` means has changed since, so their figures do not belong
beside those of today. Those of format 3 say the same as today's in other types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from teller_gym.base.errors import ErrorKind
from teller_gym.evaluation.episodes import FORMAT, Episode

EARLIER = 2
UNTYPED = 3
"""Format whose records have faults' values and calls' arguments as whatever they are, so that types differ by line."""

ADDED = frozenset({"accurate", "clean", "faults"})
"""Keys that a record of format 2 does not have."""


def brought_up(record: dict[str, Any]) -> Episode:
    """Return a record of format 2 or 3 as one of the present; of format 2, faults it cannot know of.

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
    """Return a value as JSON text, so that it has one type whatever it is; None where there is none."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def wired(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a chat with the arguments of calls as JSON text, as OpenAI's own format has them."""
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
