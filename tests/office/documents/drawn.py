"""Documents that are drawn, and their words in reading order, worked out from the blocks and nothing else."""

from __future__ import annotations

from random import Random

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
from teller_gym.office.documents.tables import Table

WORDS = (
    *("the", "account", "Müller", "Núñez", "Société", "café", "Straße", "Ørsted", "naïve", "€1,234.50", "(no.7)"),
    *("back\\slash", "“quoted”", "–", "100%", "A/B", "Grantor:", "Zoë's", "l'été", "£5", "½", "co-op", "#12", "(", ")"),
    *("\\", "IBAN-DE89370400440532013000", "transfer", "of", "funds", "received"),
)


def words(rng: Random, most: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, most + 1)))


def drawn_block(rng: Random) -> tuple[Block, list[str]]:
    """Return a block and its expected lines; a paragraph's lines may be broken further."""
    kind = rng.randrange(6)
    if kind == 0:
        text = words(rng, 5)
        return Title(text), [text]
    if kind == 1:
        text = words(rng, 5)
        return Heading(text), [text]
    if kind == 2:
        text = words(rng, 120)
        return Paragraph(text), [text]
    if kind == 3:
        # Names are short: one that is broken into lines is read line by line, its value's beginning in between.
        pairs = tuple((rng.choice(WORDS[:20]), words(rng, 5)) for _ in range(rng.randrange(1, 5)))
        return KeyValues(pairs), [f"{key}: {value}" for key, value in pairs]
    if kind == 4 and rng.random() < 0.5:
        return PageBreak(), []
    columns = tuple(f"C{number} {rng.choice(WORDS)}" for number in range(rng.randrange(1, 5)))
    rows = tuple(
        tuple(words(rng, 1) if rng.random() < 0.85 else "" for _ in columns) for _ in range(rng.randrange(1, 30))
    )
    right = tuple(column for column in columns if rng.random() < 0.4)
    return PdfTable(Table(columns, rows), right), [" ".join(columns), *(" ".join(row) for row in rows)]


def drawn_document(rng: Random) -> tuple[PdfDocument, list[str]]:
    """Return a document and its lines in reading order, without page numbers, with single blanks."""
    blocks, lines = [], []
    for _ in range(rng.randrange(1, 9)):
        block, its = drawn_block(rng)
        blocks.append(block)
        lines += its
    return PdfDocument(tuple(blocks), title=words(rng, 3)), [" ".join(line.split()) for line in lines]


def read_lines(pages: list[str]) -> list[str]:
    """Return the lines of pages in one list, without page numbers and a table's header repeated on the next page."""
    lines: list[str] = []
    for page in pages:
        found = [" ".join(line.split()) for line in page.split("\n") if line][:-1]
        lines += found[1:] if lines and found and found[0].startswith("C0 ") and found[0] in lines else found
    return lines
