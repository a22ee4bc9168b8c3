"""Clients that send too much, too slowly or invalid HTTP, and very many clients."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving import ServerLimits, Serving
from teller_gym.office.web import MAX_BODY
from tests.office.serving.kv import Office
from tests.office.serving.raw import Raw, Reply, raw, request

GET = b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"


def refused(address: str, data: bytes) -> Reply:
    """Send bytes that must be refused; the connection ends, and the server keeps running."""
    with raw(address) as client:
        client.send(data)
        reply = client.reply()
        assert reply.headers["connection"] == "close" and client.ended()
    assert request(address, "GET", "/first").body == b"one"
    return reply


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (413, b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1)),
        (414, b"GET /" + b"a" * 8192 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
        (414, b"GET /" + b"a" * 100_000),
        (431, HEAD + b"X: " + b"a" * 33_000 + b"\r\n\r\n"),
        (431, HEAD + b"X: " + b"a" * 100_000),
        (431, HEAD + b"X: a\r\n" * 100 + b"\r\n"),
        (431, HEAD + b"X: a\r\n" * 20_000),
        (400, b"hello\r\n\r\n"),
        (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
        (400, b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"),
        (400, b"GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n"),
        (400, b"GET first HTTP/1.1\r\nHost: x\r\n\r\n"),
        (400, b"GET /first HTTP/1.1\r\n\r\n"),
        (400, b"GET /first HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"),
        (400, HEAD + b"Content-Length: -1\r\n\r\n"),
        (400, HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        (400, HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"),
        (400, HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        (400, HEAD + b"X : a\r\n\r\n"),
        (501, HEAD + b"Transfer-Encoding: gzip\r\n\r\n"),
        (501, b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"),
        (505, b"GET / HTTP/2.0\r\nHost: x\r\n\r\n"),
    ],
)
def test_what_is_too_much_or_not_http(status: int, data: bytes, serving: Serving) -> None:
    reply = refused(serving.addresses["kv"], data)
    assert reply.status == status and list(json.loads(reply.body)) == ["error"]
    assert refused(serving.addresses["worded"], data).headers["x-worded"] == "yes"


def test_what_is_just_not_too_much(serving: Serving) -> None:
    address = serving.addresses["kv"]
    assert request(address, "PUT", "/" + "a" * 8191, b"x" * MAX_BODY).status == 201
    assert request(address, "GET", "/" + "a" * 8191).body == b"x" * MAX_BODY
    fields = b"".join(b"X%d: %s\r\n" % (number, b"a" * 300) for number in range(99))
    with raw(address) as client:
        client.send(HEAD + fields + b"\r\n")
        assert client.reply().status == 404


def test_a_body_in_chunks_that_grows_too_large() -> None:
    with Serving(Office(), limits=ServerLimits(body=1000)) as serving:
        data = b"PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"64\r\n" + b"x" * 100 + b"\r\n"
        assert refused(serving.addresses["kv"], data + (b"64\r\n" + b"x" * 100 + b"\r\n") * 10).status == 413
        assert serving.look(lambda store: store.diff()) == []


def test_a_client_that_sends_all_of_a_large_body_reads_the_refusal(serving: Serving) -> None:
    with raw(serving.addresses["kv"]) as client:
        body = b"x" * (2 * MAX_BODY)
        client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body))
        client.send(body)
        assert client.reply().status == 413


def test_all_bodies_together_are_bounded() -> None:
    with Serving(Office(), limits=ServerLimits(buffered=1000)) as serving, ExitStack() as stack:
        address = serving.addresses["kv"]
        clients = [stack.enter_context(raw(address)) for _ in range(3)]
        for client in clients[:2]:
            client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 450\r\n\r\n" + b"x" * 400)
        _settle(serving)
        clients[2].send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n" + b"x" * 900)
        reply = clients[2].reply()
        assert (reply.status, reply.headers["retry-after"]) == (503, "1") and clients[2].ended()
        clients[0].send(b"x" * 50)
        assert clients[0].reply().status == 201
        for client in clients[1:]:
            client.close()
        _wait(lambda: serving.connected == 1)
        assert request(address, "PUT", "/b", b"x" * 900).status == 201, "what had been sent is not counted any more"


def _settle(serving: Serving) -> None:
    """Let the server read what has been sent: a connection takes some turns of its event loop."""
    for _ in range(5):
        serving.look(lambda store: None)


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", None),
        (b"GET / HT", 408),
        (HEAD, 408),
        (b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel", 408),
        (b"PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 408),
        (GET, 200),
    ],
)
def test_a_client_that_says_no_more(sent: bytes, status: int | None, hasty: Serving) -> None:
    with raw(hasty.addresses["kv"]) as client:
        client.send(sent)
        if status is not None:
            assert client.reply().status == status
        assert client.ended()
    assert hasty.look(lambda store: store.diff()) == []


def test_a_client_that_sends_a_byte_at_a_time_gets_no_more_time(hasty: Serving) -> None:
    with raw(hasty.addresses["kv"]) as client:
        begun = time.monotonic()
        with pytest.raises(OSError):
            for byte in GET * 100:
                client.send(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - begun < 20


def test_500_clients_at_once(serving: Serving) -> None:
    """All are connected before the first one is answered; each of their writes is of one state."""
    address = serving.addresses["kv"]
    with ExitStack() as stack:
        clients = [stack.enter_context(raw(address)) for _ in range(500)]
        for number, client in enumerate(clients):
            client.send(b"POST /pair/%d HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n%03d" % (number, number))
        counts = [json.loads(client.reply().body)["n"] for client in clients]
        assert sorted(counts) == list(range(1, 501))
        for client in clients:
            client.send(GET)
        assert {client.reply().body for client in clients} == {b"one"}


PARTS = st.lists(
    st.binary(max_size=30)
    | st.sampled_from(
        [GET, HEAD, b"\r\n", b"\r\n\r\n", b"Content-Length: 3\r\n\r\nabc", b"0\r\n\r\n", b"5\r\nhello\r\n"]
    )
    | st.sampled_from(
        [b"Transfer-Encoding: chunked\r\n\r\n", b"Expect: 100-continue\r\n", b"PUT /a HTTP/1.1\r\nHost: x\r\n"]
    ),
    max_size=8,
)


def test_whatever_comes_the_server_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    with Serving(Office(), limits=ServerLimits(linger_s=0.05, head_s=0.2, body_s=0.2)) as serving:

        @settings(suppress_health_check=[HealthCheck.too_slow])  # of a busy machine
        @given(PARTS, st.booleans())
        def attack(parts: list[bytes], half: bool) -> None:
            with raw(serving.addresses["kv"]) as client, suppress(OSError):
                for part in parts:
                    client.send(part)
                if half:
                    client.socket.shutdown(socket.SHUT_WR)
                    client.socket.recv(100)

        attack()
        assert request(serving.addresses["kv"], "GET", "/first").status == 200
        _wait(lambda: serving.connected == 0)
        serving.look(lambda store: None)
    assert caplog.text == "", "the event loop tells of exceptions there"


@contextmanager
def connected(address: str, count: int) -> Iterator[list[Raw]]:
    with ExitStack() as stack:
        yield [stack.enter_context(raw(address)) for _ in range(count)]


def test_too_many_connections() -> None:
    """Those that are idle make room, the longest first; where none is, the new one is refused."""
    with Serving(Office(), limits=ServerLimits(connections=4)) as serving:
        address = serving.addresses["kv"]
        with connected(address, 4) as clients:
            for client in clients:
                client.send(GET)
                assert client.reply().status == 200
            assert request(address, "GET", "/first").status == 200
            assert clients[0].ended(), "it had been idle longest"
            for client in clients[1:]:
                client.send(b"GET /fi")
            _wait(lambda: serving.connected == 3)
            with raw(address) as fourth:
                fourth.send(b"GET /fi")
                _wait(lambda: serving.connected == 4)
                _settle(serving)
                with raw(address) as fifth:
                    assert fifth.reply().status == 503 and fifth.ended()
            for client in clients[1:]:
                client.send(b"rst HTTP/1.1\r\nHost: x\r\n\r\n")
                assert client.reply().status == 200
        _wait(lambda: serving.connected == 0)


def test_stopping_ends_what_is_under_way_and_waits_for_nobody() -> None:
    with ExitStack() as stack:
        serving = stack.enter_context(Serving(Office(), limits=ServerLimits(stop_s=3)))
        address = serving.addresses["kv"]
        idle, slow, busy = (stack.enter_context(raw(address)) for _ in range(3))
        idle.send(GET)
        assert idle.reply().status == 200
        slow.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel")
        busy.send(b"PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel")
        _wait(lambda: serving.connected == 3)
        ending = threading.Thread(target=serving.__exit__, args=(None, None, None))
        ending.start()
        assert idle.ended()
        busy.send(b"lo")
        reply = busy.reply()
        assert (reply.status, reply.headers["connection"]) == (201, "close")
        ending.join(30)
        assert not ending.is_alive() and slow.ended()
        with pytest.raises(ConnectionRefusedError):
            Raw(address)
