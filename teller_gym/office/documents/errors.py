"""The error of documents that cannot be read or written, and the limit on their size."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 8 * 1024 * 1024
"""Maximum size of a document in bytes."""

_SHOWN: Final = 60
"""Characters of a text that a message shows."""


class DocumentError(ValueError):
    """An unexpected document or text; the message says what was expected, what came, and what to do."""


def shown(text: str) -> str:
    """Return a text as a message shows it: in quotes, on one line, and not longer than a line."""
    return ascii(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def check_size(data: bytes) -> None:
    """Refuse a document that is too large.

    Raises:
        DocumentError: there are more than `MAX_BYTES` bytes.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(f"Expected a document of at most {MAX_BYTES} bytes; got {len(data)}. Send it in parts.")
