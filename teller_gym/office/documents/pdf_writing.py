"""Writes PDF 1.4: two of the standard fonts in WinAnsiEncoding, uncompressed content, no date and no file identifier.

Equal documents give equal bytes. The order of the objects is fixed: 1 catalog, 2 page tree, 3 and 4 fonts,
5 information, then each page and its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from teller_gym.office.documents.errors import check_size
from teller_gym.office.documents.fonts import encoded, fonts
from teller_gym.office.documents.pdf_document import PdfDocument
from teller_gym.office.documents.pdf_layout import PAGE_HEIGHT, PAGE_WIDTH, pages
from teller_gym.office.documents.pdf_lines import POINT

FIRST_PAGE: Final = 6
"""The number of the first page's object."""

_HEADER: Final = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
"""With a comment of bytes above 127, by which programs know that a file is no text."""

PAGE: Final = b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>"


def pdf_bytes(document: PdfDocument) -> bytes:
    """Return a document as PDF; `pdf_text` gives its text back.

    Raises:
        DocumentError: a text has characters that are not in Windows-1252, or there is more than `pdf_text` reads.
    """
    data = assembled(_text_string(encoded(document.title)), pages(document))
    check_size(data)
    return data


def assembled(title: bytes, contents: Sequence[bytes]) -> bytes:
    """Return a whole file.

    Args:
        title: a string object of PDF.
        contents: the content stream of each page.
    """
    kids = b" ".join(b"%d 0 R" % (FIRST_PAGE + 2 * place) for place in range(len(contents)))
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
        objects.append(PAGE % (FIRST_PAGE + 2 * place + 1))
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
    parts, at, offsets = [_HEADER], len(_HEADER), []
    for number, body in enumerate(objects, 1):
        offsets.append(at)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        at += len(parts[-1])
    # An entry of the table has 20 bytes, with the blank before the line end.
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts.extend(b"%010d 00000 n \n" % offset for offset in offsets)
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at))
    return b"".join(parts)


def _text_string(raw: bytes) -> bytes:
    """A text outside of pages: in hexadecimal digits of UTF-16, which needs no escapes."""
    return b"<FEFF%b>" % raw.decode("cp1252").encode("utf-16-be").hex().upper().encode()
