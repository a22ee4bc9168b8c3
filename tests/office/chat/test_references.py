"""References in a text: people, channels and web addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat.references import references
from tests.office.chat.world import PEOPLE_HERE, office

STORE = office()


def found(text: str, user: str = "jo") -> tuple[list[str], list[str], list[str]]:
    mentions, channels, urls = references(STORE, text, user)
    return [one["username"] for one in mentions], [one["name"] for one in channels], [one["url"] for one in urls]


@pytest.mark.parametrize(
    ("text", "mentions", "channels", "urls"),
    [
        ("@jo", ["jo"], [], []),
        ("Hi @jo, @jo and @anna.lee.", ["jo", "anna.lee"], [], []),
        (">@sam\n@bob-", ["sam", "bob"], [], []),
        ("jo@sam x@bob", [], [], []),
        ("@nobody @JO", [], [], []),
        ("@all and @here: now", ["all", "here"], [], []),
        ("#general, #none #advice. c#general", [], ["general", "advice"], []),
        ("#board", [], [], []),
        ("(https://a.example/x?y=1#z), http://b.example.", [], [], ["https://a.example/x?y=1#z", "http://b.example"]),
        ("ftp://a https:// x", [], [], []),
        ("@ # ://", [], [], []),
    ],
)
def test_mentions_channels_and_addresses(text: str, mentions: list[str], channels: list[str], urls: list[str]) -> None:
    assert found(text) == (mentions, channels, urls)


def test_a_group_is_linked_for_its_members_alone() -> None:
    assert found("#board", "bob")[1] == ["board"] and found("#board", "jo")[1] == []


@given(
    st.lists(st.sampled_from(["@jo", "@sam", "@x", "#general", "text", ",", ".", "@all", "https://x.y"]), max_size=8)
)
def test_each_reference_is_there_once_in_order(words: list[str]) -> None:
    mentions, channels, urls = found(" ".join(words))
    known = [*PEOPLE_HERE, "all"]
    assert mentions == list(dict.fromkeys(one[1:] for one in words if one[0] == "@" and one[1:] in known))
    assert channels == (["general"] if "#general" in words else [])
    assert urls == (["https://x.y"] if "https://x.y" in words else [])


@given(st.text(alphabet="@#. :/>\na-\u00e9", max_size=40))
def test_any_text_is_read(text: str) -> None:
    found(text)
