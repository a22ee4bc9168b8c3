"""Clients that close at once, reset, half-close or stall: they do no harm to others, and leave nothing behind."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving import ServerLimits, Serving
from tests.office.serving.kv import VALUES, Office
from tests.office.serving.raw import PATIENCE_S, Raw, raw, request

GET = b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
OLD = b"GET /first HTTP/1.0\r\n\r\n"
BODY = b"PUT /rude HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel"
LARGE = b"GET /odd/3000000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
REFUSED = b"PUT /rude HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nhel"
NONSENSE = b"\x16\x03\x01\x02\x00\r\n\r\n"

CLOSING = (LAST, OLD)
"""Valid requests after which the server closes the connection; by then their clients have gone."""
ANY = (b"", GET[:7], GET, GET * 3, LAST, OLD, BODY, LARGE, REFUSED, NONSENSE, LAST + GET, OLD + NONSENSE)

CONNECTIONS = 50
REQUESTS = 4_000


def leave(client: socket.socket, how: str) -> None:
    if how == "reset":
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    elif how == "half":
        with suppress(OSError):
            client.shutdown(socket.SHUT_WR)
    elif how == "late":
        time.sleep(0.01)
    client.close()


@contextmanager
def rude(address: str, count: int, sent: Sequence[bytes], ways: Sequence[str]) -> Iterator[None]:
    """Have clients connect, send something, and leave without reading the answer, again and again."""
    place, over = urlsplit(address), threading.Event()

    def work(number: int) -> None:
        for turn in itertools.count(number):
            if over.wait(0.001):
                return
            with suppress(OSError):
                client = socket.create_connection((place.hostname, place.port), PATIENCE_S)
                with suppress(OSError):
                    client.sendall(sent[turn % len(sent)])
                leave(client, ways[turn // len(sent) % len(ways)])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE_S)


def lost(address: str, requests: int) -> int:
    """Send valid requests on reused connections; return the number of unanswered ones."""
    answered: list[int] = []

    def work() -> None:
        count = 0
        with suppress(OSError, AssertionError), raw(address) as client:
            for _ in range(requests // CONNECTIONS):
                client.send(GET)
                count += client.reply().body == b"one"
        answered.append(count)

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return requests - sum(answered)


def left_behind(address: str) -> int:
    """Return the system's count of connections whose client has gone and that the server has not closed."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return 0
    place = f":{urlsplit(address).port:04X}"
    rows = [line.split() for line in table.read_text().splitlines()[1:]]
    return sum(row[1].endswith(place) and row[3] == "08" for row in rows)


def settled(serving: Serving, address: str) -> bool:
    """Return True if all connections close within a while; only the system counts those that wait to be accepted."""
    end, seen = time.monotonic() + PATIENCE_S, 0
    while seen < 5 and time.monotonic() < end:  # one that is just being accepted is not counted for a moment
        time.sleep(0.02)
        seen = 0 if serving.connected or left_behind(address) else seen + 1
    return seen == 5


@pytest.mark.parametrize("count", [5, 25])
@pytest.mark.parametrize(
    ("sent", "ways"),
    [(CLOSING, ["close"]), (CLOSING, ["reset"]), (ANY, ["close", "reset", "half", "late"])],
    ids=["closing", "resetting", "anything"],
)
def test_none_of_4000_requests_is_lost_beside_rude_clients(
    count: int, sent: Sequence[bytes], ways: Sequence[str], caplog: pytest.LogCaptureFixture
) -> None:
    limits = ServerLimits(head_s=5.0, body_s=5.0, linger_s=0.3)
    with Serving(Office(), limits=limits) as serving:
        kv, worded = serving.addresses["kv"], serving.addresses["worded"]
        with rude(kv, count, sent, ways):
            assert lost(kv, REQUESTS) == 0
            assert request(worded, "GET", "/first").body == b"one"
        assert settled(serving, kv)
        assert serving.look(lambda store: store.get(VALUES, "rude")) is None, "it was never sent to its end"
    assert caplog.text == "", "the event loop tells of exceptions there"


def test_the_clock_of_time_limits_goes_on_after_rude_clients() -> None:
    limits = ServerLimits(head_s=0.5, body_s=0.5, idle_s=0.5, send_s=0.5, linger_s=0.3)
    with Serving(Office(), limits=limits) as serving:
        address = serving.addresses["kv"]
        with rude(address, 10, ANY, ["close", "reset", "half"]):
            time.sleep(1)
        with raw(address) as silent, raw(address) as head, raw(address) as body:
            head.send(GET[:7])
            body.send(BODY)
            assert head.reply().status == 408 and body.reply().status == 408
            assert silent.ended() and head.ended() and body.ended()
        assert settled(serving, address)


@pytest.mark.parametrize("sent", [b"", GET[:7], GET, BODY, LAST, LARGE, REFUSED, NONSENSE], ids=range(8))
@pytest.mark.parametrize("half", [False, True])
def test_a_client_that_stays_and_does_nothing_is_ended(sent: bytes, half: bool) -> None:
    """Neither reading nor closing keeps a slot for longer than the limits say."""
    limits = ServerLimits(head_s=0.3, body_s=0.3, idle_s=0.3, send_s=0.3, linger_s=0.3)
    with Serving(Office(), limits=limits) as serving:
        clients = [Raw(serving.addresses["kv"]) for _ in range(10)]
        for client in clients:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(sent)
            if half:
                client.socket.shutdown(socket.SHUT_WR)
        assert settled(serving, serving.addresses["kv"])
        for client in clients:
            client.close()


def test_a_service_that_is_flooded_leaves_the_others_their_share() -> None:
    with Serving(Office(), limits=ServerLimits(connections=16)) as serving:
        kv, worded = serving.addresses["kv"], serving.addresses["worded"]
        clients = [Raw(kv) for _ in range(14)]
        for client in clients:
            client.send(GET[:7])
        while serving.connected < 14:
            time.sleep(0.01)
        time.sleep(0.1)  # until their input has been read
        with raw(kv) as one_more:
            reply = one_more.reply()
            assert reply.status == 503 and reply.headers["retry-after"] == "1"
        with raw(worded) as first, raw(worded) as second:
            for client in (first, second):
                client.send(GET)
                assert client.reply().body == b"one"
            with raw(worded) as third:
                third.send(GET)
                assert third.reply().body == b"one", "the service's own idle connections make room"
        for client in clients:
            client.send(GET[7:])
            assert client.reply().body == b"one"
            client.close()
        assert settled(serving, kv)
