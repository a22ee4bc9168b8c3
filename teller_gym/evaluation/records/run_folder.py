"""Folder of a run, with its configuration, episodes, durations and provenance.

These are in `run.json`, `episodes.jsonl`, `times.jsonl` and, with the software and hardware of each call,
`provenance.jsonl`. Every line is on disk before the next episode counts as done. A run interrupted anywhere, even in
the middle of a line, is continued by opening its folder with the same configuration.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.base.files import (
    LOCK_FILE,
    SCRATCH,
    FolderLock,
    append_line,
    disk,
    is_storage,
    mend_last_line,
    remove_scratch,
    storage_text,
    write_whole,
)
from teller_gym.evaluation.records.episode import Episode, Times, key
from teller_gym.evaluation.records.jsonl import cannot_be_read, parse
from teller_gym.evaluation.records.reading import (
    EPISODES_FILE,
    PROVENANCE_FILE,
    RUN_FILE,
    TIMES_FILE,
    EpisodeKey,
    load_run,
    nothing_valid,
    planned_keys,
    read_config,
    read_episodes,
    read_lines,
    read_times,
)

__all__ = [
    "EPISODES_FILE", "LOCK_FILE", "PROVENANCE_FILE", "REPORT_FILE", "RUN_FILE", "TEMPLATE_FILE",
    "TIMES_FILE", "EpisodeKey", "RunFolder", "encode", "expect_same_run", "load_run", "planned_keys", "read_config",
    "read_episodes", "read_lines", "read_times", "write_json",
]  # fmt: skip

REPORT_FILE = "report.json"
TEMPLATE_FILE = "chat_template.jinja"
_WHOLE = (RUN_FILE, REPORT_FILE, TEMPLATE_FILE)
"""Files that are replaced atomically."""

_PIECE = 2**20

_LISTED = 3
"""Maximum length of differing lists that an error message shows in full."""


def encode(value: Any) -> bytes:
    """Serialise a value to one line of JSON.

    Lone surrogates, which models do emit, are preserved.
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode() + b"\n"


class RunFolder:
    """Folder of one run, open for appending.

    It locks out other processes until it is closed by leaving the context manager.

    Args:
        path: folder, created if it does not exist.
        config: the run's configuration, which has to equal that of an existing run.
        overwrite: True to remove an existing run first.

    Raises:
        OptionError: the folder cannot be created, contains another run or foreign files, or is in use by another
            process.
        StorageError: writing fails; existing episodes are kept, and the same call continues the run.
    """

    def __init__(self, path: str | os.PathLike[str], config: Mapping[str, Any], *, overwrite: bool = False) -> None:
        self.path = Path(path)
        self._overwrite = overwrite
        self._lock = threading.Lock()
        self._failed: StorageError | None = None
        self._guard = _guarded(self.path)
        try:
            with disk(self.path, "nothing was played or lost"):
                self._settle(json.loads(encode(config)))
            self.episodes = read_episodes(self.path, config)
            """Stored episodes by key."""
            self.times = read_times(self.path)
            with disk(self.path, "nothing was played or lost"):
                for name in (EPISODES_FILE, TIMES_FILE, PROVENANCE_FILE):
                    mend_last_line(self.path / name, _is_object)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.close()

    def append(self, episode: Episode, times: Times) -> None:
        """Write one episode and its times to disk; they then survive a machine crash.

        Raises:
            StorageError: writing fails. After that nothing more is written, since the file may end in a partial line.
        """
        line = {"task_id": episode["task_id"], "trial": episode["trial"], **asdict(times)}
        with self._lock:
            if self._failed is not None:
                raise self._failed
            try:
                # Times first: after an interruption in between, the episode is played again and its last time counts.
                with disk(self.path, self._safe()):
                    append_line(self.path / TIMES_FILE, encode(line))
                    append_line(self.path / EPISODES_FILE, encode(episode))
            except StorageError as error:
                self._failed = error
                raise
            self.times[key(episode)] = times
            self.episodes[key(episode)] = episode

    def note_call(self, provenance: Mapping[str, Any], template: str | None = None) -> None:
        """Record the provenance of a call that plays episodes.

        Args:
            provenance: JSON values that describe the call.
            template: chat template of a locally rendered model, if any.

        Raises:
            StorageError: writing fails.
        """
        with disk(self.path, self._safe()):
            append_line(self.path / PROVENANCE_FILE, encode(provenance))
            if template is not None:
                write_whole(self.path / TEMPLATE_FILE, template.encode("utf-8", "surrogatepass"))

    def _safe(self) -> str:
        count = len(self.episodes)
        if not count:
            return "no episode was finished before"
        return f"the {count} episodes before are safe" if count > 1 else "the 1 episode before is safe"

    def _settle(self, config: Mapping[str, Any]) -> None:
        """Create the run, or check that the folder contains this run.

        Files that a crash left half-written are removed.
        """
        if self._overwrite and (self.path / RUN_FILE).exists():
            # The file that identifies the run is removed last, so that after an interruption it is still a run folder.
            for name in (EPISODES_FILE, TIMES_FILE, PROVENANCE_FILE, *reversed(_WHOLE)):
                (self.path / name).unlink(missing_ok=True)
        if _holds_run(self.path):
            if not expect_same_run(self.path, config):
                for name in (EPISODES_FILE, TIMES_FILE):
                    (self.path / name).unlink(missing_ok=True)
            if read_config(self.path) != config:
                write_json(self.path / RUN_FILE, config)
        else:
            ours = {LOCK_FILE, RUN_FILE, *(name + SCRATCH for name in _WHOLE)}
            others = sorted(entry.name for entry in self.path.iterdir() if entry.name not in ours)
            if others:
                raise OptionError(
                    f"run_dir {self.path} holds {others[0]} but no {RUN_FILE}, so it is no run folder; use another one"
                )
            write_json(self.path / RUN_FILE, config)
        remove_scratch(self.path, _WHOLE)


