"""Search results compared with a direct evaluation of each filter."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.search import MAX_SEARCH, parse_search, search_room
from teller_gym.office.chat.seeding import SeededMessage
from teller_gym.office.chat.tables import ROOMS
from tests.office.chat.world import CASES, Client, office, refused

TEXTS = (
    *("Revenue is 5,000", "revenue? @jo", "https://x.example revenue", "Costs", "Costs @sam and @jo", "(revenue)"),
    *("from:sam said", "REVENUE"),
)
STORE = office(
    messages=tuple(
        SeededMessage(
            to="general",
            user=("sam", "jo", "bob")[i % 3],
            at=datetime(2026, 1 + i % 2, 1 + i, 12),
            text=text,
        )
        for i, text in enumerate(TEXTS)
    )
)
GENERAL = STORE.get(ROOMS, "GENERAL")
ALL = Client(STORE).get("channels.messages", roomId="GENERAL")["messages"]

FILTERS: dict[str, Any] = {
    "from:sam": lambda one: one["u"]["username"] == "sam",
    "from:me": lambda one: one["u"]["username"] == "jo",
    "FROM:@Bob": lambda one: one["u"]["username"] == "bob",
    "mention:jo": lambda one: "@jo" in one["msg"],
    "has:url": lambda one: "https://" in one["msg"],
    "is:pinned": lambda one: False,
    "before:04/02/2026": lambda one: one["ts"] < "2026-02-04",
    "after:3/1/2026": lambda one: one["ts"] >= "2026-01-04",
    "on:02-02-2026": lambda one: one["ts"].startswith("2026-02-02"),
    "revenue": lambda one: "revenue" in one["msg"].lower(),
    "5,000": lambda one: "5,000" in one["msg"],
    "order:asc": lambda one: True,
}


@settings(max_examples=60)
@given(st.lists(st.sampled_from(sorted(FILTERS)), unique=True, min_size=1, max_size=4))
def test_filters_narrow(chosen: list[str]) -> None:
    if len([one for one in chosen if one.lower().startswith("from:")]) > 1:
        return
    if {"revenue", "5,000"} <= set(chosen):
        return
    expected = [one for one in ALL if all(FILTERS[name](one) for name in chosen)]
    if chosen == ["order:asc"]:
        expected = []
    if "order:asc" in chosen:
        expected = expected[::-1]
    found = search_room(STORE, GENERAL or {}, parse_search(" ".join(chosen), "jo"))
    assert found == expected


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    for message in search_room(STORE, GENERAL or {}, parse_search(text, "jo")):
        assert message in ALL


@pytest.mark.parametrize(("text", "count"), CASES["searches"])
def test_texts_that_are_not_what_they_seem(text: str, count: int) -> None:
    assert len(search_room(STORE, GENERAL or {}, parse_search(text, "jo"))) == count


def test_the_endpoint() -> None:
    client = Client(office())
    found = client.get("chat.search", roomId="GENERAL", searchText="morning")
    assert [one["msg"] for one in found["messages"]] == ["Good morning", "Morning, @jo and @anna.lee."]
    assert len(client.get("chat.search", roomId="GENERAL", searchText="morning", count=1, offset=1)["messages"]) == 1
    refused("error-roomId-param-not-provided", client.get("chat.search", 400, searchText="x"))
    refused("error-searchText-param-not-provided", client.get("chat.search", 400, roomId="GENERAL"))
    refused("invalid-params", client.get("chat.search", 400, roomId="GENERAL", searchText="x" * (MAX_SEARCH + 1)))
    assert client.get("chat.search", 400, roomId="none", searchText="xx")["success"] is False
    with pytest.raises(ChatError):
        parse_search("x" * (MAX_SEARCH + 1), "jo")
