"""Keeping what was drawn and played, a line a case, so that a later run goes on where one stopped."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from teller_gym.base.files import append_line, disk, mend_last_line
from teller_gym.procedure.scenario import Scenario
from teller_gym.registration import SCENARIOS


class HasSeed(Protocol):
    """A result that is kept by seed."""

    @property
    def seed(self) -> int: ...


T = TypeVar("T", bound=HasSeed)

TOGETHER = 20
"""Cases that are written at a time."""

_SUFFIXES = (".py", ".yaml")
_BY_HAND = ("endings.yaml", "chosen_seeds.yaml", "wordings.yaml", "schema_words.yaml", "policy_shift.yaml", "stage1")
"""Other files of a scenario, on which no case depends."""


class Cache(Generic[T]):
    """The results of one kind, by seed.

    Args:
        folder: where they are kept; None keeps them only in memory.
        kind: names the file.
        type_: of a result.
    """

    def __init__(self, folder: Path | None, kind: str, type_: type[T]) -> None:
        self._path = None if folder is None else folder / f"{kind}.jsonl"
        self._found: dict[int, T] = {}
        if self._path is not None and self._path.exists():
            decode = msgspec.json.Decoder(type_).decode
            mend_last_line(self._path, lambda line: _is_whole(line, decode))
            self._found = {one.seed: one for one in map(decode, self._path.read_bytes().splitlines())}

    def get(self, seeds: Iterable[int], make: Callable[[int], T]) -> Iterator[T]:
        """Yield the result of each seed: as it is kept, or made and kept."""
        waiting: list[T] = []
        try:
            for seed in seeds:
                if seed not in self._found:
                    self._found[seed] = make(seed)
                    waiting.append(self._found[seed])
                    if len(waiting) == TOGETHER:
                        self._keep(waiting)
                        waiting = []
                yield self._found[seed]
        finally:
            self._keep(waiting)

    def missing(self, seeds: Iterable[int]) -> int:
        """Return how many results are still to be made."""
        return sum(seed not in self._found for seed in seeds)

    def _keep(self, results: list[T]) -> None:
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
    """Return the folder for a scenario as its files are now, and make it; None without a cache.

    The key is made of the files of the scenario's folder and of the modules beside it that it has imported. After a
    change of the core, such as the grader, a cache must be removed by hand.
    """
    if cache is None:
        return None
    folder = cache / f"{scenario.name}-{_files_key(scenario)}"
    with disk(folder, "nothing was begun"):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _files_key(scenario: Scenario) -> str:
    package = SCENARIOS[scenario.name].module
    beside = package.rpartition(".")[0]
    found = {f"{name}": content for name, content in _files(resources.files(package), "")}
    for name, module in sys.modules.items():
        file = getattr(module, "__file__", None)
        if beside and name.startswith(f"{beside}.") and not name.startswith(f"{package}.") and file is not None:
            found[name] = Path(file).read_bytes()
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(f"{name} {len(found[name])} ".encode())
        digest.update(found[name])
    return digest.hexdigest()[:16]


def _files(folder: Traversable, inside: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name in _BY_HAND or entry.name.startswith("__pycache__"):
            continue
        if entry.is_dir():
            yield from _files(entry, f"{inside}{entry.name}/")
        elif entry.name.endswith(_SUFFIXES):
            yield f"{inside}{entry.name}", entry.read_bytes()
