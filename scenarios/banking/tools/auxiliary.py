"""Auxiliary tools, from ``auxiliary.yaml`` here for all scenarios, and from each scenario's own file.

The format is that of the distractors' catalogue (``scenarios/distractors/README.md``). A scenario's
``auxiliary_tables.yaml`` contains the tables that its history lists (``history``) and the policy entries that it shows
by topic (``policy_topics``). An entry of a topic is a path in the policy, optionally with a unit: ``limits.gold:usd``.
It can also iterate over a mapping or list of the policy::

    products: {each: products, entries: {minimum_usd: minimum:usd}}     # a record for each item
    age_by_state: {each: states, value: age, where: open}               # a value for each open item
    bands: {each: bands, rows: {min_score: min_score}}                  # a list of records

``key`` is the path of an item's key, if it is not the mapping's key; an empty path is the item itself. An entry name in
braces is a path to the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from types import ModuleType
from typing import Any, Literal

from teller_gym.base import money
from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.errors import invalid
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking import ids
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day, known_span, require_known
from teller_gym.scenarios.banking.lookup import case_record, customer, day, record
from teller_gym.scenarios.banking.parties import parties, party_of
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.catalogue.subject import Subject
from teller_gym.tools.tool import Category

_SHARED: tuple[Callable[..., Any], ...] = (
    money.divide_half_up, money.exact, money.fmt_usd, money.percent, money.round_half_up, money.to_cents, money.usd,
    add_business_days, is_business_day, known_span, check_days_ahead, check_due_day, case_record, customer, day, record,
    parties, party_of, check_order, within,
)  # fmt: skip
_DETAILS = ("status", "result", "disposition", "decision", "kind", "document", "task", "text")
"""Fields that may describe a record in history, in order of preference; they contain no amounts or scores."""
_DAY = timedelta(days=1)
_SATURDAY = 5
_UNITS: dict[str, Callable[[Any], float]] = {
    "usd": money.usd,
    "percent": lambda value: value / 100,
    "thousandths": lambda value: value / 1000,
}


def auxiliary_subject(package: str, types: ModuleType, *functions: Callable[..., Any]) -> Subject:
    """Return the auxiliary tools of a scenario, in the order in which agents see them.

    Args:
        package: The scenario's package ``tools``.
        types: Module with the types that parameters may name.
        functions: Further functions for expressions, besides the shared ones and those of the package's own module
            ``auxiliary``.
    """
    shared = Subject(__package__, "auxiliary", Category.AUXILIARY, exact=False)
    known = {**shared.functions, **{each.__name__: each for each in (*_SHARED, *functions)}}
    named = {**vars(ids), **vars(types)}
    return Subject(package, "auxiliary", Category.AUXILIARY, shared=shared, types=named, functions=known, exact=False)


# -- functions of the entries -----------------------------------------------------------------------------------------


def rows_of(bank: Bank, table: str) -> list[Record]:
    """Return the rows of a table, each with its key as ``id``."""
    return [{"id": key, **row} for key, row in bank.rows(table)]


def row_of(bank: Bank, table: str, key: str) -> Record | None:
    """Return a row of a table, or None if there is none."""
    return bank.get(table, key)


def fill(text: str, **values: Any) -> str:
    """Return a text with its placeholders in braces filled in."""
    return text.format(**values)


def days_to_answer(bank: Bank, answer_by: date) -> int:
    """Return the days that a customer has to answer, after checking the due date."""
    check_due_day(bank, answer_by, "answer_by")
    return check_days_ahead(bank, answer_by, "answer_by")


def is_similar(name: str, other: str, similarity: Literal["same_words", "shared_word"]) -> bool:
    """Return True if two names have the same words in any order, or share at least one."""
    one, two = set(normalise_text(name).split()), set(normalise_text(other).split())
    return one == two if similarity == "same_words" else bool(one & two)


def moved_day(holidays: frozenset[date], start: date, days: int, unit: str, roll: str) -> date:
    """Return a date moved by calendar or business days, then rolled to a business day if ``roll`` asks for it."""
    try:
        result = start + timedelta(days=days) if unit == "calendar" else _business_days_on(start, days, holidays)
        if roll != "none":
            step = -_DAY if roll == "previous" else _DAY
            while not _is_open(result, holidays):
                result += step
    except OverflowError:
        raise invalid("start_date", f"{start} moved by {days} days leaves the years 1 to 9999") from None
    return result


def _business_days_on(start: date, days: int, holidays: frozenset[date]) -> date:
    step = -_DAY if days < 0 else _DAY
    left = abs(days)
    while left:
        start += step
        left -= _is_open(start, holidays)
    return start


def _is_open(day: date, holidays: frozenset[date]) -> bool:
    """Return True if the bank is open; raise a tool error for a weekday outside the bank's calendar."""
    if day.weekday() < _SATURDAY:
        require_known(day, holidays, "start_date")
    return is_business_day(day, holidays)


def business_days_between(holidays: frozenset[date], start: date, end: date) -> int:
    """Count the business days from one day to a later one; the first day is not counted."""
    require_known(start, holidays, "start_date")
    require_known(end, holidays, "end_date")
    return sum(is_business_day(start + timedelta(days=i), holidays) for i in range(1, (end - start).days + 1))


def case_history(
    bank: Bank, tables: Mapping[str, str], case_id: str, record_kind: str, customer_id: str | None
) -> list[dict[str, Any]]:
    """Return the records that tools have stored about a case.

    Args:
        bank: The bank.
        tables: Table of each kind of record, in the order of the procedure.
        case_id: The case.
        record_kind: One kind, or ``any``.
        customer_id: Only records about this customer, unless None.
    """
    owners = [*parties(case_record(bank, case_id)), case_id]
    if customer_id is not None:
        party_of(bank, case_id, customer_id)
    found: list[dict[str, Any]] = []
    for kind, table in tables.items():
        if record_kind in ("any", kind):
            for key, item in sorted(bank.rows(table), key=lambda pair: pair[0]):
                about = item.get("about") or item.get("customer") or item["owner"]
                if item["owner"] in owners and customer_id in (None, about):
                    found.append({"kind": kind, "record_id": key, "about": about, "detail": _detail(item)})
    return found


def _detail(item: Record) -> str | None:
    if item.get("confidential"):
        return "***"
    return next((str(item[name])[:60] for name in _DETAILS if name in item), None)


def policy_entries(entry: Any, policy: Any) -> Any:
    """Return the values that a topic's entry selects from a policy or a part of it."""
    if isinstance(entry, str):
        return _value(entry, policy)
    if "each" not in entry:
        return {_name(name, policy): policy_entries(part, policy) for name, part in entry.items()}
    items: Iterable[tuple[Any, Any]] = _items(_value(entry["each"], policy))
    if "where" in entry:
        items = [(key, item) for key, item in items if _value(entry["where"], item)]
    if "rows" in entry:
        return [policy_entries(entry["rows"], item) for _, item in items]
    shown = entry["entries"] if "entries" in entry else entry["value"]
    return {
        str(_value(entry["key"], item)) if "key" in entry else key: policy_entries(shown, item) for key, item in items
    }


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]


def _name(name: str, policy: Any) -> str:
    return str(_value(name[1:-1], policy)) if name.startswith("{") else name


def _value(path: str, policy: Any) -> Any:
    names, _, unit = path.partition(":")
    for name in filter(None, names.split(".")):
        policy = policy[name] if isinstance(policy, dict) else getattr(policy, name)
    return _UNITS[unit](policy) if unit else policy
