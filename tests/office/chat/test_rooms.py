"""Channels, groups and direct messages: who sees what, who comes and goes."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.chat.addresses import MAX_DIRECT_USERS
from teller_gym.office.chat.membership import MAX_ABOUT
from teller_gym.office.chat.tables import ROOM_NAMES
from teller_gym.office.store import Store
from tests.office.chat.world import Client, office, refused, user_id


def rid(store: Store, name: str) -> str:
    place = store.get(ROOM_NAMES, name)
    assert place is not None
    return str(place["rid"])


def direct(store: Store, one: str, other: str) -> str:
    return "".join(sorted((user_id(store, one), user_id(store, other))))


def names(answer: dict[str, Any], key: str) -> list[str]:
    return [one["name"] for one in answer[key]]


def test_channels_are_listed_for_everybody_and_joined_ones_apart() -> None:
    client = Client(office())
    listed = client.get("channels.list")
    assert names(listed, "channels") == ["advice", "general", "notices"]
    assert (listed["count"], listed["offset"], listed["total"]) == (3, 0, 3)
    joined = client.get("channels.list.joined", count=1, offset=1)
    assert names(joined, "channels") == ["notices"]
    assert (joined["count"], joined["offset"], joined["total"]) == (1, 1, 2)
    assert client.get("groups.list") == {"groups": [], "count": 0, "offset": 0, "total": 0, "success": True}
    assert names(Client(client.store, "bob").get("groups.list"), "groups") == ["board"]


def test_a_channels_json() -> None:
    store = office()
    channel = Client(store).get("channels.info", roomName="general")["channel"]
    assert channel == Client(store).get("channels.info", roomId="GENERAL")["channel"]
    assert channel["_id"] == "GENERAL" and channel["t"] == "c" and channel["topic"] == "Everything"
    assert channel["u"] == {"_id": user_id(store, "root"), "username": "root", "name": "Rita Root"}
    assert channel["msgs"] == 3 and channel["usersCount"] == 5 and channel["ro"] is False
    assert channel["lastMessage"]["u"]["username"] == "bob" and channel["lm"] == "2026-02-27T08:00:00.000Z"
    assert channel["ts"] == "2026-02-26T10:00:00.000Z" and channel["fname"] == channel["name"]


def test_a_channel_is_made_joined_and_left() -> None:
    store = office()
    jo, sam = Client(store), Client(store, "sam")
    made = jo.post("channels.create", name="q1-metrics", members=["sam", "sam"])["channel"]
    assert len(made["_id"]) == 17 and made["usersCount"] == 2 and made["u"]["username"] == "jo"
    bob = Client(store, "bob")
    assert bob.post("channels.join", roomId=made["_id"], joinCode="x")["channel"]["usersCount"] == 3
    assert bob.post("channels.join", roomId=made["_id"])["channel"]["msgs"] == 1, "joining twice does nothing"
    assert jo.get("channels.messages", roomId=made["_id"])["messages"][0] | {"_id": "", "_updatedAt": ""} == {
        "_id": "",
        "rid": made["_id"],
        "t": "uj",
        "msg": "bob",
        "ts": "2026-03-02T09:00:02.000Z",
        "_updatedAt": "",
        "u": {"_id": user_id(store, "bob"), "username": "bob", "name": "Bob Kerr"},
        "mentions": [],
        "channels": [],
        "urls": [],
    }
    members = jo.get("channels.members", roomName="q1-metrics")
    assert [one["username"] for one in members["members"]] == ["bob", "jo", "sam"] and members["total"] == 3
    assert jo.get("channels.members", roomName="q1-metrics", filter="kerr")["total"] == 1
    assert [
        one["username"] for one in jo.get("channels.members", roomName="q1-metrics", **{"status[]": "away"})["members"]
    ] == ["bob"]
    bob.post("channels.leave", roomId=made["_id"])
    refused("error-user-not-in-room", bob.post("channels.leave", 400, roomId=made["_id"]))
    refused("error-you-are-last-owner", jo.post("channels.leave", 400, roomId=made["_id"]))
    jo.post("channels.addOwner", roomId=made["_id"], username="sam")
    refused("error-user-already-owner", jo.post("channels.addOwner", 400, roomId=made["_id"], username="sam"))
    jo.post("rooms.leave", roomId=made["_id"])
    refused("error-remove-last-owner", sam.post("channels.removeOwner", 400, roomId=made["_id"], username="sam"))
    refused("error-user-not-in-room", sam.post("channels.addOwner", 400, roomId=made["_id"], username="jo"))
    assert [one["t"] for one in sam.get("channels.history", roomId=made["_id"])["messages"]] == [
        *("ul", "subscription-role-added", "ul", "uj"),
    ]


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("invalid-params", {}),
        ("invalid-params", {"name": 5}),
        ("error-invalid-room-name", {"name": "two words"}),
        ("error-invalid-room-name", {"name": "x" * 51}),
        ("error-duplicate-channel-name", {"name": "general"}),
        ("error-duplicate-channel-name", {"name": "board"}),
        ("error-user-not-found", {"name": "new", "members": ["nobody"]}),
        ("invalid-params", {"name": "new", "members": [1]}),
        ("invalid-params", {"name": "new", "members": ["sam"] * 101}),
        ("invalid-params", {"name": "new", "readOnly": "maybe"}),
    ],
)
def test_rooms_that_cannot_be_made(code: str, values: dict[str, Any]) -> None:
    store = office()
    for kind in ("channels", "groups"):
        refused(code, Client(store).post(f"{kind}.create", 400, **values))
    assert store.diff() == []


def test_groups_and_their_people() -> None:
    store = office()
    anna, jo = Client(store, "anna.lee"), Client(store)
    board = rid(store, "board")
    refused("error-room-not-found", jo.get("groups.info", 400, roomId=board))
    group = anna.post("groups.invite", roomId=board, userId=user_id(store, "jo"))["group"]
    assert group["usersCount"] == 3 and jo.get("groups.info", roomName="board")["group"]["_id"] == board
    refused("error-not-allowed", jo.post("groups.invite", 400, roomId=board, username="sam"))
    refused("error-users-params-not-provided", anna.post("groups.invite", 400, roomId=board))
    refused("error-user-not-found", anna.post("groups.invite", 400, roomId=board, usernames=["sam", "nobody"]))
    refused("error-room-not-found", Client(store, "sam").get("groups.info", 400, roomId=board))
    assert anna.post("groups.kick", roomId=board, username="jo") == {"success": True}
    refused("error-room-not-found", jo.get("groups.messages", 400, roomId=board))
    refused("error-user-not-in-room", anna.post("groups.kick", 400, roomId=board, username="jo"))
    refused("error-not-allowed", Client(store, "bob").post("groups.kick", 400, roomId=board, username="anna.lee"))
    made = jo.post("groups.create", name="mine", readOnly=True)["group"]
    assert made["t"] == "p" and made["ro"] is True
    lines = [one["t"] for one in anna.get("groups.messages", roomId=board)["messages"] if "t" in one]
    assert lines == ["ru", "au"]


def test_topics_and_the_like_are_for_those_in_charge() -> None:
    store = office()
    root, jo = Client(store, "root"), Client(store)
    for field, endpoint in (
        ("topic", "setTopic"),
        ("description", "setDescription"),
        ("announcement", "setAnnouncement"),
    ):
        assert root.post(f"channels.{endpoint}", roomId="GENERAL", **{field: "New"})[field] == "New"
        assert jo.get("channels.info", roomId="GENERAL")["channel"][field] == "New"
        refused("error-action-not-allowed", jo.post(f"channels.{endpoint}", 400, roomId="GENERAL", **{field: "x"}))
        refused(
            "invalid-params", root.post(f"channels.{endpoint}", 400, roomId="GENERAL", **{field: "x" * (MAX_ABOUT + 1)})
        )
        assert "errorType" not in root.post(f"channels.{endpoint}", 400, roomId="GENERAL")
    assert root.post("channels.setTopic", roomId="GENERAL", topic="") == {"topic": "", "success": True}
    assert "topic" not in jo.get("channels.info", roomId="GENERAL")["channel"]
    room = jo.post("im.create", username="sam")["room"]["_id"]
    assert Client(store, "sam").post("dm.setTopic", roomId=room, topic="Us")["topic"] == "Us"


def test_read_only_rooms() -> None:
    store = office()
    jo, anna, root = Client(store), Client(store, "anna.lee"), Client(store, "root")
    notices = rid(store, "notices")
    message = anna.say("#notices", "Closed on Monday")
    for endpoint, values in (
        ("postMessage", {"channel": "#notices", "text": "x"}),
        ("sendMessage", {"message": {"rid": notices, "msg": "x"}}),
        ("react", {"messageId": message["_id"], "emoji": "smile"}),
    ):
        assert "read-only" in jo.post(f"chat.{endpoint}", 400, **values)["error"]
    assert root.post("channels.setReadOnly", roomId=notices, readOnly=False)["channel"]["ro"] is False
    assert "success" in root.post("channels.setReadOnly", 400, roomId=notices, readOnly=False)
    refused("error-action-not-allowed", jo.post("channels.setReadOnly", 400, roomId=notices, readOnly=True))
    assert jo.say("#notices", "x")["msg"] == "x"


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


def test_what_others_have_is_not_there() -> None:
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
        for endpoint in ("info", "history", "messages", "members"):
            refused("error-room-not-found", jo.get(f"groups.{endpoint}", 400, **values))
            refused("error-room-not-found", jo.get(f"channels.{endpoint}", 400, **values))
        for endpoint in ("leave", "invite", "kick", "setTopic"):
            refused("error-room-not-found", jo.post(f"groups.{endpoint}", 400, **values, username="jo", topic="x"))
        refused("error-room-not-found", jo.post("channels.join", 400, **values))
        refused("error-not-allowed", jo.get("rooms.info", 400, **values))
    refused("error-room-not-found", jo.get("im.messages", 400, roomId=pair))
    for room in (board, pair):
        assert jo.post("chat.postMessage", 400, roomId=room, text="x") == {
            "success": False,
            "error": "error-not-allowed",
        }
        assert jo.post("chat.sendMessage", 400, message={"rid": room, "msg": "x"})["error"] == "error-not-allowed"
        assert jo.get("chat.search", 400, roomId=room, searchText="confidential")["success"] is False
        for endpoint in ("getPinnedMessages", "getMentionedMessages"):
            refused("error-not-allowed", jo.get(f"chat.{endpoint}", 400, roomId=room))
        refused("error-not-allowed", jo.get("chat.getThreadsList", 400, rid=room))
        refused("error-not-allowed", jo.get("chat.getDeletedMessages", 400, roomId=room, since="2026-01-01"))
        refused("error-invalid-subscription", jo.post("subscriptions.read", 400, rid=room))
        assert jo.get("subscriptions.getOne", roomId=room)["subscription"] is None
    assert jo.post("chat.postMessage", 400, channel="#board", text="x")["error"] == "error-not-allowed"
    for message in secret:
        refused("error-not-allowed", jo.get("chat.getMessage", 400, msgId=message))
        refused("error-not-allowed", jo.get("chat.getThreadMessages", 400, tmid=message))
        refused("not-authorized", jo.post("chat.react", 400, messageId=message, emoji="smile"))
        refused("not-authorized", jo.post("chat.pinMessage", 400, messageId=message))
        for room in (board, pair):
            assert jo.post("chat.update", 400, roomId=room, msgId=message, text="x")["success"] is False
            assert jo.post("chat.delete", 400, roomId=room, msgId=message)["success"] is False
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


def test_rooms_and_subscriptions_of_the_caller() -> None:
    store = office()
    jo, sam = Client(store), Client(store, "sam")
    rooms = jo.get("rooms.get")
    assert sorted(one["name"] for one in rooms["update"]) == ["general", "notices"] and rooms["remove"] == []
    assert jo.get("rooms.info", roomName="advice")["room"]["name"] == "advice"
    since = "2026-03-02T09:00:00.000Z"
    assert jo.get("rooms.get", updatedSince=since)["update"] == []
    assert jo.get("subscriptions.get", updatedSince=since)["update"] == []
    refused("error-invalid-date", jo.get("rooms.get", 400, updatedSince="yesterday"))
    sam.say("#general", "@jo and @all: 5")
    jo.say("#general", "my own")
    assert [one["_id"] for one in jo.get("rooms.get", updatedSince=since)["update"]] == ["GENERAL"]
    mine = jo.get("subscriptions.getOne", roomId="GENERAL")["subscription"]
    assert (mine["unread"], mine["userMentions"], mine["groupMentions"], mine["alert"]) == (3, 2, 1, True)
    assert mine["u"]["username"] == "jo" and mine["rid"] == "GENERAL" and "roles" not in mine
    assert jo.post("subscriptions.read", rid="GENERAL") == {"success": True}
    mine = jo.get("subscriptions.getOne", roomId="GENERAL")["subscription"]
    assert (mine["unread"], mine["alert"], mine["ls"]) == (0, False, "2026-03-02T09:00:02.000Z")
    sam.say("@jo", "psst")
    new = {one["name"]: one["unread"] for one in jo.get("subscriptions.get")["update"]}
    assert new == {"general": 0, "notices": 0, "sam": 1}
    root = Client(store, "root").get("subscriptions.getOne", roomId="GENERAL")["subscription"]
    assert root["roles"] == ["owner"]
