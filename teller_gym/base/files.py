"""Crash-safe writing of files, locks on folders, and one-line errors when a disk cannot be written.

with disk(folder, "the episodes played so far are safe"):
    write_whole(folder / "state.json", content)
    append_line(folder / "log.jsonl", line)

lock = FolderLock(folder, "run_dir")  # an OptionError if another process has it; the system frees it if ours dies
lock.close()
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.base.text import shown

LOCK_FILE = ".lock"
SCRATCH = ".part"
"""Suffix of a file that is being written. One left behind by a crash can be removed."""
BINARY: int = getattr(os, "O_BINARY", 0)
"""Flag that keeps Windows from changing line ends."""
_PIECE = 2**24

_HELP = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room within the quota",
    errno.EFBIG: "raise the limit on the size of files",
    errno.EROFS: "make it writable",
    errno.EACCES: "make it writable",
    errno.EPERM: "make it writable",
    errno.EMFILE: "raise the limit on open files",
    errno.ENFILE: "raise the limit on open files",
}
_DISK = (*_HELP, errno.EIO)
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
"""Errors of a file system without locks, such as some network file systems."""


def write_whole(path: Path, content: bytes, *, synced: bool = True) -> None:
    """Replace a file atomically: a reader sees the old or the new content, even after a crash of the machine.

    Args:
        synced: False does not wait for the disk, for files that can be written again: a crash of the machine, but not
            a kill, may lose them.

    Raises:
        OSError: the file cannot be written; the old one is unchanged.
    """
    scratch = path.with_name(path.name + SCRATCH)
    try:
        file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o666)
        try:
            _write(file, content)
            if synced:
                os.fsync(file)
        finally:
            os.close(file)
        os.replace(scratch, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise _named(error, path) from None
    if synced:
        _sync_folder(path.parent)


def append_line(path: Path, line: bytes) -> None:
    """Append a line to a file; once this returns, the line survives a crash of the machine.

    A crash before that may leave a part of the line. After an error the part is removed if possible.

    Raises:
        OSError: the line cannot be written.
    """
    new = not path.exists()
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o666)
        try:
            size = os.fstat(file).st_size
            try:
                _write(file, line)
                os.fsync(file)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(file, size)
                raise
        finally:
            os.close(file)
    except OSError as error:
        raise _named(error, path) from None
    if new:
        _sync_folder(path.parent)


def mend_last_line(path: Path, is_whole: Callable[[bytes], bool]) -> None:
    """Make a file end with a line end: complete a whole last line, and remove one that was cut off.

    Args:
        is_whole: returns True if the text after the last line end is a whole line without its line end.

    Raises:
        OSError: the file cannot be read or written.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | BINARY)
    except FileNotFoundError:
        return
    try:
        start, last = _last_line(file)
        if not last:
            return
        if is_whole(last):
            _write(file, b"\n")
        else:
            os.ftruncate(file, start)
        os.fsync(file)
    except OSError as error:
        raise _named(error, path) from None
    finally:
        os.close(file)


def remove_scratch(folder: Path, names: Iterable[str]) -> None:
    """Remove the scratch files that a killed `write_whole` of these files left in the folder; may raise OSError."""
    for name in names:
        (folder / (name + SCRATCH)).unlink(missing_ok=True)


@contextlib.contextmanager
def disk(path: str | os.PathLike[str], safe: str) -> Iterator[None]:
    """Turn an OSError in the block into a StorageError with a one-line message.

    Args:
        path: path for the message if the error names no file.
        safe: clause that says which data is not lost.

    Raises:
        StorageError: in place of an OSError; it says what could not be written, what is safe and what to do.
        OptionError: in place of an OSError about a file name that is too long.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise OptionError(too_long_text(error)) from None
        raise StorageError(storage_text(path, error, safe)) from None


def is_storage(error: OSError) -> bool:
    """Return True if the error is about writing to a disk, and not, for example, about a missing file or a network."""
    return error.errno in _DISK


def storage_text(path: str | os.PathLike[str], error: OSError, safe: str) -> str:
    """Return the one-line message of a StorageError."""
    file = error.filename if isinstance(error.filename, str | os.PathLike) else path
    reason = error.strerror or str(error) or type(error).__name__
    help_ = _HELP.get(error.errno or 0, "see to it")
    return f"{os.fspath(file)} cannot be written: {reason}; {safe}; {help_}, and the same command continues"


def too_long_text(error: OSError) -> str:
    """Return the message for a file name that is too long for the file system."""
    return f"expected a shorter name of a file or folder, got {shown(error.filename)}"


class FolderLock:
    """Lock that keeps other processes out of a folder until it is closed or the process ends in any way.

    Args:
        folder: an existing folder.
        what: name of the folder in messages, such as `run_dir`.

    The lock file remains afterwards but locks nothing. On a file system without locks there is no protection.

    Raises:
        OptionError: another process has the lock.
        OSError: the lock file cannot be created.
    """

    def __init__(self, folder: Path, what: str) -> None:
        self._file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
        try:
            self._take(folder, what)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the folder to other processes."""
        if self._file >= 0:
            file, self._file = self._file, -1
            with contextlib.suppress(OSError):  # the file is closed in any case, and its content does not matter
                os.close(file)

    def _take(self, folder: Path, what: str) -> None:
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            os.lseek(self._file, 0, os.SEEK_SET)
            holder = os.read(self._file, 200).decode("utf-8", "replace").strip()
            raise OptionError(
                f"{what} {folder}: another process is writing to it{f' ({holder})' if holder else ''}; "
                f"wait until it ends, end it, or use another {what}"
            ) from None
        with contextlib.suppress(OSError):  # the name only helps people to find the process
            os.ftruncate(self._file, 0)
            os.write(self._file, f"process {os.getpid()} on {socket.gethostname()}\n".encode())


def _write(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def _last_line(file: int) -> tuple[int, bytes]:
    """Return the offset after the last line end and the text that follows it."""
    end, last = os.fstat(file).st_size, b""
    while end:
        start = max(0, end - _PIECE)
        os.lseek(file, start, os.SEEK_SET)
        piece = os.read(file, end - start)
        found = piece.rfind(b"\n")
        if found >= 0:
            return start + found + 1, piece[found + 1 :] + last
        end, last = start, piece + last
    return 0, last


def _named(error: OSError, path: Path) -> OSError:
    """Return the error with the file's name, which functions on file descriptors do not know."""
    return OSError(error.errno, error.strerror or str(error), os.fspath(path))


def _sync_folder(folder: Path) -> None:
    """Sync a folder's list of files to disk, if the system supports it."""
    with contextlib.suppress(OSError):
        file = os.open(folder, os.O_RDONLY | BINARY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
