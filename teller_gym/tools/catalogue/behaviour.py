"""Behaviour of the catalogue's tools: look up and check a call's arguments, list or write records, and answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final

import msgspec

from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError, invalid
from teller_gym.base.text import normalise_text
from teller_gym.tools.bank import Bank
from teller_gym.tools.catalogue.entry import Entry, Listing, Lookup, Record, Refusal
from teller_gym.tools.catalogue.expressions import Compiler, Evaluate, Scope
from teller_gym.tools.catalogue.vocabulary import NAMES, as_text, exactly

OWNER: Final = "misc"
"""Default owner of the records that tools of the catalogue write, and the prefix of their tables."""

_GIVEN: Final = frozenset({"today", *NAMES})
_NO_RESULT: Final = "expected arguments that have a result, got a division by zero or too large a number; try others"
_CUSTOMERS: Final = "customers"
_NAMED: Final = 20
"""Maximum number of keys that a refusal names."""
_LARGEST: Final = 2**63
"""Smallest whole number that JSON readers need not support."""


class Behaviour:
    """Implements the calls of one tool.

    Args:
        name: The tool's name.
        entry: The tool's entry in the catalogue.
        tables: Tables of its subject by name.
        functions: Functions that its expressions may call.
        exact: If True, numbers in arguments and records are converted to exact numbers. Otherwise they stay as they
            are, and expressions may also use ``bank`` and ``policy``.

    Raises:
        ScenarioError: If an expression cannot be read or uses an unknown name, or a name is used for two things.
    """

    def __init__(
        self,
        name: str,
        entry: Entry,
        tables: Mapping[str, Any],
        functions: Mapping[str, Callable[..., Any]],
        *,
        exact: bool = True,
    ) -> None:
        self._name = name
        self._parameters = tuple(entry.parameters)
        self._tables = tables
        self._compiler = Compiler(functions)
        listed = ("found", "shown") if entry.listing else ()
        recorded = ("reference", "earlier") if entry.record else ()
        self._number: Callable[[Any], Any] = exactly if exact else lambda value: value
        own = () if exact else ("bank", "policy")
        named = [*self._parameters, *entry.steps, *entry.lookup, *tables, *_GIVEN, *own, *listed, *recorded]
        twice = sorted({word for word in named if named.count(word) > 1})
        if twice:
            raise ScenarioError(f"{name}: expected every name for one thing, got {', '.join(twice)} for two")
        self._known = frozenset(named)
        self._given: dict[str, Any] = {**NAMES, **tables}
        self._steps = {step: self._compile(source, f"steps.{step}") for step, source in entry.steps.items()}
        self._steps |= {row: self._finder(lookup, f"lookup.{row}") for row, lookup in entry.lookup.items()}
        if entry.listing:
            self._steps |= self._listing(entry.listing)
        self._looked_up = tuple(entry.lookup)
        self._refusals = [
            self._compile(row, "refuse") if isinstance(row, str) else self._refusal(row) for row in entry.refuse
        ]
        self._record = self._recorder(entry.record) if entry.record else None
        self._result = {field: self._compile(source, f"result.{field}") for field, source in entry.result.items()}
        self.unused = [name for name in (*entry.steps, *entry.lookup) if name not in self._compiler.used]
        """Steps and rows that no expression uses."""

    def answer(self, bank: Bank, *values: Any) -> dict[str, Any]:
        """Run a call with these arguments and return the fields of its result.

        Raises:
            ToolError: If an argument is refused, or the arguments have no result.
        """
        scope = Scope(self._given | dict(zip(self._parameters, map(self._number, values), strict=True)), self._steps)
        scope.values |= {"bank": bank, "policy": bank.policy, "today": bank.today}
        try:
            for row in self._looked_up:
                scope[row]
            for refuse in self._refusals:
                refuse(scope)
            written = self._record(scope) if self._record else None
            result = {field: as_json(evaluate(scope)) for field, evaluate in self._result.items()}
        except ArithmeticError:
            raise ToolError(ErrorKind.VALIDATION, _NO_RESULT) from None
        if written:
            bank.put(*written)
        return result

    def _compile(self, source: Any, place: str, *more: str) -> Evaluate:
        return self._compiler.compiled(source, self._known | set(more), f"{self._name}.{place}")

    def _compile_text(self, source: str, place: str) -> Evaluate:
        return self._compiler.compiled_text(source, self._known, f"{self._name}.{place}")

    def _finder(self, lookup: Lookup, place: str) -> Evaluate:
        if lookup.table not in (*self._tables, _CUSTOMERS) or lookup.by not in self._parameters:
            raise ScenarioError(f"{self._name}.{place}: expected a table and a parameter, got {lookup}")
        if lookup.table == _CUSTOMERS:
            return lambda scope: _customer(scope, lookup.by)
        table = self._tables[lookup.table]
        test = self._compile(lookup.where, place, "row") if lookup.where else None
        expected = self._compile_text(lookup.expected, place) if lookup.expected else None

        def find(scope: Scope) -> Any:
            wanted = scope[lookup.by]
            for key, row in _keyed(table, lookup.key):
                if test(Scope({"row": row}, {}, scope)) if test else _same(key, wanted):
                    return row
            there = f"one of these ({_named([key for key, _ in _keyed(table, lookup.key)])})"
            raise invalid(lookup.by, f"expected {expected(scope) if expected else there}, got {as_text(wanted)}")

        return find

    def _listing(self, listing: Listing) -> dict[str, Evaluate]:
        rows = self._compile(listing.rows, "list.rows")
        test, order = (
            None if source is None else self._compile(source, f"list.{part}", "row")
            for part, source in (("where", listing.where), ("sort", listing.sort))
        )
        most = self._compile(listing.most, "list.most")
        descending = self._compile(listing.descending, "list.descending")
        shown = {field: source or f"row.{field}" for field, source in _mapping(listing.show).items()}
        fields = {field: self._compile(source, f"list.show.{field}", "row") for field, source in shown.items()}

        def found(scope: Scope) -> list[Any]:
            scopes = [Scope({"row": row}, {}, scope) for row in rows(scope)]
            chosen = [each for each in scopes if test is None or test(each)]
            if order is not None:
                chosen = sorted(chosen, key=order, reverse=descending(scope))
            return [each["row"] for each in chosen]

        def show(scope: Scope) -> list[dict[str, Any]]:
            few = [Scope({"row": row}, {}, scope) for row in scope["found"][: most(scope)]]
            return [{field: evaluate(each) for field, evaluate in fields.items()} for each in few]

        return {"found": found, "shown": show}

    def _refusal(self, row: Refusal) -> Callable[[Scope], None]:
        if row.argument not in self._parameters:
            raise ScenarioError(f"{self._name}.refuse: expected a parameter, got {row.argument!r}")
        test = self._compile(row.when, "refuse.when")
        said = None if row.said is None else self._compile_text(row.said, "refuse.said")
        expected = self._compile_text(row.expected, "refuse.expected")
        got = self._compile_text(row.got or f"{{{row.argument}}}", "refuse.got")

        def refuse(scope: Scope) -> None:
            if test(scope):
                text = said(scope) if said else f"expected {expected(scope)}, got {got(scope)}"
                raise invalid(row.argument, text)

        return refuse

    def _recorder(self, record: Record) -> Callable[[Scope], tuple[str, str, dict[str, Any]] | None]:
        table = record.table if record.owner else f"{OWNER}_{record.table}"
        owner = self._compile(record.owner or repr(OWNER), "record.owner")
        written = {field: source or field for field, source in _mapping(record.fields).items()}
        fields = {field: self._compile(source, f"record.{field}") for field, source in written.items()}
        parts = None if record.by is None else [self._compile(source, "record.by") for source in record.by]
        test = self._compile("True" if record.when is None else record.when, "record.when")

        def row(scope: Scope) -> dict[str, Any]:
            return {"owner": owner(scope)} | {field: as_json(evaluate(scope)) for field, evaluate in fields.items()}

        def derived(scope: Scope) -> str:
            values = row(scope) if parts is None else [as_json(part(scope)) for part in parts]
            if record.owner is None:
                key = [msgspec.json.encode(values).decode()]
            else:
                of = list(values.values())[1:] if isinstance(values, dict) else values
                key = [owner(scope), *map(str, of)]
            reference: str = scope["bank"].reference(record.prefix, *key)
            return reference

        self._steps["reference"] = self._compile(record.key, "record.key") if record.key else derived
        self._steps["earlier"] = lambda scope: exactly(scope["bank"].get(table, scope["reference"]))
        return lambda scope: (table, scope["reference"], row(scope)) if test(scope) else None


def _customer(scope: Scope, argument: str) -> dict[str, Any]:
    found = scope["bank"].get(_CUSTOMERS, scope[argument])
    if found is None:
        raise invalid(argument, f"expected the id of a customer of the bank, got {scope[argument]}")
    row: dict[str, Any] = exactly({"id": scope[argument], **found})
    return row


def _mapping(fields: list[str] | dict[str, Any]) -> dict[str, Any]:
    """Return fields with their expressions; None means that the expression is the field's name."""
    return fields if isinstance(fields, dict) else dict.fromkeys(fields)


def as_json(value: Any) -> Any:
    """Convert a value to JSON: exact numbers to floats, dates to text; raises ``OverflowError`` for huge integers."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, int) and abs(value) >= _LARGEST:
        raise OverflowError("too large a number")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list | tuple) else value


def _keyed(table: Any, field: str | None) -> Iterator[tuple[Any, Any]]:
    """Yield the rows of a table, each with the key that it is looked up by."""
    if isinstance(table, dict):
        yield from ((row[field] if field else key, row) for key, row in table.items())
    else:
        yield from ((row[field] if field else row, row) for row in table)


def _same(key: Any, wanted: Any) -> bool:
    if isinstance(key, str) and isinstance(wanted, str):
        return key == wanted or normalise_text(key) == normalise_text(wanted)
    return bool(key == wanted)


def _named(keys: list[Any]) -> str:
    return as_text(keys[:_NAMED]) + (f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else "")
