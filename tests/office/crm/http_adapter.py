"""The CRM behind real HTTP on loopback, for clients that know nothing of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from teller_gym.office.store import Store
from teller_gym.office.web import Request, Service


@contextmanager
def served(service: Service, store: Store) -> Iterator[str]:
    """Serve until the end of the block; gives the base URL."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            path, _, query = self.path.partition("?")
            headers: dict[str, str] = {}
            for key, value in self.headers.items():
                name = key.lower()
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
            body = self.rfile.read(int(headers.get("content-length", 0)))
            with lock:
                found = service.handle(store, Request(self.command, path, query, headers, body))
            self.send_response(found.status)
            for key, value in found.headers:
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(found.body)))
            self.end_headers()
            self.wfile.write(found.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815 (names that http.server looks for)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
