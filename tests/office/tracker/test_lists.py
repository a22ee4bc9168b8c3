"""Lists: pages and conditions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.tracker.items import list_items
from teller_gym.office.tracker.routes import page
from tests.office.tracker.world import BASE, ITEMS, PROJECT, USERS, ask


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
