"""End state of a case: the bank after the standard result, and its differences from an episode's bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from teller_gym.base.money import fmt_usd
from teller_gym.base.text import same_value
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank, Place, Record, changed_fields
from teller_gym.tools.call import ToolCall


class Difference(NamedTuple):
    """A record, or a field of one, that differs from the standard result."""

    table: str
    key: str
    field: str | None
    """Name of the field; None for the whole record."""
    expected: Any
    got: Any
    reason: str


class EndState:
    """State of the bank after the standard result.

    Tables for notes (``notes`` of ``template.yaml``) do not count, nor do changes made by the final review, which is
    graded by its output fields.
    """

    def __init__(self, task: Task, scenario: Scenario, calls: Sequence[ToolCall]) -> None:
        bank = scenario.bank(task)
        reviewed: dict[Place, set[str]] = {}
        for call in calls:
            written = {}
            if call.tool.name == scenario.submit:
                written = {(table, key): record for table, key, _, record in bank.changes()}
            call.tool.call(bank, call.arguments)
            if call.tool.name == scenario.submit:
                for table, key, before, after in bank.changes():
                    reviewed[table, key] = changed_fields(written.get((table, key)) or before or {}, after)
        self._records = {(table, key): after for table, key, _, after in bank.changes()}
        self._reviewed = {place: fields for place, fields in reviewed.items() if fields}
        self._owners = frozenset(task.owners)
        self._notes = frozenset(scenario.template.notes)
        self._cents = {
            field.name
            for field in (*scenario.template.existing, *scenario.template.obtained)
            if field.type == "cents" and field.group is None
        }
        self._table = scenario.template.table

    def is_note(self, table: str) -> bool:
        """Return True if a table is for notes, which do not count."""
        return table in self._notes

    def compare(self, bank: Bank) -> tuple[list[Difference], bool]:
        """Compare a bank with the end state.

        Returns:
            The records that differ from the standard result, sorted by table and key, and True if all records that the
            standard result writes are present. A missing record is not listed, as the call that writes it is missing.
        """
        found: list[Difference] = []
        equal = 0
        for (table, key), before, after in bank.written():
            expected = self._records.get((table, key))
            if expected == after:
                equal += 1
                continue
            if before == after:
                continue
            owner = key if before is not None else after.get("owner")
            if expected is None and owner not in self._owners:
                found.append(self._foreign(table, key, before, after))
            elif table not in self._notes:
                found += self._own(table, key, before, after)
        found.sort(key=lambda difference: difference[:2])
        return found, equal == len(self._records) or self._stands_in(bank)

    def _stands_in(self, bank: Bank) -> bool:
        return all(
            self._agrees(place, record, bank.get(*place) or {})
            for place, record in self._records.items()
            if place[0] not in self._notes
        )

    def _foreign(self, table: str, key: str, before: Record | None, after: Record) -> Difference:
        if before is None:
            what = f"was created for {after.get('owner')}, which is not of this case"
        else:
            what = f"was changed, which is not of this case ({', '.join(sorted(changed_fields(before, after)))})"
        return Difference(table, key, None, before, after, f"{table}/{key} {what}")

    def _own(self, table: str, key: str, before: Record | None, after: Record) -> Iterator[Difference]:
        expected = self._records.get((table, key), before)
        if expected is None:
            reason = f"{table}/{key} was created, expected nothing"
            if (table, key) not in self._reviewed:
                yield Difference(table, key, None, None, after, reason)
            return
        start = before or {}
        for name in sorted(changed_fields(start, after)):
            got, want = after.get(name), expected.get(name)
            if name in self._reviewed.get((table, key), ()) or same_value(got, want):
                continue
            shown = f"is {self._shown(table, name, got)}, expected {self._shown(table, name, want)}"
            yield Difference(table, key, name, want, got, f"{table}/{key}: {name} {shown}")

    def _agrees(self, place: Place, expected: Record, got: Record) -> bool:
        if got == expected:
            return True
        free = self._reviewed.get(place, ())
        return all(name in free or same_value(got.get(name), want) for name, want in expected.items())

    def _shown(self, table: str, name: str, value: Any) -> str:
        if value is None:
            return "nothing"
        if table == self._table and name in self._cents and isinstance(value, int):
            return fmt_usd(value)
        return str(value)
