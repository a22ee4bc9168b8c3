"""HTTP: logging in, routing, bodies, and answers to any request."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat.api import ChatService
from teller_gym.office.chat.endpoints import messages, rooms, users
from teller_gym.office.web import MAX_BODY, Request
from tests.office.chat.world import Client, office, refused, user_id

NOT_LOGGED_IN = {"status": "error", "message": "You must be logged in to do this."}


@pytest.mark.parametrize(
    "name", [{"user": "jo"}, {"username": "jo"}, {"user": "jo@bank.example"}, {"email": "jo@bank.example"}]
)
def test_a_login_gives_a_token_that_works_until_the_logout(name: dict[str, str]) -> None:
    store = office()
    client = Client(store, None)
    answer = client.post("login", **name, password="pass-jo")
    assert answer.keys() == {"status", "data"} and answer["status"] == "success"
    data = answer["data"]
    assert data["userId"] == user_id(store, "jo") and len(data["authToken"]) == 43
    assert data["me"]["username"] == "jo" and data["me"]["emails"] == [{"address": "jo@bank.example", "verified": True}]
    client.headers = {"x-auth-token": data["authToken"], "x-user-id": data["userId"]}
    assert client.get("me") == {**data["me"], "success": True}
    other = Client(store, None).post("login", **name, password="pass-jo")["data"]["authToken"]
    assert other != data["authToken"]
    assert client.post("logout")["status"] == "success"
    assert client.get("me", 401) == NOT_LOGGED_IN
    client.headers["x-auth-token"] = other
    assert client.get("me")["username"] == "jo"


@pytest.mark.parametrize(
    "values",
    [
        {"user": "jo", "password": "no"},
        {"user": "nobody", "password": "pass-jo"},
        {"user": "jo"},
        {"password": "x"},
        {},
        {"user": 1, "password": "pass-jo"},
        {"user": "jo", "password": {"digest": "00", "algorithm": "sha-256"}},
    ],
)
def test_a_wrong_login_is_refused_without_saying_why(values: dict[str, Any]) -> None:
    answer = Client(office(), None).post("login", 401, **values)
    assert answer == {"status": "error", "message": "Unauthorized", "error": "Unauthorized"}


def test_calls_need_a_token_and_the_id_it_belongs_to() -> None:
    store = office()
    good = Client(store).headers
    for headers in (
        {},
        {"x-auth-token": good["x-auth-token"]},
        {"x-user-id": good["x-user-id"]},
        {**good, "x-user-id": user_id(store, "sam")},
        {**good, "x-auth-token": "token-sam"},
        {**good, "x-auth-token": "x"},
    ):
        client = Client(store, None)
        client.headers = headers
        for method, name in {**rooms.ENDPOINTS, **messages.ENDPOINTS, **users.ENDPOINTS}:
            response = client.request(method, f"/api/v1/{name}".replace("*", "x"), body=b"{}")
            assert response.status == 401 and response.data() == NOT_LOGGED_IN
    assert store.diff() == []


def test_the_server_says_its_version_to_anybody_and_shows_people_a_page() -> None:
    client = Client(office(), None)
    info = client.request("GET", "/api/info").data()
    assert info["success"] and info["info"]["version"] == info["version"] == client.get("info")["version"]
    for path in ("/", "/home", "/channel/general", "/login", ""):
        page = client.request("GET", path)
        assert page.status == 200 and page.header("content-type") == "text/html; charset=utf-8"
        assert b"<form" in page.body
    assert client.request("POST", "/login", body=b"{}").status == 405
    head = client.request("HEAD", "/api/info")
    assert head.status == 200 and head.body == b""


def test_unknown_endpoints_and_methods() -> None:
    client = Client(office())
    none = {"status": "error", "message": "API endpoint does not exist"}
    for path in ("/api/v1/chat.nothing", "/api/v1/", "/api/v2/me", "/api/", "/api/v1/channels.list/x"):
        response = client.request("GET", path)
        assert response.status == 404 and response.data() == none
    for method, path, allowed in (
        ("POST", "chat.getMessage", "GET"),
        ("GET", "chat.postMessage", "POST"),
        ("DELETE", "chat.postMessage", "POST"),
        ("PUT", "logout", "GET, POST"),
    ):
        response = client.request(method, f"/api/v1/{path}")
        assert response.status == 405 and response.data() == none and response.header("allow") == allowed
    assert client.get("me/")["username"] == "jo"
    assert client.request("GET", "/api/v1/channels%2Elist").status == 200


def test_bodies() -> None:
    client = Client(office())
    path = "/api/v1/chat.postMessage"
    for body in (b"{", b"[1]", b'"x"', b"\xff", b"[" * 5000, b'{"text": 1e999}', b'{"text":"\\ud800"}'):
        refused("invalid-params", client.request("POST", path, body=body).data())
    refused("invalid-channel", client.request("POST", path).data())
    form = client.request(
        "POST", path, body=b"channel=%23general&text=a+b", content_type="application/x-www-form-urlencoded"
    )
    assert form.data()["message"]["msg"] == "a b"
    assert client.request("POST", path, body=b" " * (MAX_BODY + 1)).status == 413
    assert client.request("GET", "/api/v1/users.info", "&".join(f"a{i}=1" for i in range(1001))).status == 400


NAMES = sorted({**rooms.ENDPOINTS, **messages.ENDPOINTS, **users.ENDPOINTS, **users.OPEN_ENDPOINTS})
WORDS = st.sampled_from(
    [
        *("GENERAL", "general", "#general", "@sam", "sam", "board", "", "x", "1", "true", "-1", "{}"),
        *('{"a":1}', "\x00", "é" * 9),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
KEYS = st.sampled_from(
    [
        *("roomId", "roomName", "channel", "text", "msg", "tmid", "message", "rid", "_id", "msgId"),
        *("usernames", "username", "userId", "count", "offset", "query", "latest", "searchText", "description"),
        *("user", "password", "inclusive"),
    ]
)
CALLS = st.tuples(st.sampled_from(NAMES), st.dictionaries(KEYS, VALUES, max_size=4))


@given(st.lists(CALLS, min_size=1, max_size=6))
def test_any_call_is_answered_and_a_refusal_writes_nothing(calls: list[tuple[tuple[str, str], Any]]) -> None:
    client = Client(office())
    for (method, name), values in calls:
        before = client.store.snapshot()
        if method == "GET":
            texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in values.items()}
            data = client.request("GET", f"/api/v1/{name}", "&".join(f"{k}={v}" for k, v in texts.items()))
        else:
            data = client.request("POST", f"/api/v1/{name}", body=json.dumps(values).encode())
        assert data.status in (200, 400, 401, 403)
        if data.status != 200 or (method == "GET" and name != "logout"):
            assert client.store.snapshot() == before
        if name == "logout":
            return


@given(st.binary(max_size=40), st.text(max_size=20), st.text(max_size=20), st.sampled_from(["GET", "POST", "X"]))
def test_bytes_and_paths_of_any_kind_are_answered(body: bytes, path: str, query: str, method: str) -> None:
    for start in ("", "/api/v1/", "/api/v1/chat.search"):
        store = office()
        response = ChatService().handle(store, Request(method, start + path, query, Client(store).headers, body))
        assert response.status in (200, 400, 404, 405)


def test_a_defect_is_answered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    client = Client(office())
    monkeypatch.setattr("teller_gym.office.chat.messages._append", crash)  # after the first writes
    request = Request("POST", "/api/v1/chat.postMessage", "", client.headers, b'{"channel":"#general","text":"x"}')
    response = client.service.handle(client.store, request)
    assert response.status == 500 and response.data() == {"success": False, "error": "Internal server error"}
    assert client.store.diff() == [] and client.store.clock() == client.store.now
