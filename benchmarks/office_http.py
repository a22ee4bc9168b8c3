"""Requests per second that an office answers on loopback, with and without its journal.

    python -m benchmarks.office_http                  # the table, a few seconds on a quiet machine
    python -m benchmarks.office_http --json out.json  # the figures for a program, too
    python -m benchmarks.office_http --folder /data   # where the journal lies: its disk is what limits writing

The server is a process of its own with a service that does next to nothing, so that HTTP, the journal and the disk are
measured. Clients are as lean as can be: they send bytes and look for the length of the answer. Needs the extras `dev`
and `office`. Run nothing else meanwhile. The exit status is 0 when every target is met, 1 when one is missed, and 2 for
a wrong use.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.env_speed import Row, environment, json_file, show
from benchmarks.measure import measure
from teller_gym.office.serving import Serving
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response, Service

MIN_RATE = 1000.0
"""Requests a second that one process has to answer."""

CLIENTS = (1, 32)
"""Number of clients at a time; each waits for its answer before it asks again."""

READ = b"GET /a HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YW5uOnNlY3JldA==\r\nAccept: application/json\r\n\r\n"
WRITE = b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + b"x" * 100


class Values:
    """A service that reads and writes one value."""

    name = "values"

    def handle(self, store: Store, request: Request) -> Response:
        """Answer GET and PUT."""
        if request.method == "PUT":
            store.put("values", request.path, {"value": request.body})
            return Response(204)
        record = store.get("values", request.path)
        return Response(200, (("Content-Type", "application/json"),), record["value"] if record else b"{}")


class Office:
    """An office of only that service."""

    def __init__(self) -> None:
        self.store = Store({}, datetime(2026, 3, 2, 9), 1)
        self.services: dict[str, Service] = {"values": Values()}

    def credentials(self) -> Any:
        """Return nothing: everybody may do everything."""


def serve(told: Connection, folder: str | None) -> None:
    """Serve in a process of its own until its parent says so."""
    with Serving(Office(), state=folder) as serving:
        told.send(serving.addresses["values"])
        told.recv()


@contextmanager
def server(folder: str | None) -> Iterator[str]:
    """Run a server; gives its address."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, folder), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join()


async def _ask(address: str, request: bytes, clients: int, count: int) -> float:
    """Return the seconds in which clients send so many requests in all."""
    place = urlsplit(address)

    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(count // clients):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            status = head[9:12]
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            if status not in (b"200", b"204"):
                raise RuntimeError(f"expected 200 or 204, got {status.decode()}")
            await reader.readexactly(int(length or 0))

    pairs = [await asyncio.open_connection(place.hostname, place.port) for _ in range(clients)]
    start = time.perf_counter()
    await asyncio.gather(*(work(*pair) for pair in pairs))
    seconds = time.perf_counter() - start
    for _, writer in pairs:
        writer.close()
    return seconds


def rows_of(folder: Path, repeats: int, seconds: float) -> list[Row]:
    """Return the table: for each kind of request and number of clients, a rate."""
    rows = []
    with tempfile.TemporaryDirectory(dir=folder) as state:
        kinds = (("reading", READ, None), ("writing, no journal", WRITE, None), ("writing, journal", WRITE, state))
        for what, request, place in kinds:
            with server(place) as address:
                for clients in CLIENTS:

                    def batch(
                        address: str = address, request: bytes = request, clients: int = clients
                    ) -> tuple[int, float]:
                        count = 10 * clients
                        return count, asyncio.run(_ask(address, request, clients, count))

                    found = measure(batch, repeats, seconds)
                    rate = 1 / found.seconds
                    # How long a disk takes for a sync is not ours to promise.
                    target, met = ("reported", None) if place else (f"≥ {MIN_RATE:g}", rate >= MIN_RATE)
                    note = f"{found.seconds * 1e6:.0f} µs, {found.items:.1f} calibration items"
                    rows.append(Row(f"{what}, {clients} at a time", rate, "requests/s", target, met, note))
        start, count = time.perf_counter(), 10
        with open(Path(state) / "sync", "wb", buffering=0) as file:
            for _ in range(count):
                file.write(b"x" * 200)
                os.fsync(file.fileno())
        per_sync = (time.perf_counter() - start) / count
        rows.append(Row("the disk by itself: 200 bytes and a sync", per_sync * 1e3, "ms", "reported", None))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--folder", type=Path, default=Path("."), help="where the journal is to lie (here)")
    parser.add_argument("--repeats", type=int, default=5, help="bracketed repeats of each measurement (default 5)")
    parser.add_argument("--seconds", type=float, default=0.1, help="counted seconds of each repeat (default 0.1)")
    options = parser.parse_args(arguments)
    if options.repeats < 1 or options.seconds <= 0 or not options.folder.is_dir():
        parser.error("--repeats must be at least 1, --seconds greater than 0, and --folder a folder that exists")
    rows = rows_of(options.folder, options.repeats, options.seconds)
    show(rows)
    if options.json:
        served = {name: metadata.version(name) for name in ("uvicorn", "starlette", "h11")}
        packages = {**environment()["packages"], **served}
        figures = {"environment": {**environment(), "packages": packages}, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
