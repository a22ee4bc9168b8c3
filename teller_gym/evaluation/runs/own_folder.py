"""Folders that pages are written into: new, empty or written by us before, never somebody else's."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from teller_gym.base.errors import OptionError


def expect_own_folder(out: Path, page: tuple[Path, str], leftovers: Collection[str] = ()) -> None:
    """Complain if a folder holds anything that we did not write; one that does not exist yet is fine.

    Args:
        page: a file of ours in it, and text that only that file contains: other files do not matter then.
        leftovers: paths within the folder that an interrupted write may have left without the page.

    Raises:
        OptionError: it does, or it is a file.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise OptionError(f"out: expected a folder or a path where one can be made, got the file {out}")
    file, mark = page
    if file.is_file() and mark in file.read_text("utf-8", errors="replace"):
        return
    known = set(leftovers)
    paths = (path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir())
    foreign = next((path for path in paths if path not in known), None)
    if foreign is not None:
        raise OptionError(
            f"out: expected a new folder, an empty one or one with our own {file.name} in it, got {out}, "
            f"which holds {foreign}; name another folder"
        )
