"""PDFs: text is read back, offsets point to objects, and other files are refused."""

import hashlib
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.documents.errors import MAX_BYTES, DocumentError
from teller_gym.office.documents.pdf import pdf_bytes, pdf_text
from teller_gym.office.documents.pdf_document import (
    Block,
    Heading,
    KeyValues,
    PageBreak,
    Paragraph,
    PdfDocument,
    PdfTable,
    Title,
    statement,
)
from teller_gym.office.documents.pdf_lines import fonts
from teller_gym.office.documents.tables import TextTable

STATEMENT = statement(
    "Statement of Account",
    [("Account number", "1234-5678"), ("Account holder", "José Núñez")],
    [
        (
            "Transactions",
            PdfTable(
                TextTable(
                    ("Date", "Description", "Debit", "Balance"),
                    tuple(
                        (f"03/{day:02d}/2026", f"Wire no. {day} (fee)", "", f"{day * 971:,}.05") for day in range(1, 31)
                    ),
                ),
                right=("Debit", "Balance"),
            ),
        )
    ],
    ["Please report errors within 60 days."],
)
LETTER = PdfDocument(
    (Heading("Your loan"), Paragraph("Dear Ms Ørsted, (9 March 2026)"), Paragraph("Yours")), title="Loan"
)
LONG = PdfDocument(tuple(Paragraph(f"Paragraph {number} " + "and so on " * 60) for number in range(40)))


WORDS = (
    *("the", "account", "Müller", "Núñez", "Société", "café", "Straße", "Ørsted", "naïve", "€1,234.50", "(no.7)"),
    *("back\\slash", "“quoted”", "–", "100%", "A/B", "Grantor:", "Zoë's", "l'été", "£5", "½", "co-op", "#12", "(", ")"),
    *("\\", "IBAN-DE89370400440532013000", "transfer", "of", "funds", "received"),
)


def words(rng: Random, most: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, most + 1)))


def drawn_block(rng: Random) -> tuple[Block, list[str]]:
    """Draw a block with its expected lines, which may be wrapped in paragraphs."""
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
        # Names are short, since the lines of a wrapped name would be read with the value in between.
        pairs = tuple((rng.choice(WORDS[:20]), words(rng, 5)) for _ in range(rng.randrange(1, 5)))
        return KeyValues(pairs), [f"{key}: {value}" for key, value in pairs]
    if kind == 4 and rng.random() < 0.5:
        return PageBreak(), []
    columns = tuple(f"C{number} {rng.choice(WORDS)}" for number in range(rng.randrange(1, 5)))
    rows = tuple(
        tuple(words(rng, 1) if rng.random() < 0.85 else "" for _ in columns) for _ in range(rng.randrange(1, 30))
    )
    right = tuple(column for column in columns if rng.random() < 0.4)
    return PdfTable(TextTable(columns, rows), right), [" ".join(columns), *(" ".join(row) for row in rows)]


def drawn_document(rng: Random) -> tuple[PdfDocument, list[str]]:
    """Draw a document with its lines in reading order, without page numbers and with single blanks."""
    blocks, lines = [], []
    for _ in range(rng.randrange(1, 9)):
        block, its = drawn_block(rng)
        blocks.append(block)
        lines += its
    return PdfDocument(tuple(blocks), title=words(rng, 3)), [" ".join(line.split()) for line in lines]


def read_lines(pages: list[str]) -> list[str]:
    """Return the lines of all pages, without page numbers and repeated table headers."""
    lines: list[str] = []
    for page in pages:
        found = [" ".join(line.split()) for line in page.split("\n") if line][:-1]
        lines += found[1:] if lines and found and found[0].startswith("C0 ") and found[0] in lines else found
    return lines


