"""The work behind text editing: filling lines, splitting names, sort keys, items in a text, differences, cuts."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from teller_gym.scenarios.distractors.general._plain_text import line_key, sentence_spans

Separator = Literal["space", "tab", "comma", "semicolon", "pipe"]

SEPARATORS: dict[Separator, str] = {"space": " ", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


SortRule = Literal["alphabet", "natural", "number", "length", "word_count"]
SortKey = tuple[int | str | Decimal, ...]


ItemKind = Literal["email", "url", "number", "iso_date", "hashtag"]
_ITEMS: dict[ItemKind, re.Pattern[str]] = {
    "email": re.compile(r"(?<![\w.%+-])[A-Za-z0-9._%+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++"),
    "url": re.compile(r"https?://[^\s<>\"'(){}\[\]]++"),
    "number": re.compile(r"(?<![\w.,])[+-]?[0-9][0-9,]*+(?:\.[0-9]++)?(?!\w)"),
    "iso_date": re.compile(r"(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])"),
    "hashtag": re.compile(r"(?<!\w)#\w++"),
}


Unit = Literal["line", "word", "character"]
_JOIN: dict[Unit, str] = {"line": "\n", "word": " ", "character": ""}
_MARKS = {"-": ("[-", "-]"), "+": ("{+", "+}"), " ": ("", "")}


Formula = Literal["automated_readability", "coleman_liau", "lix"]
_READING_LIMITS: dict[Formula, tuple[float, float]] = {
    "automated_readability": (8, 12),
    "coleman_liau": (8, 12),
    "lix": (40, 50),
}
_LONG_WORD = 6

CutUnit = Literal["words", "characters", "sentences"]
CutEnd = Literal["start", "end", "both_ends"]

CaseStyle = Literal["snake", "kebab", "constant", "camel", "pascal", "title", "sentence"]
_JOINS: dict[str, str] = {"snake": "_", "kebab": "-", "constant": "_", "camel": "", "pascal": ""}
_HUMP = re.compile(r"(?<=[a-zß-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])")


_GROUPED = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


class Fill(NamedTuple):
    """How a paragraph is broken into lines; widths and indents in characters."""

    width: int
    first_indent: int
    hanging_indent: int
    alignment: str
    break_long_words: bool

    def lines(self, paragraph: str) -> list[str]:
        """Return the lines of a paragraph."""
        broken = textwrap.wrap(
            " ".join(paragraph.split()),
            width=self.width,
            initial_indent=" " * self.first_indent,
            subsequent_indent=" " * self.hanging_indent,
            break_long_words=self.break_long_words,
            break_on_hyphens=False,
        )
        aligned = []
        for number, line in enumerate(broken):
            indent = self.hanging_indent if number else self.first_indent
            justify = self.alignment == "justify" and number < len(broken) - 1
            aligned.append(" " * indent + self._align(line[indent:], self.width - indent, justify))
        return aligned

    def _align(self, line: str, width: int, justify: bool) -> str:
        missing = max(0, width - len(line))
        if self.alignment == "right":
            return " " * missing + line
        if self.alignment == "center":
            return " " * (missing // 2) + line
        words = line.split(" ")
        if not justify or len(words) == 1:
            return line
        each, extra = divmod(missing, len(words) - 1)
        return "".join(word + " " * (1 + each + (i < extra)) for i, word in enumerate(words[:-1])) + words[-1]


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


def to_word_ends(text: str, head: str, tail: str) -> tuple[str, str]:
    """Move both cuts outward to white space, where there is some."""
    if head and not text[len(head)].isspace() and (found := re.search(r"\s\S*+\Z", head)):
        head = head[: found.start()]
    if tail and not text[-len(tail) - 1].isspace() and (found := re.search(r"\s", tail)):
        tail = tail[found.end() :]
    return head.rstrip(), tail.lstrip()


def case_words(phrase: str) -> list[str]:
    """Return the words of a phrase or of an identifier in any case style."""
    return [word for part in re.findall(r"[^\W_]+", phrase) for word in _HUMP.sub(" ", part).split()]


def join_case(words: list[str], style: CaseStyle, keep_acronyms: bool) -> str:
    """Return the words in a case style."""
    cased = []
    for place, word in enumerate(words):
        capital = (
            style in ("pascal", "title") or (style == "camel" and place > 0) or (style == "sentence" and not place)
        )
        if style == "constant":
            cased.append(word.upper())
        elif keep_acronyms and len(word) > 1 and word.isupper() and style not in ("snake", "kebab"):
            cased.append(word)
        else:
            cased.append(word[0].upper() + word[1:].lower() if capital else word.lower())
    return _JOINS.get(style, " ").join(cased)


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


def unit_spans(text: str, unit: CutUnit) -> list[tuple[int, int]]:
    """Return where the words (what white space separates), characters or sentences of a text begin and end."""
    if unit == "sentences":
        return sentence_spans(text)
    if unit == "words":
        return [match.span() for match in re.finditer(r"\S+", text)]
    return [(place, place + 1) for place in range(len(text))]


def two_ends(text: str, spans: list[tuple[int, int]], room: int, keep: CutEnd) -> tuple[str, str]:
    """Return the start and the end of a text that together hold ``room`` of its units."""
    front = {"start": room, "end": 0, "both_ends": (room + 1) // 2}[keep]
    head = text[: spans[front - 1][1]] if front else ""
    return head, text[spans[front - room][0] :] if front < room else ""
