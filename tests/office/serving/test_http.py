"""HTTP/1.1 as proper clients speak it: any method and path, framing, connections that are used again."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving import Serving
from tests.office.serving.kv import Office
from tests.office.serving.raw import raw, request

GET = b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def address(serving: Serving) -> str:
    return serving.addresses["kv"]


def test_values_are_put_read_and_deleted(address: str, serving: Serving) -> None:
    assert request(address, "PUT", "/a", b"\x00hello").status == 201
    assert request(address, "PUT", "/a", b"again").status == 204
    found = request(address, "GET", "/a")
    assert (found.status, found.body) == (200, b"again")
    assert request(address, "DELETE", "/a").status == 204 and request(address, "GET", "/a").status == 404
    assert serving.look(lambda store: [change.key for change in store.diff()]) == []


def test_any_method_and_the_path_as_it_came(address: str) -> None:
    assert request(address, "PROPFIND", "/").status == 207
    assert request(address, "X-OWN.method!", "/a").status == 404
    found = json.loads(request(address, "REPORT", "/echo?a=%2F%20&b=+", b"body", X_A="1", x_a="2").body)
    assert found == {
        "method": "REPORT",
        "path": "/echo",
        "query": "a=%2F%20&b=+",
        "headers": {"host": "x", "content-length": "4", "x-a": "1, 2"},
        "body": "body",
    }
    assert json.loads(request(address, "GET", "http://127.0.0.1/echo?a").body)["query"] == "a"
    assert request(address, "GET", "/%65cho").status == 404, "the path is not decoded"
    assert request(address, "PUT", "/a%2Fb%20c", b"1").status == 201
    assert request(address, "OPTIONS", "*").status == 404


def test_bytes_of_a_path_that_should_have_been_escaped(address: str) -> None:
    with raw(address) as client:
        for body in (b"1", b"2"):
            for part in (b"PUT /\xc3", b"\xa9 HTTP/1.1\r\nHo", b"st: x\r\nX: \xe9\r\nContent-Length: 1\r\n\r\n" + body):
                client.send(part)
            client.reply()
            client.send(GET % b"%C3%A9")
            assert client.reply().body == body


def test_head_has_the_length_and_no_body(address: str) -> None:
    with raw(address) as client:
        for _ in range(2):
            client.send(b"HEAD /first HTTP/1.1\r\nHost: x\r\n\r\n")
            reply = client.reply(bare=True)
            assert (reply.status, reply.headers["content-length"]) == (200, "3")
        client.send(GET % b"first")
        assert client.reply().body == b"one"


def test_a_client_is_told_to_continue_where_its_body_is_wanted(address: str) -> None:
    with raw(address) as client:
        client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert (client.line(), client.line()) == (b"HTTP/1.1 100 Continue", b"")
        client.send(b"hello")
        assert client.reply().status == 201
    with raw(address) as client:
        client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
        assert client.reply().status == 413


def test_bodies_in_chunks(address: str) -> None:
    with raw(address) as client:
        client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n")
        client.send(b"1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: 1\r\n\r\n")
        assert client.reply().status == 201
        client.send(GET % b"a")
        assert client.reply().body == b"hello world"


def test_a_body_in_very_many_chunks(address: str) -> None:
    with raw(address) as client:
        client.send(b"PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 3000)
        client.send(b"0\r\n\r\n")
        assert client.reply().status == 201
        client.send(GET % b"a")
        assert client.reply().body == b"x" * 3000


def test_requests_in_a_row_are_answered_in_order(address: str) -> None:
    with raw(address) as client:
        puts = [b"PUT /k HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n%03d" % number for number in range(100)]
        client.send(b"".join(put + GET % b"k" for put in puts))
        for number in range(100):
            assert client.reply().status == (204 if number else 201)
            assert client.reply().body == b"%03d" % number


def test_large_answers_to_requests_in_a_row(address: str) -> None:
    with raw(address) as client:
        client.send((GET % b"odd/1000000") * 5 + GET % b"first")
        assert [len(client.reply().body) for _ in range(6)] == [1_000_000] * 5 + [3]


def test_line_ends_between_requests_do_not_matter(address: str) -> None:
    with raw(address) as client:
        client.send(b"\r\n")
        for _ in range(2):
            client.send(b"\r\n" + GET % b"first")
            assert client.reply().body == b"one"


@pytest.mark.parametrize("words", [b"HTTP/1.0\r\n\r\n", b"HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"])
def test_a_connection_ends_where_the_client_says_so(words: bytes, address: str) -> None:
    with raw(address) as client:
        client.send(b"GET /first " + words)
        reply = client.reply()
        assert (reply.body, reply.headers["connection"]) == (b"one", "close")
        assert client.ended()


def test_a_client_that_has_no_more_to_say_is_answered(address: str) -> None:
    import socket

    with raw(address) as client:
        client.send((GET % b"first") * 3)
        client.socket.shutdown(socket.SHUT_WR)
        assert [client.reply().body for _ in range(3)] == [b"one"] * 3
        assert client.ended()


def test_an_upgrade_is_not_offered(address: str) -> None:
    with raw(address) as client:
        for _ in range(2):
            client.send(b"GET /first HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
            assert client.reply().body == b"one"


def test_a_proper_client_uses_one_connection(address: str) -> None:
    place = urlsplit(address)
    client = HTTPConnection(place.hostname or "", place.port)
    for number in range(20):
        client.request("PUT", f"/{number}", str(number))
        reply = client.getresponse()
        assert (reply.status, reply.read()) == (201, b"")
        if number == 0:
            first = client.sock
        client.request("GET", f"/{number}")
        assert client.getresponse().read() == str(number).encode() and client.sock is first
    client.close()


def test_each_service_has_a_port_and_all_have_one_store(serving: Serving) -> None:
    assert list(serving.addresses) == ["kv", "worded"] and len(set(serving.addresses.values())) == 2
    request(serving.addresses["kv"], "PUT", "/a", b"1")
    assert request(serving.addresses["worded"], "GET", "/a").body == b"1"


def conversation(address: str) -> list[bytes]:
    """Return the server's bytes for a sequence of requests."""
    found = []
    for method, path in (("PUT", "/a"), ("GET", "/a"), ("PROPFIND", "/"), ("POST", "/pair/b"), ("GET", "/none")):
        with raw(address) as client:
            date = b"Date: Tue, 01 Jan 2030 00:00:00 GMT\r\n"
            client.send(b"%s %s HTTP/1.0\r\n%s\r\n" % (method.encode(), path.encode(), date))
            data = b""
            while more := client.socket.recv(65536):
                data += more
            found.append(data)
    return found


