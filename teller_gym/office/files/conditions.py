"""Conditional requests and ranges of RFC 9110. WebDAV's If header is in `guarding`."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.files.errors import FilesError
from teller_gym.office.store import Record
from teller_gym.office.web import Request

_ETAG: Final = re.compile(r'(W/)?("[^"]*")')
_RANGE: Final = re.compile(r"\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*", re.IGNORECASE | re.ASCII)


def check(request: Request, record: Record | None) -> bool:
    """Check a request's preconditions against the record at its path (None: nothing), in RFC 9110's order.

    Returns:
        False if the answer is 304: the client has the file already.

    Raises:
        FilesError: 412.
    """
    headers = request.headers
    if "if-match" in headers and not _names(headers["if-match"], record, weak=False):
        raise FilesError(412, "What stands at the path has none of the ETags given")
    if "if-none-match" in headers and _names(headers["if-none-match"], record, weak=True):
        if request.method in ("GET", "HEAD"):
            return False
        raise FilesError(412, "What stands at the path has one of the ETags given")
    return True


def byte_range(request: Request, record: Record) -> tuple[int, int] | None:
    """Return the first byte and the one after the last that a GET requests; None for the whole file.

    A header that is not a single range of bytes is ignored, and so is any range with an If-Range header or for an empty
    file.

    Raises:
        FilesError: 416 for a range that begins after the end.
    """
    size = len(record["content"])
    match = _RANGE.fullmatch(request.headers.get("range", ""))
    if match is None or not size or "if-range" in request.headers:
        return None
    first, last = match.groups()
    if first:
        if last and int(last) < int(first):
            return None
        if int(first) >= size:
            raise _unsatisfiable(f"The file has {size} bytes; the range begins with byte {int(first)}", size)
        return int(first), min(int(last) + 1, size) if last else size
    if not last:
        return None
    if int(last) == 0:
        raise _unsatisfiable("The range asks for the last 0 bytes of the file", size)
    return max(size - int(last), 0), size


def _unsatisfiable(message: str, size: int) -> FilesError:
    return FilesError(416, message, headers=(("Content-Range", f"bytes */{size}"),))


def _names(header: str, record: Record | None, *, weak: bool) -> bool:
    """Return True if a list of ETags has the record's; a star matches any record, and a weak ETag only if ``weak``."""
    if record is None:
        return False
    if header.strip() == "*":
        return True
    own = f'"{record["etag"]}"'
    return any(tag == own and (weak or not weakness) for weakness, tag in _ETAG.findall(header))
