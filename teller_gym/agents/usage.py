"""Parses token counts and finish reasons as reported by servers, and discards impossible counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_TOKENS = 10**8
"""Maximum plausible number of tokens in a request, ten times the longest existing context."""


def read_count(given: object) -> int | None:
    """Return a token count as an integer, or None if it is implausible."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    return given if type(given) is int and 0 <= given <= MOST_TOKENS else None


def read_counts(usage: object) -> dict[str, int] | None:
    """Return the plausible counts among `prompt`, `completion` and `cached`.

    None is returned if one of the first two is missing or implausible.
    """
    if not isinstance(usage, Mapping):
        return None
    given: Mapping[str, Any] = usage
    prompt, completion = read_count(given.get("prompt")), read_count(given.get("completion"))
    if prompt is None or completion is None:
        return None
    cached = min(read_count(given.get("cached")) or 0, prompt)
    return {"prompt": prompt, "completion": completion} | ({"cached": cached} if cached else {})


def add_counts(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Add two dictionaries of counts; the sum has `cached` if either of them has it."""
    return {kind: one.get(kind, 0) + other.get(kind, 0) for kind in {**one, **other}}


def read_openai(given: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the counts in a chat completion's `usage`.

    None is returned if one is missing or implausible. Cached tokens are included in the prompt tokens, as in OpenAI's
    API, unless the numbers show that they are not.
    """
    counts = read_counts({kind: given.get(f"{kind}_tokens") for kind in ("prompt", "completion")})
    if counts is None:
        return None
    details = given.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    places = (details.get("cached_tokens"), given.get("prompt_cache_hit_tokens"), given.get("cached_tokens"),
              given.get("cache_read_input_tokens"))  # fmt: skip
    read = max((read_count(count) or 0 for count in places), default=0)
    written = read_count(given.get("cache_creation_input_tokens")) or 0
    total = read_count(given.get("total_tokens"))
    prompt, completion = counts["prompt"], counts["completion"]
    if read + written > prompt or (read + written and total == prompt + completion + read + written):
        counts["prompt"] = prompt = prompt + read + written
    if read:
        counts["cached"] = read
    if total is not None:
        # Some servers count thinking only in the total and not in the completion.
        counts["completion"] = max(completion, total - prompt)
    return counts


_CUT = frozenset(("length", "max_tokens", "max_output_tokens", "model_length", "token_limit"))
_UNREADABLE_CALL = frozenset(("malformed_function_call", "malformed_tool_call", "unexpected_tool_call"))


def is_cut(reason: str | None) -> bool:
    """Return True if the finish reason means that the answer reached its token limit.

    The spellings of all known vendors are recognised.
    """
    return _plain(reason) in _CUT


def is_unreadable_call(reason: str | None) -> bool:
    """Return True if the finish reason reports a call that the server could not parse."""
    return _plain(reason) in _UNREADABLE_CALL


def _plain(reason: str | None) -> str:
    return (reason or "").strip().lower().replace("-", "_").removeprefix("finish_reason_")
