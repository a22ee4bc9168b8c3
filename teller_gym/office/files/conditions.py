"""RFC 9110's conditions on requests: preconditions and ranges. WebDAV's If header is in `guarding`."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.files.errors import precondition_failed, unsatisfiable
from teller_gym.office.files.times import from_http_date
from teller_gym.office.store import Record
from teller_gym.office.web import Request

_ETAG: Final = re.compile(r'(W/)?("[^"]*")')
_RANGE: Final = re.compile(r"\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*", re.IGNORECASE | re.ASCII)


def check(request: Request, record: Record | None) -> bool:
    """Check a request's preconditions against what stands at its path (None: nothing), in RFC 9110's order.

    Returns:
        False if the answer is 304: the client has what it asks for.

    Raises:
        FilesError: 412.
    """
    headers = request.headers
    reads = request.method in ("GET", "HEAD")
    if "if-match" in headers:
        if not _names(headers["if-match"], record, weak=False):
            raise precondition_failed("What stands at the path has none of the ETags given", "If-Match")
    elif record is not None and "if-unmodified-since" in headers:
        date = from_http_date(headers["if-unmodified-since"])
        if date is not None and record["modified"] > date:
            raise precondition_failed("What stands at the path was changed after the date given", "If-Unmodified-Since")
    if "if-none-match" in headers:
        if _names(headers["if-none-match"], record, weak=True):
            if reads:
                return False
            raise precondition_failed("What stands at the path has one of the ETags given", "If-None-Match")
    elif reads and record is not None and "if-modified-since" in headers:
        date = from_http_date(headers["if-modified-since"])
        return date is None or bool(record["modified"] > date)
    return True


def byte_range(request: Request, record: Record) -> tuple[int, int] | None:
    """Return the first byte and the one after the last that a GET asks for; None for the whole file.

    A header that is no single range of bytes, or whose If-Range does not hold, does not count; nor does any for an
    empty file.

    Raises:
        FilesError: 416 for a range that begins after the end.
    """
    size = len(record["content"])
    match = _RANGE.fullmatch(request.headers.get("range", ""))
    if match is None or not size or not _still(request.headers.get("if-range", ""), record):
        return None
    first, last = match.groups()
    if first:
        if last and int(last) < int(first):
            return None
        if int(first) >= size:
            raise unsatisfiable(f"The file has {size} bytes; the range begins with byte {int(first)}", size)
        return int(first), min(int(last) + 1, size) if last else size
    if not last:
        return None
    if int(last) == 0:
        raise unsatisfiable("The range asks for the last 0 bytes of the file", size)
    return max(size - int(last), 0), size


def _names(header: str, record: Record | None, *, weak: bool) -> bool:
    """Whether a list of ETags has that of the record; a star has any. A weak one is equal to none where that counts."""
    if record is None:
        return False
    if header.strip() == "*":
        return True
    own = f'"{record["etag"]}"'
    return any(tag == own and (weak or not weakness) for weakness, tag in _ETAG.findall(header))


def _still(if_range: str, record: Record) -> bool:
    if not if_range:
        return True
    date = from_http_date(if_range)
    return if_range.strip() == f'"{record["etag"]}"' if date is None else bool(record["modified"] == date)
