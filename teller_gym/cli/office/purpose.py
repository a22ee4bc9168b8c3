"""The purpose of a state folder, noted so that one piece of work does not continue in the office of another."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import disk, write_whole

FILE: Final = "purpose.json"


class Purpose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command that created a folder: ``serve``, or ``run`` with the id of its task."""

    command: str
    task: str | None = None

    def words(self) -> str:
        """Return the command as the user types it."""
        return f"office {self.command}" + ("" if self.task is None else f" {self.task}")


def expect_purpose(folder: str, wanted: Purpose) -> None:
    """Check that a state folder is new or was created for this purpose.

    Raises:
        OptionError: it was created for another purpose, or its note cannot be read.
    """
    found = _read(Path(folder))
    if found is not None and found != wanted:
        raise OptionError(
            f"state: {folder} was begun by teller-gym {found.words()}, this is {wanted.words()}; continue with the "
            "command that began it, or use another folder"
        )


def claim(folder: str, wanted: Purpose, restored: int) -> None:
    """Write a folder's purpose into it, once its journal is open and held by this process only.

    Args:
        folder: folder of the journal.
        wanted: purpose of this process.
        restored: number of entries restored from the journal.

    Raises:
        OptionError: it was created for another purpose; a run does not continue a journal without a note.
        StorageError: the note cannot be written.
    """
    expect_purpose(folder, wanted)
    if _read(Path(folder)) is not None:
        return
    if restored and wanted.task is not None:
        raise OptionError(
            f"state: {folder} holds an office's journal and no word of the task that it belongs to; use another folder"
        )
    with disk(folder, "the journal is as it was"):
        write_whole(Path(folder) / FILE, msgspec.json.encode(wanted) + b"\n")


def _read(folder: Path) -> Purpose | None:
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Purpose)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise OptionError(f"state: {folder / FILE} cannot be read: {error}; use another folder") from None
