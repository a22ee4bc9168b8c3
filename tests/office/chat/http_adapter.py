"""A service behind real HTTP on the loopback, for foreign clients: one request at a time, each in its thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import urlsplit

from teller_gym.office.store import Store
from teller_gym.office.web import Request, Service


@contextmanager
def serving(service: Service, store: Store) -> Iterator[str]:
    """Serve while the block runs; yields the address, such as http://127.0.0.1:40123."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            place = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): ", ".join(self.headers.get_all(name, [])) for name in self.headers}
            with lock:
                response = service.handle(store, Request(self.command, place.path, place.query, headers, body))
            self.send_response(response.status)
            for name, value in (*response.headers, ("Content-Length", str(len(response.body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
