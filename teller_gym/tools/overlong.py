"""Refuses texts of models that are too long to be read, and stores them as their beginning and a hash."""

from __future__ import annotations

import hashlib
import re

MAX_ACTION_CHARACTERS = 1_000_000
"""Maximum length of an action that is read; the longest sensible call has a few thousand characters."""

KEPT_CHARACTERS = 2_000
"""Number of characters of an overlong text that are stored in the chat, in records and in snapshots."""

_CUT = "[cut text: "
_FORM = re.compile(r"\[cut text: ([0-9]{1,18}) characters, at most ([0-9]{1,18}) are read; SHA-256 [0-9a-f]{64}\]\n")


def stored(text: str, most: int = MAX_ACTION_CHARACTERS) -> str:
    """Return the form in which a text is stored: unchanged or, if it is too long, its length, hash and beginning.

    The hash is computed from the UTF-8 bytes. Storing a stored text again does not change it, and `length_refused`
    returns the same for it as for the original, so that actions read from a record are refused again.

    Args:
        text: text of a model.
        most: maximum number of characters that are read.
    """
    if len(text) <= most:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_CUT}{len(text)} characters, at most {most} are read; SHA-256 {digest}]\n{text[:KEPT_CHARACTERS]}"


def length_refused(text: str, most: int = MAX_ACTION_CHARACTERS) -> str | None:
    """Return why a text is too long to be read, or None if it is not; a text that `stored` has cut is too long."""
    length, limit = len(text), most
    if length <= most and text.startswith(_CUT) and (form := _FORM.match(text)):
        length, limit = int(form[1]), int(form[2])
    return f"expected at most {limit} characters, got {length}" if length > limit else None
