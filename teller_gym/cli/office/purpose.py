"""What a state folder was begun for, so that one piece of work does not go on in the office of another."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import disk, write_whole

FILE: Final = "purpose.json"


class Purpose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command that began a folder: ``serve``, or ``run`` with the id of its task."""

    command: str
    task: str | None = None

    def words(self) -> str:
        """Return the command as it is typed."""
        return f"office {self.command}" + ("" if self.task is None else f" {self.task}")


def expect_purpose(folder: str, wanted: Purpose) -> None:
    """Check that a state folder was begun for this, if it was begun at all.

    Raises:
        OptionError: it was begun for something else, or its note cannot be read.
    """
    found = _read(Path(folder))
    if found is not None and found != wanted:
        raise OptionError(
            f"state: {folder} was begun by teller-gym {found.words()}, this is {wanted.words()}; continue with the "
            "command that began it, or use another folder"
        )


def claim(folder: str, wanted: Purpose, restored: int) -> None:
    """Note what a folder is for, once its journal is open and no other process has it.

    Args:
        folder: where the journal is.
        wanted: what this process does with it.
        restored: entries that the journal had.

    Raises:
        OptionError: it was begun for something else; a run does not go on in a journal without a note.
        StorageError: the disk does not let us.
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
