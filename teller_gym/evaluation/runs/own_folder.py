"""Check of output folders, so that generated pages are never written into foreign folders."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from teller_gym.base.errors import OptionError


def expect_own_folder(out: Path, page: tuple[Path, str], leftovers: Collection[str] = ()) -> None:
    """Check that a folder does not exist yet, is empty, or was written by this package.

    Args:
        page: path of a generated file, and text that only it contains; a folder with that file is accepted.
        leftovers: paths within the folder that an interrupted write may have left without the page.

    Raises:
        OptionError: the folder contains other files, or the path is a file.
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
