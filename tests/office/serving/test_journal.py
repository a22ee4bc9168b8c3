"""What was appended is there, once and in order; what was cut off is gone; all else is refused in one line."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.office.serving import journal as journal_module
from teller_gym.office.serving.journal import FILE, Journal, UnstorableError
from teller_gym.office.serving.recording import Operation

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


def reopened(folder: Path, world: str = "w") -> list[list[Operation]]:
    """What a journal holds."""
    found: list[list[Operation]] = []
    Journal.open(folder, world, lambda log: found.append(list(log))).close()
    return found


@contextmanager
def opened(folder: Path) -> Iterator[Journal]:
    journal = Journal.open(folder, "w", lambda log: None)
    try:
        yield journal
    finally:
        journal.close()


def written(folder: Path, entries: Sequence[Sequence[Operation]] = ENTRIES) -> list[int]:
    """Write entries; return where each ends."""
    with opened(folder) as journal:
        ends = [journal.size]
        for entry in entries:
            journal.append(entry)
            ends.append(journal.size)
    return ends


def test_what_was_appended_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "state"
    ends = written(folder)
    assert reopened(folder) == ENTRIES and reopened(folder) == ENTRIES
    assert (folder / FILE).stat().st_size == ends[-1]
    written(folder, ENTRIES[:1])
    assert reopened(folder) == [*ENTRIES, ENTRIES[0]]
    assert folder.stat().st_mode & 0o077 == 0


@given(st.lists(st.lists(st.tuples(st.text(), st.text(), PLAIN), min_size=1, max_size=3), max_size=3))
def test_plain_data_comes_back(tmp_path_factory: pytest.TempPathFactory, entries: list[list[Operation]]) -> None:
    folder = tmp_path_factory.mktemp("state")
    written(folder, entries)
    assert reopened(folder) == entries


@pytest.mark.parametrize("value", [(1, 2), 2**64, {1, 2}, "\ud800", object(), {"deep": [(1,)]}, float("nan")])
def test_what_would_not_come_back_is_refused(value: Any, tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        size = journal.size
        with pytest.raises(UnstorableError):
            journal.append([("t", "k", {"value": value})])
        assert journal.size == size
        journal.append(ENTRIES[0])
    assert reopened(tmp_path) == ENTRIES[:1]


def test_a_tail_that_was_cut_off_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """At every byte: what remains are the entries that ended before it, and the file goes on from there."""
    ends = written(tmp_path / "whole")
    content = (tmp_path / "whole" / FILE).read_bytes()
    folder = tmp_path / "cut"
    folder.mkdir()
    for size in range(ends[0], len(content)):
        (folder / FILE).write_bytes(content[:size])
        caplog.clear()
        count = sum(end <= size for end in ends[1:])
        assert reopened(folder) == ENTRIES[:count]
        assert len(caplog.records) == (size not in ends)
        if size not in ends:
            assert f"{size - ends[count]} bytes" in caplog.text and caplog.text.count("\n") == 1
        written(folder, ENTRIES[2:])
        assert reopened(folder) == [*ENTRIES[:count], ENTRIES[2]]


def test_a_tail_that_the_system_left_empty_goes(tmp_path: Path) -> None:
    written(tmp_path)
    with (tmp_path / FILE).open("ab") as file:
        file.write(bytes(500))
    assert reopened(tmp_path) == ENTRIES


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    """Wherever it is; in the last entry it is as if that were cut off, unless it is in its length."""
    ends = written(tmp_path)
    content = (tmp_path / FILE).read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x01
        (tmp_path / FILE).write_bytes(changed)
        try:
            found = reopened(tmp_path)
        except OptionError as error:
            assert place < ends[-2] + 8 and "\n" not in str(error)
            assert (tmp_path / FILE).read_bytes() == changed, "what cannot be read is not touched"
        else:
            assert place >= ends[-2] + 8 and found == ENTRIES[:-1]


def test_an_entry_that_is_missing_is_noticed(tmp_path: Path) -> None:
    ends = written(tmp_path)
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content[: ends[0]] + content[ends[1] :])
    with pytest.raises(OptionError, match=f"damaged at byte {ends[0]}"):
        reopened(tmp_path)


def test_a_journal_of_another_world_or_version_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(OptionError, match=r"belongs to another office \(world w, this one is other\)"):
        reopened(tmp_path, "other")
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content.replace(b'"version":1', b'"version":2'))
    with pytest.raises(OptionError, match="has version 2, expected 1"):
        reopened(tmp_path)
    for foreign in (b"", b"\n", b"{}\n", b"\x00" * 10_000, b'{"journal":"x","version":1,"world":"w"}\n'):
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


class Killed(BaseException):
    """Stands for the end of the process."""


class Disk:
    """Stands for the module `os`: one thing that the journal asks of it, the one of this number, fails half done."""

    def __init__(self, place: int, number: int | None, lasting: bool = False) -> None:
        self.asked = 0
        self.calls: list[str] = []
        self._place, self._number, self._lasting = place, number, lasting

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in ("pwrite", "fsync", "ftruncate"):
            return real

        def ask(file: int, *arguments: Any) -> Any:
            place, self.asked = self.asked, self.asked + 1
            self.calls.append(name)
            if place != self._place and not (self._lasting and place > self._place):
                return real(file, *arguments)
            if name == "pwrite":
                real(file, bytes(arguments[0])[: len(arguments[0]) // 2], arguments[1])
            if self._number is None:
                raise Killed
            raise OSError(self._number, os.strerror(self._number))

        return ask


def test_an_entry_is_on_disk_when_it_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path) as journal:
        disk = Disk(-1, None)
        monkeypatch.setattr(journal_module, "os", disk)
        for entry in ENTRIES:
            journal.append(entry)
        assert disk.calls == ["pwrite", "fsync"] * 3


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("place", range(6))
def test_a_disk_that_fails_leaves_the_journal_as_it_was(place: int, lasting: bool, tmp_path: Path) -> None:
    kept = [ENTRIES[0]]
    with opened(tmp_path) as journal:
        journal.append(ENTRIES[0])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal_module, "os", Disk(place, errno.ENOSPC, lasting))
            for entry in ENTRIES[1:]:
                try:
                    journal.append(entry)
                    kept.append(entry)
                except OSError as error:
                    assert error.errno == errno.ENOSPC
        assert len(kept) < 3 or place >= 4
        journal.append(ENTRIES[0])  # there is room again
    assert reopened(tmp_path) == [*kept, ENTRIES[0]]


@pytest.mark.parametrize("place", range(4))
def test_a_process_that_dies_leaves_an_entry_or_none(place: int, tmp_path: Path) -> None:
    done: list[list[Operation]] = []
    with opened(tmp_path) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_module, "os", Disk(place, None))
        with pytest.raises(Killed):
            for entry in ENTRIES:
                journal.append(entry)
                done.append(entry)
    found = reopened(tmp_path)
    assert found in (done, [*done, ENTRIES[len(done)]])


def test_a_journal_that_is_mostly_out_of_date_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "_LARGE", 1000)
    whole: list[Operation] = [(), ("kv.values", "a", {"value": 99})]
    written(tmp_path, [[("kv.values", "a", {"value": number})] for number in range(100)])
    before = (tmp_path / FILE).stat().st_size
    with opened(tmp_path) as journal:
        journal.tidy(lambda: whole)
        journal.append(ENTRIES[0])
    assert (tmp_path / FILE).stat().st_size < before / 4
    assert reopened(tmp_path) == [whole, ENTRIES[0]]
    with opened(tmp_path) as journal:
        journal.tidy(lambda: pytest.fail("it is small"))


def test_a_full_disk_does_not_matter_to_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal_module, "_LARGE", 1000)
    entries: list[list[Operation]] = [[("kv.values", "a", {"value": number})] for number in range(100)]
    written(tmp_path, entries)
    monkeypatch.setattr(journal_module, "write_whole", full)
    with opened(tmp_path) as journal:
        journal.tidy(lambda: [()])
        journal.append(ENTRIES[0])
    assert "No space left" in caplog.text
    assert reopened(tmp_path) == [*entries, ENTRIES[0]]
