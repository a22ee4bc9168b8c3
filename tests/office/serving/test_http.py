"""The office over HTTP: any method and path, equal bytes, defects, bodies that are too large, and stopping."""

from __future__ import annotations

import json
import threading
import time
from contextlib import ExitStack

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving import Serving
from teller_gym.office.web import MAX_BODY
from tests.office.serving.kv import Office
from tests.office.serving.raw import PATIENCE_S, raw, request

GET = b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD = b"PUT /a HTTP/1.1\r\nHost: x\r\n"


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
    headers = {"X_A": "1", "x_a": "2", "Date": "Tue, 01 Jan 2030 00:00:00 GMT"}
    found = json.loads(request(address, "REPORT", "/echo?a=%2F%20&b=+", b"body", **headers).body)
    assert found == {
        "method": "REPORT",
        "path": "/echo",
        "query": "a=%2F%20&b=+",
        "headers": {"host": "x", "content-length": "4", "x-a": "1, 2"},
        "body": "body",
    }
    assert request(address, "GET", "/%65cho").status == 404, "the path is not decoded"


def test_head_has_the_length_and_no_body(address: str) -> None:
    with raw(address) as client:
        for path in ("first", "odd/5"):
            client.send(f"HEAD /{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            reply = client.reply(bare=True)
            assert (reply.status, reply.headers["content-length"]) == (200, "3" if path == "first" else "5")
        client.send(GET % b"first")
        assert client.reply().body == b"one"


def test_each_service_has_a_port_and_all_have_one_store(serving: Serving) -> None:
    assert list(serving.addresses) == ["kv", "worded"] and len(set(serving.addresses.values())) == 2
    request(serving.addresses["kv"], "PUT", "/a", b"1")
    assert request(serving.addresses["worded"], "GET", "/a").body == b"1"


def conversation(address: str) -> list[bytes]:
    """Return the server's bytes for a sequence of requests."""
    found = []
    for method, path in (("PUT", "/a"), ("GET", "/a"), ("PROPFIND", "/"), ("POST", "/pair/b"), ("GET", "/none")):
        with raw(address) as client:
            client.send(b"%s %s HTTP/1.0\r\n\r\n" % (method.encode(), path.encode()))
            data = b""
            while more := client.socket.recv(65536):
                data += more
            found.append(data)
    return found


def test_equal_runs_give_equal_bytes() -> None:
    with Serving(Office()) as one, Serving(Office()) as other:
        first, second = (conversation(serving.addresses["kv"]) for serving in (one, other))
    assert first == second
    assert all(data.count(b"\r\ndate: Mon, 02 Mar 2026 09:00:0") == 1 for data in first)
    assert all(b"\r\nserver:" not in data.lower() for data in first)
    assert b"09:00:01" in first[0] and b"09:00:02" in first[3]


@pytest.mark.parametrize("what", ["crash", "header"])
def test_a_defect_of_a_service_is_a_500_and_writes_nothing(
    what: str, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    kv, worded = serving.addresses["kv"], serving.addresses["worded"]
    reply = request(kv, "GET", f"/odd/{what}?key=secret")
    assert (reply.status, json.loads(reply.body)) == (500, {"error": "Internal server error."})
    assert request(worded, "GET", f"/odd/{what}").headers["x-worded"] == "yes"
    assert serving.look(lambda store: store.diff()) == []
    assert f"kv: GET /odd/{what}: ValueError" in caplog.text and "key=" not in caplog.text


def test_headers_of_a_service_are_sent(address: str) -> None:
    reply = request(address, "GET", "/odd/4")
    assert (reply.body, reply.headers["x-mark"], reply.headers["set-cookie"]) == (b"xxxx", "ok", "a|b")


def test_a_body_that_is_too_large_is_refused_in_the_services_words(address: str, serving: Serving) -> None:
    assert request(address, "PUT", "/a", b"x" * MAX_BODY).status == 201
    assert request(address, "GET", "/a").body == b"x" * MAX_BODY
    with raw(serving.addresses["worded"]) as client:
        whole = b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1) + b"y" * (MAX_BODY + 1)
        chunk = b"500000\r\n" + b"y" * 0x500000 + b"\r\n"
        for rest in (whole, b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"0\r\n\r\n"):
            client.send(HEAD + rest)
            reply = client.reply()
            assert reply.status == 413 and reply.headers["x-worded"] == "yes"
        client.send(GET % b"a")
        assert client.reply().body == b"x" * MAX_BODY, "nothing was written"


def test_stopping_ends_what_is_under_way_and_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.office.serving.lifecycle.STOP_S", 0.5)
    with ExitStack() as stack:
        serving = stack.enter_context(Serving(Office()))
        idle, slow, busy = (stack.enter_context(raw(serving.addresses["kv"])) for _ in range(3))
        for client in (idle, slow, busy):
            client.send(GET % b"first")
            assert client.reply().status == 200
        slow.send(HEAD + b"Content-Length: 5\r\n\r\nhel")
        busy.send(HEAD + b"Content-Length: 5\r\n\r\nhel")
        time.sleep(0.1)  # until their input has been read
        ending = threading.Thread(target=serving.__exit__, args=(None, None, None))
        ending.start()
        assert idle.ended()
        busy.send(b"lo")
        assert busy.reply().status == 201
        ending.join(PATIENCE_S)
        assert not ending.is_alive() and slow.ended()
        with pytest.raises(ConnectionRefusedError):
            request(serving.addresses["kv"], "GET", "/")
