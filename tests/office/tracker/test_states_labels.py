"""States and labels of a project."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.items import create_item, get_item, update_item
from teller_gym.office.tracker.states import list_states
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
STATES, LABELS = f"projects/{PROJECT}/states/", f"projects/{PROJECT}/labels/"
RED = "#ff0000"


@pytest.fixture
def office() -> Store:
    return store()


def test_the_usual_states(office: Store) -> None:
    found = [(one["name"], one["group"], one["default"]) for one in list_states(office, "gus", PROJECT)]
    assert found == [
        ("Backlog", "backlog", True),
        ("Todo", "unstarted", False),
        ("In Progress", "started", False),
        ("Done", "completed", False),
        ("Cancelled", "cancelled", False),
    ]


def test_a_new_state(office: Store) -> None:
    answer = ask(office, "POST", STATES, {"name": "In Review!", "color": RED, "group": "started", "sequence": 1})
    state = answer.data()
    ada = id_of(office, "users", "ada")
    assert answer.status == 200
    assert state == {
        "id": state["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": state["workspace"],
        "name": "In Review!",
        "description": "",
        "color": RED,
        "slug": "in-review",
        "sequence": 70000.0,
        "group": "started",
        "is_triage": False,
        "default": False,
        "external_source": None,
        "external_id": None,
    }
    assert ask(office, "GET", f"{STATES}{state['id']}/").data() == state
    assert ask(office, "GET", STATES).data()["results"][-1] == state
    assert ask(office, "DELETE", f"{STATES}{state['id']}/").status == 204
    assert ask(office, "GET", f"{STATES}{state['id']}/").status == 404


@pytest.mark.parametrize(
    ("data", "status", "wrong"),
    [
        ({}, 400, {"name": ["This field is required."], "color": ["This field is required."]}),
        ({"name": "x", "color": RED, "group": "late"}, 400, {"group": ['"late" is not a valid choice.']}),
        ({"name": "x", "color": RED, "group": "triage"}, 400, {"non_field_errors": ["Cannot create triage state"]}),
        (
            {"name": "Done", "color": RED},
            409,
            {"error": "State with the same name already exists in the project", "id": id_of(BASE, "states", "Done")},
        ),
    ],
)
def test_states_that_cannot_be(office: Store, data: Any, status: int, wrong: Any) -> None:
    answer = ask(office, "POST", STATES, data)
    assert (answer.status, answer.data()) == (status, wrong) and office.diff() == []


def test_there_is_one_default_state(office: Store) -> None:
    todo = id_of(office, "states", "Todo")
    assert ask(office, "PATCH", f"{STATES}{todo}/", {"default": True}).status == 200
    assert [one["name"] for one in list_states(office, "ada", PROJECT) if one["default"]] == ["Todo"]
    assert create_item(office, "ada", PROJECT, {"name": "x"})["state"] == todo
    review = ask(office, "POST", STATES, {"name": "Review", "color": RED, "default": "yes"}).data()
    assert [one["name"] for one in list_states(office, "ada", PROJECT) if one["default"]] == ["Review"]
    kept = ask(office, "DELETE", f"{STATES}{review['id']}/")
    assert (kept.status, kept.data()) == (400, {"error": "Default state cannot be deleted"})


def test_a_state_that_items_are_in_stays(office: Store) -> None:
    kept = ask(office, "DELETE", f"{STATES}{id_of(office, 'states', 'Done')}/")
    wrong = {"error": "The state is not empty, only empty states can be deleted"}
    assert (kept.status, kept.data()) == (400, wrong) and office.diff() == []


def test_changing_a_state(office: Store) -> None:
    todo, done = (f"{STATES}{id_of(office, 'states', name)}/" for name in ("Todo", "Done"))
    taken = ask(office, "PATCH", todo, {"name": "Done"})
    assert (taken.status, taken.data()) == (400, {"error": "The payload is not valid"})
    changed = ask(
        office, "PATCH", todo, {"name": "To do", "group": "completed", "external_id": "1", "external_source": "x"}
    )
    assert changed.status == 200 and changed.data()["slug"] == "to-do"
    item = id_of(office, "items", "Call the Martins")
    assert get_item(office, "ada", PROJECT, item)["completed_at"] is None  # as in Plane, only a move sets it
    twin = ask(office, "PATCH", done, {"external_id": "1", "external_source": "x"})
    wrong = "State with the same external id and external source already exists"
    assert (twin.status, twin.data()["error"]) == (409, wrong)
    triage = id_of(office, "states", "Triage")
    assert ask(office, "PATCH", f"{STATES}{triage}/", {"name": "x"}).status == 404


def test_a_new_label(office: Store) -> None:
    answer = ask(office, "POST", LABELS, {"name": "tax", "parent": id_of(office, "labels", "client")})
    label = answer.data()
    assert answer.status == 201
    assert label | {"id": "", "workspace": ""} == {
        "id": "",
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": id_of(office, "users", "ada"),
        "updated_by": id_of(office, "users", "ada"),
        "project": PROJECT,
        "workspace": "",
        "name": "tax",
        "description": "",
        "color": "",
        "sort_order": 85535.0,
        "external_source": None,
        "external_id": None,
        "parent": id_of(office, "labels", "client"),
    }
    assert [one["name"] for one in ask(office, "GET", LABELS).data()["results"]] == ["tax", "urgent letter", "client"]
    assert ask(office, "GET", f"{LABELS}{label['id']}/").data() == label
    twin = ask(office, "POST", LABELS, {"name": "tax"})
    wrong = {"error": "Label with the same name already exists in the project", "id": label["id"]}
    assert (twin.status, twin.data()) == (409, wrong)
    assert ask(office, "PATCH", f"{LABELS}{id_of(office, 'labels', 'client')}/", {"name": "tax"}).status == 409
    assert ask(office, "PATCH", f"{LABELS}{label['id']}/", {"name": "tax", "color": RED}).data()["color"] == RED
    assert ask(office, "POST", LABELS, {}).data() == {"name": ["This field is required."]}


def test_labels_from_another_system(office: Store) -> None:
    outside = {"external_id": "1", "external_source": "x"}
    assert ask(office, "POST", LABELS, {"name": "a", **outside}).status == 201
    twin = ask(office, "POST", LABELS, {"name": "b", **outside})
    wrong = "Label with the same external id and external source already exists"
    assert (twin.status, twin.data()["error"]) == (409, wrong)


def test_a_deleted_label_is_nowhere(office: Store) -> None:
    client, item = id_of(office, "labels", "client"), id_of(office, "items", "Quarterly metrics")
    letter = id_of(office, "labels", "urgent letter")
    ask(office, "PATCH", f"{LABELS}{letter}/", {"parent": client})
    update_item(office, "ada", PROJECT, item, {"labels": [client, letter]})
    before = get_item(office, "ada", PROJECT, item)
    assert ask(office, "DELETE", f"{LABELS}{client}/").status == 204
    assert get_item(office, "ada", PROJECT, item) == before | {"labels": [letter]}
    assert ask(office, "GET", f"{LABELS}{letter}/").data()["parent"] is None
    assert ask(office, "GET", f"{LABELS}{client}/").status == 404
