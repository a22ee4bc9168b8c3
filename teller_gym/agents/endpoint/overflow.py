"""Decides whether a refusal was about the chat's length, from sizes, the window and the numbers in the error."""

from __future__ import annotations

import re

from teller_gym.agents.endpoint.chat import Size
from teller_gym.agents.endpoint.failures import ContextFullError, GivenUpError, RefusedError

Failure = ContextFullError | GivenUpError | RefusedError

_NUMBER = re.compile(r"(?<![A-Za-z0-9.,_-])(?:\d{1,3}(?:[,_]\d{3})+|\d{2,9})(?![A-Za-z0-9_])")
_MARGIN = 1.05
_NEARLY = 0.9
"""A chat that fills at least this share of the window, and may exceed it, was refused for its length."""
_CLEARLY = 2
"""A chat is clearly within a window that is this many times its largest possible size."""


def maybe_length(error: Failure) -> bool:
    """Return True if the length of the chat may be the reason for a failure."""
    return isinstance(error, ContextFullError) or error.maybe_length


def is_length(error: Failure, size: Size, answer: int, window: int | None) -> bool:
    """Return True if the length was certainly the reason for a failure, without asking the endpoint again.

    Args:
        error: the failure.
        size: of the request. answer: tokens requested for the answer.
        window: tokens that the model can read and write, if known.
    """
    if isinstance(error, ContextFullError):
        # The endpoint's message counts, unless the chat is far too small to fill the model's known window.
        within = window is not None and (size.most + answer) * _CLEARLY < window
        return not (error.said and within)
    near = window is not None and size.least + answer > _NEARLY * window and size.most + answer > window
    if near:
        return True
    return names_length(str(error), size, answer)


def names_length(text: str, size: Size, answer: int) -> bool:
    """Return True if a text gives the request's size and, below it, a limit that the last request respected.

    The wording does not matter: "33056 > 32768" in any language is a length.
    """
    numbers = sorted({int(re.sub(r"\D", "", found[0])) for found in _NUMBER.finditer(text)})
    least, most = size.least / _MARGIN, (size.most + answer) * _MARGIN
    if not size.counted or most > _CLEARLY * least + answer:
        return False  # no server count to compare with
    return any(size.counted <= limit < sent and least <= sent <= most for limit in numbers for sent in numbers)
