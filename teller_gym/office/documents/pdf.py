"""Writes PDF 1.4, and extracts text only from PDFs written by this module.

Files have two standard fonts in WinAnsiEncoding, uncompressed content, no date and no file identifier: equal documents
give equal bytes. The order of the objects is fixed: 1 catalog, 2 page tree, 3 and 4 fonts, 5 information, then each
page and its content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from teller_gym.office.documents.errors import DocumentError, check_size
from teller_gym.office.documents.pdf_document import PdfDocument
from teller_gym.office.documents.pdf_layout import PAGE_HEIGHT, PAGE_WIDTH, pages
from teller_gym.office.documents.pdf_lines import POINT, encoded, fonts

_FIRST_PAGE: Final = 6
"""Object number of the first page."""

_HEADER: Final = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
"""Header with a comment that contains bytes above 127, by which programs recognise a binary file."""

_PAGE: Final = b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>"

_TITLE: Final = re.compile(rb"5 0 obj\n<< /Title (<[0-9A-F]*+>) >>\nendobj\n")
_CONTENT: Final = re.compile(rb"<< /Length ([0-9]{1,8}) >>\nstream\n")
_STRING: Final = re.compile(rb"\(((?:[^()\\\n]++|\\[()\\])*+)\)(?: -[0-9]+ )?+")
_SHOWN: Final = re.compile(
    rb"BT /F[12] [0-9]+ Tf [0-9.]+ [0-9.]+ Td \[((?:\((?:[^()\\\n]++|\\[()\\])*+\)(?: -[0-9]+ )?+)++)\] TJ ET"
)
_RULE: Final = re.compile(rb"0\.5 w [0-9.]+ [0-9.]+ m [0-9.]+ [0-9.]+ l S")
_ESCAPED: Final = re.compile(rb"\\([()\\])")


def pdf_bytes(document: PdfDocument) -> bytes:
    """Write a document as PDF, so that `pdf_text` returns its text.

    Raises:
        DocumentError: a text has characters outside Windows-1252, or the file is larger than `pdf_text` accepts.
    """
    data = _assembled(_text_string(encoded(document.title)), pages(document))
    check_size(data)
    return data


def pdf_text(data: bytes) -> str:
    """Return the text of a PDF, line by line as on its pages, with a form feed between pages.

    The cells of a table row are on one line, separated by at least two spaces; an empty cell leaves more. The time is
    linear in the number of bytes.

    Raises:
        DocumentError: the bytes are not exactly those of a document that `pdf_bytes` wrote.
    """
    check_size(data)
    if not data.startswith(b"%PDF-"):
        raise DocumentError(
            "Expected a PDF, which begins with %PDF-; got another kind of file. Check which file it is."
        )
    title = _TITLE.search(data)
    if title is None:
        raise _foreign("no title where it should stand")
    at = title.end()
    contents: list[bytes] = []
    while True:
        number = _FIRST_PAGE + 2 * len(contents)
        page = b"%d 0 obj\n%b\nendobj\n%d 0 obj\n" % (number, _PAGE % (number + 1), number + 1)
        if not data.startswith(page, at):
            break
        found = _CONTENT.match(data, at + len(page))
        if found is None:
            raise _foreign(f"page {len(contents) + 1} without a content that says its length")
        end = found.end() + int(found[1])
        contents.append(data[found.end() : end])
        at = end + len(b"\nendstream\nendobj\n")
    # Writing the same pages again checks all other objects and all offsets.
    if _assembled(title[1], contents) != data:
        raise _foreign("other objects, or offsets that lead elsewhere")
    return "\f".join(_page_text(content, number) for number, content in enumerate(contents, 1))


def _assembled(title: bytes, contents: Sequence[bytes]) -> bytes:
    """Return a PDF file with a title (a PDF string object) and each page's content stream."""
    kids = b" ".join(b"%d 0 R" % (_FIRST_PAGE + 2 * place) for place in range(len(contents)))
    upright, bold = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /%b /Encoding /WinAnsiEncoding >>" % font.name.encode()
        for font in fonts()
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%b] /MediaBox [0 0 %d %d] "
        b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        % (len(contents), kids, PAGE_WIDTH // POINT, PAGE_HEIGHT // POINT),
        upright,
        bold,
        b"<< /Title %b >>" % title,
    ]
    for place, content in enumerate(contents):
        objects.append(_PAGE % (_FIRST_PAGE + 2 * place + 1))
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
    parts, at, offsets = [_HEADER], len(_HEADER), []
    for number, body in enumerate(objects, 1):
        offsets.append(at)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        at += len(parts[-1])
    # An entry of the table has 20 bytes, including the blank before the line end.
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts.extend(b"%010d 00000 n \n" % offset for offset in offsets)
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at))
    return b"".join(parts)


def _text_string(raw: bytes) -> bytes:
    """Return a text for use outside of pages, in hexadecimal digits of UTF-16, which needs no escapes."""
    return b"<FEFF%b>" % raw.decode("cp1252").encode("utf-16-be").hex().upper().encode()


def _page_text(content: bytes, number: int) -> str:
    lines = []
    for line in content.split(b"\n")[:-1] if content else []:
        found = _SHOWN.fullmatch(line)
        if found is not None:
            raw = b"".join(_STRING.findall(found[1]))
            lines.append(_ESCAPED.sub(rb"\1", raw) + b"\n")
        elif _RULE.fullmatch(line) is None:
            raise _foreign(f"page {number} with operators of another kind")
    if content and not content.endswith(b"\n"):
        raise _foreign(f"page {number} without the end of its last line")
    try:
        return b"".join(lines).decode("cp1252")
    except UnicodeDecodeError:
        raise _foreign(f"page {number} with bytes that stand for no character") from None


def _foreign(what: str) -> DocumentError:
    return DocumentError(
        f"Expected a PDF as this package writes it, unchanged; got one with {what}. "
        "Read it with a general PDF reader, or ask for it as CSV or text."
    )
