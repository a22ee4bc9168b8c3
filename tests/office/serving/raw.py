"""A client that sends bytes and reads answers, for everything that proper clients do not let one do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

PATIENCE_S = 30.0
"""A busy machine may be slow; nothing here takes long by itself."""


class Reply(NamedTuple):
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


class Raw:
    """A connection."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        assert place.hostname is not None and place.port is not None
        self.socket = socket.create_connection((place.hostname, place.port), PATIENCE_S)
        self._buffer = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> bytes:
        """Read a line; empty at the end."""
        while b"\r\n" not in self._buffer:
            if not self._more():
                return b""
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        return line

    def reply(self, *, bare: bool = False) -> Reply:
        """Read an answer; bare: to a HEAD, which has no body."""
        line = self.line()
        assert line.startswith(b"HTTP/1.1 "), line
        headers: dict[str, str] = {}
        while field := self.line():
            name, _, value = field.decode("latin-1").partition(": ")
            headers[name.lower()] = f"{headers[name.lower()]}|{value}" if name.lower() in headers else value
        length = 0 if bare else int(headers.get("content-length", "0"))
        while len(self._buffer) < length:
            assert self._more(), "the answer was cut off"
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return Reply(int(line.split()[1]), headers, body)

    def ended(self) -> bool:
        """Wait for the end of the connection; return True if nothing was received before."""
        return not self._more() and not self._buffer

    def close(self) -> None:
        self.socket.close()

    def _more(self) -> bool:
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            return False
        self._buffer += data
        return bool(data)


@contextmanager
def raw(address: str) -> Iterator[Raw]:
    client = Raw(address)
    try:
        yield client
    finally:
        client.close()


def request(address: str, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
    """Send one request on a new connection and read the answer."""
    fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    with raw(address) as client:
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n{fields}\r\n"
        client.send(head.encode() + body)
        return client.reply(bare=method == "HEAD")
