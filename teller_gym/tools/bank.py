"""The bank of one episode: a shared, immutable base of tables, and an overlay that receives every write."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from teller_gym.base.text import fingerprint

Record = dict[str, Any]
Tables = Mapping[str, Mapping[str, Record]]
Place = tuple[str, str]
"""A record's table and key."""

Snapshot = dict[Place, Record]
"""Everything that has been written to a bank; only for :meth:`Bank.fork`."""

_NO_ROWS: Mapping[str, Record] = {}


class Change(msgspec.Struct, frozen=True):
    """A record that differs from the start of the episode (``before`` is None for a created record)."""

    table: str
    key: str
    before: Record | None
    after: Record


def changed_fields(before: Record, after: Record) -> set[str]:
    """Return the names of the fields whose values differ; a missing field equals None."""
    changed = {name for name, value in after.items() if before.get(name) != value}
    if not before.keys() <= after.keys():
        changed |= {name for name, old in before.items() if name not in after and old is not None}
    return changed


class Bank:
    """Tables of records with copy-on-write.

    ``base`` is shared between episodes and never written; a write stores a new record in the overlay, so a snapshot
    is a copy of the overlay's dictionary and takes microseconds. Records are never changed in place.

    Args:
        base: tables, each a mapping from key to record.
        today: the business date of the episode.
        policy: the scenario's policy, from which tools take every number.
        case_id: id of the episode's case; ids of created records are derived from it.
        case_table: name of the table with the cases, so that tools can look one up in any bank.
    """

    __slots__ = ("_base", "_overlay", "case_id", "case_table", "policy", "today")

    def __init__(self, base: Tables, today: date, policy: Any, case_id: str, case_table: str = "") -> None:
        self._base = base
        self._overlay: dict[Place, Record] = {}
        self.today = today
        self.policy = policy
        self.case_id = case_id
        self.case_table = case_table

    def get(self, table: str, key: str) -> Record | None:
        """Return the current record, or None if there is none."""
        found = self._overlay.get((table, key))
        return self._base.get(table, _NO_ROWS).get(key) if found is None else found

    def rows(self, table: str) -> Iterator[tuple[str, Record]]:
        """Iterate over (key, record) of a table: base order first, then created records in order of creation."""
        base = self._base.get(table, _NO_ROWS)
        overlay = self._overlay
        written = {place[1]: overlay[place] for place in overlay if place[0] == table}
        return iter({**base, **written}.items() if written else base.items())

    def put(self, table: str, key: str, record: Record) -> None:
        """Create or replace a record."""
        self._overlay[table, key] = record

    def update(self, table: str, key: str, **fields: Any) -> Record:
        """Replace some fields of an existing record and return the new one; raises ``KeyError`` if there is none."""
        record = self.get(table, key)
        if record is None:
            raise KeyError(f"{table}/{key}")
        new = self._overlay[table, key] = {**record, **fields}
        return new

    def reference(self, prefix: str, *parts: str) -> str:
        """Return the id of a record that a tool creates, such as ``SCR-482913``.

        It depends only on the case and on ``parts``, never on the order of calls or on earlier attempts.
        """
        seed = "|".join((self.case_id, prefix, *parts)).encode()
        return f"{prefix}-{100_000 + zlib.crc32(seed) % 900_000}"

    def snapshot(self) -> Snapshot:
        """Return a copy of the overlay; it shares the records, which never change."""
        return self._overlay.copy()

    def fork(self, snapshot: Snapshot) -> Bank:
        """Return a new bank over the same base, in the state of the snapshot."""
        new = Bank(self._base, self.today, self.policy, self.case_id, self.case_table)
        new._overlay = snapshot.copy()
        return new

    def rebased(self, base: Tables) -> Bank:
        """Return a new bank over other tables with this bank's overlay, for changes that come from other cases."""
        new = Bank(base, self.today, self.policy, self.case_id, self.case_table)
        new._overlay = self._overlay.copy()
        return new

    def diff(self) -> list[Change]:
        """Return every record that differs from the start, sorted by table and key."""
        return [Change(*change) for change in sorted(self.changes(), key=lambda change: change[:2])]

    def changes(self) -> Iterator[tuple[str, str, Record | None, Record]]:
        """Iterate over (table, key, before, after) of every record that differs, in the order of first writes."""
        for (table, key), before, after in self.written():
            if before is None or before != after:
                yield table, key, before, after

    def written(self) -> Iterator[tuple[Place, Record | None, Record]]:
        """Iterate over (place, before, after) of every record that was written, even if its value is unchanged."""
        base = self._base
        for place, after in self._overlay.items():
            yield place, base.get(place[0], _NO_ROWS).get(place[1]), after

    def state_hash(self) -> str:
        """Return a fingerprint of all differences from the start."""
        return fingerprint([[c.table, c.key, c.after] for c in self.diff()])


class IssuingBank(Bank):
    """A bank that remembers the ids that it has issued, to detect two records with the same id."""

    __slots__ = ("_given", "clash")

    def __init__(self, base: Tables, today: date, policy: Any, case_id: str, case_table: str = "") -> None:
        super().__init__(base, today, policy, case_id, case_table)
        self._given: dict[str, tuple[str, ...]] = {}
        self.clash: str | None = None
        """An id that two records share; None if there is none."""

    def reference(self, prefix: str, *parts: str) -> str:
        found = super().reference(prefix, *parts)
        if self._given.setdefault(found, parts) != parts:
            self.clash = found
        return found
