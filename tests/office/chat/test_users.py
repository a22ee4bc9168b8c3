"""The people in the chat."""

from __future__ import annotations

from tests.office.chat.world import Client, office, refused, user_id


def test_everybody_is_listed_and_sees_more_of_oneself() -> None:
    store = office()
    listed = Client(store).get("users.list")
    assert [one["username"] for one in listed["users"]] == ["anna.lee", "bob", "jo", "root", "sam"]
    assert listed["users"][1] == {
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
    assert listed["users"][2]["emails"][0]["address"] == "jo@bank.example" and listed["users"][2]["roles"] == ["user"]


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


def test_the_spotlight_finds_people_and_rooms() -> None:
    client = Client(office())
    found = client.get("spotlight", query="a")
    assert [one["username"] for one in found["users"]] == ["anna.lee", "jo", "root", "sam"]
    assert [one["name"] for one in found["rooms"]] == ["general", "advice"]
    assert client.get("spotlight", query="@ann")["rooms"] == [] and client.get("spotlight", query="#gen")["users"] == []
    refused("invalid-params", client.get("spotlight", 400))
