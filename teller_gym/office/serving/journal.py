"""What an office's services wrote, on disk: what was appended is there after a crash, and nothing is half there.

The file begins with a line of JSON that names its format, its version and the world it belongs to. Entries follow:

    length of the payload   4 bytes, big-endian
    check of the length     4 bytes: BLAKE2b of the length
    digest                  16 bytes: BLAKE2b of the digest before, the length, its check and the payload
    payload                 MessagePack: the operations of one or several requests, see `recording.Operation`

An entry is on disk before the next one is begun, so a crash leaves at most one that is cut off, at the end. The digests
are a chain: an entry of another journal, or one that is missing in the middle, is noticed. The check of the length
tells an entry that was cut off from one whose length was damaged, which would hide all that follow it.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import BINARY, FolderLock, disk, remove_scratch, write_whole
from teller_gym.office.serving.recording import Operation

FILE: Final = "office.journal"
FORMAT: Final = "teller-gym office journal"
VERSION: Final = 1

_LENGTH: Final = 4
_CHECK: Final = 4
_DIGEST: Final = 16
_HEAD: Final = _LENGTH + _CHECK + _DIGEST
_MAX_HEADER: Final = 4096
_MAX_PAYLOAD: Final = 2 ** (8 * _LENGTH) - 1
_LARGE: Final = 64 * 1024 * 1024
"""Bytes from which on a journal is written anew when it is opened, if more than half of it is out of date."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[tuple[Any, ...]]).decode

log = logging.getLogger(__name__)


class UnstorableError(ValueError):
    """A record that would not come back as it is: it is not plain data, such as a tuple or a number of 65 bits."""


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    journal: str
    version: int
    world: str


