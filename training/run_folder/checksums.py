"""Checksums of a folder, written last to mark it as complete.

A folder is complete if its `SHA256SUMS` exists and every file matches it; ``sha256sum -c SHA256SUMS`` in the folder
checks the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from teller_gym.base.files import write_whole

KEPT_CHECKPOINTS = 2
"""Number of checkpoints that a trainer keeps.

An older one is removed before the newest is complete, so if one is damaged, another remains.
"""

SUMS_FILE = "SHA256SUMS"


def seal(folder: Path) -> None:
    """Flush a folder's files to disk and write their checksums.

    Raises:
        OSError: a file cannot be read, or the checksums cannot be written.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS_FILE)
    lines = [f"{file_sum(path, sync=True)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    # The count: a list that lost lines is not whole either.
    write_whole(folder / SUMS_FILE, "".join([*lines, f"# {len(lines)} files\n"]).encode())


def damage(folder: Path) -> str | None:
    """Return a clause that describes the damage to a sealed folder, or None if it is complete.

    Additional files are allowed.
    """
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
    """Rename a file or folder by adding an ending, and return the new path.

    An existing file or folder with that name is removed.

    Raises:
        OSError: the file or folder cannot be renamed.
    """
    aside = path.with_name(path.name + ending)
    if aside.is_dir():
        shutil.rmtree(aside)
    os.replace(path, aside)
    return aside


def file_sum(path: Path, sync: bool = False) -> str:
    """Return the SHA-256 digest of a file as hex, after flushing it to disk if ``sync`` is true."""
    with open(path, "rb") as file:
        if sync:
            os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


def kept(folder: Path, proofs: Mapping[str, Path]) -> str:
    """Return a clause that lists the finished phases and the saved progress of others.

    ``proofs`` has the file or folder that each phase writes last.
    """
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
    """Return the numbers after the hyphens in the names of the paths' ancestor folders."""
    return [int(path.parents[above].name.rpartition("-")[2]) for path in paths]
