"""The work behind the tools beside it: texts replaced and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import line_key

Unit = Literal["line", "word", "character"]
_JOIN: dict[Unit, str] = {"line": "\n", "word": " ", "character": ""}
_MARKS = {"-": ("[-", "-]"), "+": ("{+", "+}"), " ": ("", "")}


def common_steps(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int]]:
    """Return the shortest way from one sequence to the other: (sign, index), '-' and ' ' of before, '+' of after.

    Hyyrö's bit-parallel longest common subsequence: a row of the table is an integer, in which a 0 bit marks a column
    where the length grows.
    """
    places: dict[str, int] = {}
    for column, item in enumerate(after):
        places[item] = places.get(item, 0) | 1 << column
    mask = (1 << len(after)) - 1
    rows = [mask]
    for item in before:
        row = rows[-1]
        matched = row & places.get(item, 0)
        rows.append(((row + matched) | (row - matched)) & mask)
    return list(_trace_back(rows, len(before), len(after)))[::-1]


def _trace_back(rows: Sequence[int], row: int, column: int) -> Iterator[tuple[str, int]]:
    while row and column:
        bit = 1 << (column - 1)
        if rows[row] & bit:
            column -= 1
            yield "+", column
        else:
            row -= 1
            if rows[row] & bit:
                column -= 1
                yield " ", row
            else:
                yield "-", row
    yield from (("-", left) for left in range(row - 1, -1, -1))
    yield from (("+", left) for left in range(column - 1, -1, -1))


def compare_units(
    before: str, after: str, unit: Unit, ignore_case: bool, ignore_spacing: bool
) -> tuple[str, list[str]]:
    """Return the signs ('-', '+' or ' ') of the steps from one text to the other, and the unit of each step."""
    old, new = _units(before, unit, ignore_spacing), _units(after, unit, ignore_spacing)
    steps = common_steps(
        [line_key(item, ignore_case, ignore_spacing) for item in old],
        [line_key(item, ignore_case, ignore_spacing) for item in new],
    )
    return "".join(sign for sign, _ in steps), [new[i] if sign == "+" else old[i] for sign, i in steps]


def _units(text: str, unit: Unit, ignore_spacing: bool) -> list[str]:
    if unit == "line":
        return text.splitlines()
    if unit == "word":
        return text.split()
    return [character for character in text if not (ignore_spacing and character.isspace())]


def mark_changes(signs: str, items: list[str], unit: Unit, context: int) -> str:
    """Return a text in which removed runs stand as [-old-], added ones as {+new+}."""
    join = _JOIN[unit]
    pieces = []
    for run in re.finditer(r"-+|\++| +", signs):
        first, last = run.span()
        opening, closing = _MARKS[signs[first]]
        part = items[first:last]
        if signs[first] == " ":
            head = part[:context] if first else []
            tail = part[max(len(head), len(part) - context) :] if last < len(signs) else []
            if len(head) + len(tail) < len(part):
                part = [*head, "…", *tail]
        pieces.append(opening + join.join(part) + closing)
    return join.join(pieces)


def literal_pattern(search_for: str, match_case: bool, whole_words: bool) -> re.Pattern[str]:
    """Return the pattern that matches a text as it stands."""
    pattern = re.escape(search_for)
    return re.compile(rf"(?<!\w){pattern}(?!\w)" if whole_words else pattern, 0 if match_case else re.IGNORECASE)


def replace_matches(text: str, pattern: re.Pattern[str], replacement: str, numbers: range) -> tuple[str, int]:
    """Return the text with the matches of these numbers (from 1) replaced, and how many matches there are in all."""
    pieces, start, found = [], 0, 0
    for match in pattern.finditer(text):
        found += 1
        if found in numbers:
            pieces += [text[start : match.start()], replacement]
            start = match.end()
    return "".join([*pieces, text[start:]]), found
