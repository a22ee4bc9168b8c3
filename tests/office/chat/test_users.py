"""Who is there, and how they are."""

from __future__ import annotations

import pytest

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.users import set_status
from tests.office.chat.world import Client, office, refused, user_id


def test_everybody_is_listed_and_administrators_see_more() -> None:
    store = office()
    listed = Client(store).get("users.list")
    assert [one["username"] for one in listed["users"]] == ["anna.lee", "bob", "jo", "root", "sam"]
    assert listed["users"][1] == {
        "_id": user_id(store, "bob"),
        "username": "bob",
        "name": "Bob Kerr",
        "bio": "Operations",
        "status": "away",
        "statusText": "",
        "type": "user",
        "active": True,
        "utcOffset": 0,
    }
    full = Client(store, "root").get("users.list", query='{"username": "bob"}')
    assert full["total"] == 1 and full["users"][0]["emails"][0]["address"] == "bob@bank.example"
    assert full["users"][0]["roles"] == ["user"]


def test_a_user_by_name_or_id() -> None:
    store = office()
    client = Client(store)
    for values in ({"username": "sam"}, {"username": "@Sam"}, {"userId": user_id(store, "sam")}):
        user = client.get("users.info", **values)["user"]
        assert user["name"] == "Sam Ortiz" and "emails" not in user
    assert client.get("users.info", username="jo")["user"]["emails"][0]["address"] == "jo@bank.example"
    for values in ({"username": "nobody"}, {"userId": "x"}):
        assert client.get("users.info", 400, **values) == {"success": False, "error": "User not found."}
    refused("error-user-param-not-provided", client.get("users.info", 400))
    me = client.get("me")
    assert me["email"] == "jo@bank.example" and me["bio"] == "Assistant" and "password" not in str(me)


def test_presence_and_status() -> None:
    store = office()
    jo, bob = Client(store), Client(store, "bob")
    assert jo.get("users.getPresence") == {"presence": "online", "connectionStatus": "online", "success": True}
    assert jo.get("users.getPresence", username="bob") == {"presence": "away", "success": True}
    assert bob.post("users.setStatus", status="offline", message="Back at 2") == {"success": True}
    status = {"_id": user_id(store, "bob"), "status": "offline", "message": "Back at 2", "success": True}
    assert jo.get("users.getStatus", userId=user_id(store, "bob")) == status == bob.get("users.getStatus")
    here = jo.get("users.presence")
    assert here["full"] and sorted(one["username"] for one in here["users"]) == ["anna.lee", "jo", "root", "sam"]
    some = jo.get("users.presence", ids=",".join((user_id(store, "bob"), user_id(store, "sam"))))
    assert not some["full"] and [(one["username"], one["status"]) for one in some["users"]] == [
        *(("sam", "online"), ("bob", "offline")),
    ]
    bob.post("users.setStatus", message="")
    assert jo.get("users.getStatus", username="bob")["status"] == "offline"
    refused("error-invalid-status", bob.post("users.setStatus", 400, status="asleep"))
    refused("invalid-params", bob.post("users.setStatus", 400, message="x" * 121))
    assert "errorType" not in bob.post("users.setStatus", 400)
    for endpoint in ("getPresence", "getStatus"):
        refused("error-invalid-user", jo.get(f"users.{endpoint}", 400, username="nobody"))
    with pytest.raises(ChatError):
        set_status(store, "bob", message="\udc00")


def test_the_spotlight_finds_people_and_rooms() -> None:
    client = Client(office())
    found = client.get("spotlight", query="a")
    assert [one["username"] for one in found["users"]] == ["jo", "anna.lee", "sam", "root"]
    assert [one["name"] for one in found["rooms"]] == ["general", "advice"]
    assert client.get("spotlight", query="@ann")["rooms"] == [] and client.get("spotlight", query="#gen")["users"] == []
    refused("invalid-params", client.get("spotlight", 400))
