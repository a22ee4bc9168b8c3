"""Wrapping, replacing and comparing text for the catalogue."""

from __future__ import annotations

import re
import textwrap
from difflib import SequenceMatcher
from typing import Any


def wrapped(
    paragraph: str, width: int, first_line_indent: int, hanging_indent: int, break_long_words: bool
) -> list[str]:
    """Wrap a paragraph into lines."""
    return textwrap.wrap(
        " ".join(paragraph.split()),
        width=width,
        initial_indent=" " * first_line_indent,
        subsequent_indent=" " * hanging_indent,
        break_long_words=break_long_words,
        break_on_hyphens=False,
    )


def replace_matches(
    text: str, search_for: str, replacement: str, match_case: bool, whole_words: bool, first: int, last: int
) -> dict[str, Any]:
    """Replace the matches number ``first`` to ``last``; return the text and the number of all matches."""
    pattern = rf"(?<!\w){re.escape(search_for)}(?!\w)" if whole_words else re.escape(search_for)
    pieces, start, found = [], 0, 0
    for match in re.finditer(pattern, text, 0 if match_case else re.IGNORECASE):
        found += 1
        if first <= found <= last:
            pieces += [text[start : match.start()], replacement]
            start = match.end()
    return {"text": "".join([*pieces, text[start:]]), "found": found}


def changes(before: list[str], after: list[str]) -> list[dict[str, Any]]:
    """Compare two lists; return the runs of equal and of changed items."""
    runs = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        {"equal": kind == "equal", "start": start, "end": end, "new_start": new_start, "new_end": new_end}
        for kind, start, end, new_start, new_end in runs
    ]
