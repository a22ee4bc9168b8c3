"""Work items are created, changed and read as Plane does it, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.fields import MAX_TEXT
from teller_gym.office.tracker.items import create_item, get_item, get_item_by_key, update_item
from tests.office.tracker.world import BASE, FIRST, ITEMS, NOBODY, PROJECT, STATES, USERS, ask, id_of, store

MISSING = f'Invalid pk "{NOBODY}" - object does not exist.'
NO_UUID = "“x” is not a valid UUID."
NO_DATE = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD."
NO_STATE = {"non_field_errors": ["State is not valid please pass a valid state_id"]}
OTHER_STATE = next(
    key for key, one in BASE.rows("tracker.states") if one["project"] != PROJECT and one["name"] == "Done"
)


@pytest.fixture
def office() -> Store:
    return store()


def test_a_new_item(office: Store) -> None:
    answer = ask(office, "POST", ITEMS, {"name": "  Pay the fee ", "id": NOBODY, "junk": 1})
    item, ada = answer.data(), USERS["ada"]
    assert answer.status == 201
    assert item == {
        "id": item["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": BASE.get("tracker.workspace", "workspace")["id"],  # type: ignore[index]
        "type_id": None,
        "point": None,
        "name": "Pay the fee",
        "description_html": "<p></p>",
        "description_stripped": "",
        "description_binary": None,
        "priority": "none",
        "start_date": None,
        "target_date": None,
        "sequence_id": 5,
        "sort_order": 65535.0,
        "completed_at": None,
        "archived_at": None,
        "is_draft": False,
        "external_source": None,
        "external_id": None,
        "parent": None,
        "state": STATES["Backlog"],
        "estimate_point": None,
        "type": None,
        "assignees": [],
        "labels": [],
    }
    assert item["id"] not in (NOBODY, FIRST) and get_item(office, "ben", PROJECT, item["id"]) == item
    assert {change.table for change in office.diff()} == {"tracker.items", "tracker.activities"}


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"name": ""}, {"name": ["This field may not be blank."]}),
        ({"name": None}, {"name": ["This field may not be null."]}),
        ({"name": ["x"]}, {"name": ["Not a valid string."]}),
        ({"name": True}, {"name": ["Not a valid string."]}),
        ({"name": "x" * 256}, {"name": ["Ensure this field has no more than 255 characters."]}),
        ({"name": "a\0b"}, {"name": ["Null characters are not allowed."]}),
        ({"priority": "asap"}, {"priority": ['"asap" is not a valid choice.']}),
        ({"priority": "x" * 200}, {"priority": [f'"{"x" * 100}..." is not a valid choice.']}),
        ({"priority": ["high"]}, {"priority": ['"list" is not a valid choice.']}),
        ({"state": "x"}, {"state": [NO_UUID]}),
        ({"state": NOBODY}, {"state": [MISSING]}),
        ({"state": 5}, {"state": ["Incorrect type. Expected pk value, received int."]}),
        ({"state": OTHER_STATE}, NO_STATE),
        ({"state": id_of(BASE, "states", "Triage")}, NO_STATE),
        ({"start_date": "2026-02-30"}, {"start_date": [NO_DATE]}),
        ({"start_date": "2/3/2026"}, {"start_date": [NO_DATE]}),
        ({"target_date": 20260302}, {"target_date": [NO_DATE]}),
        (
            {"start_date": "2026-03-09", "target_date": "2026-03-08"},
            {"non_field_errors": ["Start date cannot exceed target date"]},
        ),
        ({"assignees": "x"}, {"assignees": ['Expected a list of items but got type "str".']}),
        ({"assignees": ["x", NOBODY]}, {"assignees": {"0": [NO_UUID], "1": [MISSING]}}),
        ({"assignees": ["x"] * 101}, {"assignees": ["Ensure this field has no more than 100 elements."]}),
        ({"description_html": " "}, {"non_field_errors": ["Invalid HTML passed"]}),
        (
            {"description_html": "x" * (MAX_TEXT + 1)},
            {"description_html": [f"Ensure this field has no more than {MAX_TEXT} characters."]},
        ),
        (
            {"name": "", "priority": "asap"},
            {"name": ["This field may not be blank."], "priority": ['"asap" is not a valid choice.']},
        ),
    ],
)
def test_wrong_fields_are_named_and_nothing_is_written(
    office: Store, data: dict[str, Any], wrong: dict[str, Any]
) -> None:
    for method, path, sent in (("POST", ITEMS, {"name": "x"} | data), ("PATCH", f"{ITEMS}{FIRST}/", data)):
        answer = ask(office, method, path, sent)
        assert (answer.status, answer.data()) == (400, wrong)
    assert office.diff() == [] and office.clock() == office.now


def test_dates_are_compared_with_those_there_are(office: Store) -> None:
    update_item(office, "ada", PROJECT, FIRST, {"start_date": "2026-02-20"})
    with pytest.raises(TrackerError, match="Start date cannot exceed target date"):
        update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19"})
    after = update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19", "start_date": None})
    assert (after["start_date"], after["target_date"]) == (None, "2026-02-19")


def test_people_of_other_projects_are_left_out_and_ids_are_taken_in_any_spelling(office: Store) -> None:
    wanted = [USERS["eve"], USERS["ben"], USERS["ada"], USERS["ben"]]
    item = create_item(office, "ada", PROJECT, {"name": "x", "assignees": wanted})
    assert item["assignees"] == [USERS["ben"], USERS["ada"]]
    assert update_item(office, "ada", PROJECT, item["id"], {"assignees": []})["assignees"] == []
    for spelling in (STATES["Done"].upper(), STATES["Done"].replace("-", "")):
        assert update_item(office, "ada", PROJECT, FIRST, {"state": spelling})["state"] == STATES["Done"]


def test_completed_at_follows_the_groups_of_states(office: Store) -> None:
    def moved(data: dict[str, Any]) -> Any:
        return update_item(office, "ben", PROJECT, FIRST, data)["completed_at"]

    assert moved({"state": STATES["Cancelled"]}) is None
    assert moved({"state": STATES["Done"]}) == "2026-03-02T09:00:02Z"
    assert moved({"state": STATES["Done"], "name": "x"}) == "2026-03-02T09:00:02Z"
    assert moved({"completed_at": None, "priority": "low"}) == "2026-03-02T09:00:02Z"
    assert moved({"state": None}) is None
    assert get_item(office, "ben", PROJECT, FIRST)["state"] == STATES["Backlog"]
    made = create_item(office, "ben", PROJECT, {"name": "x", "state": STATES["Done"]})
    assert made["completed_at"] == made["created_at"]
    assert [create_item(office, "ben", PROJECT, {"name": "x"})["sequence_id"] for _ in range(3)] == [6, 7, 8]


def test_keys_of_items(office: Store) -> None:
    assert get_item_by_key(office, "ben", "WM-3")["name"] == "File the deeds"
    for key, status in (("WM-9", 404), ("WM-x", 404), ("WM-", 404), ("NO-1", 403), ("wm-3", 403), ("OPEN-1", 403)):
        with pytest.raises(TrackerError) as refused:
            get_item_by_key(office, "ben", key)
        assert refused.value.status == status, key
    assert ask(office, "GET", "work-items/WM-3/").data()["sequence_id"] == 3


def test_errors_for_tools_are_one_line(office: Store) -> None:
    with pytest.raises(TrackerError) as refused:
        create_item(office, "ada", PROJECT, {"priority": "asap"})
    assert refused.value.code == "invalid"
    assert refused.value.message == 'name: This field is required. priority: "asap" is not a valid choice.'
