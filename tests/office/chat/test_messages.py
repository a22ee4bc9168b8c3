"""Posting, changing, deleting, reacting, pinning, threads."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.messages import post
from tests.office.chat.test_rooms import direct, rid
from tests.office.chat.world import Client, office, refused, user_id


def test_a_message_as_it_is_answered_read_and_kept() -> None:
    store = office()
    client = Client(store)
    answer = client.post(
        "chat.postMessage", channel="#general", text=" Ask @sam or @Nobody (@anna.lee), #advice. https://a.example/b. "
    )
    assert answer["success"] and answer["channel"] == "#general" and answer["ts"] == 1772442001000
    message = answer["message"]
    assert message == {
        "_id": message["_id"],
        "rid": "GENERAL",
        "msg": "Ask @sam or @Nobody (@anna.lee), #advice. https://a.example/b.",
        "ts": "2026-03-02T09:00:01.000Z",
        "u": {"_id": user_id(store, "jo"), "username": "jo", "name": "Jo Marsh"},
        "_updatedAt": "2026-03-02T09:00:01.000Z",
        "mentions": [
            {"_id": user_id(store, "sam"), "username": "sam", "name": "Sam Ortiz", "type": "user"},
            {"_id": user_id(store, "anna.lee"), "username": "anna.lee", "name": "Anna Lee", "type": "user"},
        ],
        "channels": [{"_id": rid(store, "advice"), "name": "advice"}],
        "urls": [{"url": "https://a.example/b", "meta": {}}],
    }
    assert len(message["_id"]) == 17 and message["_id"].isalnum()
    assert client.get("chat.getMessage", msgId=message["_id"])["message"] == message
    assert client.get("channels.history", roomId="GENERAL")["messages"][0] == message


@pytest.mark.parametrize(
    ("to", "room"), [("#general", "GENERAL"), ("general", "GENERAL"), ("GENERAL", "GENERAL"), ("#GENERAL", "GENERAL")]
)
def test_addresses_of_rooms(to: str, room: str) -> None:
    client = Client(office())
    assert client.say(to, "x")["rid"] == room
    assert client.post("chat.postMessage", roomId=to, text="x")["message"]["rid"] == room


def test_addresses_of_people() -> None:
    store = office()
    client = Client(store)
    pair = direct(store, "jo", "sam")
    for to in ("@sam", "@SAM", f"@{user_id(store, 'sam')}", user_id(store, "sam"), pair):
        assert client.say(to, to)["rid"] == pair
    assert len(client.get("im.messages", roomId=pair)["messages"]) == 5
    for to in ("#none", "@none", "none", "#sam", "sam", "", "#", "@"):
        refused("invalid-channel", client.post("chat.postMessage", 400, channel=to, text="x"))
    refused("invalid-params", client.post("chat.postMessage", 400, channel=["#general"], text="x"))


def test_who_writes_in_a_channel_joins_it_unless_by_send_message() -> None:
    store = office()
    client = Client(store)
    advice = rid(store, "advice")
    client.post("chat.sendMessage", message={"rid": advice, "msg": "from outside"})
    assert client.get("channels.info", roomId=advice)["channel"]["usersCount"] == 2
    client.say("#advice", "in")
    assert [(one.get("t"), one["msg"]) for one in client.get("channels.messages", roomId=advice)["messages"]][:3] == [
        *((None, "in"), ("uj", "jo"), (None, "from outside")),
    ]
    assert client.get("channels.info", roomId=advice)["channel"]["usersCount"] == 3


def test_sizes_and_types_of_messages() -> None:
    store = office()
    client = Client(store)
    assert client.say("#general", "x" * MAX_MESSAGE)["msg"] == "x" * MAX_MESSAGE
    assert client.post("chat.postMessage", channel="#general")["message"]["msg"] == ""
    before = store.snapshot()
    for values in ({"text": "x" * (MAX_MESSAGE + 1)}, {"attachments": [{"text": "x" * (MAX_MESSAGE + 1)}]}):
        refused("error-message-size-exceeded", client.post("chat.postMessage", 400, channel="@sam", **values))
    bad: list[dict[str, Any]] = [
        *({"text": 5}, {"tmid": 5}, {"emoji": "smile"}, {"attachments": "x"}, {"attachments": [1]}),
        *({"attachments": [{}] * 11}, {"attachments": [{"title": "x" * 501}]}, {"attachments": [{"title": 5}]}),
        *({"attachments": [{"fields": [{"title": "x"}]}]}, {"attachments": [{"fields": {}}]}, {"tshow": "perhaps"}),
    ]
    for values in bad:
        refused("invalid-params", client.post("chat.postMessage", 400, channel="@sam", **values))
    assert store.snapshot() == before, "no direct room is made for a message that is refused"
    with pytest.raises(ChatError, match="surrogate"):
        post(store, "jo", "#general", "\ud800")
    with pytest.raises(ChatError, match="error-invalid-user"):
        post(store, "nobody", "#general", "x")


def test_what_hangs_on_a_message() -> None:
    client = Client(office())
    cards = [
        {
            "color": "#f00",
            "text": "Table",
            "title": "T",
            "fields": [{"title": "a", "value": "1", "short": True}],
            "x": {"y": 1},
        }
    ]
    message = client.say("#general", "see", attachments=cards, emoji=":coffee:", alias="Boss", avatar="http://x")
    del cards[0]["x"]
    assert message["attachments"] == cards and message["emoji"] == ":coffee:" and message["u"]["username"] == "jo"
    assert "alias" not in message and "avatar" not in message


def test_send_message() -> None:
    client = Client(office())
    message = client.post("chat.sendMessage", message={"rid": "GENERAL", "msg": "Hello", "_id": "42"})["message"]
    assert message["_id"] == "42" and client.get("chat.getMessage", msgId="42")["message"] == message
    assert client.post("chat.sendMessage", message={"rid": "GENERAL"})["message"]["msg"] == ""
    for code, value in (
        ("error-invalid-message", {"rid": "GENERAL", "_id": "42"}),
        ("invalid-params", {"rid": "GENERAL", "_id": "a b"}),
        ("error-invalid-room", {"rid": "none", "msg": "x"}),
        ("error-invalid-room", {"msg": "x"}),
        ("invalid-params", {"rid": "GENERAL", "tshow": True}),
        ("error-message-size-exceeded", {"rid": "GENERAL", "msg": "x" * 5001}),
        ("error-invalid-message", {"rid": "GENERAL", "tmid": "none"}),
    ):
        refused(code, client.post("chat.sendMessage", 400, message=value))
    refused("invalid-params", client.post("chat.sendMessage", 400, message="x"))
    assert "errorType" not in client.post("chat.sendMessage", 400, message={"rid": "GENERAL", "t": "uj", "msg": "bob"})


def test_own_messages_are_changed_and_deleted() -> None:
    store = office()
    client = Client(store)
    message = client.say("#general", "Total 5")
    same = client.post("chat.update", roomId="GENERAL", msgId=message["_id"], text="Total 5")["message"]
    assert same == message
    new = client.post("chat.update", roomId="GENERAL", msgId=message["_id"], text="Total 6, @bob")["message"]
    edited = {"editedAt": "2026-03-02T09:00:02.000Z", "editedBy": {"_id": user_id(store, "jo"), "username": "jo"}}
    assert {
        **message,
        **edited,
        "msg": "Total 6, @bob",
        "_updatedAt": edited["editedAt"],
        "mentions": new["mentions"],
    } == new
    assert [one["username"] for one in new["mentions"]] == ["bob"]
    gone = client.post("chat.delete", roomId="GENERAL", msgId=message["_id"], asUser=True)
    assert gone["_id"] == message["_id"] and gone["message"]["rid"] == "GENERAL" and gone["ts"] == "1772442003000"
    assert client.get("chat.getMessage", 400, msgId=message["_id"])["success"] is False
    assert message["_id"] not in [one["_id"] for one in client.get("channels.history", roomId="GENERAL")["messages"]]
    for endpoint in ("update", "delete"):
        call = f"chat.{endpoint}"
        assert "errorType" not in client.post(call, 400, roomId="GENERAL", msgId=message["_id"], text="x")
        refused("invalid-params", client.post(call, 400, roomId="GENERAL", text="x"))
        refused("invalid-params", client.post(call, 400, msgId=message["_id"], text="x"))
    other = client.say("#general", "y")
    assert "not in the room" in client.post("chat.update", 400, roomId="x", msgId=other["_id"], text="z")["error"]
    refused("invalid-params", client.post("chat.update", 400, roomId="GENERAL", msgId=other["_id"]))
    refused(
        "error-message-size-exceeded",
        client.post("chat.update", 400, roomId="GENERAL", msgId=other["_id"], text="z" * 5001),
    )
    deleted = client.get("chat.getDeletedMessages", roomId="GENERAL", since="2026-03-02T09:00:00Z")
    assert [one["_id"] for one in deleted["messages"]] == [message["_id"]] and deleted["total"] == 1
    assert client.get("chat.getDeletedMessages", roomId="GENERAL", since="2026-03-02T09:00:03Z")["messages"] == []
    refused("error-invalid-date", client.get("chat.getDeletedMessages", 400, roomId="GENERAL", since="x"))


def test_others_messages_are_for_those_in_charge() -> None:
    store = office()
    jo, bob, root = Client(store), Client(store, "bob"), Client(store, "root")
    message = jo.say("#general", "mine")
    for endpoint in ("update", "delete"):
        refused(
            "error-action-not-allowed",
            bob.post(f"chat.{endpoint}", 400, roomId="GENERAL", msgId=message["_id"], text="x"),
        )
    edited = root.post("chat.update", roomId="GENERAL", msgId=message["_id"], text="ours")["message"]
    assert edited["u"]["username"] == "jo" and edited["editedBy"]["username"] == "root"
    root.post("chat.delete", roomId="GENERAL", msgId=message["_id"])
    jo.say("#advice", "joins")
    line = jo.get("channels.messages", roomId=rid(store, "advice"))["messages"][1]
    assert line["t"] == "uj"
    refused("error-action-not-allowed", jo.post("chat.update", 400, roomId=line["rid"], msgId=line["_id"], text="x"))


def test_threads() -> None:
    client = Client(office())
    first = client.say("#general", "Plan?")
    one = client.say("#general", "First", tmid=first["_id"])
    two = client.say("#general", "Second", tmid=one["_id"], tshow=True)
    assert two["tmid"] == first["_id"] and two["tshow"] is True, "a reply to a reply stands in the same thread"
    parent = client.get("chat.getMessage", msgId=first["_id"])["message"]
    assert (parent["tcount"], parent["tlm"], parent["replies"]) == (2, two["ts"], [first["u"]["_id"]])
    thread = client.get("chat.getThreadMessages", tmid=first["_id"])
    assert [one["msg"] for one in thread["messages"]] == ["First", "Second"]
    assert (thread["count"], thread["offset"], thread["total"]) == (2, 0, 2)
    shown = client.get("channels.history", roomId="GENERAL", showThreadMessages="false")["messages"]
    assert [one["msg"] for one in shown][:2] == ["Second", "Plan?"]
    threads = client.get("chat.getThreadsList", rid="GENERAL")
    assert [one["msg"] for one in threads["threads"]] == ["Plan?", "Morning, @jo and @anna.lee."]
    assert client.get("chat.getThreadsList", rid="GENERAL", text="plan")["total"] == 1
    client.post("chat.delete", roomId="GENERAL", msgId=one["_id"])
    assert client.get("chat.getMessage", msgId=first["_id"])["message"]["tcount"] == 1
    client.post("chat.delete", roomId="GENERAL", msgId=first["_id"])
    kept = client.get("chat.getMessage", msgId=first["_id"])["message"]
    assert kept["t"] == "rm" and kept["msg"] == "", "what has replies stays as the beginning of its thread"
    refused("error-action-not-allowed", client.post("chat.delete", 400, roomId="GENERAL", msgId=first["_id"]))
    for values in ({"channel": "@sam", "tmid": two["_id"]}, {"channel": "#general", "tmid": "none"}):
        refused("error-invalid-message", client.post("chat.postMessage", 400, text="x", **values))
    refused("error-invalid-message", client.get("chat.getThreadMessages", 400, tmid="none"))


def test_reactions() -> None:
    client = Client(office())
    sam = Client(client.store, "sam")
    key = client.say("#general", "Done")["_id"]

    def reactions() -> dict[str, Any]:
        found: dict[str, Any] = client.get("chat.getMessage", msgId=key)["message"].get("reactions", {})
        return found

    client.post("chat.react", messageId=key, emoji="smile")
    sam.post("chat.react", messageId=key, emoji=":smile:", shouldReact=True)
    sam.post("chat.react", messageId=key, emoji=":smile:", shouldReact=True)
    assert reactions() == {":smile:": {"usernames": ["jo", "sam"]}}
    client.post("chat.react", messageId=key, reaction="smile")
    sam.post("chat.react", messageId=key, emoji="heart", shouldReact=False)
    assert reactions() == {":smile:": {"usernames": ["sam"]}}
    sam.post("chat.react", messageId=key, emoji="smile", shouldReact=False)
    assert reactions() == {}
    refused("error-not-allowed", client.post("chat.react", 400, messageId=key, emoji="no emoji"))
    refused("error-emoji-param-not-provided", client.post("chat.react", 400, messageId=key))
    refused("error-message-not-found", client.post("chat.react", 400, messageId="none", emoji="smile"))
    for i in range(50):
        client.post("chat.react", messageId=key, emoji=f"e{i}")
    refused("error-not-allowed", client.post("chat.react", 400, messageId=key, emoji="one_more"))


def test_pins() -> None:
    store = office()
    jo, root = Client(store), Client(store, "root")
    message = jo.say("#general", "Policy")
    refused("not-authorized", jo.post("chat.pinMessage", 400, messageId=message["_id"]))
    line = root.post("chat.pinMessage", messageId=message["_id"])["message"]
    assert line["t"] == "message_pinned" and line["attachments"][0]["text"] == "Policy"
    again = root.post("chat.pinMessage", messageId=message["_id"])["message"]
    assert again["_id"] == message["_id"] and again["pinned"] is True and again["pinnedBy"]["username"] == "root"
    assert [one["msg"] for one in jo.get("chat.getPinnedMessages", roomId="GENERAL")["messages"]] == ["Policy"]
    assert jo.get("channels.messages", roomId="GENERAL", pinned="true")["total"] == 1
    refused("not-authorized", jo.post("chat.unPinMessage", 400, messageId=message["_id"]))
    assert root.post("chat.unPinMessage", messageId=message["_id"]) == {"success": True}
    assert jo.get("chat.getPinnedMessages", roomId="GENERAL")["total"] == 0
    refused("error-message-not-found", root.post("chat.pinMessage", 400, messageId="none"))


def test_histories() -> None:
    client = Client(office())
    texts = [client.say("#general", str(i))["ts"] for i in range(30)]
    assert texts[0] == "2026-03-02T09:00:01.000Z"

    def history(**values: Any) -> list[str]:
        return [one["msg"] for one in client.get("channels.history", roomId="GENERAL", **values)["messages"]]

    assert history() == [str(i) for i in range(29, 9, -1)]
    assert history(count=2, offset=3) == ["26", "25"]
    assert history(latest=texts[2], oldest=texts[0]) == ["1"]
    assert history(latest=texts[2], oldest=texts[0], inclusive="true") == ["2", "1", "0"]
    assert history(latest="2026-03-02T10:00:02+01:00", inclusive="true", count=1) == ["1"]
    assert len(history(count=0)) == 33 and len(history(count=100)) == 33
    for values in ({"latest": "x"}, {"oldest": "2026-13-01"}):
        refused("error-invalid-date", client.get("channels.history", 400, roomId="GENERAL", **values))
    for values in ({"count": "-1"}, {"offset": "x"}, {"inclusive": "x"}):
        refused("invalid-params", client.get("channels.history", 400, roomId="GENERAL", **values))


def test_mentions_of_the_caller() -> None:
    client = Client(office())
    client.say("#general", "@jo, to myself; @here")
    found = client.get("chat.getMentionedMessages", roomId="GENERAL")
    assert [one["msg"] for one in found["messages"]] == ["@jo, to myself; @here", "Morning, @jo and @anna.lee."]
    assert found["total"] == 2 and found["messages"][0]["mentions"][1] == {"_id": "here", "username": "here"}
