"""HTTP without a wire: what a service is asked and what it answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import parse_qsl

import msgspec

from teller_gym.office.store import Store

MAX_BODY = 8 * 1024 * 1024
"""Bytes of a request's body that a service takes; more is answered with 413."""


class Request(msgspec.Struct, frozen=True):
    """A request as it came.

    Attributes:
        method: in capitals.
        path: as it stands in the request line, percent-encoded, without the query.
        query: what follows the question mark, as it came.
        headers: by lower-case name; of a repeated one the values, joined by a comma and a space.
        body: bytes.
    """

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def parameters(self) -> list[tuple[str, str]]:
        """Return the query's names and values, in order."""
        return parse_qsl(self.query, keep_blank_values=True, max_num_fields=1000)


class Response(msgspec.Struct, frozen=True):
    """An answer.

    Attributes:
        status: of HTTP.
        headers: in order; a name may stand twice. Content-Length is added where it is sent.
        body: bytes.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """Return the first value of a header, whatever the case of its name."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def data(self) -> Any:
        """Return the body's JSON."""
        return msgspec.json.decode(self.body)


class Service(Protocol):
    """One of the four.

    Attributes:
        name: crm, files, chat or tracker.
    """

    name: str

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request; never raises. Either all of what it writes is in the store afterwards, or nothing."""


def json_response(status: int, value: Any, *headers: tuple[str, str]) -> Response:
    """Return JSON, with its type."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, (("Content-Type", "application/json; charset=utf-8"), *headers), body)
