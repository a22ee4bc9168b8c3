"""Texts of models that are longer than what is read: known by their length, and kept as their beginning and a hash."""

from __future__ import annotations

import hashlib
import re

MAX_ACTION_CHARACTERS = 1_000_000
"""Longer actions are refused unread; the longest sensible call has a few thousand characters."""

KEPT_CHARACTERS = 2_000
"""Characters of a longer text that are kept, in the chat, in records and in snapshots."""

_CUT = "[cut text: "
_FORM = re.compile(r"\[cut text: ([0-9]{1,18}) characters, at most ([0-9]{1,18}) are read; SHA-256 [0-9a-f]{64}\]\n")


def stored(text: str, most: int = MAX_ACTION_CHARACTERS) -> str:
    """Return a text as it is kept: unchanged, or, if it is too long, its length, its hash and its beginning.

    The hash is that of its UTF-8. A kept text is kept unchanged from then on, and `length_refused` says the same of it
    as of the text itself, so that actions read from a record are refused as they were.

    Args:
        text: text of a model.
        most: number of characters that are read.
    """
    if len(text) <= most:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_CUT}{len(text)} characters, at most {most} are read; SHA-256 {digest}]\n{text[:KEPT_CHARACTERS]}"


def length_refused(text: str, most: int = MAX_ACTION_CHARACTERS) -> str | None:
    """Return why a text is too long to be read; None if it is not. A text that says of itself that it was cut, is."""
    length, limit = len(text), most
    if length <= most and text.startswith(_CUT) and (form := _FORM.match(text)):
        length, limit = int(form[1]), int(form[2])
    return f"expected at most {limit} characters, got {length}" if length > limit else None
