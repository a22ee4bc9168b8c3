"""Lookups by clients besides messages: directory, completion, counters, changes since a time, public settings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.office.chat.world import Client, office

BEFORE = "2026-02-26T12:00:00.000Z"


def names(rows: list[dict[str, Any]], key: str = "username") -> list[str]:
    return [one[key] for one in rows]


def test_the_directory() -> None:
    jo = Client(office(), "jo")
    people = jo.get("directory", query=json.dumps({"text": "an", "type": "users"}))
    assert names(people["result"]) == ["anna.lee"] and people["total"] == 1
    assert "emails" not in people["result"][0], "others' addresses are for administrators"
    rooms = jo.get("directory", query=json.dumps({"text": "", "type": "channels"}), count="2")
    assert names(rooms["result"], "name") == ["advice", "general"] and rooms["total"] == 3, "no groups of others"
    assert names(jo.get("directory", text="notices", type="channels")["result"], "name") == ["notices"]
    assert jo.get("directory", query='{"type": "teams"}')["result"] == []
    for wrong in ("[]", "{", '{"type": "rooms"}', '{"text": 1}', "{" * 3000):
        assert jo.get("directory", 400, query=wrong)["success"] is False


def test_completion() -> None:
    jo = Client(office(), "jo")
    assert names(jo.get("users.autocomplete", selector='{"term": "@o"}')["items"]) == ["bob", "jo", "root", "sam"]
    left = jo.get("users.autocomplete", selector='{"term": "o", "exceptions": ["jo", "bob"]}')["items"]
    assert names(left) == ["root", "sam"]
    assert jo.get("users.autocomplete", 400, selector='{"term": 1}')["errorType"] == "invalid-params"
    bob = Client(office(), "bob")
    rooms = bob.get("rooms.autocomplete.channelAndPrivate", selector='{"name": "o"}')["items"]
    assert names(rooms, "name") == ["board", "notices"]


def test_counters() -> None:
    store = office()
    jo, bob = Client(store, "jo"), Client(store, "bob")
    found = jo.get("channels.counters", roomId="GENERAL")
    assert (found["joined"], found["members"], found["msgs"], found["unreads"]) == (True, 5, 3, 2)
    assert found["userMentions"] == 1 and found["latest"] == "2026-02-27T08:00:00.000Z"
    jo.post("subscriptions.read", rid="GENERAL")
    assert jo.get("channels.counters", roomName="general")["unreads"] == 0
    assert jo.get("channels.counters", roomName="advice")["joined"] is False
    assert bob.get("groups.counters", roomName="board")["members"] == 2
    assert jo.get("groups.counters", 400, roomName="board")["errorType"] == "error-room-not-found"
    room = Client(store, "sam").get("im.list")["ims"][0]["_id"]
    anna = Client(store, "anna.lee")
    assert anna.get("dm.counters", roomId=room)["unreads"] == 1
    sam = Client(store, "sam").get("me")["_id"]
    assert anna.get("im.counters", 400, roomId=room, userId=sam)["errorType"] == "error-not-allowed"


def test_who_is_in_charge_and_who_is_there() -> None:
    anna = Client(office(), "anna.lee")
    assert names(anna.get("channels.moderators", roomName="notices")["moderators"]) == ["anna.lee"]
    roles = anna.get("channels.roles", roomName="notices")["roles"]
    assert {one["u"]["username"]: one["roles"] for one in roles} == {"root": ["owner"], "anna.lee": ["moderator"]}
    assert names(anna.get("groups.online", roomName="board")["online"]) == ["anna.lee", "bob"]
    assert len(anna.get("channels.online", _id="GENERAL")["online"]) == 5
    mentions = anna.get("channels.getAllUserMentionsByChannel", roomId="GENERAL")
    assert mentions["total"] == 1 and mentions["mentions"][0]["u"]["username"] == "sam"


def test_changes_since_a_time() -> None:
    store = office()
    jo = Client(store, "jo")
    first = jo.post("chat.postMessage", channel="#general", text="one")["message"]
    second = jo.post("chat.postMessage", channel="#general", text="two", tmid=first["_id"])["message"]
    jo.post("chat.update", roomId="GENERAL", msgId=first["_id"], text="one!")
    third = jo.post("chat.postMessage", channel="#general", text="three")["message"]
    jo.post("chat.delete", roomId="GENERAL", msgId=third["_id"])
    found = jo.get("chat.syncMessages", roomId="GENERAL", lastUpdate=BEFORE)["result"]
    assert names(found["updated"], "msg") == ["See https://bank.example/q1, #advice", "one!", "two"]
    assert names(found["deleted"], "_id") == [third["_id"]]
    assert jo.get("chat.syncMessages", roomId="GENERAL", lastUpdate=third["ts"])["result"]["updated"] == []
    thread = jo.get("chat.syncThreadMessages", tmid=first["_id"], updatedSince=BEFORE)["messages"]
    assert names(thread["update"], "_id") == [second["_id"]]
    threads = jo.get("chat.syncThreadsList", rid="GENERAL", updatedSince=BEFORE)["threads"]
    assert names(threads["update"], "_id") == [first["_id"]]
    assert "lastUpdate" in jo.get("chat.syncMessages", 400, roomId="GENERAL")["error"]
    assert jo.get("chat.syncMessages", 400, roomId="GENERAL", lastUpdate="soon")["errorType"] == "error-invalid-date"


@pytest.mark.parametrize("user", ["jo", None])
def test_public_settings(user: str | None) -> None:
    client = Client(office(), user)
    settings = {one["_id"]: one["value"] for one in client.get("settings.public")["settings"]}
    assert settings["FileUpload_MaxFileSize"] == 8 * 1024 * 1024 and settings["Message_MaxAllowedSize"] == 5000
    assert client.get("settings.public", query='{"_id": "Language"}')["settings"] == [
        {"_id": "Language", "value": "en"}
    ]
