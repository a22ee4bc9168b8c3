"""Lists: pages, orders, filters, and which fields are sent."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.item_list import list_items
from teller_gym.office.tracker.items import create_item, update_item
from teller_gym.office.tracker.paging import page
from teller_gym.office.tracker.search import MAX_RESULTS, search
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
ITEMS = f"projects/{PROJECT}/work-items/"
BEN = id_of(BASE, "users", "ben")


@pytest.fixture
def office() -> Store:
    return store()


def numbers(items: list[dict[str, Any]]) -> list[int]:
    return [item["sequence_id"] for item in items]


@given(st.integers(0, 30), st.integers(1, 12))
def test_the_pages_together_are_the_list(total: int, size: int) -> None:
    records: list[dict[str, Any]] = [{"n": n} for n in range(total)]
    seen, cursor = [], f"{size}:0:0"
    for place in range(total // size + 1):
        found = page(records, size, cursor)
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
    assert page(records, size, f"{size}:{total + 1}:0")["results"] == []


def test_the_envelope(office: Store) -> None:
    found = ask(office, "GET", ITEMS, query="per_page=3&cursor=3:1:0").data()
    assert list(found) == [
        "grouped_by",
        "sub_grouped_by",
        "total_count",
        "next_cursor",
        "prev_cursor",
        "next_page_results",
        "prev_page_results",
        "count",
        "total_pages",
        "total_results",
        "extra_stats",
        "results",
    ]
    assert found | {"results": []} == {
        "grouped_by": None,
        "sub_grouped_by": None,
        "total_count": 4,
        "next_cursor": "3:2:0",
        "prev_cursor": "3:0:1",
        "next_page_results": False,
        "prev_page_results": True,
        "count": 1,
        "total_pages": 2,
        "total_results": 4,
        "extra_stats": None,
        "results": [],
    }
    assert ask(office, "GET", ITEMS).data()["next_cursor"] == "1000:1:0"


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("per_page=1001", "Invalid per_page value. Cannot exceed 1000."),
        ("per_page=0", "Invalid per_page value. Must be at least 1."),
        ("per_page=-5", "Invalid per_page value. Must be at least 1."),
        ("per_page=ten", "Invalid per_page parameter."),
        ("per_page=", "Invalid per_page parameter."),
        ("per_page=" + "9" * 5000, "Invalid per_page parameter."),
        ("cursor=5", "Invalid cursor parameter."),
        ("cursor=a:0:0", "Invalid cursor parameter."),
        ("cursor=", "Invalid cursor parameter."),
        ("cursor=20:-1:1", "Error in parsing"),
        ("cursor=20:99999999999:0", "Error in parsing"),
    ],
)
def test_pages_that_cannot_be(office: Store, query: str, detail: str) -> None:
    answer = ask(office, "GET", ITEMS, query=query)
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
        ("state__group", [4, 2, 1, 3]),
        ("-state__name", [3, 1, 2, 4]),
        ("target_date", [1, 2, 3, 4]),
        ("-target_date", [2, 3, 4, 1]),
        ("labels__name", [1, 4, 2, 3]),
        ("-assignees__first_name", [3, 4, 1, 2]),
        ("completed_at", [3, 1, 2, 4]),
    ],
)
def test_orders(office: Store, order: str, expected: list[int]) -> None:
    assert numbers(ask(office, "GET", ITEMS, query=f"order_by={order}").data()["results"]) == expected


def test_an_order_that_there_is_not(office: Store) -> None:
    for order in ("cost", "--name", "assignees", "description_html"):
        answer = ask(office, "GET", ITEMS, query=f"order_by={order}")
        assert answer.status == 400 and answer.data()["error"].startswith("Cannot order by ")


def test_later_written_items_of_the_same_second_come_first(office: Store) -> None:
    update_item(office, "ada", PROJECT, id_of(office, "items", "Old rumours"), {"name": "Fresh"})
    made = [create_item(office, "ada", PROJECT, {"name": name})["sequence_id"] for name in "ab"]
    assert numbers(list_items(office, "ada", PROJECT)) == [*reversed(made), 4, 3, 2, 1]


def test_filters_for_tools(office: Store) -> None:
    def found(**wanted: str) -> list[int]:
        return numbers(list_items(office, "gus", PROJECT, order_by="sequence_id", **wanted))

    assert found(state="in progress") == [1] and found(state="Done") == [3] and found(state="Nowhere") == []
    for ben in ("ben", "Ben Ochoa", "ben@example.org", BEN):
        assert found(assignee=ben) == [1, 2]
    assert found(label="client") == [1] and found(label="urgent letter") == [4]
    assert found(label="client", assignee="ada") == []


LEAVES: list[tuple[dict[str, Any], set[int]]] = [
    ({"priority": "urgent"}, {2}),
    ({"priority__in": ["high", "urgent"]}, {1, 2}),
    ({"priority__in": "none,high"}, {1, 3, 4}),
    ({"state_group": "completed"}, {3}),
    ({"state_group__in": ["backlog", "started"]}, {1, 4}),
    ({"state_id__exact": id_of(BASE, "states", "Todo")}, {2}),
    ({"assignee_id": BEN}, {1, 2}),
    ({"assignee_id__in": [BEN.upper()]}, {1, 2}),
    ({"label_id__in": [id_of(BASE, "labels", "client")]}, {1}),
    ({"cycle_id": id_of(BASE, "cycles", "March")}, {1, 3}),
    ({"module_id__in": [id_of(BASE, "modules", "Reporting")]}, {1, 2}),
    ({"created_by_id": BEN}, {2, 4}),
    ({"project_id": PROJECT}, {1, 2, 3, 4}),
    ({"target_date": "2026-03-05"}, {1}),
    ({"start_date__range": ["2026-02-20", "2026-02-21"]}, {1}),
    ({"start_date__range": "2026-02-21,2026-02-22"}, set()),
    ({"created_at__range": ["2026-03-02T06:00:00Z", "2026-03-02T08:30:00+01:00"]}, {2, 3}),
    ({"created_at__range": ["2026-03-02", "2026-03-03"]}, {1, 2, 3, 4}),
    ({"priority": "none", "assignee_id": BEN}, set()),
]
"""Conditions and the numbers of the items that meet them."""

FILTERS: Any = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(
            lambda found: ({"and": [one for one, _ in found]}, set.intersection(*(which for _, which in found)))
        ),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda found: ({"OR": [one for one, _ in found]}, set.union(*(which for _, which in found)))
        ),
        inner.map(lambda found: ({"not": found[0]}, {1, 2, 3, 4} - found[1])),
    ),
    max_leaves=4,
)


@pytest.mark.parametrize(("filters", "expected"), LEAVES)
def test_each_condition(filters: dict[str, Any], expected: set[int]) -> None:
    assert set(numbers(list_items(BASE, "gus", PROJECT, filters=filters))) == expected


def depth(filters: Any) -> int:
    if isinstance(filters, dict) and filters.keys() & {"and", "OR", "not"}:
        inner = next(iter(filters.values()))
        return 1 + max(map(depth, inner if isinstance(inner, list) else [inner]))
    return 1


@given(FILTERS)
def test_filters_are_sets(case: tuple[Any, set[int]]) -> None:
    filters, expected = case
    if depth(filters) > 5:
        with pytest.raises(TrackerError, match="Filter nesting is too deep"):
            list_items(BASE, "ada", PROJECT, filters=filters)
    else:
        assert set(numbers(list_items(BASE, "ada", PROJECT, filters=filters))) == expected


@pytest.mark.parametrize(
    ("filters", "code"),
    [
        ("{", "invalid_json"),
        ([{}], "invalid_filter_node"),
        ({"and": [{}]}, "empty_filter_object"),
        ({"and": [{"priority": "low"}], "or": [{"priority": "low"}]}, "multiple_logical_operators"),
        ({"and": [{"priority": "low"}], "priority": "low"}, "mixed_operator_and_fields"),
        ({"or": []}, "invalid_operator_children"),
        ({"or": ["x"]}, "invalid_operator_child_type"),
        ({"not": []}, "invalid_not_child"),
        ({"name": "x"}, "invalid_filter_field"),
        ({"priority__range": ["low", "high"]}, "invalid_filter_field"),
        ({"priority__in": []}, "empty_list_value"),
        ({"priority__in": [["low"]]}, "non_scalar_list_item"),
        ({"priority": {"x": 1}}, "invalid_value_type"),
        ({"priority__in": ["low"] * 101}, "too_many_conditions"),
        ({"or": [{"priority": "low"}] * 60}, "too_many_conditions"),
        ({"priority": "asap"}, "invalid_filterset"),
    ],
)
def test_filters_that_cannot_be_read(office: Store, filters: Any, code: str) -> None:
    text = filters if isinstance(filters, str) else json.dumps(filters)
    answer = ask(office, "GET", ITEMS, query=f"filters={quote(text)}")
    assert answer.status == 400 and answer.data()["code"] == [code] and answer.data()["message"]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"state_id": "Done"}, "Enter a valid UUID."),
        ({"start_date": "soon"}, "Enter a valid date."),
        ({"created_at": None}, "Enter a valid date/time."),
        ({"target_date__range": "2026-01-01"}, "Range query expects two values."),
        ({"priority": 10**40}, f"Select a valid choice. {10**40} is not one of the available choices."),
    ],
)
def test_values_of_filters_that_are_wrong(filters: dict[str, Any], message: str) -> None:
    with pytest.raises(TrackerError) as refused:
        list_items(BASE, "ada", PROJECT, filters=filters)
    assert refused.value.body["errors"] == {next(iter(filters)): [message]}


def test_paid_filters_are_refused_and_unknown_parameters_passed_over(office: Store) -> None:
    assert ask(office, "GET", ITEMS, query="pql=priority%20%3D%20low").status == 400
    assert ask(office, "GET", ITEMS, query="priority=urgent").data()["count"] == 4


def test_fields_and_expand(office: Store) -> None:
    fields = "fields=id,name,state,assignees,labels,parent,nothing&expand=state,assignees,parent,name"
    first = ask(office, "GET", ITEMS, query=f"order_by=sequence_id&per_page=1&{fields}").data()["results"][0]
    assert list(first) == ["id", "name", "parent", "state", "assignees", "labels"]
    assert first["name"] == "Quarterly metrics" and first["parent"] is None
    assert first["state"] == {
        "id": id_of(office, "states", "In Progress"),
        "name": "In Progress",
        "color": "#F59E0B",
        "group": "started",
    }
    assert first["assignees"] == [ask(office, "GET", "/api/v1/users/me/", user="ben").data()]
    assert first["labels"] == [id_of(office, "labels", "client")]
    part = f"{ITEMS}{id_of(office, 'items', 'File the deeds')}/"
    whole = ask(office, "GET", part, query="expand=project,workspace,labels,created_by,parent").data()
    assert whole["parent"] == {"id": first["id"], "sequence_id": 1, "project_id": PROJECT}
    assert whole["workspace"] == {"name": "Wealth", "slug": "tac", "id": whole["workspace"]["id"]}
    assert whole["project"]["identifier"] == "WM" and whole["created_by"]["display_name"] == "ada"
    assert ask(office, "GET", part, query="fields=nothing").data() == {}


def test_search(office: Store) -> None:
    def found(query: str, user: str = "ada", **more: Any) -> list[str]:
        return [one["name"] for one in search(office, user, query, **more)]

    assert found("QUARTERLY") == ["Quarterly metrics"]
    assert found("tea") == ["Tea"] and found("tea", "gus") == []
    assert found("wm") == ["Old rumours", "File the deeds", "Call the Martins", "Quarterly metrics"]
    assert found("number 3, please") == ["File the deeds"] and found("33") == []
    assert sorted(found("1")) == ["Quarterly metrics", "Tea"]
    assert found("1", project=PROJECT) == ["Quarterly metrics"]
    assert found("wm", limit=2) == ["Old rumours", "File the deeds"] and found("") == []
    with pytest.raises(TrackerError, match="permission"):
        search(office, "out", "tea")


def test_search_over_http(office: Store) -> None:
    def asked(query: str) -> Any:
        return ask(office, "GET", "work-items/search/", query=query)

    tea = id_of(office, "items", "Tea")
    opened = id_of(office, "projects", "OPEN")
    assert asked("search=tea").data() == {
        "issues": [
            {
                "name": "Tea",
                "id": tea,
                "sequence_id": 1,
                "project__identifier": "OPEN",
                "project_id": opened,
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
