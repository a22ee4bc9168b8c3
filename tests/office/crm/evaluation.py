"""Evaluates where items in plain Python, from the documented meaning of each type."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.schema import compiled, schema
from teller_gym.office.crm.scope import Scope
from teller_gym.office.store import Store

CUSTOM = """{"entities": {
  "CThing": {"fields": {
    "name": {"type": "personName"}, "firstName": {"type": "varchar"}, "lastName": {"type": "varchar"},
    "word": {"type": "varchar"}, "amount": {"type": "float"}, "count": {"type": "int"}, "flag": {"type": "bool"},
    "day": {"type": "date"}, "moment": {"type": "datetime"},
    "tags": {"type": "array"}, "account": {"type": "link", "entity": "Account"},
    "accounts": {"type": "linkMultiple", "entity": "Account"}}}}}"""
TODAY = datetime(2026, 5, 17)
ACCOUNTS = {f"a{n}": {**compiled(CUSTOM)["Account"].blank(), "id": f"a{n}", "name": f"Acme {n}"} for n in range(3)}
WORDS = ["", "a", "A%b", "ab", "B_a", "aB", "ba", "a\\b", "b a", "1"]
NUMBERS = [-2.5, 0, 1, 1.5, 10, 1000]
TAGS = ["red", "Green", "blue"]


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
    store = Store(base, TODAY, 1)
    return Scope(store, schema(store), entities["CThing"], Actor("x", "u", True)), rows


def as_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


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


def holds(item: dict[str, Any], row: dict[str, Any]) -> bool:
    kind, name = item["type"], item.get("attribute", "")
    value: Any = item.get("value")
    if kind == "and":
        return all(holds(one, row) for one in value)
    if kind == "or":
        return not value or any(holds(one, row) for one in value)
    if kind == "not":
        return not all(holds(one, row) for one in value)
    have: Any = row.get(name)
    if name == "accountName":
        have = None if row["accountId"] is None else ACCOUNTS[row["accountId"]]["name"]
    if kind in ("isNull", "isNotNull"):
        return (have is None or have == []) is (kind == "isNull")
    if kind in ("isTrue", "isFalse"):
        return bool(have) is (kind == "isTrue")
    if kind == "notIn" and not value:
        return True
    if have is None:
        return False
    return compares(kind, name, have, value, row)


def compares(kind: str, name: str, have: Any, value: Any, row: dict[str, Any]) -> bool:
    positive = {"notEquals": "equals", "notOn": "on", "notIn": "in", "notContains": "contains"}
    if kind in positive:
        return not compares(positive[kind], name, have, value, row)
    found = names(row) if name == "name" else [have.lower() if isinstance(have, str) else have]
    patterns = {"contains": "%{}%", "startsWith": "{}%", "endsWith": "%{}"}
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
