"""Every where type agrees with an evaluation in plain Python, on records drawn at random."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.terms import like
from teller_gym.office.crm.where import MAX_DEPTH, MAX_ITEMS, MAX_VALUES, compile_where
from tests.office.crm.evaluation import (
    ACCOUNTS,
    NUMBERS,
    TAGS,
    TODAY,
    WORDS,
    holds,
    sql_like,
    world,
)

near = st.integers(-800, 800).map(lambda n: TODAY + timedelta(days=n))
close = st.integers(-9, 9).map(lambda n: TODAY + timedelta(days=n))
days = st.one_of(near, close, st.sampled_from([datetime(2026, m, 1) for m in range(1, 13)]))
moments = st.one_of(
    days, st.builds(lambda day, s: day + timedelta(seconds=s), days, st.sampled_from([1, 48604, 48605, 48606, 86399]))
)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


THINGS = st.lists(
    st.fixed_dictionaries(
        {
            "firstName": maybe(st.sampled_from(["Al", "bo"])),
            "lastName": maybe(st.sampled_from(["Bo", "al", "Cy"])),
            "word": maybe(st.sampled_from(WORDS)),
            "amount": maybe(st.sampled_from(NUMBERS)),
            "count": maybe(st.sampled_from([0, 1, 2])),
            "flag": st.booleans(),
            "day": maybe(days.map(lambda day: str(day.date()))),
            "moment": maybe(moments.map(str)),
            "tags": st.lists(st.sampled_from(TAGS), unique=True),
            "accountId": maybe(st.sampled_from(list(ACCOUNTS))),
        }
    ),
    min_size=1,
    max_size=5,
)

TEXT = st.fixed_dictionaries({"attribute": st.just("word"), "value": st.sampled_from(WORDS)})
NAME = st.fixed_dictionaries(
    {"attribute": st.just("name"), "value": st.sampled_from(["al", "Bo", "al bo", "BO AL", "bo c", "x"])}
)
NUMBER = st.fixed_dictionaries(
    {"attribute": st.sampled_from(["amount", "count"]), "value": st.sampled_from([*NUMBERS, "1", "1.50"])}
)
DATE = st.fixed_dictionaries({"attribute": st.just("day"), "value": days.map(lambda day: str(day.date()))})
MOMENT = st.fixed_dictionaries(
    {"attribute": st.just("moment"), "value": st.one_of(moments.map(str), days.map(lambda day: str(day.date())))}
)
FLAG = st.fixed_dictionaries({"attribute": st.just("flag"), "value": st.sampled_from([True, "true", False, "false"])})
VALUED = st.one_of(TEXT, NAME, NUMBER, DATE, MOMENT)
ANY = st.sampled_from(["word", "name", "amount", "count", "day", "moment", "accountId", "accountName"])


def several(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=3).map(
        lambda found: (
            {"attribute": found[0]["attribute"], "value": [one["value"] for one in found]}
            if found
            else {"attribute": "word", "value": []}
        )
    )


def pairs(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(values, values).map(
        lambda two: {"attribute": two[0]["attribute"], "value": [two[0]["value"], two[1]["value"]]}
    )


ITEMS: dict[str, st.SearchStrategy[Any]] = {
    **{kind: st.one_of(VALUED, FLAG) for kind in ("equals", "notEquals")},
    **{kind: st.one_of(DATE, MOMENT) for kind in ("on", "notOn", "before", "after")},
    **dict.fromkeys(("greaterThan", "lessThan", "greaterThanOrEquals", "lessThanOrEquals"), VALUED),
    **{kind: st.one_of(TEXT, NAME) for kind in ("contains", "notContains", "startsWith", "endsWith")},
    **{kind: st.one_of(several(TEXT), several(NAME), several(DATE), several(FLAG)) for kind in ("in", "notIn")},
    "between": st.one_of(pairs(TEXT), pairs(DATE), pairs(MOMENT)),
    **{kind: st.one_of(ANY, st.just("tags")).map(lambda name: {"attribute": name}) for kind in ("isNull", "isNotNull")},
    **{kind: st.just({"attribute": "flag"}) for kind in ("isTrue", "isFalse")},
}


def agree(things: list[dict[str, Any]], item: dict[str, Any]) -> None:
    scope, rows = world(things)
    test = compile_where(scope, [item])
    for row in rows:
        assert test(row) is holds(item, row), (item, row)


@pytest.mark.parametrize("kind", ITEMS)
def test_a_type_agrees_with_plain_python(kind: str) -> None:
    @settings(max_examples=20, deadline=None)
    @given(THINGS, ITEMS[kind])
    def check(things: list[dict[str, Any]], item: dict[str, Any]) -> None:
        agree(things, {"type": kind, **item})

    check()


LEAVES = st.one_of([one.map(lambda item, kind=kind: {"type": kind, **item}) for kind, one in ITEMS.items()])  # type: ignore[misc]
GROUPS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda kind, value: {"type": kind, "value": value},
        st.sampled_from(["and", "or", "not"]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(THINGS, GROUPS)
def test_groups_agree_with_plain_python(things: list[dict[str, Any]], item: dict[str, Any]) -> None:
    agree(things, item)


@settings(deadline=None)
@given(st.text("aAb%_\\", max_size=8), st.text("ab%_\\", max_size=8))
def test_like_agrees_with_plain_python(text: str, pattern: str) -> None:
    assert bool(like(pattern)(text.lower())) is sql_like(text.lower(), pattern.lower())


def test_a_long_pattern_is_quick() -> None:
    assert not like("%a" * 200 + "%b")("a" * 100_000)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({}, "No 'type'"),
        ("word", "Expected an object"),
        ({"type": "equals", "value": 1}, "No 'attribute'"),
        ({"type": "equals", "attribute": "nothing", "value": 1}, "Not existing attribute 'nothing'"),
        ({"type": "resembles", "attribute": "word"}, "Unknown where item type 'resembles'"),
        ({"type": "equals", "attribute": "word", "x": 1}, "Unknown parameter 'x'"),
        ({"type": "equals", "attribute": "accountsIds", "value": "a0"}, "cannot be compared"),
        ({"type": "equals", "attribute": "accountsNames", "value": "a0"}, "cannot be compared"),
        ({"type": "equals", "attribute": "amount", "value": "much"}, "does not compare"),
        ({"type": "equals", "attribute": "day", "value": "tomorrow"}, "does not compare"),
        ({"type": "equals", "attribute": "flag", "value": "maybe"}, "does not compare"),
        ({"type": "greaterThan", "attribute": "amount", "value": [1]}, "compares with one value"),
        ({"type": "in", "attribute": "word", "value": "a"}, "Expected a list"),
        ({"type": "in", "attribute": "word", "value": ["a"] * (MAX_VALUES + 1)}, "Expected a list"),
        ({"type": "between", "attribute": "amount", "value": [1]}, "Bad where item 'between'"),
        ({"type": "contains", "attribute": "tags", "value": "red"}, "needs text"),
        ({"type": "contains", "attribute": "word", "value": ["a"]}, "compares with text"),
        ({"type": "contains", "attribute": "word", "value": "a" * 501}, "at most 500"),
        ({"type": "isTrue", "attribute": "word"}, "not true or false"),
        ({"type": "and", "value": "x"}, "Expected a list of items"),
        ({"type": "today", "attribute": "day"}, "Unknown where item type 'today'"),
    ],
)
def test_a_bad_item_is_refused_with_the_reason(item: Any, message: str) -> None:
    scope, _ = world([])
    with pytest.raises(CrmError, match=re.escape(message)) as caught:
        compile_where(scope, [item])
    assert caught.value.status == 400


def test_searches_are_bounded() -> None:
    scope, _ = world([])
    deep: dict[str, Any] = {"type": "isTrue", "attribute": "flag"}
    for _ in range(MAX_DEPTH):
        deep = {"type": "and", "value": [deep]}
    compile_where(scope, [deep])
    with pytest.raises(CrmError, match="nested more than"):
        compile_where(scope, [{"type": "or", "value": [deep]}])
    compile_where(scope, [{"type": "isTrue", "attribute": "flag"}] * MAX_ITEMS)
    with pytest.raises(CrmError, match="more than 100"):
        compile_where(scope, [{"type": "isTrue", "attribute": "flag"}] * (MAX_ITEMS + 1))
