"""Pages against a plain evaluation of what they ask for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.paging import MAX_ALL, MAX_COUNT, Page, page_from, take

VALUES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "B", "ab", "a.b", "b"])
ROWS = st.lists(
    st.fixed_dictionaries(
        {"_id": st.integers(0, 99).map(str)},
        optional={"a": VALUES, "b": VALUES, "u": st.fixed_dictionaries({"n": VALUES})},
    ),
    max_size=12,
)
FIELDS = st.sampled_from(["a", "b", "u.n", "none", "a.x"])
CONDITIONS = st.dictionaries(FIELDS, VALUES.filter(lambda value: value is not None), min_size=1, max_size=2)
QUERIES = st.recursive(
    CONDITIONS,
    lambda inner: st.tuples(st.sampled_from(["$or", "$and"]), st.lists(inner, min_size=1, max_size=2)).map(
        lambda x: {x[0]: x[1]}
    ),
    max_leaves=4,
)


def value_at(row: dict[str, Any], name: str) -> Any:
    first, _, rest = name.partition(".")
    inner = row.get(first)
    if not rest:
        return inner
    return inner.get(rest) if isinstance(inner, dict) else None


def holds(row: dict[str, Any], query: dict[str, Any]) -> bool:
    results = []
    for key, wanted in query.items():
        if key == "$or":
            results.append(any(holds(row, one) for one in wanted))
        elif key == "$and":
            results.append(all(holds(row, one) for one in wanted))
        else:
            results.append(json.dumps(value_at(row, key)) == json.dumps(wanted))
    return all(results)


def ordered(rows: list[dict[str, Any]], name: str, direction: int) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: place(value_at(row, name)), reverse=direction == -1)


def place(value: Any) -> tuple[int, Any]:
    kinds = [type(None), int, str, bool, dict]
    kind = kinds.index(type(value))
    return kind, value if kind in (1, 2, 3) else 0


@given(
    ROWS,
    QUERIES | st.just({}),
    st.lists(st.tuples(FIELDS, st.sampled_from([1, -1])), max_size=2),
    st.integers(0, 14),
    st.integers(0, 14),
)
def test_a_page_is_what_it_asks_for(
    rows: list[dict[str, Any]], query: dict[str, Any], order: list[tuple[str, int]], count: int, offset: int
) -> None:
    sort = dict(order)
    values = {"query": json.dumps(query), "sort": json.dumps(sort), "count": str(count), "offset": offset}
    part, numbers = take(rows, page_from(values))
    expected = [row for row in rows if holds(row, query)]
    for name, direction in reversed(list(sort.items())):
        expected = ordered(expected, name, direction)
    end = offset + count if count else len(expected)
    assert part == expected[offset:end]
    assert numbers == {"count": len(part), "offset": offset, "total": len(expected)}


def test_sizes() -> None:
    rows = [{"_id": str(i)} for i in range(1500)]
    assert take(rows, page_from({}))[1] == {"count": 50, "offset": 0, "total": 1500}
    assert take(rows, page_from({}, 20))[1]["count"] == 20
    assert take(rows, page_from({"count": 5000}))[1]["count"] == MAX_COUNT
    assert take(rows, page_from({"count": 0}))[1]["count"] == MAX_ALL
    assert take(rows, page_from({"count": ""}))[1]["count"] == 50


def test_fields_choose_and_leave_out() -> None:
    row = {"_id": "1", "a": 1, "b": {"c": 2}}
    assert take([row], page_from({"fields": '{"a": 1}'}))[0] == [{"_id": "1", "a": 1}]
    assert take([row], page_from({"fields": '{"a": 0, "_id": 0}'}))[0] == [{"_id": "1", "b": {"c": 2}}]
    assert take([row], Page())[0] == [row]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"n": {"$regex": "lee"}}, ["anna.lee", "lee"]),
        ({"n": {"$regex": "LEE"}}, []),
        ({"n": {"$regex": "LEE", "$options": "i"}}, ["anna.lee", "lee"]),
        ({"n": {"$regex": "^lee"}}, ["lee"]),
        ({"n": {"$regex": "^anna.lee$"}}, ["anna.lee"]),
        ({"n": {"$regex": "a$"}}, ["anna"]),
        ({"n": {"$regex": "a.n"}}, []),
        ({"tags": "x"}, ["lee"]),
        ({"n": "anna"}, ["anna"]),
    ],
)
def test_plain_texts_as_patterns_and_members_of_lists(query: dict[str, Any], found: list[str]) -> None:
    rows: list[dict[str, Any]] = [
        {"_id": "1", "n": "anna.lee"},
        {"_id": "2", "n": "lee", "tags": ["x"]},
        {"_id": "3", "n": "anna"},
    ]
    assert [row["n"] for row in take(rows, page_from({"query": json.dumps(query)}))[0]] == found


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("invalid-params", {"count": "ten"}),
        ("invalid-params", {"count": -1}),
        ("invalid-params", {"count": True}),
        ("invalid-params", {"offset": "-1"}),
        ("invalid-params", {"offset": "9" * 10}),
        ("invalid-params", {"offset": ["1"]}),
        ("error-invalid-sort", {"sort": "ts"}),
        ("error-invalid-sort", {"sort": '{"ts": 2}'}),
        ("error-invalid-sort", {"sort": '{"ts": [1]}'}),
        ("error-invalid-sort", {"sort": "[1]"}),
        ("error-invalid-sort", {"sort": {"ts": 1}}),
        ("error-invalid-fields", {"fields": '{"a": 2}'}),
        ("error-invalid-fields", {"fields": "{"}),
        ("error-invalid-query", {"query": '"x"'}),
        ("error-invalid-query", {"query": '{"$where": "1"}'}),
        ("error-invalid-query", {"query": '{"a": {"$gt": 1}}'}),
        ("error-invalid-query", {"query": '{"a": {"$regex": "(a+)+$"}}'}),
        ("error-invalid-query", {"query": '{"a": {"$regex": "a", "$options": "s"}}'}),
        ("error-invalid-query", {"query": '{"a": {"$regex": 1}}'}),
        ("error-invalid-query", {"query": '{"a": {"$options": "i"}}'}),
        ("error-invalid-query", {"query": '{"a": [1]}'}),
        ("error-invalid-query", {"query": '{"$or": []}'}),
        ("error-invalid-query", {"query": '{"$or": [1]}'}),
        ("error-invalid-query", {"query": json.dumps({"$or": [{"a": 1}] * 50})}),
        ("error-invalid-query", {"query": '{"$or": [' * 200 + "{}" + "]}" * 200}),
        ("error-invalid-query", {"query": json.dumps({"a": "x" * 2000})}),
    ],
)
def test_what_is_not_sound_is_refused(code: str, values: dict[str, Any]) -> None:
    with pytest.raises(ChatError) as caught:
        take([{"_id": "1"}], page_from(values))
    assert caught.value.code == code
