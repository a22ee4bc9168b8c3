"""A service behind real HTTP on the loopback interface, for tests with clients as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import quote

from teller_gym.office.store import Store
from teller_gym.office.web import Request, Service


@contextmanager
def served(service: Service, store: Store) -> Iterator[str]:
    """Serve until the block ends; gives the address, without a slash at the end."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def __getattr__(self, name: str) -> Any:
            if name.startswith("do_"):
                return self.answer
            raise AttributeError(name)

        def answer(self) -> None:
            path, _, query = self.path.partition("?")
            headers: dict[str, str] = {}
            for key, value in self.headers.items():
                headers[key.lower()] = f"{headers[key.lower()]}, {value}" if key.lower() in headers else value
            body = self.rfile.read(int(headers.get("content-length", 0)))
            # The standard library reads the request line as Latin-1; raw bytes become the escapes they stand for.
            path = quote(path, safe="/%!$&'()*+,;=:@~-._", encoding="latin-1")
            with lock:
                response = service.handle(store, Request(self.command, path, query, headers, body))
            self.send_response(response.status)
            for key, value in response.headers:
                self.send_header(key, value)
            if response.status not in (204, 304) and response.header("Content-Length") is None:
                self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
