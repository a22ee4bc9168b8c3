"""The chat's HTTP API: logging in, routing, bodies, pages, rooms and users, and robustness against any request."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.chat.api import ChatService
from teller_gym.office.chat.endpoints import ENDPOINTS, OPEN_ENDPOINTS, ChatCall
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.web import MAX_BODY, Request
from tests.office.chat.world import Client, direct, office, refused, user_id

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
        for method, name in ENDPOINTS:
            response = client.request(method, f"/api/v1/{name}", body=b"{}")
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
    for path in (
        "/api/v1/chat.nothing",
        "/api/v1/",
        "/api/v2/me",
        "/api/",
        "/api/v1/channels.list/x",
        "/api/v1/rooms.get",
    ):
        response = client.request("GET", path)
        assert response.status == 404 and response.data() == none
    for method, path, allowed in (
        ("POST", "chat.search", "GET"),
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


NAMES = sorted({**ENDPOINTS, **OPEN_ENDPOINTS})
WORDS = st.sampled_from(
    [
        *("GENERAL", "general", "#general", "@sam", "sam", "", "x", "1", "true", "-1", "{}"),
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
        *("roomId", "roomName", "channel", "text", "msg", "tmid", "message", "rid", "_id"),
        *("usernames", "username", "userId", "count", "offset", "latest", "oldest", "searchText"),
        *("user", "password"),
    ]
)
CALLS = st.tuples(st.sampled_from(NAMES), st.dictionaries(KEYS, VALUES, max_size=4))


@settings(max_examples=60)
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


@settings(max_examples=40)
@given(st.binary(max_size=40), st.text(max_size=20), st.text(max_size=20), st.sampled_from(["GET", "POST", "X"]))
def test_bytes_and_paths_of_any_kind_are_answered(body: bytes, path: str, query: str, method: str) -> None:
    for start in ("", "/api/v1/", "/api/v1/chat.search"):
        store = office()
        response = ChatService().handle(store, Request(method, start + path, query, Client(store).headers, body))
        assert response.status in (200, 400, 404, 405)


@pytest.mark.parametrize(
    "values",
    [{"count": "ten"}, {"count": -1}, {"count": True}, {"offset": "-1"}, {"offset": "9" * 10}, {"offset": ["1"]}],
)
def test_malformed_numbers_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ChatError) as caught:
        ChatCall(office(), "jo", "", values).page()
    assert caught.value.code == "invalid-params"


def test_pages() -> None:
    def page(rows: int = 1500, **values: Any) -> tuple[int, int, int]:
        found = ChatCall(office(), "jo", "", values).listed("rows", [{"n": n} for n in range(rows)])
        assert [one["n"] for one in found["rows"]] == list(range(rows))[found["offset"] :][: found["count"]]
        return found["count"], found["offset"], found["total"]

    assert page() == page(count="") == (50, 0, 1500)
    assert page(count=5000) == (100, 0, 1500) and page(count=0) == (1000, 0, 1500)
    assert page(count="7", offset=3) == (7, 3, 1500) and page(5, count=7, offset=3) == (2, 3, 5)


def test_users() -> None:
    store = office()
    client = Client(store)
    listed = client.get("users.list")["users"]
    assert [one["username"] for one in listed] == ["anna.lee", "bob", "jo", "root", "sam"]
    assert listed[1] == {
        "_id": user_id(store, "bob"),
        "username": "bob",
        "name": "Bob Kerr",
        "bio": "Operations",
        "status": "online",
        "statusText": "",
        "type": "user",
        "active": True,
        "utcOffset": 0,
    }
    assert listed[2]["emails"][0]["address"] == "jo@bank.example" and listed[2]["roles"] == ["user"]
    for values in ({"username": "sam"}, {"username": "@Sam"}, {"userId": user_id(store, "sam")}):
        user = client.get("users.info", **values)["user"]
        assert user["name"] == "Sam Ortiz" and "emails" not in user
    for values in ({"username": "nobody"}, {"userId": "x"}):
        assert client.get("users.info", 400, **values) == {"success": False, "error": "User not found."}
    refused("error-user-param-not-provided", client.get("users.info", 400))
    assert "password" not in str(client.get("me"))


def test_channels() -> None:
    store = office()
    client = Client(store)
    listed = client.get("channels.list", count=1, offset=1)
    assert [one["name"] for one in listed["channels"]] == ["general"] and listed["total"] == 2
    channel = client.get("channels.info", roomName="general")["channel"]
    assert channel == client.get("channels.info", roomId="GENERAL")["channel"] == listed["channels"][0]
    assert channel["_id"] == "GENERAL" and channel["t"] == "c" and channel["topic"] == "Everything"
    assert channel["u"] == {"_id": user_id(store, "jo"), "username": "jo", "name": "Jo Marsh"}
    assert channel["msgs"] == 3 and channel["usersCount"] == 5 and channel["ro"] is False
    assert channel["lastMessage"]["u"]["username"] == "bob" and channel["lm"] == "2026-02-27T08:00:00.000Z"
    assert channel["ts"] == "2026-02-26T10:00:00.000Z" and channel["fname"] == channel["name"]
    members = client.get("channels.members", roomName="advice", count=2)
    assert [one["username"] for one in members["members"]] == ["anna.lee", "bob"] and members["total"] == 5
    for endpoint in ("info", "history", "members", "messages"):
        refused("error-roomid-param-not-provided", client.get(f"channels.{endpoint}", 400))
        refused("error-room-not-found", client.get(f"channels.{endpoint}", 400, roomId="x" * 17))
        refused("error-room-not-found", client.get(f"channels.{endpoint}", 400, roomName="none"))


def test_direct_messages() -> None:
    store = office()
    jo = Client(store)
    room = jo.post("im.create", username="sam")["room"]
    assert room["_id"] == room["rid"] == direct(store, "jo", "sam") and room["t"] == "d"
    assert room["usernames"] == ["jo", "sam"] and room["uids"] == sorted((user_id(store, "jo"), user_id(store, "sam")))
    assert Client(store, "sam").post("dm.create", username="jo")["room"]["_id"] == room["_id"], "there is one for two"
    many = jo.post("dm.create", usernames="sam, bob")["room"]
    assert many["usernames"] == ["bob", "jo", "sam"] and len(many["_id"]) == 17
    assert jo.post("im.create", username="jo")["room"]["usernames"] == ["jo"]
    assert jo.get("im.list")["total"] == 3 and Client(store, "bob").get("dm.list")["total"] == 1
    jo.say("@sam", "Hello")
    jo.say(room["_id"], "You there?")
    for endpoint, values in (
        *((name, {"roomId": room["_id"]}) for name in ("im.history", "im.messages", "dm.messages")),
        ("im.messages", {"username": "sam"}),
    ):
        assert [one["msg"] for one in jo.get(endpoint, **values)["messages"]] == ["You there?", "Hello"]
    assert [one["username"] for one in jo.get("im.members", roomId=room["_id"])["members"]] == ["jo", "sam"]
    for code, values in (
        ("error-invalid-user", {"username": "nobody"}),
        ("error-invalid-user", {"usernames": "sam,nobody"}),
        ("error-room-param-not-provided", {}),
        ("error-direct-message-max-user-exceeded", {"usernames": ",".join(["sam"] * 101)}),
    ):
        refused(code, jo.post("im.create", 400, **values))
    refused("error-room-param-not-provided", jo.get("im.history", 400))
    refused("error-room-not-found", Client(store, "bob").get("im.history", 400, roomId=room["_id"]))
    refused("error-room-not-found", jo.get("im.history", 400, roomId="GENERAL"))


def test_the_direct_rooms_of_others_are_not_there() -> None:
    store = office()
    jo, pair = Client(store, "jo"), direct(store, "anna.lee", "sam")
    (secret,) = [key for key, one in store.rows("chat.messages") if one["rid"] == pair]
    before = store.snapshot()
    for endpoint in ("history", "messages", "members"):
        refused("error-room-not-found", jo.get(f"im.{endpoint}", 400, roomId=pair))
    refused("error-room-not-found", jo.get("channels.info", 400, roomId=pair))
    for endpoint, sent in (("chat.postMessage", {"roomId": pair}), ("chat.sendMessage", {"message": {"rid": pair}})):
        assert jo.post(endpoint, 400, **sent) == {"success": False, "error": "error-not-allowed"}
    assert jo.get("chat.search", 400, roomId=pair, searchText="between")["success"] is False
    refused("error-not-allowed", jo.get("chat.getThreadMessages", 400, tmid=secret))
    assert jo.get("im.list")["ims"] == [] and store.snapshot() == before


def test_a_defect_is_answered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    client = Client(office())
    monkeypatch.setattr("teller_gym.office.chat.colleagues.replies", crash)  # after the message was written
    request = Request("POST", "/api/v1/chat.postMessage", "", client.headers, b'{"channel":"#general","text":"x"}')
    response = client.service.handle(client.store, request)
    assert response.status == 500 and response.data() == {"success": False, "error": "Internal server error"}
    assert client.store.diff() == [] and client.store.clock() == client.store.now
