"""The two fonts of a PDF: encoding of texts, and their widths.

Every reader has Helvetica (it is one of the 14 standard fonts), so only the widths are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from teller_gym.office.documents.errors import DocumentError, shown

_FIRST: Final = 32
_SOFT_HYPHEN: Final = 0xAD

_ALLOWED: Final = bytes(
    code for code in range(_FIRST, 256) if code not in (0x7F, _SOFT_HYPHEN) and bytes([code]).decode("cp1252", "ignore")
)
"""Bytes of WinAnsiEncoding for visible characters and the blank."""


@dataclass(frozen=True)
class Font:
    """A font as PDF knows it.

    Attributes:
        name: its PostScript name.
        resource: its name on pages.
        widths: of each byte in thousandths of the font's size.
    """

    name: str
    resource: str
    widths: tuple[int, ...]

    def width(self, raw: bytes) -> int:
        """Return the width of a text in thousandths of the font's size."""
        return sum(map(self.widths.__getitem__, raw))

    def wrapped(self, raw: bytes, limit: int) -> list[bytes]:
        """Return a text in lines of at most a width in thousandths; a word that is wider is broken where it must be.

        Args:
            raw: words with one blank between.
            limit: the width, at least that of the widest character.
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
    """Return the upright font and the bold one."""
    text = files(__package__).joinpath("font_widths.txt").read_text(encoding="ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    found = [Font(row[0], f"F{number}", (0,) * _FIRST + tuple(map(int, row[1:]))) for number, row in enumerate(rows, 1)]
    return found[0], found[1]


def encoded(text: str) -> bytes:
    """Return a text in WinAnsiEncoding, blanks and line ends between words made one blank.

    Raises:
        DocumentError: the font has no such character.
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
