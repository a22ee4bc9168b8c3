"""The CRM's "where" items: every type agrees with a plain Python evaluation, and bad items are refused."""

import operator
import re
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.schema import compiled, schema
from teller_gym.office.crm.terms import Scope, like
from teller_gym.office.crm.where import MAX_ITEMS, MAX_VALUES, compile_where
from teller_gym.office.store import Store
from tests.office.crm.world import CASES

CUSTOM = """{"entities": {"CThing": {"fields": {
    "name": {"type": "personName"}, "firstName": {"type": "varchar"}, "lastName": {"type": "varchar"},
    "word": {"type": "varchar"}, "amount": {"type": "float"}, "count": {"type": "int"}, "flag": {"type": "bool"},
    "day": {"type": "date"}, "moment": {"type": "datetime"},
    "account": {"type": "link", "entity": "Account"},
    "accounts": {"type": "linkMultiple", "entity": "Account"}}}}}"""
ACCOUNTS = {f"a{n}": {**compiled(CUSTOM)["Account"].blank(), "id": f"a{n}", "name": f"Acme {n}"} for n in range(3)}
DAYS = ["2026-01-01", "2026-05-16", "2026-05-17", "2027-12-31"]
MOMENTS = ["2026-05-16 23:59:59", "2026-05-17 00:00:00", "2026-05-17 13:30:05", "2027-12-31 00:00:01"]
VALUES: dict[str, list[Any]] = {
    "word": ["", "a", "A%b", "ab", "B_a", "aB", "ba", "a\\b", "b a", "1"],
    "name": ["al", "Bo", "al bo", "BO AL", "bo c", "x"],
    "amount": [-2.5, 0, 1, 1.5, 10, 1000, "1", "1.50"],
    "count": [0, 1, 2, "1"],
    "flag": [True, "true", False, "false"],
    "day": DAYS,
    "moment": [*MOMENTS, *DAYS],
}
"""Values to compare with, by attribute."""

COMPARED = [name for name in VALUES if name != "flag"]
TYPES: dict[str, list[str]] = {
    **{key: list(VALUES) for key in ("equals", "notEquals")},
    **{key: ["day", "moment"] for key in ("on", "notOn", "before", "after")},
    **dict.fromkeys(("greaterThan", "lessThan", "greaterThanOrEquals", "lessThanOrEquals"), COMPARED),
    **{key: ["word", "name"] for key in ("contains", "notContains", "startsWith", "endsWith")},
    **{key: ["word", "name", "day", "flag"] for key in ("in", "notIn")},
    "between": ["word", "day", "moment"],
    **{key: [*COMPARED, "accountId", "accountName"] for key in ("isNull", "isNotNull")},
    **{key: ["flag"] for key in ("isTrue", "isFalse")},
}
"""Attributes to test each type of item with."""


def maybe(values: list[Any]) -> st.SearchStrategy[Any]:
    return st.none() | st.sampled_from(values)


THINGS = st.lists(
    st.fixed_dictionaries(
        {
            "firstName": maybe(["Al", "bo"]),
            "lastName": maybe(["Bo", "al", "Cy"]),
            "word": maybe(VALUES["word"]),
            "amount": maybe(VALUES["amount"][:6]),
            "count": maybe([0, 1, 2]),
            "flag": st.booleans(),
            "day": maybe(DAYS),
            "moment": maybe(MOMENTS),
            "accountId": maybe(list(ACCOUNTS)),
        }
    ),
    min_size=1,
    max_size=5,
)


@st.composite
def items(draw: st.DrawFn, kind: str | None = None) -> dict[str, Any]:
    """Draw an item of this type, or of any type."""
    kind = kind or draw(st.sampled_from(list(TYPES)))
    name = draw(st.sampled_from(TYPES[kind]))
    if kind.startswith("is"):
        return {"type": kind, "attribute": name}
    one = st.sampled_from(VALUES[name])
    sizes = {"in": (0, 3), "notIn": (0, 3), "between": (2, 2)}
    value = draw(st.lists(one, min_size=sizes[kind][0], max_size=sizes[kind][1]) if kind in sizes else one)
    return {"type": kind, "attribute": name, "value": value}


def world(things: list[dict[str, Any]]) -> tuple[Scope, list[dict[str, Any]]]:
    entities = compiled(CUSTOM)
    rows = []
    for number, thing in enumerate(things):
        row = entities["CThing"].blank() | thing | {"id": f"t{number}"}
        row["name"] = " ".join(one for one in (row["firstName"], row["lastName"]) if one) or None
        rows.append(row)
    base: dict[str, Any] = {
        "crm.settings": {"schema": {"json": CUSTOM}, "office": {}},
        "crm.Account": ACCOUNTS,
        "crm.CThing": {row["id"]: row for row in rows},
    }
    store = Store(base, datetime(2026, 5, 17), 1)
    return Scope(store, schema(store), entities["CThing"], Actor("x", "u", True)), rows


