"""Work items are created, changed, read and deleted as Plane does it, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.fields import MAX_TEXT
from teller_gym.office.tracker.items import (
    create_item,
    delete_item,
    get_item,
    get_item_by_external_id,
    get_item_by_key,
    update_item,
)
from tests.office.tracker.world import ask, id_of, store

NOBODY = "00000000-0000-4000-8000-000000000000"
MISSING = f'Invalid pk "{NOBODY}" - object does not exist.'
NO_UUID = "“x” is not a valid UUID."
NO_DATE = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD."
NO_STATE = {"non_field_errors": ["State is not valid please pass a valid state_id"]}
NO_PARENT = {"non_field_errors": ["Parent is not valid issue_id please pass a valid issue_id"]}

OFFICE = store()
PROJECT = id_of(OFFICE, "projects", "WM")
OTHER = id_of(OFFICE, "projects", "SEC")
FIRST = id_of(OFFICE, "items", "Quarterly metrics")
PART = id_of(OFFICE, "items", "File the deeds")


def other_state() -> str:
    return next(key for key, one in OFFICE.rows("tracker.states") if one["project"] == OTHER and one["name"] == "Done")


@pytest.fixture
def office() -> Store:
    return store()


def test_a_new_item(office: Store) -> None:
    answer = ask(office, "POST", f"projects/{PROJECT}/work-items/", {"name": "  Pay the fee ", "id": NOBODY, "junk": 1})
    item = answer.data()
    ada = id_of(office, "users", "ada")
    assert answer.status == 201
    assert item == {
        "id": item["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": OFFICE.get("tracker.workspace", "workspace")["id"],  # type: ignore[index]
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
        "sort_order": 75535.0,
        "completed_at": None,
        "archived_at": None,
        "is_draft": False,
        "external_source": None,
        "external_id": None,
        "parent": None,
        "state": id_of(office, "states", "Backlog"),
        "estimate_point": None,
        "type": None,
        "assignees": [],
        "labels": [],
    }
    assert item["id"] not in (NOBODY, FIRST) and get_item(office, "gus", PROJECT, item["id"]) == item
    changed = {change.table for change in office.diff()}
    assert changed == {"tracker.items", "tracker.activities"}


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
        ({"priority": None}, {"priority": ["This field may not be null."]}),
        ({"priority": ["high"]}, {"priority": ['"list" is not a valid choice.']}),
        ({"state": "x"}, {"state": [NO_UUID]}),
        ({"state": "Done"}, {"state": ["“Done” is not a valid UUID."]}),
        ({"state": NOBODY}, {"state": [MISSING]}),
        ({"state": 5}, {"state": ["Incorrect type. Expected pk value, received int."]}),
        ({"state": other_state()}, NO_STATE),
        ({"state": id_of(OFFICE, "states", "Triage")}, NO_STATE),
        ({"start_date": "2026-02-30"}, {"start_date": [NO_DATE]}),
        ({"start_date": "2/3/2026"}, {"start_date": [NO_DATE]}),
        ({"target_date": ""}, {"target_date": [NO_DATE]}),
        ({"target_date": 20260302}, {"target_date": [NO_DATE]}),
        (
            {"start_date": "2026-03-09", "target_date": "2026-03-08"},
            {"non_field_errors": ["Start date cannot exceed target date"]},
        ),
        ({"assignees": "x"}, {"assignees": ['Expected a list of items but got type "str".']}),
        ({"assignees": ["x", NOBODY]}, {"assignees": {"0": [NO_UUID], "1": [MISSING]}}),
        ({"labels": [NOBODY]}, {"labels": {"0": [MISSING]}}),
        ({"labels": ["x"] * 101}, {"labels": ["Ensure this field has no more than 100 elements."]}),
        ({"parent": NOBODY}, {"parent": [MISSING]}),
        ({"parent": id_of(OFFICE, "items", "Tea")}, NO_PARENT),
        ({"point": 13}, {"point": ["Ensure this value is less than or equal to 12."]}),
        ({"point": -1}, {"point": ["Ensure this value is greater than or equal to 0."]}),
        ({"point": 1.5}, {"point": ["A valid integer is required."]}),
        ({"sort_order": "high"}, {"sort_order": ["A valid number is required."]}),
        ({"sort_order": "nan"}, {"sort_order": ["A valid number is required."]}),
        ({"is_draft": "maybe"}, {"is_draft": ["Must be a valid boolean."]}),
        ({"type": NOBODY}, {"type": [MISSING]}),
        ({"estimate_point": NOBODY}, {"estimate_point": [MISSING]}),
        ({"external_id": "x" * 256}, {"external_id": ["Ensure this field has no more than 255 characters."]}),
        ({"description_html": " "}, {"non_field_errors": ["Invalid HTML passed"]}),
        (
            {"description_html": "x" * (MAX_TEXT + 1)},
            {"description_html": [f"Ensure this field has no more than {MAX_TEXT} characters."]},
        ),
        (
            {"name": "", "priority": "asap", "point": "x"},
            {
                "name": ["This field may not be blank."],
                "priority": ['"asap" is not a valid choice.'],
                "point": ["A valid integer is required."],
            },
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    office: Store, data: dict[str, Any], wrong: dict[str, Any]
) -> None:
    for method, path, sent in (
        ("POST", f"projects/{PROJECT}/work-items/", {"name": "x"} | data),
        ("PATCH", f"projects/{PROJECT}/work-items/{FIRST}/", data),
    ):
        answer = ask(office, method, path, sent)
        assert (answer.status, answer.data()) == (400, wrong)
    assert office.diff() == [] and office.clock() == office.now


def test_dates_are_compared_with_those_there_are(office: Store) -> None:
    with pytest.raises(TrackerError, match="Start date cannot exceed target date"):
        update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19"})
    after = update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19", "start_date": None})
    assert (after["start_date"], after["target_date"]) == (None, "2026-02-19")


def test_an_item_is_not_put_below_itself(office: Store) -> None:
    for below in (FIRST, PART):
        with pytest.raises(TrackerError) as refused:
            update_item(office, "ada", PROJECT, FIRST, {"parent": below})
        assert refused.value.body == NO_PARENT
    assert update_item(office, "ada", PROJECT, PART, {"parent": None})["parent"] is None
    assert update_item(office, "ada", PROJECT, FIRST, {"parent": PART})["parent"] == PART


def test_who_cannot_be_given_items_is_left_out(office: Store) -> None:
    users = [id_of(office, "users", name) for name in ("gus", "ben", "eve", "ada")]
    labels = [id_of(office, "labels", name) for name in ("hush", "client")]
    item = create_item(office, "ada", PROJECT, {"name": "x", "assignees": users + users, "labels": labels})
    assert item["assignees"] == [users[1], users[3]] and item["labels"] == [labels[1]]
    assert update_item(office, "ada", PROJECT, item["id"], {"assignees": [], "labels": []})["assignees"] == []


def test_ids_are_taken_in_any_spelling(office: Store) -> None:
    done = id_of(office, "states", "Done")
    assert update_item(office, "ada", PROJECT, FIRST, {"state": done.upper()})["state"] == done
    assert update_item(office, "ada", PROJECT, FIRST, {"state": done.replace("-", "")})["state"] == done


def test_completed_at_follows_the_groups_of_states(office: Store) -> None:
    states = {name: id_of(office, "states", name) for name in ("Backlog", "In Progress", "Done", "Cancelled")}

    def moved(data: dict[str, Any]) -> Any:
        return update_item(office, "ben", PROJECT, FIRST, data)["completed_at"]

    assert moved({"state": states["Cancelled"]}) is None
    assert moved({"state": states["Done"]}) == "2026-03-02T09:00:02Z"
    assert moved({"state": states["Done"], "name": "x"}) == "2026-03-02T09:00:02Z"
    assert moved({"completed_at": None, "priority": "low"}) == "2026-03-02T09:00:02Z"
    assert moved({"state": None}) is None
    assert get_item(office, "ben", PROJECT, FIRST)["state"] == states["Backlog"]
    made = create_item(office, "ben", PROJECT, {"name": "x", "state": states["Done"]})
    assert made["completed_at"] == made["created_at"]


def test_archived_items_and_drafts_are_out_of_sight(office: Store) -> None:
    for data in ({"archived_at": "2026-03-02"}, {"is_draft": True}):
        saved = office.snapshot()
        update_item(office, "ada", PROJECT, FIRST, data)
        assert ask(office, "GET", f"projects/{PROJECT}/work-items/{FIRST}/").status == 404
        assert ask(office, "GET", "work-items/WM-1/").status == 404
        assert ask(office, "GET", f"projects/{PROJECT}/work-items/").data()["count"] == 3
        assert update_item(office, "ada", PROJECT, FIRST, {"archived_at": None, "is_draft": "false"})["name"]
        assert ask(office, "GET", f"projects/{PROJECT}/work-items/{FIRST}/").status == 200
        office.restore(saved)


def test_external_ids_are_taken_once(office: Store) -> None:
    outside = {"external_id": "17", "external_source": "crm"}
    first = create_item(office, "ada", PROJECT, {"name": "x", **outside})
    path = f"projects/{PROJECT}/work-items/"
    twin = ask(office, "POST", path, {"name": "y", **outside})
    wrong = {"error": "Issue with the same external id and external source already exists", "id": first["id"]}
    assert (twin.status, twin.data()) == (409, wrong)
    assert ask(office, "PATCH", f"{path}{FIRST}/", outside).status == 409
    assert ask(office, "PATCH", f"{path}{first['id']}/", outside).status == 200
    assert ask(office, "POST", path, {"name": "y", **outside, "external_source": "mail"}).status == 201
    elsewhere = id_of(office, "projects", "OPEN")
    assert ask(office, "POST", f"projects/{elsewhere}/work-items/", {"name": "y", **outside}).status == 201
    found = ask(office, "GET", path, query="external_id=17&external_source=crm&fields=id,name")
    assert (found.status, found.data()) == (200, {"id": first["id"], "name": "x"})
    assert ask(office, "GET", path, query="external_id=18&external_source=crm").status == 404
    assert get_item_by_external_id(office, "ada", PROJECT, "crm", "17")["id"] == first["id"]


def test_keys_of_items(office: Store) -> None:
    assert get_item_by_key(office, "gus", "WM-3")["id"] == PART
    for key, status in (("WM-9", 404), ("WM-x", 404), ("WM-", 404), ("NO-1", 403), ("wm-3", 403), ("OPEN-1", 403)):
        with pytest.raises(TrackerError) as refused:
            get_item_by_key(office, "gus", key)
        assert refused.value.status == status, key
    assert ask(office, "GET", "work-items/WM-3/", query="fields=sequence_id").data() == {"sequence_id": 3}


def test_deleting_takes_the_parts_along_and_numbers_are_not_given_again(office: Store) -> None:
    delete_item(office, "ada", PROJECT, FIRST)
    assert [office.get("tracker.items", key) for key in (FIRST, PART)] == [None, None]
    for table in ("comments", "links", "cycle_items", "module_items"):
        assert all(record["issue"] not in (FIRST, PART) for _, record in office.rows(f"tracker.{table}"))
    last = id_of(office, "items", "Old rumours")
    delete_item(office, "ada", PROJECT, last)
    assert create_item(office, "ada", PROJECT, {"name": "x"})["sequence_id"] == 5
    verbs = [one["verb"] for _, one in office.rows("tracker.activities") if one["issue"] == PART]
    assert verbs == ["created", "deleted"]


def test_a_default_assignee_gets_what_nobody_else_does(office: Store) -> None:
    ben, ada = id_of(office, "users", "ben"), id_of(office, "users", "ada")
    ask(office, "PATCH", f"projects/{PROJECT}/", {"default_assignee": ben})
    assert create_item(office, "ada", PROJECT, {"name": "x"})["assignees"] == [ben]
    assert create_item(office, "ada", PROJECT, {"name": "x", "assignees": [ada]})["assignees"] == [ada]


def test_errors_for_tools_are_one_line(office: Store) -> None:
    with pytest.raises(TrackerError) as refused:
        create_item(office, "ada", PROJECT, {"priority": "asap"})
    assert refused.value.code == "invalid"
    assert refused.value.message == 'name: This field is required. priority: "asap" is not a valid choice.'
