"""Meetings: times, whole days, attendees and their answers."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, get, update
from tests.office.crm.world import office, rid

BEN, CLEO, ADA = (rid("User", key) for key in ("ben", "cleo", "ada"))
REVIEW = rid("Meeting", "review")
PLAN: dict[str, Any] = {"name": "Plan", "dateStart": "2026-03-05 10:00:00", "dateEnd": "2026-03-05 11:30:00"}


def test_a_meeting_has_attendees_with_answers() -> None:
    store = office()
    made = create(store, "ben", "Meeting", {
        **PLAN, "assignedUserId": ADA, "usersIds": [BEN, CLEO], "contactsIds": [rid("Contact", "ann")],
    })  # fmt: skip
    assert made["duration"] == 5400 and made["status"] == "Planned" and made["isAllDay"] is False
    assert made["usersIds"] == [BEN, CLEO, ADA], "the assigned user attends"
    assert {key: row["status"] for key, row in made["usersColumns"].items()} == {
        BEN: "Accepted",
        CLEO: "None",
        ADA: "None",
    }, "whoever makes it and attends has accepted"
    assert made["acceptanceStatus"] == "Accepted"


def test_attendees_keep_their_answers_when_others_come_or_go() -> None:
    store = office()
    made = create(store, "ben", "Meeting", {**PLAN, "assignedUserId": BEN, "usersIds": [CLEO]})
    after = update(store, "ben", "Meeting", made["id"], {"usersIds": [ADA]})
    assert after["usersIds"] == [ADA, BEN], "the assigned user stays"
    assert {key: row["status"] for key, row in after["usersColumns"].items()} == {ADA: "None", BEN: "Accepted"}


def test_a_meeting_that_is_moved_keeps_its_length() -> None:
    store = office()
    moved = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03 09:30:00"})
    assert (moved["dateEnd"], moved["duration"]) == ("2026-03-03 10:30:00", 3600)
    longer = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03 09:00", "dateEnd": "2026-03-03 11:00"})
    assert (longer["dateStart"], longer["duration"]) == ("2026-03-03 09:00:00", 7200)
    same = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03T10:00:00+01:00"})
    assert (same["dateStart"], same["dateEnd"]) == ("2026-03-03 09:00:00", "2026-03-03 11:00:00")
    edge = update(store, "ben", "Meeting", REVIEW, {"dateStart": "9999-12-31 23:30:00"})
    assert edge["dateEnd"] == "2026-03-03 11:00:00", "a day that no calendar has is not moved to"


def test_whole_days() -> None:
    store = office()
    off = get(store, "ada", "Meeting", rid("Meeting", "off"))
    assert (off["isAllDay"], off["dateStart"], off["dateEnd"]) == (True, "2026-03-04 00:00:00", "2026-03-05 00:00:00")
    assert off["duration"] == 86_400
    moved = update(store, "ada", "Meeting", off["id"], {"dateStartDate": "2026-03-09"})
    assert (moved["dateEndDate"], moved["dateEnd"]) == ("2026-03-09", "2026-03-10 00:00:00")
    hours = update(store, "ada", "Meeting", off["id"], {"dateStart": "2026-03-09 10:00", "dateEnd": "2026-03-09 12:00"})
    assert (hours["isAllDay"], hours["dateStartDate"], hours["dateEndDate"]) == (False, None, None)
    days = update(store, "ada", "Meeting", off["id"], {"dateStartDate": "2026-03-10", "dateEndDate": "2026-03-11"})
    assert (days["isAllDay"], days["duration"]) == (True, 2 * 86_400)
    ended = update(store, "ada", "Meeting", off["id"], {"isAllDay": False})
    assert (ended["isAllDay"], ended["dateStartDate"], ended["dateStart"]) == (False, None, "2026-03-10 00:00:00")
    with pytest.raises(CrmError, match="field: dateEnd, type: valid"):
        update(store, "ada", "Meeting", off["id"], {"dateStartDate": "9999-12-31", "dateEndDate": "9999-12-31"})


def test_calls_have_attendees_too() -> None:
    store = office()
    made = create(store, "ben", "Call", {**PLAN, "assignedUserId": BEN, "usersIds": [CLEO]})
    assert made["direction"] == "Outbound" and made["usersIds"] == [CLEO, BEN] and made["duration"] == 5400
