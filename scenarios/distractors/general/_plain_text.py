"""What the tools on texts and tables share: refusals, answers that stay short, and the parts a text is made of."""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ToolError

Passage = Annotated[str, Meta(min_length=1, max_length=600)]
LongPassage = Annotated[str, Meta(min_length=1, max_length=1500)]

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# The look-behind and the possessive repeats keep long runs of dots linear.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|\Z)")
_ANSWER_BYTES = 3500
_SHOWN = 60

_Answer = TypeVar("_Answer")


def refuse(field: str, expectation: str) -> ToolError:
    """Return the error for an argument that cannot be used."""
    return ToolError(ErrorKind.VALIDATION, f"{field}: {expectation}", field)


def quoted(text: str) -> str:
    """Return a text as messages show it: quoted, and cut if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def keep_short(answer: _Answer, field: str) -> _Answer:
    """Return what is to be shown.

    Raises:
        ToolError: it would be too long to read.
    """
    size = len(msgspec.json.encode(answer))
    if size > _ANSWER_BYTES:
        raise refuse(field, f"expected less of it, got an answer of {size} bytes where {_ANSWER_BYTES} fit; split it")
    return answer


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences begin and end; what has no letter or digit is none."""
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        piece = text[start:end]
        if WORD.search(piece):
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, start + len(piece.rstrip())))
        start = end
    return spans


def paragraphs(text: str) -> list[str]:
    """Return the parts of a text between blank lines."""
    found: list[str] = []
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(line)
        elif lines:
            found.append("\n".join(lines))
            lines = []
    return found


def line_key(line: str, ignore_case: bool, ignore_spacing: bool) -> str:
    """Return what is compared of a line."""
    key = " ".join(line.split()) if ignore_spacing else line
    return key.casefold() if ignore_case else key
