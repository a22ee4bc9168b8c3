"""A store that remembers what was written, so that writing it down costs what changed and not what there is.

store = RecordingStore(office.store)
before = store.mark()
service.handle(store, request)
journal.append(store.log)  # if it fails: store.rewind(before)
store.clear_log()
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from operator import is_
from typing import Any, NamedTuple

import msgspec

from teller_gym.office.store import Place, Record, Snapshot, Store

Operation = tuple[Any, ...]
"""One change of what was written: (table, key, record) for a record, or None for one that is deleted from the base;
(table, key) for a created record that is gone again; () for: all that was written is forgotten."""


class Mark(NamedTuple):
    """A point to which `RecordingStore.rewind` goes back: what was written by then, and how long the log was."""

    snapshot: Snapshot
    logged: int


class _Overlay(dict[Place, Record | None]):
    """What was written, which logs its changes. The order of places counts: it is the order of rows."""

    __slots__ = ("log",)

    def __init__(self, snapshot: Snapshot, log: list[Operation]) -> None:
        super().__init__(snapshot)
        self.log = log

    def __setitem__(self, place: Place, record: Record | None) -> None:
        super().__setitem__(place, record)
        self.log.append((*place, record))

    def pop(self, place: Place, default: Any = None) -> Any:
        if place in self:
            self.log.append(place)
        return super().pop(place, default)


class RecordingStore(Store):
    """A store over the same base as another one, which begins where that one stands and keeps a log of changes.

    Playing the log on a store that stands where the log begins gives the same store: records, order of rows and clock.
    """

    __slots__ = ("_log", "_mark")

    def __init__(self, store: Store) -> None:
        super().__init__(store._base, store.now, store.seed)
        self._log: list[Operation] = []
        self._mark: Mark | None = None
        self._overlay = _Overlay(store.snapshot(), self._log)

    @property
    def log(self) -> Sequence[Operation]:
        """What changed since the log was cleared, in order."""
        return self._log

    def clear_log(self) -> None:
        """Begin a new log; marks made before are void."""
        self._log.clear()
        self._mark = None

    def mark(self) -> Mark:
        """Return the point to come back to."""
        self._mark = Mark(self.snapshot(), len(self._log))
        return self._mark

    def rewind(self, mark: Mark) -> None:
        """Go back to a mark, also in the log; later marks are void."""
        del self._log[mark.logged :]
        self._overlay = _Overlay(mark.snapshot, self._log)
        self._mark = mark

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to where a snapshot was taken; one taken at the last mark shortens the log, others lengthen it."""
        if self._mark is not None and _same(self._mark.snapshot, snapshot):
            self.rewind(self._mark)
        else:
            self._overlay = _Overlay(snapshot, self._log)
            self._log += self.whole()

    def whole(self) -> list[Operation]:
        """Return operations that lead here from any store over the same base."""
        return [(), *((*place, record) for place, record in self._overlay.items())]

    def play(self, log: Sequence[Operation]) -> None:
        """Do what a log says; it is logged again."""
        for operation in log:
            if not operation:
                self.restore({})
            elif len(operation) == 3:
                self._overlay[operation[0], operation[1]] = operation[2]
            else:
                self._overlay.pop((operation[0], operation[1]), None)

    def fingerprint(self) -> str:
        """Return 32 hexadecimal digits that depend on the base, on all that was written, on ``now`` and ``seed``.

        Raises:
            TypeError: a record is not plain data.
        """
        whole = hashlib.blake2b(f"{self.now.isoformat()}|{self.seed}".encode(), digest_size=16)
        encode = msgspec.msgpack.Encoder().encode
        for table, rows in self._base.items():
            for key, record in rows.items():
                whole.update(encode((table, key, record)))
        for operation in self.whole():
            whole.update(encode(operation))
        return whole.hexdigest()


def _same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots hold the same places in the same order with the very same records."""
    return len(one) == len(other) and all(map(is_, one, other)) and all(map(is_, one.values(), other.values()))
