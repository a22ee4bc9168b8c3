"""Writes the pages as static files that a browser can open with or without a server.

Pages opened without a server can load scripts but no data files, so all data are scripts. Records contain text from
models and are not trusted. They are stored as JSON within a JavaScript string of printable ASCII without `<`, so that
no text can end the string, the line or the script, be executed, or change the prototype of an object.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from teller_gym.base.errors import OptionError
from teller_gym.base.files import SCRATCH, disk, write_whole
from teller_gym.evaluation.measures.run_names import run_names
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.records.episode import key as key_of
from teller_gym.evaluation.records.run_folder import EpisodeKey, load_run, read_config
from teller_gym.evaluation.runs.own_folder import expect_own_folder
from teller_gym.procedure.graph import Graph
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.tasks.store import CANARY
from teller_gym.viewer.layout import lay_out
from teller_gym.viewer.records import detail, row

CHUNK = 25
"""Maximum number of episodes in a data file, which is loaded when one of its episodes is opened."""
CHUNK_BYTES = 4_000_000
"""Size in bytes above which no further episode is added to a data file."""

INDEX = "index.html"
_MARK = '<script src="data/index.js"></script>'
"""Text that identifies the first page."""

_STALE = re.compile(r"(index|episodes-[0-9]+-[0-9]+)\.js(\.part)?")


class Loaded(NamedTuple):
    """A loaded run and its name on the pages."""

    name: str
    config: dict[str, Any]
    episodes: Sequence[Episode]
    times: Mapping[EpisodeKey, Times]


def write_view(run_dirs: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> Path:
    """Write pages that show the episodes of runs.

    The same runs give the same bytes.

    Args:
        run_dirs: run folders.
        out: folder for the pages, created if it does not exist. Existing pages are replaced; a folder that contains
            other files is an error.

    Returns:
        Path of the page to open first.

    Raises:
        OptionError: there is no run, a folder is not a run folder, or `out` contains other files.
        StorageError: the pages could not be written to disk; the call may be repeated.
    """
    if not run_dirs:
        raise OptionError("runs: expected at least one run folder, got none")
    folders = [Path(folder) for folder in run_dirs]
    names = run_names([(folder, read_config(folder)) for folder in folders])
    loaded = (Loaded(name, *load_run(folder)) for name, folder in zip(names, folders, strict=True))
    return write_pages(loaded, out)


def write_pages(runs: Iterable[Loaded], out: str | os.PathLike[str]) -> Path:
    """Write pages like `write_view`, for runs that are loaded one at a time."""
    pages = Path(out)
    expect_own_folder(pages, (pages / INDEX, _MARK), [INDEX + SCRATCH])
    with disk(pages, "the runs are as they were"):
        _write(runs, pages)
    return pages / INDEX


def _write(runs: Iterable[Loaded], pages: Path) -> None:
    _copy_pages(pages)
    data = pages / "data"
    data.mkdir(parents=True, exist_ok=True)
    for file in data.iterdir():
        if _STALE.fullmatch(file.name):
            file.unlink()
    index = _Index()
    for number, run in enumerate(runs):
        index.add_run(run.name, run.config)
        for place, chunk in enumerate(_chunks(run.episodes, run.times, index)):
            key = f"episodes-{number}-{place}"
            write_whole(data / f"{key}.js", data_script(key, chunk.plain()), synced=False)
            index.add_rows(number, place, chunk.rows)
    write_whole(data / "index.js", data_script("index", index.plain()), synced=False)


def remove_view(out: Path) -> None:
    """Remove the pages from a folder, leaving all other files."""
    if not ((out / INDEX).is_file() and _MARK in (out / INDEX).read_text("utf-8", errors="replace")):
        return
    for file in (out / "data").glob("*.js*"):
        if _STALE.fullmatch(file.name):
            file.unlink()
    # The first page is removed last, since the folder is recognised by it if this is interrupted.
    for source in reversed(_pages()):
        for name in (source.name + SCRATCH, source.name):
            (out / name).unlink(missing_ok=True)
    for folder in (out / "data", out):
        with contextlib.suppress(OSError):  # it contains other files or does not exist
            folder.rmdir()


class _Chunk:
    """The episodes in a data file, and the texts that they share."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._episodes: list[dict[str, Any]] = []
        self._texts: dict[str, int] = {}
        self._size = 0

    def add(self, episode: Episode, graph: Graph | None, times: Times | None) -> None:
        self.rows.append(row(episode))
        self._episodes.append(detail(episode, graph, self._keep, times))
        for turn in episode["trace"]:
            notes = (value for value in turn["model"].values() if isinstance(value, str))
            self._size += len(turn["action"]) + len(turn["result"]) + sum(map(len, notes))

    def _keep(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def full(self) -> bool:
        return len(self.rows) >= CHUNK or self._size > CHUNK_BYTES

    def plain(self) -> dict[str, Any]:
        return {"canary": CANARY, "texts": list(self._texts), "episodes": self._episodes}


class _Index:
    """Data of the list: runs, scenarios, and the episodes as columns."""

    def __init__(self) -> None:
        self._runs: list[dict[str, Any]] = []
        self._scenarios: dict[str, Scenario | None] = {}
        self._columns: dict[str, list[Any]] = {}

    def add_run(self, name: str, config: dict[str, Any]) -> None:
        # The agent's options are left out: pages may be published, and an endpoint's address should stay private.
        agent = {key: config["agent"].get(key) for key in ("name", "kind")}
        self._runs.append({"name": name, "agent": agent, "trials": config["trials"], "seed": config["seed"]})

    def add_rows(self, run: int, chunk: int, rows: list[dict[str, Any]]) -> None:
        for place, values in enumerate(rows):
            for key, value in {"run": run, "chunk": chunk, "place": place, **values}.items():
                self._columns.setdefault(key, []).append(value)

    def graph(self, scenario: str) -> Graph | None:
        """Return a scenario's graph, or None if the scenario is not installed."""
        if scenario not in self._scenarios:
            try:
                self._scenarios[scenario] = load_scenario(scenario)
            except OptionError:
                self._scenarios[scenario] = None
        found = self._scenarios[scenario]
        return found.graph if found else None

    def plain(self) -> dict[str, Any]:
        known = {name: scenario for name, scenario in self._scenarios.items() if scenario is not None}
        return {
            "canary": CANARY,
            "runs": self._runs,
            "scenarios": {name: _drawn(scenario) for name, scenario in known.items()},
            "columns": self._columns,
        }


def _drawn(scenario: Scenario) -> dict[str, Any]:
    graph = scenario.graph
    edges = tuple((edge.upstream, edge.downstream) for edge in graph.edges)
    return {
        "title": scenario.title,
        "graph": lay_out(tuple(graph.nodes), edges).plain(),
        "edges": [[edge.upstream, edge.downstream, str(edge.kind), edge.why] for edge in graph.edges],
        "tools": {name: scenario.tools[name].description for name in graph.nodes},
    }


def _chunks(episodes: Sequence[Episode], times: Mapping[EpisodeKey, Times], index: _Index) -> Iterator[_Chunk]:
    chunk = _Chunk()
    for episode in episodes:
        chunk.add(episode, index.graph(episode["scenario"]), times.get(key_of(episode)))
        if chunk.full():
            yield chunk
            chunk = _Chunk()
    if chunk.rows:
        yield chunk


def _pages() -> list[Traversable]:
    """Return the static files of the pages, first page first, since the folder is recognised by it."""
    pages = resources.files("teller_gym.viewer").joinpath("pages").iterdir()
    return sorted(pages, key=lambda file: (file.name != INDEX, file.name))


def _copy_pages(pages: Path) -> None:
    pages.mkdir(parents=True, exist_ok=True)
    for file in _pages():
        write_whole(pages / file.name, file.read_bytes(), synced=False)


_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("<", "\\x3c"), ("\x7f", "\\x7f"))
"""Replacements in a JavaScript string. The backslash comes first, since the others add backslashes."""


def data_script(name: str, value: Any) -> bytes:
    """Return a script that passes a value to the pages under a name."""
    try:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{name}: expected records of JSON values ({error}); was a file changed by hand?") from None
    for character, escaped in _ESCAPES:  # many times faster than str.translate
        text = text.replace(character, escaped)
    return f"tellerView.take('{name}', '{text}');\n".encode("ascii")
