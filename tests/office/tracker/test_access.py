"""What admins, members, guests and strangers may do."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.tracker import projects
from teller_gym.office.tracker.errors import TrackerError
from tests.office.tracker.world import ask, id_of, store

NOBODY = "00000000-0000-4000-8000-000000000000"
WRITES: list[tuple[str, str, Any]] = [
    ("POST", "work-items/", {"name": "x"}),
    ("PATCH", "work-items/{item}/", {"name": "x"}),
    ("DELETE", "work-items/{item}/", None),
    ("POST", "work-items/{item}/links/", {"url": "https://example.org/"}),
    ("POST", "states/", {"name": "x", "color": "#000000"}),
    ("PATCH", "states/{state}/", {"name": "x"}),
    ("DELETE", "states/{state}/", None),
    ("POST", "labels/", {"name": "x"}),
    ("PATCH", "labels/{label}/", {"name": "x"}),
    ("DELETE", "labels/{label}/", None),
    ("POST", "cycles/", {"name": "x"}),
    ("PATCH", "cycles/{cycle}/", {"name": "x"}),
    ("DELETE", "cycles/{cycle}/", None),
    ("POST", "cycles/{cycle}/cycle-issues/", {"issues": []}),
    ("DELETE", "cycles/{cycle}/cycle-issues/{item}/", None),
    ("POST", "modules/", {"name": "x"}),
    ("PATCH", "modules/{module}/", {"name": "x"}),
    ("DELETE", "modules/{module}/", None),
    ("POST", "modules/{module}/module-issues/", {"issues": []}),
    ("DELETE", "modules/{module}/module-issues/{item}/", None),
]
READS = [
    "work-items/",
    "work-items/{item}/",
    "work-items/{item}/comments/",
    "work-items/{item}/links/",
    "work-items/{item}/activities/",
    "states/",
    "states/{state}/",
    "labels/",
    "labels/{label}/",
    "cycles/",
    "cycles/{cycle}/",
    "cycles/{cycle}/cycle-issues/",
    "cycles/{cycle}/cycle-issues/{item}/",
    "modules/",
    "modules/{module}/",
    "modules/{module}/module-issues/",
    "members/",
    "project-members/",
]

OFFICE = store()
IDS = {
    "item": id_of(OFFICE, "items", "Quarterly metrics"),
    "state": id_of(OFFICE, "states", "Cancelled"),
    "label": id_of(OFFICE, "labels", "client"),
    "cycle": id_of(OFFICE, "cycles", "March"),
    "module": id_of(OFFICE, "modules", "Reporting"),
}
PROJECT = f"projects/{id_of(OFFICE, 'projects', 'WM')}"


@pytest.mark.parametrize("path", READS)
def test_members_and_guests_read_and_strangers_do_not(path: str) -> None:
    statuses = [
        ask(store(), "GET", f"{PROJECT}/{path.format(**IDS)}", user=user).status for user in ("ada", "gus", "eve")
    ]
    assert statuses == [200, 200, 403]


@pytest.mark.parametrize(("method", "path", "data"), WRITES)
def test_guests_and_strangers_write_nothing(method: str, path: str, data: Any) -> None:
    for user in ("gus", "eve", "out"):
        office = store()
        answer = ask(office, method, f"{PROJECT}/{path.format(**IDS)}", data, user=user)
        assert answer.status == 403
        assert answer.data() == {"detail": "You do not have permission to perform this action."}
        assert office.diff() == []


@pytest.mark.parametrize(("method", "path", "data"), [write for write in WRITES if "{" in write[1]])
def test_what_does_not_exist_is_not_found(method: str, path: str, data: Any) -> None:
    office = store()
    answer = ask(office, method, f"{PROJECT}/{path.format(**dict.fromkeys(IDS, NOBODY))}", data)
    assert (answer.status, answer.data()) == (404, {"error": "The requested resource does not exist."})
    assert office.diff() == []


@pytest.mark.parametrize("path", [path for path in READS if "{" in path])
def test_nothing_is_read_through_another_project(path: str) -> None:
    other = f"projects/{id_of(OFFICE, 'projects', 'OPEN')}"
    assert ask(store(), "GET", f"{other}/{path.format(**IDS)}").status == 404


def test_a_project_that_does_not_exist_is_nobodys() -> None:
    assert ask(store(), "GET", f"projects/{NOBODY}/work-items/").status == 403
    assert ask(store(), "GET", f"projects/{NOBODY}/").status == 404
    assert ask(store(), "PATCH", f"projects/{NOBODY}/", {"name": "x"}).status == 403


def test_guests_comment() -> None:
    path = f"{PROJECT}/work-items/{IDS['item']}/comments/"
    assert ask(store(), "POST", path, {"comment_html": "<p>Hm</p>"}, user="gus").status == 201
    assert ask(store(), "POST", path, {"comment_html": "<p>Hm</p>"}, user="eve").status == 403


def test_only_admins_and_creators_delete_items() -> None:
    mine, others = id_of(OFFICE, "items", "Old rumours"), IDS["item"]
    assert ask(store(), "DELETE", f"{PROJECT}/work-items/{mine}/", user="ben").status == 204
    refused = ask(store(), "DELETE", f"{PROJECT}/work-items/{others}/", user="ben")
    assert (refused.status, refused.data()) == (403, {"error": "Only admin or creator can delete the work item"})
    assert ask(store(), "DELETE", f"{PROJECT}/work-items/{mine}/", user="ada").status == 204
    for what in ("cycle", "module"):
        refused = ask(store(), "DELETE", f"{PROJECT}/{what}s/{IDS[what]}/", user="ben")
        assert (refused.status, refused.data()) == (403, {"error": f"Only admin or creator can delete the {what}"})


def test_secret_projects_are_their_members() -> None:
    office = store()
    seen = {user: [one["identifier"] for one in projects.list_projects(office, user)] for user in ("ada", "gus", "eve")}
    assert seen == {"ada": ["OPEN", "WM"], "gus": ["WM", "OPEN"], "eve": ["SEC", "OPEN", "WM"]}
    secret = id_of(office, "projects", "SEC")
    with pytest.raises(TrackerError) as refused:
        projects.get_project(office, "ada", secret)
    assert (refused.value.status, refused.value.code) == (404, "not_found")
    assert ask(office, "GET", f"projects/{secret}/", user="eve").data()["member_role"] == 20


def test_who_changes_projects() -> None:
    made = {
        user: ask(store(), "POST", "projects/", {"name": "N", "identifier": "n"}, user=user).status
        for user in ("ben", "gus")
    }
    assert made == {"ben": 201, "gus": 403}
    opened = f"projects/{id_of(OFFICE, 'projects', 'OPEN')}/"
    # ada is a member of it and an admin of the workspace; ben is neither, and only a member of his own project.
    changed = {
        user: ask(store(), "PATCH", opened, {"description": "d"}, user=user).status for user in ("eve", "ada", "ben")
    }
    assert changed == {"eve": 200, "ada": 200, "ben": 403}
    assert ask(store(), "PATCH", f"{PROJECT}/", {"description": "d"}, user="ben").status == 403


def test_the_workspaces_members_are_shown_to_members() -> None:
    assert [one["role"] for one in ask(store(), "GET", "members/").data()] == [20, 15, 5, 15]
    assert ask(store(), "GET", "members/", user="gus").status == 403
