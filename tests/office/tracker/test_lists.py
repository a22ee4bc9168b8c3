"""Lists, pages and access: only members of a project can read and change its items."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.tracker import projects
from teller_gym.office.tracker.items import list_items
from teller_gym.office.tracker.routes import page
from tests.office.tracker.world import BASE, CASES, FIRST, ITEMS, NOBODY, PROJECT, USERS, ask, id_of, store

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


def numbers(items: list[dict[str, Any]]) -> list[int]:
    return [item["sequence_id"] for item in items]


@settings(max_examples=40)
@given(st.integers(0, 30), st.integers(1, 12))
def test_the_pages_together_are_the_list(total: int, size: int) -> None:
    records: list[dict[str, Any]] = [{"n": n} for n in range(total)]
    seen, cursor = [], f"{size}:0:0"
    for place in range(total // size + 1):
        found = page(records, str(size), cursor)
        assert found["prev_page_results"] == (place > 0)
        assert found["prev_cursor"] == f"{size}:{place - 1}:1"
        assert found["next_cursor"] == f"{size}:{place + 1}:0"
        assert (found["total_count"], found["total_results"]) == (total, total)
        assert found["total_pages"] == (total + size - 1) // size
        assert found["count"] == len(found["results"]) <= size
        seen += found["results"]
        assert found["next_page_results"] == (len(seen) < total)
        cursor = found["next_cursor"]
        if not found["next_page_results"]:
            break
    assert seen == records
    assert page(records, str(size), f"{size}:{total + 1}:0")["results"] == []


def test_the_envelope() -> None:
    found = ask(BASE, "GET", ITEMS, query="per_page=3&cursor=3:1:0").data()
    assert list((found | {"results": []}).items()) == [
        ("grouped_by", None),
        ("sub_grouped_by", None),
        ("total_count", 4),
        ("next_cursor", "3:2:0"),
        ("prev_cursor", "3:0:1"),
        ("next_page_results", False),
        ("prev_page_results", True),
        ("count", 1),
        ("total_pages", 2),
        ("total_results", 4),
        ("extra_stats", None),
        ("results", []),
    ]
    assert ask(BASE, "GET", ITEMS, query="priority=urgent&filters=x").data()["next_cursor"] == "1000:1:0"


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        *CASES["bad pages"],
        ("per_page=" + "9" * 5000, "Invalid per_page parameter."),
    ],
)
def test_pages_that_cannot_be(query: str, detail: str) -> None:
    answer = ask(BASE, "GET", ITEMS, query=query)
    assert (answer.status, answer.data()) == (400, {"detail": detail})


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        *CASES["conditions"],
        ({"assignee": USERS["ben"]}, [2, 1]),
    ],
)
def test_conditions_of_the_desk(conditions: dict[str, str], expected: list[int]) -> None:
    assert numbers(list_items(BASE, "ada", PROJECT, **conditions)) == expected
