"""Changes repeated on another store give the same store, after any actions and undoing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.changes import changes, fingerprint, repeat
from teller_gym.office.store import Snapshot, Store
from tests.office.serving.kv import BASE, NOW

Step = tuple[str, str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "delete", "count", "save", "restore", "repeat"]),
        st.sampled_from(["first", "second", "third", "fourth"]),
        st.integers(0, 3),
    ),
    max_size=30,
)


def base_store() -> Store:
    store = Store(BASE, NOW, seed=1)
    store.put("kv.values", "third", {"value": b"before"})
    store.tick()
    return store


def state(store: Store) -> list[Any]:
    return [list(store.written()), list(store.rows("kv.values")), store.clock(), store.state_hash()]


def do(store: Store, step: Step, saved: list[Snapshot]) -> None:
    kind, key, number = step
    match kind:
        case "put":
            store.put("kv.values", key, {"value": number})
        case "delete":
            store.delete("kv.values", key)
        case "count":
            store.count(key)
        case "save":
            saved.append(store.snapshot())
        case "restore":
            store.restore(saved[number % len(saved)])


@given(STEPS)
def test_changes_that_are_repeated_give_the_same_store(steps: list[Step]) -> None:
    store, other = base_store(), base_store()
    before = store.snapshot()
    saved = [before]
    for step in (*steps, ("repeat", "", 0)):
        do(store, step, saved)
        if step[0] == "repeat":
            repeat(other, changes(before, store.snapshot()))
            before = store.snapshot()
            assert state(other) == state(store)


def test_what_is_undone_is_no_change() -> None:
    store = base_store()
    before = store.snapshot()
    store.put("kv.values", "first", {"value": 2})
    store.restore(before)
    assert changes(before, store.snapshot()) == []
    store.put("kv.values", "second", {"value": 3})
    assert changes(before, store.snapshot()) == [("kv.values", "second", {"value": 3})]


def test_worlds_are_told_apart() -> None:
    def world(base: Any = BASE, seed: int = 1, written: int = 0) -> str:
        store = Store(base, NOW, seed)
        for _ in range(written):
            store.tick()
        return fingerprint(store)

    turned = {"kv.values": dict(reversed(BASE["kv.values"].items()))}
    other = {"kv.values": {**BASE["kv.values"], "second": {"value": b"2"}}}
    found = [world(), world(other), world(turned), world(seed=2), world(written=1), world({})]
    assert len(set(found)) == len(found) and world() == world()
