"""Files are never half written, wherever a process dies or a disk fails; a lock ends with its process."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.base.files import FolderLock, append_line, disk, mend_last_line, remove_scratch, write_whole
from tests.faulty_disk import Killed, faulty_disk

HOLDER = """
import sys, time
from pathlib import Path
from teller_gym.base.files import FolderLock
lock = FolderLock(Path(sys.argv[1]), "run_dir")
print("held", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("number", [None, errno.ENOSPC, errno.EIO])
def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path, number: int | None) -> None:
    path = tmp_path / "state"
    for place in range(20):
        write_whole(path, b"old" * 100)
        with faulty_disk(place, number) as faulty:
            try:
                write_whole(path, b"new" * 100)
            except (Killed, OSError):
                assert faulty.reached
        assert path.read_bytes() in (b"old" * 100, b"new" * 100)
        if number is not None:
            assert [file.name for file in tmp_path.iterdir()] == ["state"]
        remove_scratch(tmp_path, ["state"])
        assert [file.name for file in tmp_path.iterdir()] == ["state"]
        if not faulty.reached:
            assert place > 5  # open, write, sync, close, rename, sync of the folder
            return
    pytest.fail("writing asks for more than was tried")


def test_scratch_of_other_files_stays(tmp_path: Path) -> None:
    (tmp_path / "mine.part").write_text("x")
    (tmp_path / "theirs.part").write_text("x")
    remove_scratch(tmp_path, ["mine", "absent"])
    assert [file.name for file in tmp_path.iterdir()] == ["theirs.part"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_line_that_the_disk_refused_leaves_nothing(tmp_path: Path, number: int) -> None:
    path = tmp_path / "log"
    for place in range(20):
        path.write_bytes(b"first\n")
        with faulty_disk(place, number, lasting=True) as faulty:
            try:
                append_line(path, b"second\n")
            except OSError as error:
                assert (error.errno, error.filename) == (number, str(path))
        assert path.read_bytes() == (b"first\n" if faulty.reached and place < 3 else b"first\nsecond\n")
        if not faulty.reached:
            assert place > 3
            return
    pytest.fail("appending asks for more than was tried")


def test_short_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, content: real(file, bytes(content)[:3]))
    write_whole(tmp_path / "whole", b"0123456789")
    append_line(tmp_path / "lines", b"0123456789\n")
    monkeypatch.undo()
    assert (tmp_path / "whole").read_bytes() + b"\n" == (tmp_path / "lines").read_bytes() == b"0123456789\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (b"one\n", b"one\n"),
        (b"one\ntw", b"one\n"),
        (b"one\nwhole", b"one\nwhole\n"),
        (b"whole", b"whole\n"),
        (b"tw", b""),
        (b"one\n" + b"\0" * 100, b"one\n"),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 2**20])
def test_a_last_line_without_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes, after: bytes, piece: int
) -> None:
    monkeypatch.setattr("teller_gym.base.files._PIECE", piece)
    path = tmp_path / "log"
    mend_last_line(path, lambda line: line == b"whole")
    assert not path.exists()
    path.write_bytes(before)
    mend_last_line(path, lambda line: line == b"whole")
    assert path.read_bytes() == after


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EDQUOT, "within the quota"),
        (errno.EROFS, "make it writable"),
        (errno.EACCES, "make it writable"),
        (errno.EIO, "see to it"),
        (None, "see to it"),
    ],
)
def test_a_disk_error_is_one_line(tmp_path: Path, number: int | None, advice: str) -> None:
    with pytest.raises(StorageError) as told, disk(tmp_path / "x", "what was played is kept"):
        raise OSError("odd") if number is None else OSError(number, os.strerror(number))
    text = str(told.value)
    assert text.startswith(f"{tmp_path / 'x'} cannot be written: ")
    assert (os.strerror(number) if number else "odd") in text
    assert "; what was played is kept; " in text and advice in text and text.endswith("the same command continues")
    assert "\n" not in text


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(
            OptionError, match=rf"run_dir .* \(process {holder.pid} on .*\); wait until it ends, end it"
        ):
            FolderLock(tmp_path, "run_dir")
        holder.send_signal(signal.SIGKILL)
        holder.wait(30)
    assert (tmp_path / ".lock").exists()
    FolderLock(tmp_path, "run_dir").close()


def test_a_lock_can_be_closed_twice_and_had_again(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path, "run_dir")
    with pytest.raises(OptionError, match=f"process {os.getpid()} "):
        FolderLock(tmp_path, "run_dir")
    lock.close()
    lock.close()
    FolderLock(tmp_path, "run_dir").close()


def test_a_file_system_without_locks_is_used_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    FolderLock(tmp_path, "run_dir").close()


def test_a_lock_that_cannot_be_made_is_no_other_process(tmp_path: Path) -> None:
    (tmp_path / ".lock").mkdir()
    with pytest.raises(OSError, match="directory"):
        FolderLock(tmp_path, "run_dir")
