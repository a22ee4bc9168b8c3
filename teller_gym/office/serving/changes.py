"""Store changes as plain operations that can be saved and replayed, and the fingerprint of an office."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from teller_gym.office.store import Snapshot, Store

Operation = tuple[Any, ...]
"""A change of a store.

(table, key, record) writes a record, or deletes a record of the base if it is None; (table, key) removes a created
record; () discards everything written.
"""


def changes(before: Snapshot, after: Snapshot) -> list[Operation]:
    """Return the operations that turn one snapshot into another, including the order of created records."""
    kept = [place for place in before if place in after]
    if kept != list(after)[: len(kept)]:
        return [(), *((*place, record) for place, record in after.items())]
    gone: list[Operation] = [place for place in before if place not in after]
    return gone + [
        (*place, record) for place, record in after.items() if place not in before or before[place] is not record
    ]


def repeat(store: Store, operations: Sequence[Operation]) -> None:
    """Replay operations on a store in the state in which they were recorded."""
    written = store.snapshot()
    for operation in operations:
        if not operation:
            written.clear()
        elif len(operation) == 3:
            written[operation[0], operation[1]] = operation[2]
        else:
            written.pop((operation[0], operation[1]), None)
    store.restore(written)


def fingerprint(store: Store) -> str:
    """Return 32 hexadecimal digits that depend on a store's base, everything written, its time and its seed.

    Raises:
        TypeError: a record is not plain data.
    """
    whole = hashlib.blake2b(f"{store.now.isoformat()}|{store.seed}".encode(), digest_size=16)
    encode = msgspec.msgpack.Encoder().encode
    for row in store.base_rows():
        whole.update(encode(row))
    for place, record in store.snapshot().items():
        whole.update(encode((*place, record)))
    return whole.hexdigest()
