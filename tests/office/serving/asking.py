"""Sends requests to a served office, each on a new connection."""

from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import urlsplit

PATIENCE_S = 30.0
"""Timeout of requests, which is generous for busy machines."""


class Reply(NamedTuple):
    """A response, with headers by lower-case name."""

    status: int
    headers: dict[str, str]
    body: bytes


def connect(address: str) -> HTTPConnection:
    """Return a client for a service's address."""
    return HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE_S)


def begin(client: HTTPConnection, method: str, path: str, length: int, **headers: str) -> None:
    """Send a request up to its body."""
    client.putrequest(method, path, skip_accept_encoding=True)
    for name, value in {**headers, "Content-Length": str(length)}.items():
        client.putheader(name.replace("_", "-"), value)
    client.endheaders()


def reply(client: HTTPConnection) -> Reply:
    """Read an answer."""
    response = client.getresponse()
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        headers[name.lower()] = f"{headers[name.lower()]}|{value}" if name.lower() in headers else value
    return Reply(response.status, headers, response.read())


def request(address: str, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
    """Send one request on a new connection and read the answer."""
    client = connect(address)
    try:
        begin(client, method, path, len(body), **headers)
        client.send(body)
        return reply(client)
    finally:
        client.close()
