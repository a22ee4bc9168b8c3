"""The work behind the tools beside it: texts wrapped, cut and in other cases."""

from __future__ import annotations

import re
import textwrap
from typing import Literal, NamedTuple

from teller_gym.scenarios.distractors.general._plain_text import sentence_spans

CutUnit = Literal["words", "characters", "sentences"]
CutEnd = Literal["start", "end", "both_ends"]

CaseStyle = Literal["snake", "kebab", "constant", "camel", "pascal", "title", "sentence"]
_JOINS: dict[str, str] = {"snake": "_", "kebab": "-", "constant": "_", "camel": "", "pascal": ""}
_HUMP = re.compile(r"(?<=[a-zß-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])")


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
