"""Finish reasons of chat completions that change how an episode is read."""

from __future__ import annotations

_CUT = frozenset(("length", "max_tokens", "max_output_tokens", "model_length", "token_limit"))
_UNREADABLE_CALL = frozenset(("malformed_function_call", "malformed_tool_call", "unexpected_tool_call"))


def is_cut(reason: str | None) -> bool:
    """Return True if the answer reached its token limit. Vendors' spellings differ in case and words."""
    return _plain(reason) in _CUT


def is_unreadable_call(reason: str | None) -> bool:
    """Return True if the server reports that the model attempted a call which it could not parse."""
    return _plain(reason) in _UNREADABLE_CALL


def _plain(reason: str | None) -> str:
    return (reason or "").strip().lower().replace("-", "_").removeprefix("finish_reason_")
