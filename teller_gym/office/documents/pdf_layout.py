"""Places a document's blocks on pages, line by line. Lengths are whole thousandths of a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from teller_gym.office.documents.pdf_document import (
    Block,
    Heading,
    KeyValues,
    PageBreak,
    Paragraph,
    PdfDocument,
    PdfTable,
    Title,
)
from teller_gym.office.documents.pdf_lines import (
    COLUMN_GAP,
    POINT,
    Cell,
    Column,
    Font,
    broken,
    cells_of,
    columns_of,
    encoded,
    fonts,
    row_pieces,
    rule,
    string,
    text_line,
)

PAGE_WIDTH: Final = 612 * POINT
PAGE_HEIGHT: Final = 792 * POINT
_LEFT: Final = 54 * POINT
_TOP: Final = 738 * POINT
_BOTTOM: Final = 64 * POINT
_FOOTER: Final = 36 * POINT
_WIDTH: Final = PAGE_WIDTH - 2 * _LEFT

_BODY: Final = 10
_TITLE: Final = 16
_HEADING: Final = 12
_TABLE: Final = (9, 8, 7)
"""Font sizes of tables in points. The first with which no line is broken is used, otherwise the last."""

_GAP: Final = 8 * POINT
"""Space between blocks."""

_RULE: Final = 4 * POINT
"""Distance from the last line of a table header to the rule below it."""

_LABEL_SHARE: Final = 3
"""Divisor of the width that limits the names in a list of values to a third."""


def pages(document: PdfDocument) -> list[bytes]:
    """Return the content stream of each page.

    A document without blocks has one page.
    """
    layout = Layout()
    for block in document.blocks:
        layout.add(block)
    upright, size = fonts()[0], _TABLE[-1]
    for number, page in enumerate(layout.pages, 1):
        line = b"Page %d of %d" % (number, len(layout.pages))
        page.append(text_line(upright, size, (PAGE_WIDTH - upright.width(line) * size) // 2, _FOOTER, string(line)))
    return [b"".join(page) for page in layout.pages]


class Layout:
    """Pages in progress.

    Attributes:
        pages: operators of each page so far.
    """

    def __init__(self) -> None:
        self.pages: list[list[bytes]] = [[]]
        self._upright, self._bold = fonts()
        self._y = _TOP

    def add(self, block: Block) -> None:
        """Add a block below the previous ones."""
        if isinstance(block, PageBreak):
            self._new_page()
            return
        if self._y < _TOP:
            self._y -= _GAP
        if isinstance(block, Title):
            self._paragraph(block.text, self._bold, _TITLE)
        elif isinstance(block, Heading):
            self._room(_leading(_HEADING) + _GAP + 3 * _leading(_BODY))
            self._paragraph(block.text, self._bold, _HEADING)
        elif isinstance(block, Paragraph):
            self._paragraph(block.text, self._upright, _BODY)
        elif isinstance(block, KeyValues):
            self._key_values(block)
        else:
            self._table(block)

    def _new_page(self) -> None:
        self.pages.append([])
        self._y = _TOP

    def _room(self, height: int) -> bool:
        """Begin a new page if a height does not fit on the current one, and return True if so."""
        short = self._y - height < _BOTTOM and self._y < _TOP
        if short:
            self._new_page()
        return short

    def _paragraph(self, text: str, font: Font, size: int) -> None:
        for line in font.wrapped(encoded(text), _WIDTH // size):
            self._room(_leading(size))
            self._y -= _leading(size)
            if line:
                self.pages[-1].append(text_line(font, size, _LEFT, self._y, string(line)))

    def _key_values(self, block: KeyValues) -> None:
        font = self._upright
        pairs = [cells_of((encoded(key) + b":", encoded(value)), font) for key, value in block.pairs]
        label = min(max((wide for (_, wide), _ in pairs), default=0) * _BODY, _WIDTH // _LABEL_SHARE)
        left = label + COLUMN_GAP
        columns = (Column(0, label), Column(left, _WIDTH - left))
        for pair in pairs:
            self._rows(broken(pair, columns, font, _BODY), columns, font, _BODY)

    def _table(self, block: PdfTable) -> None:
        names = block.table.columns
        header = cells_of(map(encoded, names), self._bold)
        rows = [cells_of(map(encoded, row), self._upright) for row in block.table.rows]
        natural = [max(wide for _, wide in cells) for cells in zip(header, *rows, strict=True)]
        size, columns = columns_of(natural, [name in block.right for name in names], _WIDTH, _TABLE)
        top = broken(header, columns, self._bold, size)
        above = len(top) * _leading(size) + _RULE

        def begin() -> None:
            self._rows(top, columns, self._bold, size)
            self._y -= _RULE
            self.pages[-1].append(rule(_LEFT, _LEFT + columns[-1].left + columns[-1].width, self._y))

        self._room(above + _leading(size))
        begin()
        for row in rows:
            lines = broken(row, columns, self._upright, size)
            # A row stays together, unless it is longer than a page.
            if self._room(min(len(lines) * _leading(size), _TOP - _BOTTOM - above)):
                begin()
            self._rows(lines, columns, self._upright, size)

    def _rows(self, lines: Sequence[Sequence[Cell]], columns: Sequence[Column], font: Font, size: int) -> None:
        for line in lines:
            self._room(_leading(size))
            self._y -= _leading(size)
            if pieces := row_pieces(line, columns, font, size):
                self.pages[-1].append(text_line(font, size, _LEFT, self._y, pieces))


def _leading(size: int) -> int:
    """Return the line spacing for a font size."""
    return size * 1350
