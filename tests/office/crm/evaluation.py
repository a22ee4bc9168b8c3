"""Where items evaluated in plain Python, from the documented meaning of each type: what others must agree with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.schema import compiled, schema
from teller_gym.office.crm.scope import Scope
from teller_gym.office.store import Store

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

PLAIN_DATES = [
    "today",
    "past",
    "future",
    "lastSevenDays",
    "currentMonth",
    "lastMonth",
    "nextMonth",
    "currentQuarter",
    "lastQuarter",
    "currentYear",
    "lastYear",
    "currentFiscalYear",
    "lastFiscalYear",
    "currentFiscalQuarter",
    "lastFiscalQuarter",
]
COUNTED_DATES = ["lastXDays", "nextXDays", "olderThanXDays", "afterXDays"]


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
    # Another entity's record may have the same id, which is nobody's child here.
    parts["stray"] = entities["CPart"].blank() | {"id": "stray", "parentType": "Account", "parentId": "t0"}
    base: dict[str, Any] = {
        "crm.settings": {"schema": {"json": CUSTOM}, "office": {"fiscalYearShift": shift}},
        "crm.Account": ACCOUNTS,
        "crm.CThing": {row["id"]: row for row in rows},
        "crm.CPart": parts,
    }
    store = Store(base, NOW, 1)
    return Scope(store, schema(store), entities["CThing"], Actor("x", "u", True, {})), rows


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
    return (
        [first, last, f"{first} {last}", f"{last} {first}"]
        if first and last
        else [first or last]
        if first or last
        else []
    )


def comparable(attribute: str, value: Any) -> Any:
    if attribute in ("amount", "count"):
        return float(value)
    if attribute == "flag":
        return value in (True, "true")
    return as_time(value) if attribute in ("day", "moment") else value.lower()


def holds(item: dict[str, Any], row: dict[str, Any], thing: dict[str, Any], shift: int) -> bool:
    kind, name = item["type"], item.get("attribute", "")
    value: Any = item.get("value")
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
        return arrays(kind, {one.lower() for one in row["tags"]}, {one.lower() for one in value or []})
    have: Any = row.get(name)
    if name in ("account.name", "accountName"):
        have = None if row["accountId"] is None else ACCOUNTS[row["accountId"]]["name"]
    if kind in ("isNull", "isNotNull", "ever"):
        return (have is None or have == []) is (kind == "isNull")
    if kind in ("isTrue", "isFalse"):
        return bool(have) is (kind == "isTrue")
    if kind == "notIn" and not value:
        return True
    if have is None:
        return False
    if item.get("dateTime"):
        return timed(kind, as_time(have), value, shift)
    if kind in PLAIN_DATES or kind in COUNTED_DATES:
        return dated(kind, as_time(have), value, shift)
    return compares(kind, name, have, value, row)


def arrays(kind: str, have: set[str], want: set[str]) -> bool:
    return {
        "arrayAnyOf": bool(have & want),
        "arrayNoneOf": not have & want,
        "arrayAllOf": want <= have,
        "arrayIsEmpty": not have,
        "arrayIsNotEmpty": bool(have),
    }[kind]


def linked(kind: str, name: str, value: Any, row: dict[str, Any], thing: dict[str, Any]) -> bool:
    if name in ("parts", "children"):
        return bool(thing[name]) is (kind == "isLinked")
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
    table: dict[str, bool] = {
        "greaterThan": mine > other,
        "after": mine > other,
        "lessThan": mine < other,
        "before": mine < other,
        "greaterThanOrEquals": mine >= other,
        "lessThanOrEquals": mine <= other,
    }
    return table[kind]