def expect_same_run(path: Path, config: Mapping[str, Any]) -> bool:
    """Return True if a folder contains this run or none.

    False is returned if it contains another run without any valid episode.

    Raises:
        OptionError: it contains another run with valid episodes; the message lists the differences.
    """
    if not _holds_run(path):
        return True
    there = read_config(path)
    stored = json.loads(encode(_without_prices(there)))
    wanted = json.loads(encode(_without_prices(config)))
    names = [name for name in {**stored, **wanted} if stored.get(name) != wanted.get(name)]
    if not names:
        return True
    if nothing_valid(path, there):
        return False
    told = "; ".join(_difference(name, stored.get(name), wanted.get(name)) for name in names)
    changed = "; the agent's own code or settings have changed since" if "agent.source" in told else ""
    raise OptionError(
        f"run_dir {path} holds a run with another configuration: {told}{changed}. "
        f"Use another run_dir, or overwrite=True (overwrite=true on the command line) to start afresh."
    )


def _holds_run(path: Path) -> bool:
    """Return True if a folder contains a run.

    An empty or zeroed run.json without episodes does not count.
    """
    file, episodes = path / RUN_FILE, path / EPISODES_FILE
    try:
        if not file.exists():
            return False
        if episodes.exists() and episodes.stat().st_size:
            return True
        with open(file, "rb") as content:
            return bool(content.read(_PIECE).strip(b"\0 \r\n\t"))
    except OSError as error:
        raise cannot_be_read(file, error) from None


def _without_prices(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the configuration without prices.

    They may differ between calls, since they do not affect the episodes.
    """
    agent = {name: value for name, value in config["agent"].items() if name != "prices"}
    return {**config, "agent": agent}


def _guarded(path: Path) -> FolderLock:
    """Create the folder if necessary and lock it."""
    try:
        if path.exists() and not path.is_dir():
            raise OptionError(f"run_dir {path} is a file; expected a folder or a path where one can be made")
        path.mkdir(parents=True, exist_ok=True)
        return FolderLock(path, "run_dir")
    except OSError as error:
        if is_storage(error):
            raise StorageError(storage_text(path, error, "nothing was played or lost")) from None
        raise OptionError(f"run_dir {path}: expected a folder that can be written to ({error})") from None


def _difference(name: str, stored: Any, wanted: Any) -> str:
    if isinstance(stored, dict) and isinstance(wanted, dict):
        inner = [key for key in {**stored, **wanted} if stored.get(key) != wanted.get(key)]
        return "; ".join(_difference(f"{name}.{key}", stored.get(key), wanted.get(key)) for key in inner)
    if isinstance(stored, list) and isinstance(wanted, list):
        if len(stored) == len(wanted) and all(isinstance(item, dict) for item in (*stored, *wanted)):
            pairs = [(f"{name}[{i}]", a, b) for i, (a, b) in enumerate(zip(stored, wanted, strict=True)) if a != b]
            return "; ".join(_difference(*pair) for pair in pairs)
        if max(len(stored), len(wanted)) <= _LISTED:
            return f"{name} is {json.dumps(stored)} there and {json.dumps(wanted)} now"
        return f"{name} differs ({len(stored)} there, {len(wanted)} now)"
    return f"{name} is {json.dumps(stored)} there and {json.dumps(wanted)} now"


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False).encode() + b"\n")


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(parse(line), dict)
    except ValueError:
        return False