def sql_like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(sql_like(text[n:], pattern[1:]) for n in range(len(text) + 1))
    if pattern[0] == "\\" and len(pattern) > 1:
        return text[:1] == pattern[1] and sql_like(text[1:], pattern[2:])
    return bool(text) and (pattern[0] == "_" or pattern[0] == text[0]) and sql_like(text[1:], pattern[1:])


def forms(name: str, row: dict[str, Any]) -> list[Any]:
    """Return an attribute's values in comparable form; a name has several."""
    if name == "name":
        first, last = ((row[part] or "").lower() for part in ("firstName", "lastName"))
        return [first, last, f"{first} {last}", f"{last} {first}"] if first and last else [first or last]
    return [comparable(name, row[name])]


def comparable(name: str, value: Any) -> Any:
    if name in ("amount", "count"):
        return float(value)
    if name == "flag":
        return value in (True, "true")
    return datetime.fromisoformat(value) if name in ("day", "moment") else value.lower()


def holds(item: dict[str, Any], row: dict[str, Any]) -> bool:
    """Evaluate an item by the documentation of its type."""
    kind, name, value = item["type"], item.get("attribute", ""), item.get("value")
    have = ACCOUNTS.get(row["accountId"] or "", {}).get("name") if name == "accountName" else row[name]
    if kind in ("isNull", "isNotNull"):
        return (have is None) is (kind == "isNull")
    if kind in ("isTrue", "isFalse"):
        return bool(have) is (kind == "isTrue")
    if kind == "notIn" and not value:
        return True
    return have is not None and compares(kind, name, value, row)


def compares(kind: str, name: str, value: Any, row: dict[str, Any]) -> bool:
    positive = {"notEquals": "equals", "notOn": "equals", "on": "equals", "notIn": "in", "notContains": "contains"}
    if kind in positive:
        return compares(positive[kind], name, value, row) is (kind == "on")
    patterns = {"contains": "%{}%", "startsWith": "{}%", "endsWith": "%{}"}
    if kind in patterns:
        return any(sql_like(one, patterns[kind].format(value).lower()) for one in forms(name, row))
    if kind in ("equals", "in"):
        return any(comparable(name, one) in forms(name, row) for one in (value if kind == "in" else [value]))
    mine = comparable(name, row[name])
    if kind == "between":
        return bool(comparable(name, value[0]) <= mine <= comparable(name, value[1]))
    compare = {
        **dict.fromkeys(("greaterThan", "after"), operator.gt),
        **dict.fromkeys(("lessThan", "before"), operator.lt),
        "greaterThanOrEquals": operator.ge,
        "lessThanOrEquals": operator.le,
    }[kind]
    return bool(compare(mine, comparable(name, value)))


def agree(things: list[dict[str, Any]], item: dict[str, Any]) -> None:
    scope, rows = world(things)
    test = compile_where(scope, [item])
    for row in rows:
        assert test(row) is holds(item, row), (item, row)


@pytest.mark.parametrize("kind", TYPES)
def test_a_type_agrees_with_plain_python(kind: str) -> None:
    @settings(max_examples=15, deadline=None)
    @given(THINGS, items(kind))
    def check(things: list[dict[str, Any]], item: dict[str, Any]) -> None:
        agree(things, item)

    check()


@settings(deadline=None)
@given(THINGS, st.lists(items(), max_size=3))
def test_all_items_must_hold(things: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    scope, rows = world(things)
    test = compile_where(scope, wanted)
    assert [test(row) for row in rows] == [all(holds(one, row) for one in wanted) for row in rows]


@settings(deadline=None)
@given(st.text("aAb%_\\", max_size=8), st.text("ab%_\\", max_size=8))
def test_like_agrees_with_plain_python(text: str, pattern: str) -> None:
    assert bool(like(pattern)(text.lower())) is sql_like(text.lower(), pattern.lower())


def test_a_long_pattern_is_quick() -> None:
    assert not like("%a" * 200 + "%b")("a" * 100_000)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        *CASES["bad items"],
        ({"type": "in", "attribute": "word", "value": ["a"] * (MAX_VALUES + 1)}, "Expected a list"),
        ({"type": "contains", "attribute": "word", "value": "a" * 501}, "at most 500"),
    ],
)
def test_a_bad_item_is_refused_with_the_reason(item: Any, message: str) -> None:
    scope, _ = world([])
    with pytest.raises(CrmError, match=re.escape(message)) as caught:
        compile_where(scope, [item])
    assert caught.value.status == 400


def test_searches_are_bounded() -> None:
    scope, _ = world([])
    compile_where(scope, [{"type": "isTrue", "attribute": "flag"}] * MAX_ITEMS)
    wrongs: list[Any] = [[{"type": "isTrue", "attribute": "flag"}] * (MAX_ITEMS + 1), {}, "x"]
    for wrong in wrongs:
        with pytest.raises(CrmError, match="at most 100 items"):
            compile_where(scope, wrong)
