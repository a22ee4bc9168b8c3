"""State of an office: tables of records, with a shared base that never changes and an overlay with all writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from teller_gym.base.text import fingerprint

Record = dict[str, Any]
"""Plain JSON data and bytes, never changed in place."""

Tables = Mapping[str, Mapping[str, Record]]
"""Records by table and key."""

Place = tuple[str, str]
"""Table and key of a record."""

Snapshot = dict[Place, Record | None]
"""All records written so far, with None for deleted ones (see `Store.restore` and `Store.fork`)."""

_NO_ROWS: Final[Mapping[str, Record]] = {}
_COUNTERS: Final = "counters"
"""Table of the store's counters, by name."""


class Change(msgspec.Struct, frozen=True):
    """A record change since the start.

    ``before`` is None for a created record, ``after`` for a deleted one.
    """

    table: str
    key: str
    before: Record | None
    after: Record | None


class Store:
    """Tables of records with copy-on-write, a frozen clock and counters.

    ``base`` is shared between episodes and never written. A write stores a whole new record in the overlay, so a
    snapshot is a copy of the overlay's dictionary and takes microseconds.

    Args:
        base: tables, each a mapping from key to record.
        now: beginning of the office's day, in UTC without a time zone.
        seed: seed of the services' ids.
    """

    __slots__ = ("_base", "_overlay", "now", "seed")

    def __init__(self, base: Tables, now: datetime, seed: int) -> None:
        self._base = base
        self._overlay: Snapshot = {}
        self.now = now
        self.seed = seed

    def get(self, table: str, key: str) -> Record | None:
        """Return a record, or None if it does not exist or was deleted."""
        place = (table, key)
        if place in self._overlay:
            return self._overlay[place]
        return self._base.get(table, _NO_ROWS).get(key)

    def rows(self, table: str) -> Iterator[tuple[str, Record]]:
        """Iterate over a table's keys and records.

        Records of the base come first, then created records in order of creation. Changes made during the iteration
        are not seen.
        """
        base = self._base.get(table, _NO_ROWS)
        written = {key: record for (name, key), record in self._overlay.items() if name == table}
        if not written:
            return iter(base.items())
        return iter([(key, record) for key, record in {**base, **written}.items() if record is not None])

    def base_rows(self) -> Iterator[tuple[str, str, Record]]:
        """Iterate over the table, key and record of each row in the base."""
        return ((table, key, record) for table, rows in self._base.items() for key, record in rows.items())

    def put(self, table: str, key: str, record: Record) -> None:
        """Create or replace a record."""
        self._overlay[table, key] = record

    def update(self, table: str, key: str, **fields: Any) -> Record:
        """Replace some fields of an existing record and return the new one.

        Raises:
            KeyError: there is no such record.
        """
        record = self.get(table, key)
        if record is None:
            raise KeyError(f"{table}/{key}")
        new = {**record, **fields}
        self._overlay[table, key] = new
        return new

    def delete(self, table: str, key: str) -> None:
        """Delete a record if it exists."""
        if key in self._base.get(table, _NO_ROWS):
            self._overlay[table, key] = None
        else:
            self._overlay.pop((table, key), None)

    def count(self, name: str) -> int:
        """Increment a counter and return its new value, which is 1 at the first call."""
        number: int = (self.get(_COUNTERS, name) or {"n": 0})["n"] + 1
        self._overlay[_COUNTERS, name] = {"n": number}
        return number

    def tick(self) -> datetime:
        """Advance the clock by a second, as every event does, and return the new time."""
        return self.now + timedelta(seconds=self.count("tick"))

    def clock(self) -> datetime:
        """Return the current time without moving the clock."""
        return self.now + timedelta(seconds=(self.get(_COUNTERS, "tick") or {"n": 0})["n"])

    def snapshot(self) -> Snapshot:
        """Return a copy of everything written.

        Records are shared, since they never change.
        """
        return self._overlay.copy()

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot, which remains valid."""
        self._overlay = snapshot.copy()

    def fork(self, snapshot: Snapshot) -> Store:
        """Return another store over the same base, in the state of a snapshot."""
        new = Store(self._base, self.now, self.seed)
        new._overlay = snapshot.copy()
        return new

    def written(self) -> Iterator[tuple[str, str, Record | None]]:
        """Iterate over the table, key and record (None if deleted) of each write, in order of the first write."""
        for (table, key), record in self._overlay.items():
            yield table, key, record

    def diff(self) -> list[Change]:
        """Return the records that differ from their initial state, sorted by table and key, without counters."""
        found = []
        for (table, key), after in sorted(self._overlay.items(), key=lambda item: item[0]):
            before = self._base.get(table, _NO_ROWS).get(key)
            if table != _COUNTERS and before != after:
                found.append(Change(table, key, before, after))
        return found

    def state_hash(self) -> str:
        """Return a fingerprint of all differences from the initial state."""
        return fingerprint([[c.table, c.key, c.after and without_bytes(c.after)] for c in self.diff()])


def without_bytes(value: Any) -> Any:
    """Convert bytes within a value to hexadecimal text, so that it can be encoded as JSON."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: without_bytes(item) for key, item in value.items()}
    return [without_bytes(item) for item in value] if isinstance(value, list | tuple) else value
