"""Reads the text of PDFs that `pdf_bytes` wrote, and of no others."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.documents.errors import DocumentError, check_size
from teller_gym.office.documents.pdf_writing import FIRST_PAGE, PAGE, assembled

_TITLE: Final = re.compile(rb"5 0 obj\n<< /Title (<[0-9A-F]*+>) >>\nendobj\n")
_CONTENT: Final = re.compile(rb"<< /Length ([0-9]{1,8}) >>\nstream\n")
_STRING: Final = re.compile(rb"\(((?:[^()\\\n]++|\\[()\\])*+)\)(?: -[0-9]+ )?+")
_SHOWN: Final = re.compile(
    rb"BT /F[12] [0-9]+ Tf [0-9.]+ [0-9.]+ Td \[((?:\((?:[^()\\\n]++|\\[()\\])*+\)(?: -[0-9]+ )?+)++)\] TJ ET"
)
_RULE: Final = re.compile(rb"0\.5 w [0-9.]+ [0-9.]+ m [0-9.]+ [0-9.]+ l S")
_ESCAPED: Final = re.compile(rb"\\([()\\])")


def pdf_text(data: bytes) -> str:
    """Return the text of a PDF, line by line as on its pages; pages are separated by a form feed.

    The cells of a table's row are on one line with at least two blanks between; an empty cell leaves more. The time
    is linear in the number of bytes.

    Raises:
        DocumentError: these are not, to the last byte, the bytes of a document that `pdf_bytes` wrote.
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
        number = FIRST_PAGE + 2 * len(contents)
        page = b"%d 0 obj\n%b\nendobj\n%d 0 obj\n" % (number, PAGE % (number + 1), number + 1)
        if not data.startswith(page, at):
            break
        found = _CONTENT.match(data, at + len(page))
        if found is None:
            raise _foreign(f"page {len(contents) + 1} without a content that says its length")
        end = found.end() + int(found[1])
        contents.append(data[found.end() : end])
        at = end + len(b"\nendstream\nendobj\n")
    # Writing these pages again checks the rest: every other object and every offset.
    if assembled(title[1], contents) != data:
        raise _foreign("other objects, or offsets that lead elsewhere")
    return "\f".join(_page_text(content, number) for number, content in enumerate(contents, 1))


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
