"""Checksums of a folder, written last: it is whole if its `SHA256SUMS` exists and every file matches it.

``sha256sum -c SHA256SUMS`` in the folder checks the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from teller_gym.base.files import write_whole

KEPT_CHECKPOINTS = 2
"""Checkpoints that a trainer keeps: an older one is removed before the newest is complete, and if one is damaged, the
other remains."""

SUMS_FILE = "SHA256SUMS"


def seal(folder: Path) -> None:
    """Flush a folder's files to disk, and then write their checksums.

    Raises:
        OSError: a file cannot be read, or the checksums cannot be written.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS_FILE)
    lines = [f"{file_sum(path, sync=True)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    # The count: a list that lost lines is not whole either.
    write_whole(folder / SUMS_FILE, "".join([*lines, f"# {len(lines)} files\n"]).encode())


def damage(folder: Path) -> str | None:
    """Describe in a clause what is wrong with a sealed folder; None if it is whole. Additional files are allowed."""
    try:
        lines = (folder / SUMS_FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return "it was not saved whole"
    except (OSError, ValueError):
        return f"{SUMS_FILE} cannot be read"
    if not lines or lines.pop() != f"# {len(lines)} files":
        return f"{SUMS_FILE} is damaged"
    for line in lines:
        wanted, _, name = line.partition("  ")
        try:
            found = file_sum(folder / name)
        except (FileNotFoundError, NotADirectoryError):
            return f"{name} is missing"
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
        if found != wanted:
            return f"{name} is damaged"
    return None


def set_aside(path: Path, ending: str = ".damaged") -> Path:
    """Rename a file or folder with an ending and return the new path; what had that name before is removed.

    Raises:
        OSError: it cannot be renamed.
    """
    aside = path.with_name(path.name + ending)
    if aside.is_dir():
        shutil.rmtree(aside)
    os.replace(path, aside)
    return aside


def file_sum(path: Path, sync: bool = False) -> str:
    """Return the SHA-256 of a file in hex; with ``sync`` the file is flushed to disk first."""
    with open(path, "rb") as file:
        if sync:
            os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


def kept(folder: Path, proofs: Mapping[str, Path]) -> str:
    """Describe in a clause which phases are finished, by the file or folder that each writes last, and how far others
    are saved."""
    done = [name for name, proof in proofs.items() if proof.exists()]
    begun = []
    for phase in proofs:
        if phase in done:
            continue
        if rounds := _numbers(folder.glob(f"{phase}/trainer/round-*/checkpoint/{SUMS_FILE}"), 1):
            begun.append(f"{phase} up to round {max(rounds)}")
        if steps := _numbers(folder.glob(f"{phase}/trainer/checkpoint-*/{SUMS_FILE}"), 0):
            begun.append(f"{phase} is saved up to step {max(steps)}")
    finished = f"finished and safe: {', '.join(done)}" if done else "nothing is finished yet"
    return ", ".join([finished, *begun])


def _numbers(paths: Iterable[Path], above: int) -> list[int]:
    """Return the numbers after the hyphen in the names of the given ancestor folders."""
    return [int(path.parents[above].name.rpartition("-")[2]) for path in paths]
