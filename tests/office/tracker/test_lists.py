"""Lists: pages, orders, conditions, and which fields are sent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.item_list import list_items
from teller_gym.office.tracker.paging import page
from teller_gym.office.tracker.search import MAX_RESULTS, search
from tests.office.tracker.world import BASE, FIRST, ITEMS, PROJECT, STATES, USERS, ask, id_of


def numbers(items: list[dict[str, Any]]) -> list[int]:
    return [item["sequence_id"] for item in items]


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
    assert ask(BASE, "GET", ITEMS).data()["next_cursor"] == "1000:1:0"


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("per_page=1001", "Invalid per_page value. Cannot exceed 1000."),
        ("per_page=0", "Invalid per_page value. Must be at least 1."),
        ("per_page=-5", "Invalid per_page parameter."),
        ("per_page=ten", "Invalid per_page parameter."),
        ("per_page=", "Invalid per_page parameter."),
        ("per_page=" + "9" * 5000, "Invalid per_page parameter."),
        ("cursor=5", "Invalid cursor parameter."),
        ("cursor=a:0:0", "Invalid cursor parameter."),
        ("cursor=20:-1:1", "Invalid cursor parameter."),
        ("cursor=20:99999999999:0", "Invalid cursor parameter."),
    ],
)
def test_pages_that_cannot_be(query: str, detail: str) -> None:
    answer = ask(BASE, "GET", ITEMS, query=query)
    assert (answer.status, answer.data()) == (400, {"detail": detail})


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("-created_at", [4, 3, 2, 1]),
        ("created_at", [1, 2, 3, 4]),
        ("sequence_id", [1, 2, 3, 4]),
        ("-sequence_id", [4, 3, 2, 1]),
        ("name", [2, 3, 4, 1]),
        ("priority", [2, 1, 3, 4]),
        ("-priority", [3, 4, 1, 2]),
        ("target_date", [1, 2, 3, 4]),
        ("-target_date", [2, 3, 4, 1]),
        ("completed_at", [3, 1, 2, 4]),
    ],
)
def test_orders(order: str, expected: list[int]) -> None:
    assert numbers(ask(BASE, "GET", ITEMS, query=f"order_by={order}").data()["results"]) == expected


def test_an_unknown_order_is_refused_and_unknown_parameters_are_ignored() -> None:
    wrong = ask(BASE, "GET", ITEMS, query="order_by=colour")
    assert wrong.status == 400 and "expected one of created_at, " in wrong.data()["error"]
    assert ask(BASE, "GET", ITEMS, query="priority=urgent&filters=x").data()["count"] == 4


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"state": "in progress"}, [1]),
        ({"state": "Nothing"}, []),
        ({"assignee": "ada"}, [2]),
        ({"assignee": "Ben Ochoa"}, [2, 1]),
        ({"assignee": "ben@example.org", "state": "Todo"}, [2]),
        ({"assignee": USERS["ben"]}, [2, 1]),
    ],
)
def test_conditions_of_the_desk(conditions: dict[str, str], expected: list[int]) -> None:
    assert numbers(list_items(BASE, "ada", PROJECT, **conditions)) == expected


def test_fields_and_expand() -> None:
    fields = "fields=id,name,state,assignees,nothing&expand=state,assignees,name"
    first = ask(BASE, "GET", ITEMS, query=f"order_by=sequence_id&per_page=1&{fields}").data()["results"][0]
    assert first == {
        "id": FIRST,
        "name": "Quarterly metrics",
        "state": {"id": STATES["In Progress"], "name": "In Progress", "color": "#F59E0B", "group": "started"},
        "assignees": [ask(BASE, "GET", "/api/v1/users/me/", user="ben").data()],
    }
    whole = ask(BASE, "GET", f"{ITEMS}{FIRST}/", query="expand=project,created_by,parent").data()
    assert whole["project"]["identifier"] == "WM" and whole["created_by"]["display_name"] == "ada"
    assert whole["parent"] is None and whole["state"] == STATES["In Progress"]
    assert ask(BASE, "GET", f"{ITEMS}{FIRST}/", query="fields=nothing").data() == {}


def test_search() -> None:
    def found(query: str, user: str = "ada", **more: Any) -> list[str]:
        return [one["name"] for one in search(BASE, user, query, **more)]

    assert found("QUARTERLY") == ["Quarterly metrics"]
    assert found("tea") == ["Tea"] and found("tea", "ben") == []
    assert found("wm") == ["Old rumours", "File the deeds", "Call the Martins", "Quarterly metrics"]
    assert found("number 3, please") == ["File the deeds"] and found("33") == []
    assert sorted(found("1")) == ["Quarterly metrics", "Tea"]
    assert found("1", project=PROJECT) == ["Quarterly metrics"]
    assert found("wm", limit=2) == ["Old rumours", "File the deeds"] and found("") == []
    with pytest.raises(TrackerError, match="permission"):
        search(BASE, "out", "tea")


def test_search_over_http() -> None:
    def asked(query: str) -> Any:
        return ask(BASE, "GET", "work-items/search/", query=query)

    assert asked("search=tea").data() == {
        "issues": [
            {
                "name": "Tea",
                "id": id_of(BASE, "items", "Tea"),
                "sequence_id": 1,
                "project__identifier": "OPEN",
                "project_id": id_of(BASE, "projects", "OPEN"),
                "workspace__slug": "tac",
            }
        ]
    }
    assert asked("").data() == {"issues": []}
    assert asked(f"search=tea&project_id={PROJECT}").data() == {"issues": []}
    assert len(asked(f"search=tea&project_id={PROJECT}&workspace_search=true").data()["issues"]) == 1
    wrong = asked("search=tea&project_id=x")
    assert (wrong.status, wrong.data()) == (400, {"error": "Please provide valid detail"})
    assert asked("search=tea&limit=many").status == asked("search=tea&limit=-1").status == 400
    assert len(asked("search=e&limit=2").data()["issues"]) == 2
    assert len(asked(f"search=e&limit={MAX_RESULTS * 10}").data()["issues"]) == 4
