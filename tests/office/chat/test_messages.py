"""Posting and reading messages: addresses, references, threads and histories."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.messages import MAX_MESSAGE, post, references
from tests.office.chat.world import CASES, Client, direct, office, refused, rid, user_id

STORE = office()


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
    assert client.get("channels.history", roomId="GENERAL")["messages"][0] == message


def test_addresses() -> None:
    store = office()
    client = Client(store)
    for to in ("#general", "general", "GENERAL", "#GENERAL"):
        assert client.say(to, "x")["rid"] == "GENERAL"
        assert client.post("chat.postMessage", roomId=to, text="x")["message"]["rid"] == "GENERAL"
    pair = direct(store, "jo", "sam")
    for to in ("@sam", "@SAM", f"@{user_id(store, 'sam')}", user_id(store, "sam"), pair):
        assert client.say(to, to)["rid"] == pair
    for to in ("#none", "@none", "none", "#sam", "sam", "", "#", "@"):
        refused("invalid-channel", client.post("chat.postMessage", 400, channel=to, text="x"))
    refused("invalid-params", client.post("chat.postMessage", 400, channel=["#general"], text="x"))


def test_sizes_and_types_of_messages() -> None:
    store = office()
    client = Client(store)
    assert client.say("#general", "x" * MAX_MESSAGE)["msg"] == "x" * MAX_MESSAGE
    assert client.post("chat.postMessage", channel="#general")["message"]["msg"] == ""
    message = client.say("#general", "see", attachments=[{"text": "T"}], alias="Boss", avatar="http://x")
    assert not message.keys() & {"attachments", "alias", "avatar"} and message["u"]["username"] == "jo"
    sent = client.post("chat.sendMessage", message={"rid": "GENERAL", "_id": "42", "t": "uj"})["message"]
    assert sent["msg"] == "" and sent["_id"] != "42" and "t" not in sent
    before = store.snapshot()
    for code, values in (
        ("error-message-size-exceeded", {"text": "x" * (MAX_MESSAGE + 1)}),
        ("invalid-params", {"text": 5}),
        ("invalid-params", {"text": "x", "tmid": 5}),
    ):
        refused(code, client.post("chat.postMessage", 400, channel="@sam", **values))
    for code, value in (
        ("error-invalid-room", {"rid": "none", "msg": "x"}),
        ("error-invalid-room", {"msg": "x"}),
        ("error-message-size-exceeded", {"rid": "GENERAL", "msg": "x" * 5001}),
        ("error-invalid-message", {"rid": "GENERAL", "tmid": "none"}),
        ("invalid-params", "x"),
    ):
        refused(code, client.post("chat.sendMessage", 400, message=value))
    assert store.snapshot() == before, "no direct room is made for a message that is refused"
    with pytest.raises(ChatError, match="surrogate"):
        post(store, "jo", "#general", "\ud800")
    with pytest.raises(ChatError, match="error-invalid-user"):
        post(store, "nobody", "#general", "x")


def test_threads() -> None:
    client = Client(office())
    first = client.say("#general", "Plan?")
    one = client.say("#general", "First", tmid=first["_id"])
    two = client.say("#general", "Second", tmid=one["_id"])
    assert two["tmid"] == first["_id"], "a reply to a reply belongs to the same thread"
    parent = client.get("channels.history", roomId="GENERAL")["messages"][2]
    assert (parent["tcount"], parent["tlm"], parent["replies"]) == (2, two["ts"], [first["u"]["_id"]])
    thread = client.get("chat.getThreadMessages", tmid=first["_id"])
    assert [one["msg"] for one in thread["messages"]] == ["First", "Second"]
    for values in ({"channel": "@sam", "tmid": two["_id"]}, {"channel": "#general", "tmid": "none"}):
        refused("error-invalid-message", client.post("chat.postMessage", 400, text="x", **values))
    refused("error-invalid-message", client.get("chat.getThreadMessages", 400, tmid="none"))


def test_histories() -> None:
    client = Client(office())
    texts = [client.say("#general", str(i))["ts"] for i in range(30)]
    assert texts[0] == "2026-03-02T09:00:01.000Z"

    def history(**values: Any) -> list[str]:
        return [one["msg"] for one in client.get("channels.history", roomId="GENERAL", **values)["messages"]]

    assert history() == [str(i) for i in range(29, 9, -1)]
    assert history(count=2, offset=3) == ["26", "25"]
    assert history(latest=texts[2], oldest=texts[0]) == ["1"]
    assert history(latest="2026-03-02T10:00:03+01:00", count=1) == ["1"]
    assert len(history(count=0)) == 33
    for values in ({"latest": "x"}, {"oldest": "2026-13-01"}):
        refused("error-invalid-date", client.get("channels.history", 400, roomId="GENERAL", **values))


def found(text: str) -> tuple[list[str], list[str], list[str]]:
    mentions, channels, urls = references(STORE, text)
    return [one["username"] for one in mentions], [one["name"] for one in channels], [one["url"] for one in urls]


@pytest.mark.parametrize(("text", "mentions", "channels", "urls"), CASES["references"])
def test_mentions_channels_and_addresses(text: str, mentions: list[str], channels: list[str], urls: list[str]) -> None:
    assert found(text) == (mentions, channels, urls)


@settings(max_examples=50)
@given(st.text(alphabet="@#. :/>\na-\u00e9", max_size=40))
def test_any_text_is_read(text: str) -> None:
    found(text)
