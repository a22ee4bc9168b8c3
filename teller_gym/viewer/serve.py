"""Serves the pages to browsers on this machine only."""

from __future__ import annotations

import os
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from teller_gym.base.errors import OptionError

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost", "[::1]")
"""Accepted host names. Requests in a DNS rebinding attack have the attacker's host name and are rejected."""

_HTTP = 80
"""Default HTTP port, which browsers omit from the host name."""

_IDLE_S = 30.0
"""Seconds after which an idle connection is closed, so that it does not occupy a thread."""

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Headers that disable caching, and loading from and by other origins."""


class _Files(SimpleHTTPRequestHandler):
    """Serves the files in one folder, without directory listings, files outside of it, or a log."""

    timeout = _IDLE_S

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send status and headers for GET and HEAD, and return the file to send as the body, or None for an error."""
        if not self._is_for_us():
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "Not a name of this server")
            return None
        file = self._file()
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None
        try:
            opened = file.open("rb")
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(file.name))
        self.send_header("Content-Length", str(os.fstat(opened.fileno()).st_size))
        self.end_headers()
        return opened

    def _is_for_us(self) -> bool:
        """Return True if the request has exactly one host name, which is this machine's with this server's port."""
        names = self.headers.get_all("Host") or []
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        ours = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == _HTTP else set())
        return len(names) == 1 and names[0].strip().lower() in ours

    def _file(self) -> Path | None:
        """Return the requested file if it is inside the folder, otherwise None."""
        root = Path(self.directory).resolve()
        try:
            path = unquote(urlsplit(self.path).path, errors="strict")
            if "\0" in path or "\\" in path or ".." in path.split("/"):
                return None
            # A path that ends in a slash means the index page of a folder.
            name = f"{path}index.html" if path.endswith("/") else path
            file = (root / name.lstrip("/")).resolve(strict=True)
            return file if file.is_relative_to(root) and file.is_file() else None
        except (ValueError, OSError, RuntimeError):  # missing file, invalid path, cyclic links
            return None

    def end_headers(self) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def version_string(self) -> str:
        """Return a server name that does not reveal the Python version."""
        return "teller-gym"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    """A server that ends its threads when it ends, and ignores broken connections."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def serve_view(folder: str | os.PathLike[str], port: int = 0) -> ThreadingHTTPServer:
    """Return a server for a folder of pages, bound to 127.0.0.1.

    Call `serve_forever` to start it.

    The server accepts only requests whose host name is 127.0.0.1 or localhost with the right port. Port 0 takes a free
    port, which is the `server_port` of the returned server.
    """
    try:
        return _Server((HOST, port), partial(_Files, directory=os.fspath(folder)))
    except (OSError, OverflowError) as error:
        raise OptionError(
            f"port: expected a free one from 1 to 65535, or 0 for any that is free, got {port} ({error})"
        ) from None
