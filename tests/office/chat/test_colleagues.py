"""Simulated colleagues: answers, absences, and limits on the number of turns."""

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.colleagues import MAX_TURNS, STALE_TURNS, conversation, post_and_answer
from teller_gym.office.chat.messages import post
from teller_gym.office.chat.profiles import (
    MAX_FACTS,
    Absence,
    Colleague,
    Fact,
    check_colleague,
    from_record,
    to_record,
)
from teller_gym.office.store import Store
from tests.office.chat.world import CASES, NOW, PEOPLE_HERE, Client, office

PENSION = Fact(
    key="hart pension",
    asks=("pension hart",),
    answer="{asker}, Mrs Hart's pension stands at {amount}.",
    values={"amount": "£412,300"},
    topic="pension values",
)
MORTGAGE = Fact(key="hart mortgage", asks=("mortgage hart",), answer="Her mortgage: {sum}.", values={"sum": "£90,000"})
FREE = Fact(
    key="free",
    asks=("calendar|free|meet* 2026-03-05",),
    answer="On Thursday I am free from {start} to {end}.",
    values={"start": "10:00", "end": "11:30"},
    topic="my calendar",
)
MERGER = Fact(
    key="merger",
    asks=("merger",),
    answer="The merger is due on 1 June.",
    direct_only=True,
)
SAM = Colleague(username="sam", role="paraplanner", facts=(PENSION, MORTGAGE, FREE, MERGER), deputy="bob")

HINT = "I am not sure what you need, Jo. You can ask me about: pension values, my calendar."


def ask(store: Store, text: str, user: str = "jo", to: str = "@sam", **options: Any) -> list[str]:
    _, answers = post_and_answer(store, user, to, text, **options)
    assert all(one["u"]["username"] != user for one in answers)
    return [one["msg"] for one in answers]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *CASES["answers"],
        ("Are you free on Friday?", HINT),
        ("What is the weather like?", HINT),
        ("Hi Sam!", HINT),
    ],
)
def test_what_a_colleague_says(text: str, answer: str) -> None:
    assert ask(office(SAM), text) == [answer]


def test_the_answer_stands_in_the_room_over_http_too() -> None:
    store = office(SAM)
    client = Client(store)
    question = client.say("@sam", "Hart pension?")
    room = client.get("im.messages", roomId=question["rid"])["messages"]
    assert [(one["u"]["username"], one["msg"]) for one in room] == [
        ("sam", "Jo, Mrs Hart's pension stands at £412,300."),
        ("jo", "Hart pension?"),
    ]
    assert room[0]["ts"] == "2026-03-02T09:00:02.000Z"
    client.post("chat.sendMessage", message={"rid": question["rid"], "msg": "and the mortgage?"})
    assert client.get("im.history", roomId=question["rid"])["messages"][0]["msg"] == "Her mortgage: £90,000."


def test_private_facts_are_for_direct_messages() -> None:
    store, refusal = office(SAM), "Please write to me directly about that, Jo; I would rather not discuss it here."
    assert ask(store, "@sam merger?", to="#general") == [refusal]
    assert ask(store, "@sam Hart's mortgage? And the merger?", to="#general") == [f"Her mortgage: £90,000.\n{refusal}"]


def test_in_a_room_of_several_only_who_is_addressed_answers() -> None:
    anna = Colleague(username="anna.lee", role="adviser", facts=(PENSION,))
    store = office(SAM, anna)
    assert ask(store, "Hart pension?", to="#general") == []
    assert len(ask(store, "@sam and @anna.lee: Hart pension?", to="#general")) == 2
    message, _ = post_and_answer(store, "anna.lee", "#general", "I am here")
    assert ask(store, "Hart pension?", to="#general", thread=message["_id"]) == [
        "Jo, Mrs Hart's pension stands at £412,300."
    ]
    client = Client(store)
    thread = client.get("chat.getThreadMessages", tmid=message["_id"])["messages"]
    assert [one["u"]["username"] for one in thread] == ["jo", "anna.lee"], "the answer is in the thread"
    assert ask(store, "@sam Hart pension?", user="sam", to="#general") == [], "nobody answers oneself"


