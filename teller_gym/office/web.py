"""HTTP requests and responses without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qsl

import msgspec

from teller_gym.office.store import Store

MAX_BODY = 8 * 1024 * 1024
"""Maximum size of a request body in bytes. Larger ones are answered with 413."""


class Request(msgspec.Struct, frozen=True):
    """An HTTP request.

    Attributes:
        method: method in capitals.
        path: path of the request line, percent-encoded, without the query.
        query: text after the question mark, percent-encoded.
        headers: values by lower-case name; values of a repeated header are joined by a comma and a space.
        body: body of the request.
    """

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def parameters(self) -> list[tuple[str, str]]:
        """Parse the query into names and values, in order.

        Raises:
            ValueError: there are more than 1,000.
        """
        return parse_qsl(self.query, keep_blank_values=True, max_num_fields=1000)


class Response(msgspec.Struct, frozen=True):
    """An HTTP response.

    Attributes:
        status: status code.
        headers: headers in order; names may repeat. The server adds Content-Length.
        body: body of the response.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """Return the first value of a header, whose name is case-insensitive, or None if it is missing."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def data(self) -> Any:
        """Decode the body as JSON."""
        return msgspec.json.decode(self.body)


class Service(Protocol):
    """An office service, which answers HTTP requests.

    Attributes:
        name: crm, files, chat or tracker.
    """

    name: str

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request without raising.

        On an error, nothing is written to the store.
        """


def json_response(status: int, value: Any, *headers: tuple[str, str]) -> Response:
    """Return a response with a value as its JSON body."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, (("Content-Type", "application/json; charset=utf-8"), *headers), body)


@runtime_checkable
class Refusing(Protocol):
    """A service with its own format for server errors, such as 413, 429, 500 and 507."""

    def refusal(self, status: int, message: str) -> Response:
        """Return an error in the service's format, with a message of one sentence."""


def refusal(service: object, status: int, message: str) -> Response:
    """Return a server error in the service's format, or as JSON with the message as ``error``."""
    if isinstance(service, Refusing):
        return service.refusal(status, message)
    return json_response(status, {"error": message})
