"""Token counts as agents and servers report them: those that cannot be are no counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_TOKENS = 10**8
"""No request has more: ten times the longest context that there is."""


def read_count(given: object) -> int | None:
    """Return the tokens of a request, prompt or completion; None if there cannot be so many."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    return given if type(given) is int and 0 <= given <= MOST_TOKENS else None


def read_counts(usage: object) -> dict[str, int] | None:
    """Return the `prompt` and `completion` tokens of a request; None unless both are there and can be."""
    if not isinstance(usage, Mapping):
        return None
    given: Mapping[str, Any] = usage
    prompt, completion = read_count(given.get("prompt")), read_count(given.get("completion"))
    return None if prompt is None or completion is None else {"prompt": prompt, "completion": completion}
