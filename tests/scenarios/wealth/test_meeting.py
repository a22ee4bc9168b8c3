"""Arranging a meeting: hand-computed slots, messages in different styles, and questions to colleagues."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from teller_gym.office.chat.profiles import MAX_ANSWER, filled
from teller_gym.office.desk.desk import Desk
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.meeting.checking import told_in
from teller_gym.scenarios.wealth.tasks.meeting.facts import DAY, Booking, Entry, Facts, Letter, Taken, draw_facts
from teller_gym.scenarios.wealth.tasks.meeting.placing import place_knowledge
from teller_gym.scenarios.wealth.tasks.meeting.solving import solve
from teller_gym.scenarios.wealth.works import cases
from teller_gym.scenarios.wealth.world import draw_world, draws
from tests.scenarios.wealth.desks import FROZEN, call, desk_of, done, judged

CASE = cases(FROZEN)["meeting"]
ANSWER = CASE.answer
ADVISER, SPECIALIST = CASE.client.adviser, CASE.world.staff["tax"].username

# Today is Monday, 2 March 2026; the office is closed on Thursday. Business days 1 to 5 are the Tuesday, Wednesday and
# Friday, then the Monday and Tuesday of the next week, so the first slot may be on Tuesday, 10 March.
TODAY, FIRST = date(2026, 3, 2), date(2026, 3, 10)
CLOSED = Entry(date(2026, 3, 5), 0, DAY, "Office closed", "Confirmed")
LAST = Entry(date(2026, 3, 11), 0, DAY, "Training", "Confirmed")
# 9:00 to 14:30 at UTC-06:00 is 15:00 to 20:30 UTC.
LETTER = Letter(
    offset=-6, opens=9 * 60, closes=14 * 60 + 30, never=4, later_day=date(2026, 3, 9), later_from=12 * 60,
    out=date(2026, 3, 12), reason="", order=(0, 1, 2),
)  # fmt: skip


def slots(*more: Any, letter: Letter = LETTER) -> list[str]:
    """Return the start times of the slots, which are all on Tuesday, 10 March."""
    kinds: tuple[type[Any], ...] = (Entry, Booking, Taken)
    entries, bookings, taken = (tuple(one for one in more if isinstance(one, kind)) for kind in kinds)
    facts = Facts(TODAY, "ann", (CLOSED, *entries, LAST), bookings, taken, letter)
    found = solve(facts, CASE.rules).slots
    assert all(one.date() == FIRST for one in found)
    return [f"{one:%H:%M}" for one in found]


def row(start: int, end: int, status: str = "Confirmed") -> Entry:
    return Entry(FIRST, start, end, "Client call", status)


def booked(status: str, assigned: str, *users: str) -> Booking:
    return Booking("Fee Review", FIRST, 15 * 60, 18 * 60, status, assigned, (assigned, *users), "HC-1")


ALL = ["15:00", "15:30", "16:00", "16:30", "17:00", "17:30", "18:00", "18:30", "19:00"]


def test_a_day_on_which_only_the_client_counts() -> None:
    assert slots() == ALL, "from 15:00, the client's 9:00, to 19:00, for 19:00 and 90 minutes are the client's 14:30"


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        (row(15 * 60, 18 * 60), ["18:00", "18:30", "19:00"]),
        (row(15 * 60, 18 * 60 + 1), ["18:30", "19:00"]),
        (row(16 * 60 + 30, 20 * 60), ["15:00"]),
        (row(16 * 60 + 29, 19 * 60), ["19:00"]),
        (row(0, DAY), []),
        (row(0, DAY, "Tentative"), []),
        (row(0, DAY, "Cancelled"), ALL),
        (booked("Planned", "ann"), ["18:00", "18:30", "19:00"]),
        (booked("Planned", "bob", "ann"), ["18:00", "18:30", "19:00"]),
        (booked("Planned", "bob", "tom"), ALL),
        (booked("Not Held", "ann"), ALL),
        (Taken(FIRST, ((15 * 60, 15 * 60 + 30), (17 * 60, 18 * 60))), ["15:30", "18:00", "18:30", "19:00"]),
        (Taken(FIRST, ((0, DAY),)), []),
    ],
)
def test_what_takes_time_and_what_does_not(taken: Any, left: list[str]) -> None:
    assert slots(taken) == left


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ({"never": 1}, []),
        ({"out": FIRST}, []),
        ({"later_day": FIRST}, ["18:00", "18:30", "19:00"]),
        # 7:00 to 18:00 at UTC-06:00 is 13:00 to 24:00, limited by office hours: 19:30 is the last slot that ends by
        # 21:00.
        ({"opens": 7 * 60, "closes": 18 * 60}, ["13:00", "13:30", "14:00", "14:30", *ALL, "19:30"]),
        ({"offset": -4}, ["13:00", "13:30", "14:00", "14:30", *ALL[:5]]),
    ],
)
def test_what_the_client_writes(changes: dict[str, Any], left: list[str]) -> None:
    values = {name: getattr(LETTER, name) for name in LETTER.__struct_fields__}
    assert slots(letter=Letter(**{**values, **changes})) == left


@pytest.mark.parametrize("seed", [FROZEN, *range(1, 12)])
def test_a_week_of_the_specialist_fits_one_answer(seed: int) -> None:
    world = draw_world(seed)
    facts = draw_facts(world, world.clients[0], draws(seed, "meeting"), CASE.rules)
    plan = Plan(world)
    place_knowledge(plan, facts)
    told = [fact for one in plan.colleagues() for fact in one.facts]
    assert len(told) in (2, 3) and all(len(filled(fact, "x" * 40)) < MAX_ANSWER - 50 for fact in told)
    answer = solve(facts, CASE.rules)
    assert len(answer.slots) >= 2 and all(one.minute in (0, 30) and one.weekday() < 5 for one in answer.slots)


# -- the chat ---------------------------------------------------------------------------------------------------------

DAYS = [one.day for one in CASE.facts.taken if one.spans != ((0, DAY),) and one.spans]


def asked(desk: Desk, text: str, to: str = f"@{SPECIALIST}") -> str:
    """Send a message; return the answer."""
    sent = call(desk, "send_message", to=to, text=text)
    found = call(desk, "read_messages", room=to, count=sent["answers"])
    return "\n".join(one["text"] for one in found["messages"])


@pytest.mark.parametrize(
    "text",
    [
        "Hello! When are you free on {iso}?",
        "Could you send me your calendar for the week of {long}?",
        "I need to arrange a tax review. Please tell me your availability from {iso} to {last}.",
        "Are there any times on {long} when you could not come?",
        "What does your diary look like in the week beginning {long}?",
        "Which slots are taken on {iso}?",
    ],
)
def test_the_specialist_answers_who_names_a_day(text: str) -> None:
    day, last = DAYS[0], DAYS[-1]
    start, end = CASE.facts.taken[[one.day for one in CASE.facts.taken].index(day)].spans[0]
    words = text.format(iso=day, last=last, long=f"{day:%B} {day.day}, {day.year}")
    said = asked(desk_of(FROZEN), words)
    assert f"{day}: {start // 60:02d}:{start % 60:02d}-{end // 60:02d}:{end % 60:02d}" in said
    assert ("to {last}" in text) == (str(last) in said)


def test_who_names_no_day_hears_what_can_be_asked_and_nothing_is_told_in_a_channel() -> None:
    assert "the tax calendar in the week of" in asked(desk_of(FROZEN), "When are you free?")
    assert "directly" in asked(desk_of(FROZEN), f"@{SPECIALIST} When are you free on {DAYS[0]}?", "#client-work")


def test_who_is_away_names_a_deputy_who_says_the_same() -> None:
    question, deputy = f"When are you free on {DAYS[0]}?", CASE.world.staff["trusts"].username
    desk = desk_of(FROZEN, ["away"])
    away = asked(desk, question)
    assert f"(@{deputy})" in away and str(DAYS[0]) not in away
    assert asked(desk, question, f"@{deputy}") == asked(desk_of(FROZEN), question)


@pytest.mark.parametrize(
    "text",
    [
        "Date: 2026-03-12\nTime: 15:30-17:00 UTC",
        "It is booked.\n**Date:** Thursday, March 12, 2026\n**Time:** 15:30 to 17:00 (UTC)",
        "date: 12 March 2026; time: 3:30 pm - 5:00 pm UTC",
        "Date: 03/12/2026\nTime: 15:30 UTC-17:00 UTC (9:30-11:00 for the client)",
        "The meeting is on 2026-03-12 from 15:30 UTC.",
        "Start: 2026-03-12T15:30:00Z",
        "Date: 2026-03-12\nTime: 15:30-17:00 UTC+00:00, no conflicts with the 2026-03-13 deadline",
    ],
)
def test_messages_that_say_when_it_is(text: str) -> None:
    (told,) = told_in(CASE, text)
    assert told.is_about(datetime(2026, 3, 12, 15, 30), datetime(2026, 3, 12, 17))


@pytest.mark.parametrize(
    "text",
    [
        "Date: 2026-03-12\nTime: 15:00-17:00 UTC",
        "Date: 2026-03-12\nTime: 15:30-16:30 UTC",
        "Date: 2026-03-13\nTime: 15:30-17:00 UTC",
        "Date: 2026-03-12\nTime: 15:30-17:00 EST",
        "Date: 2026-03-12\nTime: 15:30-17:00 (UTC-05:00)",
        "Date: 2026-03-12\nTime: 9:30-11:00 (15:30-17:00 UTC)",
        "Date: not 2026-03-12\nTime: 15:30-17:00 UTC",
        "Date: 2026-03-12 or 2026-03-13\nTime: 15:30-17:00 UTC",
        "Date: 2026-03-12\nTime: 15:30-17:00 UTC\nTime: 16:30-18:00 UTC",
        "2026-03-12 or 2026-03-13 at 15:30 UTC",
        "Date: 2026-03-12\nTime: 99:99",
    ],
)
def test_messages_that_say_something_else(text: str) -> None:
    (told,) = told_in(CASE, text)
    assert not told.is_about(datetime(2026, 3, 12, 15, 30), datetime(2026, 3, 12, 17))


@pytest.mark.parametrize(
    "text", ["", "Done.", "Date: soon\nTime: 15:30", "On 2026-03-12", "2026-99-99 15:30", "\x00" * 9]
)
def test_messages_that_say_nothing(text: str) -> None:
    assert list(told_in(CASE, text)) == []


# -- the verdict ------------------------------------------------------------------------------------------------------


def made(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = call(desk, "search_crm", entity="Meeting", text=CASE.rules["meeting"])["records"][0]
    return found


def changed(desk: Desk, **values: Any) -> list[str]:
    """Change the meeting; return the checkpoints that still pass."""
    answer = call(desk, "update_crm_record", entity="Meeting", record_id=made(desk)["id"], values=values)
    assert "error" not in answer, answer
    verdict = judged(desk, CASE)
    assert not verdict.collateral
    return [one.checkpoint for one in verdict.findings if one.passed]


def times(start: datetime, minutes: int = ANSWER.minutes) -> dict[str, str]:
    return {"dateStart": str(start), "dateEnd": str(start + timedelta(minutes=minutes))}


def test_another_slot_is_a_slot_and_not_the_earliest() -> None:
    desk, later = done("meeting"), ANSWER.slots[-1]
    assert changed(desk, **times(later)) == ["slot", "invitees"], "the adviser was told another time"
    line = f"Date: {later:%Y-%m-%d}\nTime: {later:%H:%M} UTC"
    call(desk, "send_message", to=f"@{ADVISER}", text=line)
    assert changed(desk) == ["slot", "invitees", "confirmation"]


@pytest.mark.parametrize(
    ("values", "passed"),
    [
        (times(ANSWER.start + timedelta(minutes=30)), ["invitees"]),
        (times(ANSWER.start, 60), ["invitees"]),
        ({"dateStartDate": "2026-03-12", "dateEndDate": "2026-03-12"}, ["invitees"]),
        ({"name": "Tax talk"}, ["earliest", "invitees"]),
        ({"name": f"tax review - {CASE.client.name}"}, list(CASE.work.checkpoints)),
        ({"status": "Held"}, ["earliest", "invitees"]),
        ({"parentType": None, "parentId": None}, ["slot", "earliest", "confirmation"]),
        ({"usersIds": []}, ["slot", "earliest", "confirmation"]),
    ],
)
def test_each_attribute_of_the_meeting_counts(values: dict[str, Any], passed: list[str]) -> None:
    assert changed(done("meeting"), **values) == passed


def test_who_else_is_invited_counts_but_for_the_client() -> None:
    contacts = {one["name"]: one["id"] for one in call(done("meeting"), "search_crm", entity="Contact")["records"]}
    other = next(one for one in CASE.world.clients if one is not CASE.client)
    assert len(changed(done("meeting"), contactsIds=[contacts[CASE.client.name]])) == 4
    assert "invitees" not in changed(done("meeting"), contactsIds=[contacts[other.name]])


def test_two_meetings_pass_nothing_and_a_deleted_one_does_no_harm() -> None:
    desk = done("meeting")
    first = call(desk, "get_crm_record", entity="Meeting", record_id=made(desk)["id"])["record"]
    names = ("name", "dateStart", "dateEnd", "status", "parentType", "parentId", "assignedUserId", "usersIds")
    call(desk, "create_crm_record", entity="Meeting", values={name: first[name] for name in names})
    assert judged(desk, CASE).share == 0
    call(desk, "delete_crm_record", entity="Meeting", record_id=first["id"])
    assert judged(desk, CASE).success


@pytest.mark.parametrize("kind", ["create", "update", "delete"])
def test_other_meetings_are_left_alone(kind: str) -> None:
    desk = done("meeting")
    old = next(one for one in call(desk, "search_crm", entity="Meeting")["records"] if one["id"] != made(desk)["id"])
    if kind == "create":
        values = {"name": "Lunch", **times(ANSWER.start), "assignedUserId": old["assignedUserId"]}
        found = call(desk, "create_crm_record", entity="Meeting", values=values)
    elif kind == "update":
        found = call(desk, "update_crm_record", entity="Meeting", record_id=old["id"], values={"status": "Not Held"})
    else:
        found = call(desk, "delete_crm_record", entity="Meeting", record_id=old["id"])
    assert "error" not in found
    verdict = judged(desk, CASE)
    assert verdict.collateral and not verdict.success


@pytest.mark.parametrize(
    ("to", "text", "is_passed"),
    [
        (f"@{ADVISER}", "Sorry, Date: 2026-03-12, Time: 15:30 UTC", False),
        (f"@{ADVISER}", "Do you need anything else?", True),
        (f"@{SPECIALIST}", "Date: 2026-03-12, Time: 15:30 UTC", True),
    ],
)
def test_the_last_message_to_the_adviser_that_names_a_time_counts(to: str, text: str, is_passed: bool) -> None:
    desk = done("meeting")
    call(desk, "send_message", to=to, text=text)
    assert judged(desk, CASE).findings[-1].passed is is_passed
