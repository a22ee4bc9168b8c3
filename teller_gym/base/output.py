"""Output to terminals and pipes with limited encodings: characters that an encoding lacks are replaced."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys

_REPLACED = "teller_gym.replaced"
_LIKE = {"−": "-", "–": "-", "—": "-", "‑": "-", "…": ".", "×": "x", "‘": "'", "’": "'", "“": '"', "”": '"', "·": "."}
"""ASCII replacements of one character each, so that the columns of tables stay aligned."""


def take_any_text() -> None:
    """Make the standard streams accept any text in any encoding; programs call it before they print.

    Otherwise, with ``PYTHONIOENCODING=ascii`` or a terminal in code page 1252, the first minus sign (−) would raise.
    """
    for stream in (sys.stdout, sys.stderr):
        # Other kinds of streams, such as a notebook's, accept any text.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_REPLACED)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")


def json_for(stream: object, text: str) -> str:
    """Return JSON text with ``\\u`` escapes in place of the characters that a stream cannot write."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
    return text


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    if "\udc80" <= letter <= "\udcff":  # an undecodable byte of a file name
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    return _LIKE.get(letter, "?"), error.start + 1


codecs.register_error(_REPLACED, _replaced)
