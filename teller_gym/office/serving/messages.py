"""Translates between uvicorn's messages and the services' requests and answers."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Final

import h11
import msgspec
from starlette.types import Scope

from teller_gym.office.web import Request, Response

_OURS: Final = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})
"""Headers about the connection; a service's own are not sent."""

_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")

_REASONS: Final = {status.value: status.phrase.encode() for status in HTTPStatus}


class Answer(msgspec.Struct, frozen=True):
    """An answer ready to be sent: status and headers, checked by h11, and the body, empty for HEAD."""

    head: h11.Response
    body: bytes


def escaped(line: bytes) -> bytes:
    """Return a request line with bytes that are not ASCII as percent escapes, which some clients should have sent.

    h11 refuses them, as RFC 9112 has it; Apache and nginx take them.
    """
    return line if line.isascii() else _NOT_ASCII.sub(lambda found: b"%%%02X" % found[0][0], line)


def target(raw_path: bytes, raw_query: bytes) -> tuple[str, str]:
    """Return path and query of a request line's target, as they came.

    Args:
        raw_path: the part of the target before its first question mark.
        raw_query: the part after it.

    Raises:
        ValueError: it is neither a path, nor an address of HTTP, nor an asterisk.
    """
    path = raw_path.decode("ascii")
    if path[:7].lower() == "http://":
        path = f"/{path[7:].partition('/')[2]}"
    if not path.startswith("/") and path != "*":
        raise ValueError("The request's target must be a path.")
    return path, raw_query.decode("ascii")


def to_request(scope: Scope, path: str, query: str, body: bytes) -> Request:
    """Return an ASGI request as services see it, without the client's Date, which is never trusted."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("ascii"), _text(raw_value)
        if name in headers:
            headers[name] = f"{headers[name]}, {value}"
        elif name != "date":
            headers[name] = value
    return Request(scope["method"], path, query, headers, body)


def to_answer(response: Response, method: str, now: datetime) -> Answer:
    """Return a service's answer to a request, ready to be sent.

    ``now``: the office's time in UTC; it is sent as the answer's Date, so that equal runs give equal bytes.

    Raises:
        ValueError: it cannot be sent: a status or a header that HTTP does not have.
    """
    status, body = response.status, response.body
    if not 200 <= status <= 599:
        raise ValueError(f"expected a status from 200 to 599, got {status}")
    headers, stated, dated = [], None, False
    for name, value in response.headers:
        lower = name.lower()
        if lower == "content-length":
            stated = value
        elif lower not in _OURS:
            dated = dated or lower == "date"
            headers.append((name.encode("ascii"), value.strip(" \t").encode()))
    if not dated:
        headers.append((b"Date", _date(now)))
    # Of the body that it leaves out, only the service knows the length.
    length = stated if method == "HEAD" and not body else str(len(body))
    if length is not None and status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
        headers.append((b"Content-Length", length.encode("ascii")))
    try:
        head = h11.Response(status_code=status, headers=headers, reason=_REASONS.get(status, b""))
    except h11.LocalProtocolError as error:
        raise ValueError(str(error)) from None
    is_bare = method == "HEAD" or status in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
    return Answer(head, b"" if is_bare else body)


def closing(head: h11.Response) -> h11.Response:
    """Return the same head with the header that ends the connection."""
    return h11.Response(
        status_code=head.status_code,
        headers=[*head.headers.raw_items(), (b"Connection", b"close")],
        reason=head.reason,
    )


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


@lru_cache(maxsize=1)
def _date(now: datetime) -> bytes:
    return format_datetime(now.replace(tzinfo=UTC), usegmt=True).encode()
