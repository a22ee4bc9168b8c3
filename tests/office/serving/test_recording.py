"""A log that is played on another store gives the same store, whatever was done and undone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.recording import RecordingStore
from teller_gym.office.store import Snapshot, Store
from tests.office.serving.kv import BASE, NOW

Step = tuple[str, str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "update", "delete", "count", "tick", "save", "restore", "mark", "rewind", "clear"]),
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


def do(store: Store, step: Step) -> None:
    kind, key, number = step
    if kind == "put":
        store.put("kv.values", key, {"value": number})
    elif kind == "update" and store.get("kv.values", key) is not None:
        store.update("kv.values", key, more=number)
    elif kind == "delete":
        store.delete("kv.values", key)
    elif kind == "count":
        store.count(key)
    elif kind == "tick":
        store.tick()


@given(STEPS)
def test_a_log_that_is_played_gives_the_same_store(steps: list[Step]) -> None:
    recording, plain, played = RecordingStore(base_store()), base_store(), RecordingStore(base_store())
    saved: list[tuple[Snapshot, Snapshot]] = [(recording.snapshot(), plain.snapshot())]
    mark, marked = recording.mark(), plain.snapshot()
    for step in steps:
        kind, _, number = step
        if kind == "save":
            saved.append((recording.snapshot(), plain.snapshot()))
        elif kind == "restore":
            mine, theirs = saved[number % len(saved)]
            recording.restore(mine)
            plain.restore(theirs)
        elif kind == "mark":
            mark, marked = recording.mark(), plain.snapshot()
        elif kind == "rewind":
            recording.rewind(mark)
            plain.restore(marked)
        elif kind == "clear":
            played.play(recording.log)
            recording.clear_log()
            mark, marked = recording.mark(), plain.snapshot()
        else:
            do(recording, step)
            do(plain, step)
        assert state(recording) == state(plain)
    played.play(recording.log)
    assert state(played) == state(plain)
    whole = RecordingStore(base_store())
    whole.play(recording.whole())
    assert state(whole) == state(plain)


def test_what_a_service_undoes_itself_is_not_logged() -> None:
    store = RecordingStore(base_store())
    store.put("kv.values", "first", {"value": 1})
    store.mark()
    saved = store.snapshot()
    store.put("kv.values", "first", {"value": 2})
    store.restore(saved)
    store.put("kv.values", "second", {"value": 3})
    store.restore(saved)
    assert list(store.log) == [("kv.values", "first", {"value": 1})]


def test_the_office_that_was_given_stays_as_it_is() -> None:
    office = base_store()
    there = state(office)
    RecordingStore(office).put("kv.values", "first", {"value": 1})
    assert state(office) == there


def test_worlds_are_told_apart() -> None:
    def world(base: Any = BASE, seed: int = 1, written: int = 0) -> str:
        store = Store(base, NOW, seed)
        for _ in range(written):
            store.tick()
        return RecordingStore(store).fingerprint()

    turned = {"kv.values": dict(reversed(BASE["kv.values"].items()))}
    other = {"kv.values": {**BASE["kv.values"], "second": {"value": b"2"}}}
    found = [world(), world(other), world(turned), world(seed=2), world(written=1), world({})]
    assert len(set(found)) == len(found) and world() == world()
