"""Members of a project read and change its items; nobody else does."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.tracker import projects
from tests.office.tracker.world import BASE, FIRST, NOBODY, PROJECT, USERS, ask, id_of, store

WRITES: list[tuple[str, str, Any]] = [
    ("POST", "work-items/", {"name": "x"}),
    ("PATCH", "work-items/{item}/", {"name": "x"}),
    ("POST", "work-items/{item}/comments/", {"comment_html": "x"}),
]
READS = [
    *("work-items/", "work-items/{item}/", "work-items/{item}/comments/", "work-items/{item}/activities/"),
    *("states/", "members/"),
]


def path(rest: str, project: str = PROJECT, item: str = FIRST) -> str:
    return f"projects/{project}/{rest.format(item=item)}"


@pytest.mark.parametrize("rest", READS)
def test_members_read_and_strangers_do_not(rest: str) -> None:
    assert [ask(BASE, "GET", path(rest), user=user).status for user in ("ada", "ben", "eve", "out")] == [
        *(200, 200, 403, 403),
    ]


@pytest.mark.parametrize(("method", "rest", "data"), WRITES)
def test_members_write_and_strangers_write_nothing(method: str, rest: str, data: Any) -> None:
    office = store()
    for user in ("eve", "out"):
        answer = ask(office, method, path(rest), data, user=user)
        assert answer.data() == {"detail": "You do not have permission to perform this action."}
        assert answer.status == 403 and office.diff() == []
    assert ask(office, method, path(rest), data, user="ben").status in (200, 201)


@pytest.mark.parametrize(("method", "rest", "data"), [*WRITES[1:], *(("GET", rest, None) for rest in READS[1:4])])
def test_what_does_not_exist_is_not_found(method: str, rest: str, data: Any) -> None:
    office, other = store(), id_of(BASE, "projects", "OPEN")
    for wrong in (path(rest, item=NOBODY), path(rest, project=other)):
        answer = ask(office, method, wrong, data)
        assert (answer.status, answer.data()) == (404, {"error": "The requested resource does not exist."})
    assert office.diff() == []


def test_projects_are_seen_by_everybody_in_the_workspace() -> None:
    seen = {user: [one["identifier"] for one in projects.list_projects(BASE, user)] for user in ("ada", "ben", "eve")}
    assert seen == {"ada": ["OPEN", "WM"], "ben": ["WM", "OPEN"], "eve": ["OPEN", "WM"]}, "one's own first"
    one = ask(BASE, "GET", f"projects/{PROJECT}/", user="eve").data()
    assert (one["is_member"], one["member_role"], one["total_members"]) == (False, None, 2)
    assert ask(BASE, "GET", f"projects/{PROJECT}/", user="ben").data()["member_role"] == 15
    assert ask(BASE, "GET", "projects/", user="out").status == 403
    assert ask(BASE, "GET", f"projects/{NOBODY}/work-items/").status == 403
    assert ask(BASE, "GET", f"projects/{NOBODY}/").status == 404


def test_members_of_the_workspace_and_states_of_a_project() -> None:
    assert [one["display_name"] for one in ask(BASE, "GET", "members/", user="eve").data()] == ["ada", "ben", "eve"]
    assert ask(BASE, "GET", "members/", user="out").status == 403
    found = ask(BASE, "GET", path("states/")).data()["results"]
    assert [(one["name"], one["group"], one["default"]) for one in found] == [
        ("Backlog", "backlog", True),
        ("Todo", "unstarted", False),
        ("In Progress", "started", False),
        ("Done", "completed", False),
        ("Cancelled", "cancelled", False),
    ]


def test_people_and_states_are_listed_by_name() -> None:
    assert ask(BASE, "GET", "/api/v1/users/me/", user="ben").data() == {
        "id": USERS["ben"],
        "first_name": "Ben",
        "last_name": "Ochoa",
        "email": "ben@example.org",
        "avatar": "",
        "avatar_url": None,
        "display_name": "ben",
    }
