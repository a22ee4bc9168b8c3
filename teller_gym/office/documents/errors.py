"""Error for documents that cannot be read or written, and the document size limit."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 8 * 1024 * 1024
"""Maximum size of a document in bytes."""

_SHOWN: Final = 60
"""Maximum length of a quoted text in an error message, in characters."""


class DocumentError(ValueError):
    """An invalid document or text.

    The message says what was expected, what was received, and what to do.
    """


def shown(text: str) -> str:
    """Quote a text for an error message, on one line and shortened."""
    return ascii(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def check_size(data: bytes) -> None:
    """Raise `DocumentError` for a document of more than `MAX_BYTES` bytes."""
    if len(data) > MAX_BYTES:
        raise DocumentError(f"Expected a document of at most {MAX_BYTES} bytes; got {len(data)}. Send it in parts.")
