"""The work behind the tools beside it: lines sorted and rid of repeats."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import line_key

Separator = Literal["space", "tab", "comma", "semicolon", "pipe"]

SEPARATORS: dict[Separator, str] = {"space": " ", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")

SortRule = Literal["alphabet", "natural", "number", "length", "word_count"]
SortKey = tuple[int | str | Decimal, ...]


def sort_key(part: str, order_by: SortRule) -> SortKey:
    """Return what a line is sorted by; empty if it has nothing of the kind."""
    if not part:
        return ()
    if order_by == "number":
        number = _NUMBER.search(part)
        return (Decimal(number[0]),) if number else ()
    if order_by == "natural":
        # Text and digits alternate, so that like is compared with like.
        return tuple(int(piece) if i % 2 else piece for i, piece in enumerate(re.split(r"([0-9]+)", part)))
    if order_by == "length":
        return (len(part),)
    return (len(part.split()),) if order_by == "word_count" else (part,)


def drop_repeats(
    lines: list[str], ignore_case: bool, ignore_spacing: bool, adjacent_only: bool, drop_blank: bool
) -> tuple[list[str], int]:
    """Return the lines without repeated ones, and how often the most frequent line occurred."""
    kept = []
    copies: Counter[str] = Counter()
    last: str | None = None
    for line in lines:
        key = line_key(line, ignore_case, ignore_spacing)
        if line.strip():
            copies[key] += 1
            repeated = key == last if adjacent_only else copies[key] > 1
        else:
            repeated = drop_blank
        last = key
        if not repeated:
            kept.append(line)
    return kept, max(copies.values(), default=0)


def order_lines(
    lines: list[str], rule: SortRule, descending: bool, ignore_case: bool, column: int, separator: str
) -> tuple[list[str], list[str], list[str]]:
    """Return the lines in order, those that have nothing to sort by, and the blank ones."""
    keyed: list[tuple[SortKey, str]] = []
    keyless, blank = [], []
    for line in lines:
        cells = line.split(separator)
        part = line if column == 0 else cells[column - 1] if column <= len(cells) else ""
        key = sort_key(part.strip().casefold() if ignore_case else part.strip(), rule)
        if not line.strip():
            blank.append(line)
        elif key:
            keyed.append((key, line))
        else:
            keyless.append(line)
    ordered = sorted(keyed, key=lambda item: item[0], reverse=descending)
    return [line for _, line in ordered], keyless, blank
