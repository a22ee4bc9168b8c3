"""Serving the pages to this machine's own browser."""

from __future__ import annotations

import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from teller_gym.base.errors import OptionError

HOST = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    """Files of one folder, without a line for each request; a page written anew is never taken from a cache."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve_view(folder: str | os.PathLike[str], port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a folder of pages, bound to this machine alone; call `serve_forever` to start it.

    port: 0 takes a free one; `server_port` of what is returned says which.

    Raises:
        OptionError: the port cannot be had.
    """
    try:
        return ThreadingHTTPServer((HOST, port), partial(_Quiet, directory=os.fspath(folder)))
    except (OSError, OverflowError) as error:
        raise OptionError(
            f"port: expected a free one from 1 to 65535, or 0 for any that is free, got {port} ({error})"
        ) from None
