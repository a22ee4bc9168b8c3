"""What a document that cannot be read or written raises, and how much of one is read."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a document that is read."""

_SHOWN: Final = 60
"""Characters of a text that a message shows."""


class DocumentError(ValueError):
    """A document or a text in it is not what was expected; the message says what was, what came, and what to do."""


def shown(text: str) -> str:
    """Return a text as a message shows it: in quotes, on one line, and not longer than a line."""
    return ascii(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def check_size(data: bytes) -> None:
    """Refuse what is too large to be read.

    Raises:
        DocumentError: there are more than `MAX_BYTES` bytes.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(f"Expected a document of at most {MAX_BYTES} bytes; got {len(data)}. Send it in parts.")
