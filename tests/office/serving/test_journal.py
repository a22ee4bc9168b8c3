"""The journal: changes are replayed exactly, entries are read in order, and damaged files get a clear error."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.office.serving.changes import Operation, changes, fingerprint, repeat
from teller_gym.office.serving.journal import FILE, Journal, UnstorableError
from teller_gym.office.store import Snapshot, Store
from tests.office.serving.kv import BASE, NOW

ENTRIES: list[list[Operation]] = [
    [("kv.values", "a", {"value": b"\x00\xff", "n": 1.5, "who": ["ann", None, True]})],
    [("kv.values", "a"), (), ("kv.values", "b", None)],
    [("counters", "tick", {"n": 2**63})],
]

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@contextmanager
def opened(
    folder: Path, world: str = "w", command: str = "serve", found: list[list[Operation]] | None = None
) -> Iterator[Journal]:
    journal = Journal.open(folder, world, command, lambda log: None if found is None else found.append(list(log)))
    try:
        yield journal
    finally:
        journal.close()


def reopened(folder: Path, world: str = "w", command: str = "serve") -> list[list[Operation]]:
    """Open a journal again and return its entries."""
    found: list[list[Operation]] = []
    with opened(folder, world, command, found) as journal:
        assert journal.entries == len(found)
    return found


def written(folder: Path, entries: Sequence[Sequence[Operation]] = ENTRIES) -> None:
    with opened(folder) as journal:
        for entry in entries:
            journal.append(entry)


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute(statement)


def test_what_was_appended_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "state"
    written(folder)
    assert reopened(folder) == ENTRIES and reopened(folder) == ENTRIES
    written(folder, ENTRIES[:1])
    assert reopened(folder) == [*ENTRIES, ENTRIES[0]]
    assert folder.stat().st_mode & 0o077 == 0


def test_an_entry_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        synchronous, mode = (
            journal._database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")
        )
        assert (synchronous, mode) == (2, "wal"), "SQLite then waits for the disk at each commit"
        assert not journal._database.in_transaction


@settings(max_examples=10)
@given(st.lists(st.lists(st.tuples(st.text(), st.text(), PLAIN), min_size=1, max_size=3), min_size=10, max_size=20))
def test_plain_data_comes_back(tmp_path_factory: pytest.TempPathFactory, entries: list[list[Operation]]) -> None:
    folder = tmp_path_factory.mktemp("state")
    written(folder, entries)
    assert reopened(folder) == entries


@pytest.mark.parametrize("value", [(1, 2), 2**64, {1, 2}, "\ud800", object(), {"deep": [(1,)]}, float("nan")])
def test_what_would_not_come_back_is_refused(value: Any, tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        with pytest.raises(UnstorableError):
            journal.append([("t", "k", {"value": value})])
        journal.append(ENTRIES[0])
    assert reopened(tmp_path) == ENTRIES[:1]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries WHERE number = 2",
        "UPDATE entries SET operations = zeroblob(9) WHERE number = 2",
        "UPDATE entries SET checksum = 'x' WHERE number = 2",
        "UPDATE entries SET number = 7 WHERE number = 3",
    ],
)
def test_a_changed_or_missing_entry_is_noticed(statement: str, tmp_path: Path) -> None:
    written(tmp_path)
    change(tmp_path, statement)
    with pytest.raises(OptionError, match=r"is damaged after [12] entries: entry \d is missing or does not match"):
        reopened(tmp_path)


def test_a_broken_database_is_noticed(tmp_path: Path) -> None:
    written(tmp_path, [[("t", str(number), {"value": "x" * 2000})] for number in range(50)])
    content = (tmp_path / FILE).read_bytes()
    for place in range(4096 + 8, len(content), 4096):
        (tmp_path / FILE).write_bytes(content[:place] + bytes([255] * 64) + content[place + 64 :])
        with pytest.raises(OptionError, match=r"state: .* is (damaged|not the journal)"):
            reopened(tmp_path)


def test_a_journal_of_another_world_command_or_version_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(OptionError, match=r"belongs to another office \(world w, this one is other\)"):
        reopened(tmp_path, "other")
    with pytest.raises(OptionError, match="was begun by serve, this is run x; continue with the command that began it"):
        reopened(tmp_path, "other", "run x")
    change(tmp_path, "PRAGMA user_version = 2")
    with pytest.raises(OptionError, match="is not the journal of an office, or of another version"):
        reopened(tmp_path)
    for foreign in (b"\n" * 100, b"{}\n" * 5000):
        (tmp_path / FILE).write_bytes(foreign)
        with pytest.raises(OptionError, match="is not the journal of an office"):
            reopened(tmp_path)
        assert (tmp_path / FILE).read_bytes() == foreign


def test_a_folder_is_for_one_process(tmp_path: Path) -> None:
    with opened(tmp_path):
        with pytest.raises(OptionError, match=rf"another process is writing to it \(process {os.getpid()} on "):
            reopened(tmp_path)
        written(tmp_path / "other")
    assert reopened(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="make it writable"):
        reopened(tmp_path / "state")


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StorageError, match="cannot be written"):
        reopened(tmp_path)
    (tmp_path / FILE).rmdir()
    assert reopened(tmp_path) == [], "the lock was released"


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
