"""Contents of a PDF as blocks, which `pdf_layout` places on pages.

Texts consist of Windows-1252 characters. Any white space between words counts as one space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.tables import TextTable, column_index

MAX_COLUMNS: Final = 20
"""Maximum number of columns in a table. With more, the gaps between columns would fill the page."""


@dataclass(frozen=True)
class Title:
    """The document's title, in large letters."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A heading, which is placed on one page with the beginning of the next block."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A text, broken into lines."""

    text: str


@dataclass(frozen=True)
class KeyValues:
    """Names with their values, one pair per line.

    A colon follows each name.
    """

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PdfTable:
    """A table of at most `MAX_COLUMNS` columns, with the header repeated on each page.

    Attributes:
        table: one row per line; cells that are too long for the page are broken into several lines.
        right: headers of right-aligned columns, such as amounts.
    """

    table: TextTable
    right: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.table.columns)
        if count > MAX_COLUMNS:
            raise DocumentError(f"Expected a table of at most {MAX_COLUMNS} columns; got {count}. Send it as CSV.")
        for column in self.right:
            column_index(self.table, column)


@dataclass(frozen=True)
class PageBreak:
    """The end of a page."""


Block = Title | Heading | Paragraph | KeyValues | PdfTable | PageBreak


@dataclass(frozen=True)
class PdfDocument:
    """A document of at least one page in US Letter, with ``Page 1 of 3`` below each page.

    Attributes:
        blocks: content from top to bottom.
        title: title in a reader's window; not on a page.
    """

    blocks: tuple[Block, ...]
    title: str = ""


def statement(
    title: str,
    details: Sequence[tuple[str, str]],
    tables: Sequence[tuple[str, PdfTable]],
    notes: Sequence[str] = (),
) -> PdfDocument:
    """Return an account statement: title, details, tables with their headings (which may be empty), and notes."""
    blocks: list[Block] = [Title(title), KeyValues(tuple(details))]
    for heading, table in tables:
        blocks += [Heading(heading), table] if heading else [table]
    return PdfDocument((*blocks, *(Paragraph(text) for text in notes)), title=title)
