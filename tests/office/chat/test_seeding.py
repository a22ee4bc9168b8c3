"""Initial tables of an office's chat."""

from datetime import UTC, datetime
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.profiles import Colleague
from teller_gym.office.chat.seeding import Chat, SeededMessage, SeededRoom, tables
from teller_gym.office.chat.tables import COLLEAGUES, MESSAGES, ROOM_NAMES, ROOMS, TIMELINES, USER_IDS, USERS
from tests.office.chat.world import MESSAGES as MESSAGES_HERE
from tests.office.chat.world import NOW, PEOPLE_HERE, SEED, office, person
from tests.office.chat.world import ROOMS as ROOMS_HERE

AT = datetime(2026, 2, 27, 9)


def test_the_tables_agree_with_each_other() -> None:
    base = tables(Chat(rooms=ROOMS_HERE, messages=MESSAGES_HERE), PEOPLE_HERE, SEED, NOW)
    assert {USERS, USER_IDS, ROOMS, ROOM_NAMES, MESSAGES, TIMELINES, COLLEAGUES} == base.keys()
    assert {row["_id"]: name for name, row in base[USERS].items()} == {
        key: row["username"] for key, row in base[USER_IDS].items()
    }
    assert {row["name"]: key for key, row in base[ROOMS].items() if row["t"] != "d"} == {
        name: row["rid"] for name, row in base[ROOM_NAMES].items()
    }
    assert base[ROOMS].keys() == base[TIMELINES].keys()
    for rid, place in base[TIMELINES].items():
        times = [base[MESSAGES][key]["ts"] for key in place["ids"]]
        assert times == sorted(times) and all(base[MESSAGES][key]["rid"] == rid for key in place["ids"])
    assert sum(len(place["ids"]) for place in base[TIMELINES].values()) == len(base[MESSAGES]) == 5


def test_seeded_messages_are_like_posted_ones() -> None:
    store = office()
    found = {row["msg"]: row for _, row in store.rows(MESSAGES)}
    first = found["Morning, @jo and @anna.lee."]
    assert [one["username"] for one in first["mentions"]] == ["jo", "anna.lee"]
    assert first["tcount"] == 1 and first["tlm"] == found["Good morning"]["ts"]
    assert found["Good morning"]["tmid"] == first["_id"]
    assert found["See https://bank.example/q1, #advice"]["urls"][0]["url"] == "https://bank.example/q1"
    assert store.diff() == []
    user = store.get(USERS, "root")
    assert user is not None and user["roles"] == ["admin", "user"] and user["bio"] == "IT" and "password" not in user


@pytest.mark.parametrize(
    ("problem", "values"),
    [
        ("two of this name", {"rooms": (SeededRoom(name="a"), SeededRoom(name="a"))}),
        ("expected a name", {"rooms": (SeededRoom(name="a b"),)}),
        ("user name x", {"messages": (SeededMessage(to="general", user="x", at=AT, text="x"),)}),
        ("user name x", {"messages": (SeededMessage(to=("x",), user="jo", at=AT, text="x"),)}),
        ("no room a", {"messages": (SeededMessage(to="a", user="jo", at=AT, text="x"),)}),
        ("before the day", {"messages": (SeededMessage(to=("sam",), user="jo", at=datetime(2026, 3, 3), text="x"),)}),
        ("at most 5000", {"messages": (SeededMessage(to=("sam",), user="jo", at=AT, text="x" * 5001),)}),
        ("thread 'k'", {"messages": (SeededMessage(to=("sam",), user="jo", at=AT, text="x", thread="k"),)}),
        ("no user x", {"colleagues": (Colleague(username="x", role="", facts=()),)}),
    ],
)
def test_descriptions_that_contradict_themselves(problem: str, values: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=problem):
        tables(Chat(**values), PEOPLE_HERE, SEED, NOW)


def test_times_have_no_zone_and_user_names_no_blanks() -> None:
    message = SeededMessage(to=("sam",), user="jo", at=datetime(2026, 2, 1, tzinfo=UTC), text="x")
    with pytest.raises(OptionError, match="without a zone"):
        tables(Chat(messages=(message,)), PEOPLE_HERE, SEED, NOW)
    with pytest.raises(OptionError, match="user name of letters"):
        tables(Chat(), {"a b": person("a b", "A B", "C")}, SEED, NOW)
