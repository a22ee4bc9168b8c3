"""Channels, groups and direct messages, and who sees them."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.chat.addresses import MAX_DIRECT_USERS
from tests.office.chat.world import Client, direct, office, refused, rid, user_id


def names(answer: dict[str, Any], key: str) -> list[str]:
    return [one["name"] for one in answer[key]]


def test_channels_are_listed_for_everybody_and_joined_ones_apart() -> None:
    client = Client(office())
    listed = client.get("channels.list")
    assert names(listed, "channels") == ["advice", "general"]
    assert (listed["count"], listed["offset"], listed["total"]) == (2, 0, 2)
    joined = Client(client.store, "sam").get("channels.list.joined", count=1, offset=1)
    assert names(joined, "channels") == ["general"]
    assert (joined["count"], joined["offset"], joined["total"]) == (1, 1, 2)
    assert client.get("groups.list") == {"groups": [], "count": 0, "offset": 0, "total": 0, "success": True}
    assert names(Client(client.store, "bob").get("groups.list"), "groups") == ["board"]
    assert sorted(names(client.get("rooms.get"), "update")) == ["general"]
    assert client.get("rooms.info", roomName="advice")["room"]["name"] == "advice"


def test_a_channels_json() -> None:
    store = office()
    channel = Client(store).get("channels.info", roomName="general")["channel"]
    assert channel == Client(store).get("channels.info", roomId="GENERAL")["channel"]
    assert channel["_id"] == "GENERAL" and channel["t"] == "c" and channel["topic"] == "Everything"
    assert channel["u"] == {"_id": user_id(store, "jo"), "username": "jo", "name": "Jo Marsh"}
    assert channel["msgs"] == 3 and channel["usersCount"] == 5 and channel["ro"] is False
    assert channel["lastMessage"]["u"]["username"] == "bob" and channel["lm"] == "2026-02-27T08:00:00.000Z"
    assert channel["ts"] == "2026-02-26T10:00:00.000Z" and channel["fname"] == channel["name"]
    members = Client(store).get("channels.members", roomName="advice")
    assert [one["username"] for one in members["members"]] == ["anna.lee", "sam"] and members["total"] == 2


def test_direct_messages() -> None:
    store = office()
    jo = Client(store)
    room = jo.post("im.create", username="sam")["room"]
    assert room["_id"] == room["rid"] == direct(store, "jo", "sam") and room["t"] == "d"
    assert room["usernames"] == ["jo", "sam"] and room["uids"] == sorted((user_id(store, "jo"), user_id(store, "sam")))
    assert Client(store, "sam").post("dm.create", username="jo")["room"]["_id"] == room["_id"], "there is one for two"
    many = jo.post("dm.create", usernames="sam, bob")["room"]
    assert many["usernames"] == ["bob", "jo", "sam"] and len(many["_id"]) == 17
    own = jo.post("im.create", username="jo")["room"]
    assert own["usernames"] == ["jo"]
    assert jo.get("im.list")["total"] == 3 and Client(store, "bob").get("dm.list")["total"] == 1
    jo.say("@sam", "Hello")
    jo.say(room["_id"], "You there?")
    for endpoint in ("im.history", "im.messages", "dm.messages"):
        assert [one["msg"] for one in jo.get(endpoint, roomId=room["_id"])["messages"]] == ["You there?", "Hello"]
    assert [one["msg"] for one in jo.get("im.messages", username="sam")["messages"]] == ["You there?", "Hello"]
    assert [one["username"] for one in jo.get("im.members", roomId=room["_id"])["members"]] == ["jo", "sam"]
    refused("error-invalid-user", jo.post("im.create", 400, username="nobody"))
    refused("error-invalid-user", jo.post("im.create", 400, usernames="sam,nobody"))
    refused("error-room-param-not-provided", jo.post("im.create", 400))
    refused("error-room-param-not-provided", jo.get("im.history", 400))
    refused("error-room-not-found", Client(store, "bob").get("im.history", 400, roomId=room["_id"]))
    refused("error-room-not-found", jo.get("im.history", 400, roomId="GENERAL"))
    refused("error-direct-message-max-user-exceeded", jo.post("im.create", 400, usernames=",".join(["sam"] * 101)))
    assert MAX_DIRECT_USERS == 8


def test_the_rooms_of_others_are_not_there() -> None:
    """A group and a direct room of others: no listing, reading or writing, by id or by name."""
    store = office()
    jo = Client(store, "jo")
    board, pair = rid(store, "board"), direct(store, "anna.lee", "sam")
    secret = {one["_id"] for name in ("anna.lee", "sam", "bob") for one in _all_messages(Client(store, name))} - {
        one["_id"] for one in _all_messages(jo)
    }
    before = store.snapshot()
    assert len(secret) == 2
    for values in ({"roomId": board}, {"roomName": "board"}):
        for endpoint in ("info", "history", "messages", "members", "files"):
            refused("error-room-not-found", jo.get(f"groups.{endpoint}", 400, **values))
            refused("error-room-not-found", jo.get(f"channels.{endpoint}", 400, **values))
        refused("error-not-allowed", jo.get("rooms.info", 400, **values))
    refused("error-room-not-found", jo.get("im.messages", 400, roomId=pair))
    for room in (board, pair):
        answer = jo.post("chat.postMessage", 400, roomId=room, text="x")
        assert answer == {"success": False, "error": "error-not-allowed"}
        assert jo.post("chat.sendMessage", 400, message={"rid": room, "msg": "x"})["error"] == "error-not-allowed"
        assert jo.get("chat.search", 400, roomId=room, searchText="confidential")["success"] is False
    assert jo.post("chat.postMessage", 400, channel="#board", text="x")["error"] == "error-not-allowed"
    for message in secret:
        refused("error-not-allowed", jo.get("chat.getMessage", 400, msgId=message))
        refused("error-not-allowed", jo.get("chat.getThreadMessages", 400, tmid=message))
    assert store.snapshot() == before
    assert jo.get("spotlight", query="board")["rooms"] == []
    assert jo.say("#general", "see #board")["channels"] == []
    assert Client(store, "bob").say("#general", "see #board")["channels"] == [{"_id": board, "name": "board"}]
    seen = {one["_id"] for one in [*jo.get("rooms.get")["update"], *jo.get("channels.list")["channels"]]}
    assert seen.isdisjoint((board, pair))


def _all_messages(client: Client) -> list[dict[str, Any]]:
    found = []
    for room in client.get("rooms.get")["update"]:
        kind = {"c": "channels", "p": "groups", "d": "im"}[room["t"]]
        found += client.get(f"{kind}.messages", roomId=room["_id"])["messages"]
    found += client.get("channels.messages", roomId=rid(client.store, "advice"))["messages"]
    return found


@pytest.mark.parametrize(
    ("kind", "code"), [("channels", "error-roomid-param-not-provided"), ("groups", "error-room-param-not-provided")]
)
def test_a_room_has_to_be_named(kind: str, code: str) -> None:
    client = Client(office())
    for endpoint in ("info", "history", "members", "messages"):
        refused(code, client.get(f"{kind}.{endpoint}", 400))
        refused("error-room-not-found", client.get(f"{kind}.{endpoint}", 400, roomId="x" * 17))
        refused("error-room-not-found", client.get(f"{kind}.{endpoint}", 400, roomName="none"))
    refused("error-roomid-param-not-provided", client.get("rooms.info", 400))
    refused("error-room-not-found", client.get("rooms.info", 400, roomId="x"))
