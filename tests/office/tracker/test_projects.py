"""Projects are made with what they need, and changed within what there is."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.items import create_item
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def office() -> Store:
    return store()


def test_a_new_project(office: Store) -> None:
    eve = id_of(office, "users", "eve")
    sent = {"name": "Pensions 2026", "identifier": " pen ", "project_lead": eve, "module_view": True, "network": 0}
    answer = ask(office, "POST", "projects/", sent, user="ben")
    made = answer.data()
    assert answer.status == 201
    assert (made["identifier"], made["network"], made["module_view"], made["cycle_view"]) == ("PEN", 2, True, False)
    assert (made["total_members"], made["is_member"], made["member_role"]) == (2, True, 20)
    assert made["timezone"] == "UTC" and made["project_lead"] == eve and made["archived_at"] is None
    states = ask(office, "GET", f"projects/{made['id']}/states/", user="eve").data()["results"]
    assert [one["name"] for one in states] == ["Backlog", "Todo", "In Progress", "Done", "Cancelled"]
    item = create_item(office, "eve", made["id"], {"name": "x"})
    assert (item["sequence_id"], item["state"]) == (1, states[0]["id"])
    assert ask(office, "GET", "work-items/PEN-1/", user="ben").data() == item
    assert ask(office, "GET", f"projects/{made['id']}/", user="ada").data()["member_role"] is None
    for user, place in (("ben", 0), ("ada", 2)):  # one's own come first
        assert ask(office, "GET", "projects/", user=user).data()["results"][place]["id"] == made["id"]


@pytest.mark.parametrize(
    ("data", "status", "wrong"),
    [
        ({}, 400, {"name": ["This field is required."], "identifier": ["This field is required."]}),
        (
            {"name": "x", "identifier": "ABCDEFGHIJKLM"},
            400,
            {"identifier": ["Ensure this field has no more than 12 characters."]},
        ),
        ({"name": "x", "identifier": " "}, 400, {"identifier": ["This field may not be blank."]}),
        (
            {"name": "a+b", "identifier": "X"},
            400,
            {"non_field_errors": ["Project name cannot contain special characters."]},
        ),
        (
            {"name": "x", "identifier": "X-1"},
            400,
            {"non_field_errors": ["Project identifier cannot contain special characters."]},
        ),
        ({"name": "Open plans", "identifier": "X"}, 409, {"name": "The project name is already taken"}),
        ({"name": "x", "identifier": "wm"}, 409, {"identifier": "The project identifier is already taken"}),
        (
            {"name": "x", "identifier": "X", "archive_in": 13},
            400,
            {"archive_in": ["Ensure this value is less than or equal to 12."]},
        ),
        ({"name": "x", "identifier": "X", "timezone": "Mars"}, 400, {"timezone": ['"Mars" is not a valid choice.']}),
        (
            {"name": "x", "identifier": "X", "project_lead": NOBODY},
            400,
            {"project_lead": [f'Invalid pk "{NOBODY}" - object does not exist.']},
        ),
    ],
)
def test_projects_that_cannot_be(office: Store, data: Any, status: int, wrong: Any) -> None:
    answer = ask(office, "POST", "projects/", data)
    assert (answer.status, answer.data()) == (status, wrong) and office.diff() == []


def test_changing_a_project(office: Store) -> None:
    path, done = f"projects/{PROJECT}/", id_of(office, "states", "Done")
    answer = ask(office, "PATCH", path, {"description": "Of 2026", "default_state": done, "identifier": "wm"})
    assert answer.status == 200 and answer.data()["default_state"] == done and answer.data()["identifier"] == "WM"
    assert answer.data()["updated_at"] == "2026-03-02T09:00:01Z" and answer.data()["total_modules"] == 1
    other = next(key for key, one in office.rows("tracker.states") if one["project"] != PROJECT)
    wrong = ask(office, "PATCH", path, {"default_state": other})
    assert (wrong.status, wrong.data()) == (
        400,
        {"non_field_errors": ["Default state should be a state in the project"]},
    )
    assert ask(office, "PATCH", path, {"name": "Secret plans"}).status == 409
