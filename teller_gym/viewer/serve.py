"""Serves the pages to this machine's own browser."""

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
"""Names of this machine. A page from elsewhere whose name was made to lead here (DNS rebinding) sends that name."""

_HTTP = 80
"""The port that browsers leave out."""

_IDLE_S = 30.0
"""Seconds after which an idle connection is closed, so that it does not hold a thread."""

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""A page written anew is never taken from a cache; nothing is loaded from elsewhere, nor by a page from elsewhere."""


class _Files(SimpleHTTPRequestHandler):
    """Files of one folder: no list of them, nothing outside to which a link leads, no line for each request."""

    timeout = _IDLE_S

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Answer GET and HEAD, but for the body."""
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
        """Return True if the request names this machine, with this server's port, and names it once."""
        names = self.headers.get_all("Host") or []
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        ours = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == _HTTP else set())
        return len(names) == 1 and names[0].strip().lower() in ours

    def _file(self) -> Path | None:
        """Return the file that is asked for, if it is one of the folder's own."""
        root = Path(self.directory).resolve()
        try:
            path = unquote(urlsplit(self.path).path, errors="strict")
            if "\0" in path or "\\" in path or ".." in path.split("/"):
                return None
            # A slash at the end asks for a folder's page.
            name = f"{path}index.html" if path.endswith("/") else path
            file = (root / name.lstrip("/")).resolve(strict=True)
            return file if file.is_relative_to(root) and file.is_file() else None
        except (ValueError, OSError, RuntimeError):  # no such file, no such path, links in a circle
            return None

    def end_headers(self) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def version_string(self) -> str:
        """Return a name without Python and its version."""
        return "teller-gym"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    """Server whose threads end with it, and which ignores readers that leave."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore connections that broke."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def serve_view(folder: str | os.PathLike[str], port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a folder of pages, bound only to this machine; call `serve_forever` to start it.

    It answers requests that name this machine (127.0.0.1, localhost) and its port, and no others.

    Args:
        port: 0 takes a free one; `server_port` of the returned server says which.
    """
    try:
        return _Server((HOST, port), partial(_Files, directory=os.fspath(folder)))
    except (OSError, OverflowError) as error:
        raise OptionError(
            f"port: expected a free one from 1 to 65535, or 0 for any that is free, got {port} ({error})"
        ) from None
