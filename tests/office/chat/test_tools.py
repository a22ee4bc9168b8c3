"""The agent's chat tools."""

from typing import Any

import pytest

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.messages import post
from teller_gym.office.chat.tools import list_people, list_rooms, read_messages, search_messages, send_message
from tests.office.chat.test_colleagues import SAM
from tests.office.chat.world import Client, office


def test_rooms_are_listed_by_their_addresses() -> None:
    store = office()
    assert [(one["room"], one["kind"], one["joined"], one["messages"]) for one in list_rooms(store, "jo")] == [
        ("#advice", "channel", True, 1),
        ("#general", "channel", True, 3),
    ]
    assert [one["room"] for one in list_rooms(store, "sam")][:2] == ["@anna.lee", "#advice"]
    rooms = list_rooms(store, "jo")
    assert rooms[1] == {
        "room": "#general",
        "kind": "channel",
        "topic": "Everything",
        "joined": True,
        "messages": 3,
        "last": "2026-02-27T08:00:00.000Z",
    }


def test_messages_are_read_in_order_and_paged_back() -> None:
    store = office()
    for i in range(5):
        post(store, "sam", "@jo", str(i))
    page = read_messages(store, "jo", "@sam", count=2)
    assert page["room"] == "@sam" and [one["text"] for one in page["messages"]] == ["3", "4"]
    earlier = read_messages(store, "jo", "@sam", count=2, before=page["messages"][0]["at"])
    assert [one["text"] for one in earlier["messages"]] == ["1", "2"]
    general = read_messages(store, "jo", "#general")["messages"]
    assert general[0] == {**general[0], "from": "sam", "text": "Morning, @jo and @anna.lee.", "replies": 1}
    assert general[1]["thread"] == general[0]["id"]
    thread = read_messages(store, "jo", "general", thread=general[0]["id"])
    assert [one["text"] for one in thread["messages"]] == ["Good morning"]
    assert (
        read_messages(store, "jo", "@bob") == {"room": "@bob", "messages": []} and store.get("chat.rooms", "x") is None
    )


def test_messages_are_found_in_all_ones_rooms_or_one() -> None:
    store = office()
    assert [one["room"] for one in search_messages(store, "sam", "between")] == ["@anna.lee"]
    assert search_messages(store, "jo", "between") == []
    assert [one["from"] for one in search_messages(store, "jo", "morning order:asc")] == ["sam", "jo"]
    assert [one["from"] for one in search_messages(store, "jo", "morning", count=1)] == ["jo"]
    assert len(search_messages(store, "jo", "revenue", room="#advice")) == 1
    assert search_messages(store, "jo", "revenue", room="@bob") == []


def test_messages_are_sent_and_answers_are_there_to_be_read() -> None:
    store = office(SAM)
    sent = send_message(store, "jo", "@sam", "Hart pension?")
    assert sent["room"] == "@sam" and sent["answers"] == 1 and sent["at"] == "2026-03-02T09:00:01.000Z"
    texts = [one["text"] for one in read_messages(store, "jo", "@sam")["messages"]]
    assert texts == ["Hart pension?", "Jo, Mrs Hart's pension stands at £412,300."]
    assert send_message(store, "jo", "#general", "hello")["answers"] == 0
    reply = send_message(store, "jo", "@sam", "and?", thread=sent["id"])
    assert read_messages(store, "jo", "@sam", thread=sent["id"])["messages"][0]["id"] == reply["id"]
    group = Client(store).post("dm.create", usernames="sam,bob")["room"]["_id"]
    assert send_message(store, "jo", group, "all")["room"] == group


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("invalid-channel", lambda store: read_messages(store, "jo", "#none")),
        ("invalid-params", lambda store: read_messages(store, "jo", "#general", count=0)),
        ("invalid-params", lambda store: read_messages(store, "jo", "#general", count=101)),
        ("invalid-params", lambda store: search_messages(store, "jo", "x", count=True)),
        ("error-invalid-date", lambda store: read_messages(store, "jo", "#general", before="noon")),
        ("error-invalid-message", lambda store: read_messages(store, "jo", "#general", thread="x")),
        ("invalid-params", lambda store: send_message(store, "jo", "#general", "  ")),
        ("invalid-params", lambda store: send_message(store, "jo", "#general", "\udc00")),
        ("invalid-channel", lambda store: send_message(store, "jo", "sam", "x")),
        ("error-message-size-exceeded", lambda store: send_message(store, "jo", "#general", "x" * 5001)),
        ("error-invalid-user", lambda store: list_people(store, "nobody")),
    ],
)
def test_what_does_not_work_says_why(code: str, call: Any) -> None:
    store = office()
    with pytest.raises(ChatError) as caught:
        call(store)
    assert caught.value.code == code and str(caught.value) and store.diff() == []