def test_equal_runs_give_equal_bytes() -> None:
    with Serving(Office()) as one, Serving(Office()) as other:
        first, second = (conversation(serving.addresses["kv"]) for serving in (one, other))
    assert first == second
    assert all(data.count(b"\r\nDate: Mon, 02 Mar 2026 09:00:0") == 1 and b"\r\nServer:" not in data for data in first)
    assert b"09:00:01" in first[0] and b"09:00:02" in first[3]


def test_a_clients_date_is_not_passed_on(address: str) -> None:
    headers: dict[str, Any] = json.loads(request(address, "GET", "/echo", Date="Tue, 01 Jan 2030 00:00:00 GMT").body)
    assert "date" not in headers["headers"]


@pytest.mark.parametrize("what", ["crash", "header", "status"])
def test_a_defect_of_a_service_is_a_500_and_writes_nothing(
    what: str, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    kv, worded = serving.addresses["kv"], serving.addresses["worded"]
    reply = request(kv, "GET", f"/odd/{what}?key=secret")
    assert (reply.status, json.loads(reply.body)) == (500, {"error": "Internal server error."})
    assert request(worded, "GET", f"/odd/{what}").headers["x-worded"] == "yes"
    assert serving.look(lambda store: store.diff()) == []
    assert f"kv: GET /odd/{what}: ValueError" in caplog.text and "key=" not in caplog.text


def test_what_a_service_says_of_the_connection_is_not_sent(address: str) -> None:
    with raw(address) as client:
        for _ in range(2):
            client.send(GET % b"odd/connection")
            reply = client.reply()
            assert reply.body == b"body" and {"connection", "transfer-encoding"}.isdisjoint(reply.headers)
            assert (reply.headers["x-mark"], reply.headers["set-cookie"]) == ("ok", "a|b")
