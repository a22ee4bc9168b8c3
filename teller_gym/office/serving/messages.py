"""Converts between ASGI messages and the services' requests and responses."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from http import HTTPStatus
from typing import Final

from starlette.responses import Response as Answer
from starlette.types import Scope

from teller_gym.office.web import Request, Response

_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_BARE: Final = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


def to_request(scope: Scope, body: bytes) -> Request:
    """Convert an ASGI request for the services, without the client's Date, which is never trusted."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("ascii"), _text(raw_value)
        if name in headers:
            headers[name] = f"{headers[name]}, {value}"
        elif name != "date":
            headers[name] = value
    return Request(scope["method"], scope["raw_path"].decode("ascii"), scope["query_string"].decode(), headers, body)


def to_answer(response: Response, method: str, now: datetime) -> Answer:
    """Convert a service's response to one that can be sent.

    ``now`` is the office's time in UTC, which is sent as the Date, so that equal runs give equal bytes.

    Raises:
        ValueError: a header cannot be sent.
    """
    status, body = response.status, response.body
    headers, length = [], str(len(body))
    for name, value in response.headers:
        if _CONTROL.search(value):
            raise ValueError(f"expected a value of {name} in one line, got {value[:60]!r}")
        if name.lower() != "content-length":
            headers.append((name.lower().encode("ascii"), value.strip(" \t").encode()))
        elif method == "HEAD" and not body:  # only the service knows the length of the body that it leaves out
            length = value
    headers.append((b"date", format_datetime(now.replace(tzinfo=UTC), usegmt=True).encode()))
    if status not in _BARE:
        headers.append((b"content-length", length.encode("ascii")))
    answer = Answer(b"" if method == "HEAD" or status in _BARE else body, status)
    answer.raw_headers = headers
    return answer


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