@pytest.mark.parametrize(
    ("change", "now", "answer"),
    [
        (
            {"absences": (Absence(first=date(2026, 3, 1), last=date(2026, 3, 6), reason="on leave"),)},
            NOW,
            "I am away until 6 March 2026 (on leave). In the meantime, please ask Bob Kerr (@bob).",
        ),
        (
            {"absences": (Absence(first=date(2026, 3, 1), last=date(2026, 3, 2)),), "deputy": ""},
            NOW,
            "I am away until 2 March 2026. I will answer when I am back.",
        ),
        ({"absences": (Absence(first=date(2026, 3, 3), last=date(2026, 3, 6)),)}, NOW, None),
    ],
)
def test_who_is_away_names_the_deputy(change: dict[str, Any], now: datetime, answer: str | None) -> None:
    from msgspec.structs import replace

    said = ask(office(replace(SAM, **change), now=now), "Hart pension?")
    assert len(said) == 1 and said[0].startswith(answer or "Jo, Mrs Hart")
    if answer and answer.endswith("."):
        assert said == [answer]


def test_after_turns_that_bring_nothing_they_say_so_and_then_nothing() -> None:
    store = office(SAM)
    for turn in range(1, 8):
        said = ask(store, "What is the weather like?")
        if turn < STALE_TURNS:
            assert said == [HINT]
        elif turn == STALE_TURNS:
            assert said[0].startswith("I have told you what I know")
        else:
            assert said == []
    assert ask(store, "Hart pension?") == ["Jo, Mrs Hart's pension stands at £412,300."], "progress is answered"
    assert ask(store, "Hart pension?") == ["Jo, Mrs Hart's pension stands at £412,300."], "repeated once more"
    assert [len(ask(store, "Hart pension?")) for _ in range(4)] == [1, 1, 1, 0]
    room = post(store, "jo", "@sam", "x")["rid"]
    assert conversation(store, room, "sam", "jo") == {"turns": 13, "stale": 5, "told": ["hart pension"], "over": False}
    assert ask(store, "Hart pension?", user="root") == ["Rita, Mrs Hart's pension stands at £412,300."], (
        "others may ask"
    )


def test_after_twenty_turns_it_is_enough() -> None:
    store = office(SAM)
    for _ in range(MAX_TURNS):
        assert ask(store, "Thanks!") == ["You are welcome, Jo."]
    assert ask(store, "Hart pension?") == ["I have to get on with other work now, Jo. Let us leave it here for today."]
    assert ask(store, "Hart pension?") == []


def test_many_facts_at_once_fit_one_message() -> None:
    facts = tuple(
        Fact(key=f"k{i}", asks=(f"all|k{i}",), answer=f"{i} {{v}}", values={"v": "x" * 490})
        for i in range(MAX_FACTS + 2)
    )
    store = office(Colleague(username="sam", role="x", facts=facts))
    (said,) = ask(store, "Tell me all")
    assert (
        said.endswith("That is a lot at once; please ask me for the rest separately.")
        and said.count("x" * 490) == MAX_FACTS
    )
    assert len(ask(store, "And k8?")[0]) == 492


def fact(**values: Any) -> dict[str, Any]:
    return {"facts": (Fact(**{"key": "a", "asks": ("a",), "answer": "x", **values}),)}


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("no user x", {"username": "x"}),
        ("no user x", {"deputy": "x"}),
        ("one key", {"facts": (PENSION, PENSION)}),
        ("at least one pattern", fact(asks=())),
        ("pattern", fact(asks=("é",))),
        ("unknown names", fact(answer="{b}")),
        ("no template", fact(answer="{")),
        ("does not use", fact(values={"b": "c"})),
        ("unknown names", fact(answer="{b.c}", values={"b": "c"})),
        ("at most 500", fact(answer="x" * 501)),
        ("at most 80", fact(topic="x" * 81)),
        ("ends before", {"absences": (Absence(first=date(2026, 3, 2), last=date(2026, 3, 1)),)}),
    ],
)
def test_profiles_that_contradict_themselves(message: str, values: dict[str, Any]) -> None:
    colleague = Colleague(**{"username": "sam", "role": "", "facts": (), **values})
    with pytest.raises(OptionError, match=message):
        check_colleague(colleague, PEOPLE_HERE)


def test_a_profile_is_kept_as_plain_data() -> None:
    assert from_record(to_record(SAM)) == SAM


@settings(max_examples=40)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_private_facts_stay_out_of_channels(texts: list[str]) -> None:
    store = office(SAM)
    for text in texts:
        for words in (text, f"{text} @sam merger?", f"@sam merger? {text}"):
            assert all("June" not in said for said in ask(store, words, to="#general"))
