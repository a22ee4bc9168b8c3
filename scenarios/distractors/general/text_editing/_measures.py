"""The work behind the tools beside it: texts measured and scored."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

ItemKind = Literal["email", "url", "number", "iso_date", "hashtag"]
_ITEMS: dict[ItemKind, re.Pattern[str]] = {
    "email": re.compile(r"(?<![\w.%+-])[A-Za-z0-9._%+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++"),
    "url": re.compile(r"https?://[^\s<>\"'(){}\[\]]++"),
    "number": re.compile(r"(?<![\w.,])[+-]?[0-9][0-9,]*+(?:\.[0-9]++)?(?!\w)"),
    "iso_date": re.compile(r"(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])"),
    "hashtag": re.compile(r"(?<!\w)#\w++"),
}

Formula = Literal["automated_readability", "coleman_liau", "lix"]
_READING_LIMITS: dict[Formula, tuple[float, float]] = {
    "automated_readability": (8, 12),
    "coleman_liau": (8, 12),
    "lix": (40, 50),
}
_LONG_WORD = 6

_GROUPED = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


def find_items(text: str, kind: ItemKind) -> list[str]:
    """Return what of a kind stands in a text, in order."""
    found = _ITEMS[kind].findall(text)
    if kind == "url":
        return [item.rstrip(".,;:!?") for item in found]
    if kind == "number":
        return [item for item in (item.rstrip(",") for item in found) if _GROUPED.fullmatch(item)]
    return [item for item in found if _is_date(item)] if kind == "iso_date" else found


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def reading_score(
    words: list[str], sentences: int, formula: Formula
) -> tuple[float, Literal["easy", "medium", "hard"]]:
    """Return the score of a text with at least one word, and what it means."""
    count, letters = len(words), sum(map(len, words))
    if formula == "automated_readability":
        score = 4.71 * letters / count + 0.5 * count / sentences - 21.43
    elif formula == "coleman_liau":
        score = 5.88 * letters / count - 29.6 * sentences / count - 15.8
    else:
        score = count / sentences + 100 * sum(len(word) > _LONG_WORD for word in words) / count
    easy, medium = _READING_LIMITS[formula]
    return score, "easy" if score <= easy else "medium" if score <= medium else "hard"
