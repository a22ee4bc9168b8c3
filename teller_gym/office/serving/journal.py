"""Journal of an office's changes, in which entries survive a crash of the machine and are never partly stored.

The journal is an SQLite database in a folder. It names its office and the command that created it. Each entry has the
operations of one request in MessagePack, with a checksum.
"""

from __future__ import annotations

import errno
import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import FolderLock, disk
from teller_gym.office.serving.changes import Operation

FILE: Final = "office.sqlite"

_VERSION: Final = 0x7E11E7
"""Number in SQLite's header that identifies a journal of this version."""

_SCHEMA: Final = f"""
    BEGIN;
    CREATE TABLE journal (world TEXT NOT NULL, begun_by TEXT NOT NULL);
    CREATE TABLE entries (number INTEGER PRIMARY KEY, operations BLOB NOT NULL, checksum BLOB NOT NULL);
    PRAGMA user_version = {_VERSION};
    COMMIT;
"""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[tuple[Any, ...]]).decode


class UnstorableError(ValueError):
    """A record that would be read back differently, since it is not plain data, such as a tuple or a 65-bit number."""


class Journal:
    """An open journal, which locks other processes out of the folder until it is closed.

    Attributes:
        entries: number of entries.
    """

    def __init__(self, path: Path, lock: FolderLock) -> None:
        self._path = path
        self._lock = lock
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.entries = 0

    @classmethod
    def open(cls, folder: Path, world: str, begun_by: str, play: Callable[[Sequence[Operation]], None]) -> Self:
        """Open or create the journal in a folder, which is created if necessary, and replay all entries.

        Args:
            folder: the folder.
            world: fingerprint of the office.
            begun_by: the command that serves the office; the journal of another command is an error.
            play: function called with the operations of each entry.

        Raises:
            OptionError: another process uses the folder, or its journal belongs to another office or command, has
                another version, or is damaged.
            StorageError: the folder cannot be written.
        """
        with disk(folder, "what it held is as it was"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # a journal holds tokens of people who signed in
            lock = FolderLock(folder, "state")
            try:
                journal = cls(folder / FILE, lock)
            except sqlite3.Error as error:
                lock.close()
                raise OSError(errno.EIO, str(error), str(folder / FILE)) from None
        try:
            journal._begin(world, begun_by)
            journal._check(world, begun_by)
            journal._play(play)
        except BaseException:
            journal.close()
            raise
        return journal

    def append(self, operations: Sequence[Operation]) -> None:
        """Add an entry, which survives a crash of the machine once this method returns.

        Raises:
            OSError: the entry cannot be written; the journal is unchanged.
            UnstorableError: the entry cannot be encoded; the journal is unchanged.
        """
        try:
            encoded = _encode(operations)
            is_same = _decode(encoded) == list(operations)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise UnstorableError(str(error)) from None
        if not is_same:
            raise UnstorableError("a record would come back as another one")
        try:
            self._database.execute(
                "INSERT INTO entries (operations, checksum) VALUES (?, ?)", (encoded, _checksum(encoded))
            )
        except (sqlite3.Error, OverflowError) as error:
            raise OSError(errno.EIO, str(error)) from None
        self.entries += 1

    def close(self) -> None:
        """Close the database and unlock the folder for other processes."""
        with suppress(sqlite3.Error):  # all entries are on the disk
            self._database.close()
        self._lock.close()

    def _begin(self, world: str, begun_by: str) -> None:
        """Set up the connection, and the tables of a new journal."""
        try:
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            if not self._database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                self._database.executescript(_SCHEMA)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            if self._version() == _VERSION and self._row() is None:
                self._database.execute("INSERT INTO journal VALUES (?, ?)", (world, begun_by))
        except sqlite3.OperationalError as error:
            with disk(self._path, "what it held is as it was"):
                raise OSError(errno.EIO, str(error)) from None
        except sqlite3.DatabaseError:
            raise self._foreign() from None

    def _version(self) -> int:
        found: int = self._database.execute("PRAGMA user_version").fetchone()[0]
        return found

    def _row(self) -> tuple[str, str] | None:
        found: tuple[str, str] | None = self._database.execute("SELECT world, begun_by FROM journal").fetchone()
        return found

    def _check(self, world: str, begun_by: str) -> None:
        if self._version() != _VERSION:
            raise self._foreign()
        found = self._row()
        if found is None or None in found:
            raise OptionError(f"state: {self._path} is damaged; use another folder")
        if found[1] != begun_by:
            raise OptionError(
                f"state: {self._path.parent} was begun by {found[1]}, this is {begun_by}; continue with the command "
                "that began it, or use another folder"
            )
        if found[0] != world:
            raise OptionError(
                f"state: {self._path} belongs to another office (world {found[0]}, this one is {world}); serve the "
                "office that it was begun with, or use another folder"
            )

    def _play(self, play: Callable[[Sequence[Operation]], None]) -> None:
        try:
            for number, encoded, checksum in self._database.execute("SELECT * FROM entries ORDER BY number"):
                if number != self.entries + 1 or checksum != _checksum(encoded):
                    raise ValueError(f"entry {self.entries + 1} is missing or does not match its checksum")
                play(_decode(encoded))
                self.entries += 1
        except (sqlite3.DatabaseError, ValueError, LookupError) as error:
            raise OptionError(
                f"state: {self._path} is damaged after {self.entries} entries: {error}; use another folder"
            ) from None

    def _foreign(self) -> OptionError:
        return OptionError(
            f"state: {self._path} is not the journal of an office, or of another version; use another folder"
        )


def _checksum(encoded: bytes) -> bytes:
    return hashlib.blake2b(encoded, digest_size=16).digest()