def objects(data: bytes) -> dict[int, bytes]:
    """Return the bodies of all objects, found by the offsets of the cross-reference table."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", data)[1])  # type: ignore[index]
    head = re.compile(rb"xref\n0 (\d+)\n").match(data, start)
    assert head is not None
    found, at = {}, head.end()
    assert data[at : at + 20] == b"0000000000 65535 f \n"
    for number in range(1, int(head[1])):
        entry = data[at + 20 * number : at + 20 * (number + 1)]
        assert re.fullmatch(rb"\d{10} 00000 n \n", entry)
        begin = int(entry[:10])
        opening = b"%d 0 obj\n" % number
        assert data.startswith(opening, begin)
        found[number] = data[begin + len(opening) : data.index(b"\nendobj\n", begin)]
    assert data.startswith(b"trailer\n<< /Size %d " % (len(found) + 1), at + 20 * (len(found) + 1))
    return found


@pytest.mark.parametrize("document", [STATEMENT, LETTER, LONG, PdfDocument(())])
def test_offsets_lead_to_objects_and_lengths_to_the_ends_of_streams(document: PdfDocument) -> None:
    data = pdf_bytes(document)
    found = objects(data)
    assert found[1] == b"<< /Type /Catalog /Pages 2 0 R >>"
    kids = [int(kid) for kid in re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[(.*?)\]", found[2])[1])]  # type: ignore[index]
    assert b"/Count %d " % len(kids) in found[2]
    assert len(kids) == pdf_text(data).count("\f") + 1
    for kid in kids:
        content = found[int(re.search(rb"/Contents (\d+) 0 R", found[kid])[1])]  # type: ignore[index]
        length = re.match(rb"<< /Length (\d+) >>\nstream\n", content)
        assert length is not None
        assert content[length.end() :] == content[length.end() :][: int(length[1])] + b"\nendstream"


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_every_word_is_read_in_order_and_rows_are_lines(seed: int) -> None:
    document, lines = drawn_document(Random(seed))
    data = pdf_bytes(document)
    assert data == pdf_bytes(document)
    read = read_lines(pdf_text(data).split("\f"))
    assert " ".join(read).split() == " ".join(lines).split()
    whole = set(read)
    assert all(line in whole for line in lines if line.startswith("C0 "))


def test_bytes_do_not_change_from_one_version_to_the_next() -> None:
    # Update the checksum after an intended change of the layout, which also changes the frozen tasks.
    assert hashlib.sha256(pdf_bytes(STATEMENT)).hexdigest()[:16] == "fc6a3e8e451a5db5"


def test_a_statement_reads_as_it_looks() -> None:
    lines = pdf_text(pdf_bytes(STATEMENT)).split("\n")
    assert lines[0] == "Statement of Account"
    assert re.fullmatch(r"Account number: {2,}1234-5678", lines[1])
    assert re.split(" {2,}", lines[5]) == ["03/01/2026", "Wire no. 1 (fee)", "971.05"]
    assert lines[-3:] == ["Please report errors within 60 days.", "Page 1 of 1", ""]


def test_pages_have_numbers_and_tables_their_header_again() -> None:
    table = TextTable(("Name", "Amount"), tuple((f"n{number}", str(number)) for number in range(200)))
    pages = pdf_text(pdf_bytes(PdfDocument((PdfTable(table, ("Amount",)),)))).split("\f")
    assert len(pages) == 4
    for number, page in enumerate(pages, 1):
        assert page.split()[:2] == ["Name", "Amount"]
        assert page.endswith(f"\nPage {number} of 4\n")
    rows = [line.split() for page in pages for line in page.split("\n")[1:-2]]
    assert rows == [list(row) for row in table.rows]


def test_right_aligned_cells_end_at_the_same_place() -> None:
    content = pdf_bytes(PdfDocument((PdfTable(TextTable(("A", "B"), (("x", "1.00"), ("Wide", "1,234.00"))), ("B",)),)))
    upright, _ = fonts()
    ends = []
    for x, pieces in re.findall(rb"BT /F1 9 Tf ([0-9.]+) \S+ Td \[(.*)\] TJ", content):
        at = float(x) * 1000
        for text, back in re.findall(rb"\(([^)]*)\)(?: -(\d+))?", pieces):
            at += 9 * (upright.width(text) + int(back or 0))
        ends.append(at)
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) < 20  # thousandths of a point


def test_cells_too_long_for_the_page_are_broken_within_their_column() -> None:
    cells = ("word " * 80, "9,999.00", "W" * 300)
    text = pdf_text(pdf_bytes(PdfDocument((PdfTable(TextTable(("Text", "Amount", "Code"), (cells,)), ("Amount",)),))))
    assert text.split().count("word") == 80
    assert text.split().count("9,999.00") == 1
    assert "".join(part for part in text.split() if set(part) == {"W"}) == "W" * 300


@pytest.mark.parametrize("character", ["ł", "\u2212", "\x00", "\x1f", "\x7f", "\x81", "\u00ad", "\ud800", "中"])
def test_characters_that_the_fonts_lack_are_refused(character: str) -> None:
    text = f"a{character}b"
    table = TextTable((text,))
    for block in (Title(text), Heading(text), KeyValues(((text, ""),)), PdfTable(table)):
        with pytest.raises(DocumentError, match=r"Windows-1252.*got"):
            pdf_bytes(PdfDocument((block,)))
    with pytest.raises(DocumentError):
        pdf_bytes(PdfDocument((), title=text))


def test_tables_refuse_what_fits_on_no_page() -> None:
    with pytest.raises(DocumentError, match="at most 20 columns"):
        PdfTable(TextTable(tuple("abcdefghijklmnopqrstu")))
    with pytest.raises(DocumentError, match="one column 'b'"):
        PdfTable(TextTable(("a",)), right=("b",))
    text = pdf_text(pdf_bytes(PdfDocument((PdfTable(TextTable(tuple("abcdefghijklmnopqrst"), (("WW WW",) * 20,))),))))
    assert text.count("W") == 80


@pytest.mark.parametrize("data", [b"", b"a,b\n", b"%PDF-1.7\n%%EOF\n", b"%PDF-" + b" " * MAX_BYTES])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="Expected a"):
        pdf_text(data)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(pdf_bytes(LETTER)) - 1), st.binary(max_size=3), st.integers(0, 3))
def test_a_changed_pdf_is_read_or_refused_and_nothing_else(place: int, put: bytes, out: int) -> None:
    whole = pdf_bytes(LETTER)
    data = whole[:place] + put + whole[place + out :]
    try:
        text = pdf_text(data)
    except DocumentError:
        return
    # Only letters of the text can have changed, since everything that locates or names an object is checked.
    assert text.count("\n") == pdf_text(whole).count("\n")
    assert len(data) == len(whole)
