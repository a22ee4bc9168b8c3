"""The tracker behind a real socket, for clients that speak HTTP and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from teller_gym.office.store import Store
from teller_gym.office.web import Request, Service


@contextmanager
def served(service: Service, store: Store) -> Iterator[str]:
    """Serve a store's tracker on a free port of this machine; yields the address, such as ``http://127.0.0.1:4711``."""
    lock = threading.Lock()  # a store is for one thread at a time

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path, _, query = self.path.partition("?")
            headers = {name.lower(): ", ".join(self.headers.get_all(name, [])) for name in self.headers}
            with lock:
                response = service.handle(store, Request(self.command, path, query, headers, body))
            self.send_response(response.status)
            for name, value in response.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: what went wrong is in the answer."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
