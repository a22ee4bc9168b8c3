"""Lines on a page as PDF content stream operators: texts in two fonts, and rows of cells in columns.

Every reader has Helvetica (one of the 14 standard fonts), so only its character widths are needed. Each line is one
text, so that readers extract its words together and in order: the cells of a row are separated by as many spaces as
fit, and the remainder is kerning. Lengths are whole thousandths of a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from teller_gym.office.documents.errors import DocumentError, shown

POINT: Final = 1000

COLUMN_GAP: Final = 10 * POINT
"""Minimum space between columns."""

Cell = tuple[bytes, int]
"""A text in the font's encoding, and its width in thousandths of the font size."""


_FIRST: Final = 32
_SOFT_HYPHEN: Final = 0xAD

_ALLOWED: Final = bytes(
    code for code in range(_FIRST, 256) if code not in (0x7F, _SOFT_HYPHEN) and bytes([code]).decode("cp1252", "ignore")
)
"""WinAnsiEncoding bytes for visible characters and the space."""


@dataclass(frozen=True)
class Font:
    """A PDF font.

    Attributes:
        name: PostScript name.
        resource: resource name on pages.
        widths: width of each byte in thousandths of the font size.
    """

    name: str
    resource: str
    widths: tuple[int, ...]

    def width(self, raw: bytes) -> int:
        """Return the width of a text in thousandths of the font size."""
        return sum(map(self.widths.__getitem__, raw))

    def wrapped(self, raw: bytes, limit: int) -> list[bytes]:
        """Break a text into lines of a maximum width in thousandths of the font size, within words only if necessary.

        Words are separated by one space, and the maximum is at least the width of the widest character.
        """
        if self.width(raw) <= limit:
            return [raw]
        blank = self.widths[_FIRST]
        lines: list[bytes] = []
        line: list[bytes] = []
        used = 0
        for word in raw.split(b" "):
            wide = self.width(word)
            if line and used + blank + wide > limit:
                lines.append(b" ".join(line))
                line, used = [], 0
            if wide > limit:
                *whole, word = self._broken(word, limit)
                lines += whole
                wide = self.width(word)
            used += wide + (blank if line else 0)
            line.append(word)
        return [*lines, b" ".join(line)]

    def _broken(self, word: bytes, limit: int) -> Iterator[bytes]:
        begin, used = 0, 0
        for position, code in enumerate(word):
            if used + self.widths[code] > limit:
                yield word[begin:position]
                begin, used = position, 0
            used += self.widths[code]
        yield word[begin:]


@cache
def fonts() -> tuple[Font, Font]:
    """Return the upright and the bold font."""
    text = files(__package__).joinpath("font_widths.txt").read_text(encoding="ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    found = [Font(row[0], f"F{number}", (0,) * _FIRST + tuple(map(int, row[1:]))) for number, row in enumerate(rows, 1)]
    return found[0], found[1]


def encoded(text: str) -> bytes:
    """Encode a text in WinAnsiEncoding with single spaces.

    Raises:
        DocumentError: the font lacks a character of the text.
    """
    try:
        raw = b" ".join(text.encode("cp1252").split())
    except UnicodeEncodeError as error:
        raise _unknown(text, text[error.start]) from None
    if odd := raw.translate(None, _ALLOWED):
        raise _unknown(text, odd[:1].decode("latin-1"))
    return raw


def _unknown(text: str, character: str) -> DocumentError:
    return DocumentError(
        f"Expected characters of Windows-1252, which a PDF's standard fonts have; got {character!a} in "
        f"{shown(text)}. Write it in other characters, or send the document as text."
    )


@dataclass(frozen=True)
class Column:
    """A column's distance from the margin, its width, and True if its cells are right-aligned."""

    left: int
    width: int
    right: bool = False


def columns_of(
    natural: Sequence[int], right: Sequence[bool], page_width: int, sizes: Sequence[int]
) -> tuple[int, list[Column]]:
    """Return a table's font size and its columns.

    The columns are as wide as their widest cells if that fits on the page.

    Args:
        natural: width of the widest cell of each column, in thousandths of the font size.
        right: True for each right-aligned column.
        page_width: available width.
        sizes: font sizes to try, largest first; the last is used if none fits.
    """
    room = page_width - COLUMN_GAP * (len(natural) - 1)
    size = next((size for size in sizes if sum(natural) * size <= room), sizes[-1])
    widths = [width * size for width in natural]
    if sum(widths) > room:  # narrow columns keep their width, and the others share the remainder
        left = room
        for place, index in enumerate(sorted(range(len(widths)), key=lambda index: (widths[index], index))):
            widths[index] = min(widths[index], left // (len(widths) - place))
            left -= widths[index]
    columns, at = [], 0
    for width, to_right in zip(widths, right, strict=True):
        columns.append(Column(at, width, to_right))
        at += width + COLUMN_GAP
    return size, columns


def cells_of(texts: Iterable[bytes], font: Font) -> list[Cell]:
    """Return each text with its width in a font."""
    return [(text, font.width(text)) for text in texts]


def broken(cells: Sequence[Cell], columns: Sequence[Column], font: Font, size: int) -> list[Sequence[Cell]]:
    """Break the cells of a row into lines, each with a cell for every column."""
    if all(wide * size <= column.width for (_, wide), column in zip(cells, columns, strict=True)):
        return [cells]
    parts = [font.wrapped(text, column.width // size) for (text, _), column in zip(cells, columns, strict=True)]
    return [
        cells_of([part[place] if place < len(part) else b"" for part in parts], font)
        for place in range(max(map(len, parts)))
    ]


def row_pieces(cells: Sequence[Cell], columns: Sequence[Column], font: Font, size: int) -> bytes:
    """Return the operand of the PDF operator ``TJ`` for one line of a table row: strings with the gaps between them."""
    blank = font.widths[32] * size
    shown: list[bytes] = []
    text, at = b"", 0
    for (cell, wide), column in zip(cells, columns, strict=True):
        if cell:
            wide *= size
            begin = column.left + (column.width - wide if column.right else 0)
            blanks, rest = divmod(begin - at, blank)
            text += b" " * blanks
            if rest >= size:
                shown.append(b"%b -%d " % (string(text), rest // size))
                text = b""
            text += cell
            at = begin + wide
    return b"".join([*shown, string(text)]) if text else b""


def string(raw: bytes) -> bytes:
    """Return a text as a PDF string."""
    if b"\\" in raw or b"(" in raw or b")" in raw:
        raw = raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"(%b)" % raw


def text_line(font: Font, size: int, x: int, y: int, pieces: bytes) -> bytes:
    """Return the operators that show a line of text at a position of the page."""
    return b"BT /%b %d Tf %b %b Td [%b] TJ ET\n" % (font.resource.encode(), size, number(x), number(y), pieces)


def rule(left: int, right: int, y: int) -> bytes:
    """Return the operators that draw a thin horizontal line."""
    return b"0.5 w %b %b m %b %b l S\n" % (number(left), number(y), number(right), number(y))


def number(length: int) -> bytes:
    """Format a length in points as PDF does."""
    whole, rest = divmod(length, POINT)
    return b"%d.%03d" % (whole, rest) if rest else b"%d" % whole
