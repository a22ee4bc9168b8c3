"""Text on terminals and in pipes that know few characters: what an encoding lacks is replaced, and nothing fails."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys

_REPLACED = "teller_gym.replaced"
_LIKE = {"−": "-", "–": "-", "—": "-", "‑": "-", "…": ".", "×": "x", "‘": "'", "’": "'", "“": '"', "”": '"', "·": "."}
"""Characters that one of ASCII can stand for, so that tables keep their columns."""


def take_any_text() -> None:
    """Let this process read and print any text whatever the encodings; for programs, before they print.

    With ``PYTHONIOENCODING=ascii`` or a terminal in code page 1252, the first minus sign would end the program.
    """
    for stream in (sys.stdout, sys.stderr):
        # Streams of another kind, such as those of a notebook, take any text.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_REPLACED)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")


def json_for(stream: object, text: str) -> str:
    """Return JSON text in characters that a stream can write: others as ``\\u`` escapes, which mean the same."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
    return text


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    if "\udc80" <= letter <= "\udcff":  # a byte of a file's name
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    return _LIKE.get(letter, "?"), error.start + 1


codecs.register_error(_REPLACED, _replaced)
