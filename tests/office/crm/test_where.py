"""Every where type agrees with an evaluation in plain Python, on records drawn at random."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.schema import compiled, schema
from teller_gym.office.crm.scope import Scope
from teller_gym.office.crm.terms import like
from teller_gym.office.crm.where import MAX_DEPTH, MAX_ITEMS, MAX_VALUES, compile_where
from teller_gym.office.store import Store
from tests.office.crm.world import office, rid

CUSTOM = """{"entities": {
  "CPart": {"fields": {"name": {"type": "varchar"},
                       "thing": {"type": "link", "entity": "CThing", "foreign": "parts"},
                       "parent": {"type": "linkParent", "entities": {"CThing": "children"}}}},
  "CThing": {"fields": {
    "name": {"type": "personName"}, "firstName": {"type": "varchar"}, "lastName": {"type": "varchar"},
    "word": {"type": "varchar"}, "amount": {"type": "float"}, "count": {"type": "int"}, "flag": {"type": "bool"},
    "day": {"type": "date"}, "moment": {"type": "datetime"}, "slot": {"type": "datetimeOptional"},
    "tags": {"type": "multiEnum"}, "account": {"type": "link", "entity": "Account"},
    "accounts": {"type": "linkMultiple", "entity": "Account", "foreign": "things"}}}}}"""
NOW = datetime(2026, 5, 17, 13, 30, 5)
TODAY = datetime(2026, 5, 17)
ACCOUNTS = {f"a{n}": {**compiled(CUSTOM)["Account"].blank(), "id": f"a{n}", "name": f"Acme {n}"} for n in range(3)}
WORDS = ["", "a", "A%b", "ab", "B_a", "aB", "ba", "a\\b", "b a", "1"]
NUMBERS = [-2.5, 0, 1, 1.5, 10, 1000]
TAGS = ["red", "Green", "blue"]

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
            "accountsIds": st.lists(st.sampled_from(list(ACCOUNTS)), unique=True),
            "parts": st.integers(0, 2),
            "children": st.integers(0, 1),
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
ANY = st.sampled_from(["word", "name", "amount", "count", "day", "moment", "accountId", "account.name", "accountName"])
WHEN = st.sampled_from(["day", "moment"]).map(lambda name: {"attribute": name})
COUNTED = st.fixed_dictionaries({"attribute": st.sampled_from(["day", "moment"]), "value": st.integers(0, 40)})
LINKED = ["a0", "a1", "a2"]


def several(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=3).map(
        lambda found: {"attribute": found[0]["attribute"], "value": [one["value"] for one in found]}
        if found
        else {"attribute": "word", "value": []}
    )


def pairs(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(values, values).map(
        lambda two: {"attribute": two[0]["attribute"], "value": [two[0]["value"], two[1]["value"]]}
    )


PLAIN_DATES = ["today", "past", "future", "lastSevenDays", "currentMonth", "lastMonth", "nextMonth", "currentQuarter",
               "lastQuarter", "currentYear", "lastYear", "currentFiscalYear", "lastFiscalYear", "currentFiscalQuarter",
               "lastFiscalQuarter"]  # fmt: skip
COUNTED_DATES = ["lastXDays", "nextXDays", "olderThanXDays", "afterXDays"]
ITEMS: dict[str, st.SearchStrategy[Any]] = {
    **{kind: st.one_of(VALUED, FLAG) for kind in ("equals", "notEquals")},
    **{kind: st.one_of(DATE, MOMENT) for kind in ("on", "notOn", "before", "after")},
    **{kind: VALUED for kind in ("greaterThan", "lessThan", "greaterThanOrEquals", "lessThanOrEquals")},
    **{
        kind: st.one_of(TEXT, NAME)
        for kind in ("contains", "notContains", "startsWith", "endsWith", "like", "notLike")
    },
    **{kind: st.one_of(several(TEXT), several(NAME), several(DATE), several(FLAG)) for kind in ("in", "notIn")},
    "between": st.one_of(pairs(TEXT), pairs(DATE), pairs(MOMENT)),
    **{
        kind: st.one_of(ANY, st.just("tags")).map(lambda name: {"attribute": name})
        for kind in ("isNull", "isNotNull", "ever", "any", "none")
    },
    **{kind: st.just({"attribute": "flag"}) for kind in ("isTrue", "isFalse")},
    **{
        kind: st.lists(st.sampled_from(["RED", "green", "blue", "x"]), max_size=3).map(
            lambda value: {"attribute": "tags", "value": value}
        )
        for kind in ("arrayAnyOf", "arrayNoneOf", "arrayAllOf")
    },
    **{kind: st.just({"attribute": "tags"}) for kind in ("arrayIsEmpty", "arrayIsNotEmpty")},
    **{
        kind: st.tuples(st.sampled_from(["account", "accounts"]), st.lists(st.sampled_from(LINKED), max_size=3)).map(
            lambda two: {"attribute": two[0], "value": two[1]}
        )
        for kind in ("linkedWith", "notLinkedWith")
    },
    "linkedWithAll": st.lists(st.sampled_from(LINKED), max_size=3).map(
        lambda value: {"attribute": "accounts", "value": value}
    ),
    **{
        kind: st.sampled_from(["account", "accounts", "parts", "children"]).map(lambda name: {"attribute": name})
        for kind in ("isLinked", "isNotLinked")
    },
    **{kind: WHEN for kind in PLAIN_DATES},
    **{kind: COUNTED for kind in COUNTED_DATES},
}
TIMED: dict[str, st.SearchStrategy[Any]] = {
    **{kind: st.just({"attribute": "moment"}) for kind in PLAIN_DATES},
    **{kind: st.integers(0, 40).map(lambda n: {"attribute": "moment", "value": n}) for kind in COUNTED_DATES},
    **{kind: MOMENT for kind in ("on", "before", "after")},
    "between": pairs(MOMENT),
}


def world(things: list[dict[str, Any]], shift: int = 0) -> tuple[Scope, list[dict[str, Any]]]:
    entities = compiled(CUSTOM)
    rows, parts = [], {}
    for number, thing in enumerate(things):
        known = {key: value for key, value in thing.items() if key not in ("parts", "children")}
        row = entities["CThing"].blank() | known | {"id": f"t{number}"}
        row["name"] = " ".join(one for one in (row["firstName"], row["lastName"]) if one) or None
        rows.append(row)
        for k in range(thing["parts"]):
            parts[f"p{number}{k}"] = entities["CPart"].blank() | {"id": f"p{number}{k}", "thingId": row["id"]}
        for k in range(thing["children"]):
            child = {"id": f"c{number}{k}", "parentType": "CThing", "parentId": row["id"]}
            parts[child["id"]] = entities["CPart"].blank() | child
    base: dict[str, Any] = {
        "crm.settings": {"schema": {"json": CUSTOM}, "office": {"fiscalYearShift": shift}},
        "crm.Account": ACCOUNTS,
        "crm.CThing": {row["id"]: row for row in rows},
        "crm.CPart": parts,
    }
    store = Store(base, NOW, 1)
    return Scope(store, schema(store), entities["CThing"], Actor("x", "u", True, {})), rows


# What follows evaluates items by itself, from the documented meaning of each type.


def as_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def span(text: str) -> tuple[datetime, datetime]:
    start = as_time(text)
    return start, start + timedelta(days=1, seconds=-1) if len(text) == 10 else start


def dated(kind: str, d: datetime, count: Any, shift: int) -> bool:
    """A date, or a date-time taken as one moment, against midnights."""
    day = timedelta(days=1)
    months, now = d.year * 12 + d.month - 1, TODAY.year * 12 + TODAY.month - 1
    fiscal, fiscal_now = months - shift, now - shift
    table: dict[str, Callable[[], bool]] = {
        "today": lambda: d == TODAY,
        "past": lambda: d < TODAY,
        "future": lambda: d > TODAY,
        "lastSevenDays": lambda: TODAY - 7 * day <= d <= TODAY,
        "lastXDays": lambda: TODAY - count * day <= d <= TODAY,
        "nextXDays": lambda: TODAY <= d <= TODAY + count * day,
        "olderThanXDays": lambda: d < TODAY - count * day,
        "afterXDays": lambda: d > TODAY + count * day,
        "currentMonth": lambda: months == now,
        "lastMonth": lambda: months == now - 1,
        "nextMonth": lambda: months == now + 1,
        "currentQuarter": lambda: months // 3 == now // 3,
        "lastQuarter": lambda: months // 3 == now // 3 - 1,
        "currentYear": lambda: d.year == TODAY.year,
        "lastYear": lambda: d.year == TODAY.year - 1,
        "currentFiscalYear": lambda: fiscal // 12 == fiscal_now // 12,
        "lastFiscalYear": lambda: fiscal // 12 == fiscal_now // 12 - 1,
        "currentFiscalQuarter": lambda: fiscal // 3 == fiscal_now // 3,
        "lastFiscalQuarter": lambda: fiscal // 3 == fiscal_now // 3 - 1,
    }
    return table[kind]()


def timed(kind: str, d: datetime, value: Any, shift: int) -> bool:
    """A date-time against the days and the moment of now."""
    day = timedelta(days=1)
    table: dict[str, Callable[[], bool]] = {
        "today": lambda: d.date() == TODAY.date(),
        "past": lambda: d <= NOW,
        "future": lambda: d > NOW,
        "lastSevenDays": lambda: TODAY - 7 * day <= d <= NOW,
        "lastXDays": lambda: TODAY - value * day <= d <= NOW,
        "nextXDays": lambda: NOW <= d <= TODAY + (value + 1) * day + timedelta(minutes=59, seconds=59),
        "olderThanXDays": lambda: d < TODAY - value * day,
        "afterXDays": lambda: d >= TODAY + value * day,
        "on": lambda: span(value)[0] <= d <= span(value)[1],
        "before": lambda: d < span(value)[0],
        "after": lambda: d > span(value)[1],
        "between": lambda: span(value[0])[0] <= d <= span(value[1])[1],
    }
    return table[kind]() if kind in table else dated(kind, d, value, shift)


def sql_like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(sql_like(text[n:], pattern[1:]) for n in range(len(text) + 1))
    if pattern[0] == "\\" and len(pattern) > 1:
        return text[:1] == pattern[1] and sql_like(text[1:], pattern[2:])
    return bool(text) and (pattern[0] == "_" or pattern[0] == text[0]) and sql_like(text[1:], pattern[1:])


def names(row: dict[str, Any]) -> list[str]:
    first, last = (row["firstName"] or "").lower(), (row["lastName"] or "").lower()
    return [first, last, f"{first} {last}", f"{last} {first}"] if first and last else [first or last] if first or last else []


def comparable(attribute: str, value: Any) -> Any:
    if attribute in ("amount", "count"):
        return float(value)
    if attribute == "flag":
        return value in (True, "true")
    return as_time(value) if attribute in ("day", "moment") else value.lower()


def holds(item: dict[str, Any], row: dict[str, Any], thing: dict[str, Any], shift: int) -> bool:
    kind, name, value = item["type"], item.get("attribute", ""), item.get("value")
    if kind == "and":
        return all(holds(one, row, thing, shift) for one in value)
    if kind == "or":
        return not value or any(holds(one, row, thing, shift) for one in value)
    if kind == "not":
        return not all(holds(one, row, thing, shift) for one in value)
    if kind in ("any", "none"):
        return bool(kind == "any")
    if "inked" in kind:
        return linked(kind, name, value, row, thing)
    if kind.startswith("array"):
        have, want = {one.lower() for one in row["tags"]}, {one.lower() for one in value or []}
        return {
            "arrayAnyOf": bool(have & want),
            "arrayNoneOf": not have & want,
            "arrayAllOf": want <= have,
            "arrayIsEmpty": not have,
            "arrayIsNotEmpty": bool(have),
        }[kind]
    have = {
        "account.name": row["accountId"] and ACCOUNTS.get(row["accountId"], {}).get("name"),
        "accountName": row["accountId"] and ACCOUNTS.get(row["accountId"], {}).get("name"),
    }.get(name, row.get(name))
    if kind in ("isNull", "isNotNull", "ever"):
        return (have is None or have == []) == (kind == "isNull")
    if kind in ("isTrue", "isFalse"):
        return bool(have) == (kind == "isTrue")
    if kind == "notIn" and not value:
        return True
    if have is None:
        return False
    if item.get("dateTime"):
        return timed(kind, as_time(have), value, shift)
    if kind in PLAIN_DATES or kind in COUNTED_DATES:
        return dated(kind, as_time(have), value, shift)
    return compares(kind, name, have, value, row)


def linked(kind: str, name: str, value: Any, row: dict[str, Any], thing: dict[str, Any]) -> bool:
    if name in ("parts", "children"):
        return (thing[name] > 0) == (kind == "isLinked")
    have = set(row["accountsIds"]) if name == "accounts" else {row["accountId"]} - {None}
    want = set(value or [])
    if kind == "notLinkedWith" and name == "account" and not have:
        return False  # a missing id passes no comparison
    return {
        "isLinked": bool(have),
        "isNotLinked": not have,
        "linkedWith": bool(have & want),
        "notLinkedWith": not have & want,
        "linkedWithAll": want <= have,
    }[kind]


def compares(kind: str, name: str, have: Any, value: Any, row: dict[str, Any]) -> bool:
    positive = {"notEquals": "equals", "notOn": "on", "notIn": "in", "notContains": "contains", "notLike": "like"}
    if kind in positive:
        return not compares(positive[kind], name, have, value, row)
    found = names(row) if name == "name" else [have.lower() if isinstance(have, str) else have]
    patterns = {"contains": "%{}%", "startsWith": "{}%", "endsWith": "%{}", "like": "{}"}
    if kind in patterns:
        return any(sql_like(one, patterns[kind].format(value).lower()) for one in found)
    if kind in ("equals", "on", "in"):
        wanted = [comparable(name, one) for one in (value if kind == "in" else [value])]
        return any(comparable(name, one) in wanted for one in found)
    mine = comparable(name, have)
    if kind == "between":
        return bool(comparable(name, value[0]) <= mine <= comparable(name, value[1]))
    other = comparable(name, value)
    return {
        "greaterThan": mine > other,
        "after": mine > other,
        "lessThan": mine < other,
        "before": mine < other,
        "greaterThanOrEquals": mine >= other,
        "lessThanOrEquals": mine <= other,
    }[kind]


def agree(things: list[dict[str, Any]], item: dict[str, Any], shift: int = 0) -> None:
    scope, rows = world(things, shift)
    test = compile_where(scope, [item])
    for row, thing in zip(rows, things, strict=True):
        assert test(row) is holds(item, row, thing, shift), (item, row)


@pytest.mark.parametrize("kind", ITEMS)
def test_a_type_agrees_with_plain_python(kind: str) -> None:
    @settings(max_examples=20, deadline=None)
    @given(THINGS, ITEMS[kind], st.sampled_from([0, 3]))
    def check(things: list[dict[str, Any]], item: dict[str, Any], shift: int) -> None:
        agree(things, {"type": kind, **item}, shift)

    check()


@pytest.mark.parametrize("kind", TIMED)
def test_a_type_with_date_time_agrees_with_plain_python(kind: str) -> None:
    @settings(max_examples=20, deadline=None)
    @given(THINGS, TIMED[kind], st.sampled_from([0, 3]))
    def check(things: list[dict[str, Any]], item: dict[str, Any], shift: int) -> None:
        agree(things, {"type": kind, "dateTime": True, **item}, shift)

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
    assert like(pattern)(text.lower()) is sql_like(text.lower(), pattern.lower())


def test_a_day_without_hours_is_compared_as_a_date() -> None:
    scope, rows = world([dict.fromkeys(("firstName", "lastName", "word"), None) | {"parts": 0, "children": 0}])
    row = rows[0] | {"slot": "2026-05-17 00:00:00", "slotDate": "2026-05-17"}
    for kind, wanted in (("today", True), ("past", False), ("future", False)):
        item = {"type": kind, "attribute": "slot", "dateTime": True}
        assert compile_where(scope, [item])(row) is wanted
    later = rows[0] | {"slot": "2026-05-17 13:00:00", "slotDate": None}
    assert compile_where(scope, [{"type": "past", "attribute": "slot", "dateTime": True}])(later)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({}, "No 'type'"),
        ("word", "Expected an object"),
        ({"type": "equals", "value": 1}, "No 'attribute'"),
        ({"type": "equals", "attribute": "nothing", "value": 1}, "Not existing attribute 'nothing'"),
        ({"type": "resembles", "attribute": "word"}, "Unknown where item type 'resembles'"),
        ({"type": "equals", "attribute": "word", "x": 1}, "Unknown parameter 'x'"),
        ({"type": "equals", "attribute": "accountsIds", "value": "a0"}, "linkedWith on 'accounts'"),
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
        ({"type": "like", "attribute": "word", "value": "a" * 501}, "at most 500"),
        ({"type": "isTrue", "attribute": "word"}, "not true or false"),
        ({"type": "arrayAnyOf", "attribute": "word", "value": ["a"]}, "needs a list"),
        ({"type": "arrayAnyOf", "attribute": "tags"}, "No value"),
        ({"type": "arrayAnyOf", "attribute": "tags", "value": [1]}, "texts"),
        ({"type": "linkedWith", "attribute": "word", "value": "a0"}, "Not existing relation 'word'"),
        ({"type": "linkedWith", "attribute": "accounts", "value": [1]}, "Non-string ID"),
        ({"type": "linkedWith", "attribute": "accounts", "value": ["a9"]}, "`a9` not found"),
        ({"type": "linkedWith", "attribute": "children", "value": ["c0"]}, "Not supported relation type"),
        ({"type": "linkedWithAll", "attribute": "account", "value": ["a0"]}, "Not supported relation type"),
        ({"type": "lastXDays", "attribute": "day", "value": "few"}, "number of days"),
        ({"type": "lastXDays", "attribute": "day", "value": 10**6}, "number of days"),
        ({"type": "on", "attribute": "moment", "value": "x", "dateTime": True}, "Bad date value"),
        ({"type": "between", "attribute": "moment", "value": "x", "dateTime": True}, "Bad value"),
        ({"type": "today", "attribute": "moment", "dateTime": True, "timeZone": "Europe/Kyiv"}, "Bad timezone"),
        ({"type": "subQueryIn", "value": []}, "Sub-queries are forbidden"),
        ({"type": "and", "value": "x"}, "Expected a list of items"),
        ({"type": "equals", "attribute": "parts.name", "value": "x"}, "Bad relation 'parts'"),
        ({"type": "equals", "attribute": "account.nothing", "value": "x"}, "Not existing attribute"),
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


def test_a_long_pattern_is_quick() -> None:
    assert not like("%a" * 200 + "%b")("a" * 100_000)


def test_links_back_are_searched() -> None:
    from teller_gym.office.crm.search import search

    found = search(office(), "ben", "Contact", {"where": [
        {"type": "linkedWith", "attribute": "beneficiaries", "value": [rid("CBeneficiary", "eve")]}]})  # fmt: skip
    assert [one["name"] for one in found["list"]] == ["Ann Smith"]
    found = search(office(), "ben", "Account", {"where": [
        {"type": "linkedWithAll", "attribute": "contacts", "value": [rid("Contact", "ann")]}]})  # fmt: skip
    assert [one["name"] for one in found["list"]] == ["Acme Ltd"]
