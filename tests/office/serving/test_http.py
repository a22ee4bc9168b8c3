"""An office over HTTP: any method and path, reproducible answers, defects, large bodies, and stopping."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving import Serving
from teller_gym.office.web import MAX_BODY
from tests.office.serving.asking import PATIENCE_S, begin, connect, reply, request
from tests.office.serving.kv import Office


@pytest.fixture
def serving() -> Iterator[Serving]:
    with Serving(Office()) as started:
        yield started


@pytest.fixture
def address(serving: Serving) -> str:
    return serving.addresses["kv"]


def test_any_method_and_the_path_as_it_came(address: str) -> None:
    assert request(address, "PROPFIND", "/").status == 207
    assert request(address, "X-OWN.method!", "/a").status == 404
    headers = {"X_A": "1", "x_a": "2", "Date": "Tue, 01 Jan 2030 00:00:00 GMT"}
    found = json.loads(request(address, "REPORT", "/echo?a=%2F%20&b=+", b"body", **headers).body)
    assert found == {
        "method": "REPORT",
        "path": "/echo",
        "query": "a=%2F%20&b=+",
        "headers": {"host": urlsplit(address).netloc, "content-length": "4", "x-a": "1, 2"},
        "body": "body",
    }
    assert request(address, "GET", "/%65cho").status == 404, "the path is not decoded"


def test_head_has_the_length_and_no_body(address: str) -> None:
    for path, length in (("first", "3"), ("odd/5", "5")):
        found = request(address, "HEAD", f"/{path}")
        assert (found.status, found.headers["content-length"], found.body) == (200, length, b"")


def test_each_service_has_a_port_and_all_have_one_store(serving: Serving) -> None:
    assert list(serving.addresses) == ["kv", "worded"] and len(set(serving.addresses.values())) == 2
    request(serving.addresses["kv"], "PUT", "/a", b"1")
    assert request(serving.addresses["worded"], "GET", "/a").body == b"1"


def test_equal_runs_give_equal_answers() -> None:
    asked = (("PUT", "/a"), ("GET", "/a"), ("PROPFIND", "/"), ("POST", "/pair/b"), ("GET", "/none"))
    with Serving(Office()) as one, Serving(Office()) as other:
        first, second = ([request(each.addresses["kv"], *pair) for pair in asked] for each in (one, other))
    assert first == second
    assert all("server" not in found.headers for found in first)
    dates = [found.headers["date"] for found in first]
    assert dates == [f"Mon, 02 Mar 2026 09:00:0{second} GMT" for second in (1, 1, 1, 2, 2)]


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
    worded = serving.addresses["worded"]
    for chunked in (False, True):
        client, body = connect(worded), b"y" * (MAX_BODY + 1)
        client.request("PUT", "/a", iter([body]) if chunked else body)
        found = reply(client)
        assert found.status == 413 and found.headers["x-worded"] == "yes"
        client.close()
    assert request(address, "GET", "/a").body == b"x" * MAX_BODY, "nothing was written"


def test_stopping_ends_what_is_under_way_and_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.office.serving.lifecycle.STOP_S", 0.5)
    with ExitStack() as stack:
        serving = stack.enter_context(Serving(Office()))
        idle, slow, busy = (stack.enter_context(closing(connect(serving.addresses["kv"]))) for _ in range(3))
        for client in (idle, slow, busy):
            client.request("GET", "/first")
            assert reply(client).status == 200
        for client in (slow, busy):
            begin(client, "PUT", "/a", 5)
            client.send(b"hel")
        time.sleep(0.1)  # until their input has been read
        ending = threading.Thread(target=serving.__exit__, args=(None, None, None))
        ending.start()
        assert idle.sock.recv(1) == b""
        busy.send(b"lo")
        assert reply(busy).status == 201
        ending.join(PATIENCE_S)
        assert not ending.is_alive()
        with pytest.raises(OSError):
            reply(slow)
        with pytest.raises(ConnectionRefusedError):
            request(serving.addresses["kv"], "GET", "/")