class Journal:
    """An open journal; the folder is kept from other processes until it is closed.

    Attributes:
        entries: how many there are.
        size: of the file in bytes.
    """

    def __init__(self, path: Path, lock: FolderLock, world: str) -> None:
        self._path = path
        self._lock = lock
        self._header = msgspec.json.encode(_Header(FORMAT, VERSION, world)) + b"\n"
        self._file = -1
        self._torn = False
        self.entries = 0
        self.size = 0
        self._last = b""

    @classmethod
    def open(cls, folder: Path, world: str, play: Callable[[Sequence[Operation]], None]) -> Self:
        """Open or begin the journal of a folder, which is made if it is not there, and play all entries.

        world: what the journal must belong to; see `RecordingStore.fingerprint`.

        Raises:
            OptionError: another process has the folder; or its journal is of another world or version, or is damaged.
            StorageError: the disk does not let us.
        """
        with disk(folder, "what it held is as it was"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # a journal holds tokens of people who signed in
            lock = FolderLock(folder, "state")
            journal = cls(folder / FILE, lock, world)
            try:
                journal._begin()
                journal._play(play)
            except BaseException:
                journal.close()
                raise
        return journal

    def append(self, operations: Sequence[Operation]) -> None:
        """Add an entry; when this returns it survives a crash of the machine.

        Raises:
            OSError: it cannot be written; the journal is as it was.
            UnstorableError: it cannot be written down at all; likewise.
        """
        entry, digest = _entry(self._last, operations)
        if self._torn:
            os.ftruncate(self._file, self.size)
            self._torn = False
        try:
            _write(self._file, entry, self.size)
            os.fsync(self._file)
        except OSError:
            self._torn = True
            with suppress(OSError):  # else it is tried again before the next entry
                os.ftruncate(self._file, self.size)
                self._torn = False
                os.fsync(self._file)
            raise
        self.size += len(entry)
        self._last = digest
        self.entries += 1

    def tidy(self, whole: Callable[[], Sequence[Operation]]) -> None:
        """Write a large journal anew if most of it is out of date; a disk that does not let us changes nothing.

        whole: returns operations that lead to the present state from its beginning.
        """
        if self.size < _LARGE:
            return
        try:
            entry, digest = _entry(_digest(b"", self._header), whole())
            if len(entry) > self.size // 2:
                return
            write_whole(self._path, self._header + entry)
            self._close_file()
            self._file = os.open(self._path, os.O_RDWR | BINARY)
            self.size, self.entries, self._last = len(self._header) + len(entry), 1, digest
        except (OSError, UnstorableError) as error:
            log.warning("%s stays as large as it is: %s", self._path, error)

    def close(self) -> None:
        """Close the file and let other processes at the folder."""
        self._close_file()
        self._lock.close()

    def _close_file(self) -> None:
        if self._file >= 0:
            file, self._file = self._file, -1
            with suppress(OSError):  # everything in it was synced
                os.close(file)

    def _begin(self) -> None:
        remove_scratch(self._path.parent, [FILE])
        if not self._path.exists():
            write_whole(self._path, self._header)
        self._file = os.open(self._path, os.O_RDWR | BINARY)

    def _play(self, play: Callable[[Sequence[Operation]], None]) -> None:
        with self._path.open("rb") as file:
            self._check(file.readline(_MAX_HEADER))
            self.size = len(self._header)
            self._last = _digest(b"", self._header)
            end = os.fstat(self._file).st_size
            while self.size < end:
                found = self._next(file, end)
                if found is None:
                    self._cut(end)
                    break
                try:
                    play(_decode(found))
                except (ValueError, LookupError) as error:
                    raise self._damaged(str(error)) from None
                self.size += _HEAD + len(found)
                self.entries += 1

    def _check(self, line: bytes) -> None:
        if line == self._header:
            return
        try:
            found = msgspec.json.decode(line, type=_Header)
        except ValueError:
            found = _Header("", 0, "")
        expected = msgspec.json.decode(self._header, type=_Header)
        if found.journal != FORMAT:
            raise OptionError(f"state: {self._path} is not the journal of an office; use another folder")
        if found.version != VERSION:
            raise OptionError(
                f"state: {self._path} has version {found.version}, expected {VERSION}; use another folder"
            )
        raise OptionError(
            f"state: {self._path} belongs to another office (world {found.world}, this one is {expected.world}); "
            "serve the office that it was begun with, or use another folder"
        )

    def _next(self, file: BinaryIO, end: int) -> bytes | None:
        """Read an entry's payload; None if it is the last one and was cut off."""
        head = file.read(_HEAD)
        size, length = head[: _LENGTH + _CHECK], int.from_bytes(head[:_LENGTH])
        if len(head) < _HEAD:
            return None
        if size != _sized(length):
            if not any(head) and not any(file.read()):
                return None  # the system may give a file its length before its content
            raise self._damaged("the entry there has no valid length")
        if self.size + _HEAD + length > end:
            return None
        payload = file.read(length)
        digest = _digest(self._last, size + payload)
        if digest == head[_LENGTH + _CHECK :]:
            self._last = digest
            return payload
        if self.size + _HEAD + length == end:
            return None
        raise self._damaged("the entry there does not match its checksum")

    def _damaged(self, what: str) -> OptionError:
        return OptionError(
            f"state: {self._path} is damaged at byte {self.size}: {what}; what stands before it can be had by cutting "
            f"the file there, such as with truncate --size={self.size}"
        )

    def _cut(self, end: int) -> None:
        os.ftruncate(self._file, self.size)
        os.fsync(self._file)
        log.warning(
            "%s ended in an entry that was cut off, %d bytes, which had not been acknowledged; it was removed",
            self._path, end - self.size,
        )  # fmt: skip


def _entry(before: bytes, operations: Sequence[Operation]) -> tuple[bytes, bytes]:
    """An entry as it stands in the file, and its digest, which follows from the digest before."""
    try:
        payload = _encode(operations)
        same = _decode(payload) == list(operations)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UnstorableError(str(error)) from None
    if not same or len(payload) > _MAX_PAYLOAD:
        raise UnstorableError("a record would come back as another one")
    size = _sized(len(payload))
    digest = _digest(before, size + payload)
    return size + digest + payload, digest


def _sized(length: int) -> bytes:
    """A length as an entry begins with it, and its check."""
    size = length.to_bytes(_LENGTH)
    return size + hashlib.blake2b(size, digest_size=_CHECK).digest()


def _digest(before: bytes, content: bytes) -> bytes:
    return hashlib.blake2b(before + content, digest_size=_DIGEST).digest()


def _write(file: int, content: bytes, place: int) -> None:
    rest = memoryview(content)
    while rest:
        written = os.pwrite(file, rest, place)
        place += written
        rest = rest[written:]
