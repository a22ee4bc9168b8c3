"""What a PDF says, block by block; how it looks is `pdf_layout`'s matter.

Texts are of the characters of Windows-1252. Blanks and line ends between words count as one blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.tables import Table, column_index

MAX_COLUMNS: Final = 20
"""Columns of a table on a page; with more, nothing is left of a column but the gaps between."""


@dataclass(frozen=True)
class Title:
    """The document's title, in large letters."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A heading; what follows it begins on the same page."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A text that is broken into lines."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines that stay lines, such as an address; an empty one is an empty line."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class KeyValues:
    """Names with their values, one pair a line; a colon is put behind each name."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PdfTable:
    """A table; its header stands again on every page that it reaches.

    Attributes:
        table: one row a line, unless its cells are too long for the page: those are broken into several lines.
        right: headers of the columns that are aligned right, such as amounts.

    Raises:
        DocumentError: there are more than `MAX_COLUMNS` columns, or none of the name in ``right``.
    """

    table: Table
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


Block = Title | Heading | Paragraph | Lines | KeyValues | PdfTable | PageBreak


@dataclass(frozen=True)
class PdfDocument:
    """A document of one page or more, in US Letter.

    Attributes:
        blocks: what it says, from top to bottom.
        title: what a reader shows in its window; not on a page.
        page_numbers: whether ``Page 1 of 3`` stands below each page.
        footer: a line below each page, before the number.
    """

    blocks: tuple[Block, ...]
    title: str = ""
    page_numbers: bool = True
    footer: str = ""


def letter(
    sender: Sequence[str],
    recipient: Sequence[str],
    day: str,
    subject: str,
    paragraphs: Sequence[str],
    closing: Sequence[str],
) -> PdfDocument:
    """Return a letter.

    Args:
        sender: lines of the letterhead.
        recipient: lines of the address.
        day: the date, as it is to be written.
        subject: what it is about.
        paragraphs: from the salutation on.
        closing: lines such as ``Yours sincerely`` and the name.
    """
    parts = (Lines(tuple(sender)), Lines((day,)), Lines(tuple(recipient)), Heading(subject))
    return PdfDocument((*parts, *(Paragraph(text) for text in paragraphs), Lines(tuple(closing))), title=subject)


def statement(
    title: str,
    details: Sequence[tuple[str, str]],
    tables: Sequence[tuple[str, PdfTable]],
    notes: Sequence[str] = (),
) -> PdfDocument:
    """Return a statement of an account, or a deed.

    Args:
        title: such as ``Statement of Account``.
        details: pairs such as the account's number and the period.
        tables: each with its heading, which may be empty.
        notes: paragraphs below the tables.
    """
    blocks: list[Block] = [Title(title), KeyValues(tuple(details))]
    for heading, table in tables:
        blocks += [Heading(heading), table] if heading else [table]
    return PdfDocument((*blocks, *(Paragraph(text) for text in notes)), title=title)
