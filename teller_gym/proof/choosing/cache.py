"""Storage of drawn and played cases, one per line, from which an interrupted run resumes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from teller_gym.base.files import append_line, disk, mend_last_line
from teller_gym.procedure.scenario import Scenario


class HasSeed(Protocol):
    """A result that is stored under its seed."""

    @property
    def seed(self) -> int: ...


T = TypeVar("T", bound=HasSeed)

TOGETHER = 20
"""Number of cases per write."""

_SUFFIXES = (".py", ".yaml")
_NOT_READ = ("endings.yaml", "chosen_seeds.yaml", "configs", "training", "office", "cli", "stage1", "__pycache__")
"""Files and folders that do not affect the cases."""


class Cache(Generic[T]):
    """Results of one kind by seed, in memory and, unless ``folder`` is None, in a file."""

    def __init__(self, folder: Path | None, kind: str, type_: type[T]) -> None:
        self._path = None if folder is None else folder / f"{kind}.jsonl"
        self._found: dict[int, T] = {}
        if self._path is not None and self._path.exists():
            decode = msgspec.json.Decoder(type_).decode
            mend_last_line(self._path, lambda line: _is_whole(line, decode))
            self._found = {one.seed: one for one in map(decode, self._path.read_bytes().splitlines())}

    def get(self, seeds: Iterable[int], make: Callable[[int], T]) -> Iterator[T]:
        """Yield the result of each seed; missing ones are made and stored."""
        waiting: list[T] = []
        try:
            for seed in seeds:
                if seed not in self._found:
                    self._found[seed] = make(seed)
                    waiting.append(self._found[seed])
                    if len(waiting) == TOGETHER:
                        self._store(waiting)
                        waiting = []
                yield self._found[seed]
        finally:
            self._store(waiting)

    def missing(self, seeds: Iterable[int]) -> int:
        """Return the number of results that have not been made yet."""
        return sum(seed not in self._found for seed in seeds)

    def _store(self, results: list[T]) -> None:
        if self._path is not None and results:
            with disk(self._path, "what was written before is safe"):
                append_line(self._path, b"\n".join(map(msgspec.json.encode, results)) + b"\n")


def _is_whole(line: bytes, decode: Callable[[bytes], Any]) -> bool:
    try:
        decode(line)
    except msgspec.MsgspecError:
        return False
    return True


def folder_of(cache: Path | None, scenario: Scenario) -> Path | None:
    """Create and return the cache folder of a scenario, named after a digest of its code; None without a cache."""
    if cache is None:
        return None
    digest = hashlib.sha256()
    for package in ("teller_gym", scenario.package):
        for name, content in _files(resources.files(package), ""):
            digest.update(f"{name} {len(content)} ".encode() + content)
    folder = cache / f"{scenario.name}-{digest.hexdigest()[:16]}"
    with disk(folder, "nothing was begun"):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _files(folder: Traversable, inside: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name in _NOT_READ:
            continue
        if entry.is_dir():
            yield from _files(entry, f"{inside}{entry.name}/")
        elif entry.name.endswith(_SUFFIXES):
            yield f"{inside}{entry.name}", entry.read_bytes()
