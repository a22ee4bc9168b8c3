"""A run on disk: `run.json` says what it is, `episodes.jsonl` holds the episodes, `times.jsonl` how long they took,
`provenance.jsonl` on what each call ran.

Every line is on disk before the next episode counts as done. A run cut off anywhere, in the middle of a line
too, is taken up again by opening its folder with the same configuration.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Self

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.earlier import ADDED, EARLIER, brought_up
from teller_gym.evaluation.episodes import FORMAT, Episode, Status, Times, key

RUN_FILE, EPISODES_FILE, TIMES_FILE, LOCK_FILE = "run.json", "episodes.jsonl", "times.jsonl", ".lock"
REPORT_FILE, FIGURE_FILE = "report.json", "report.png"
PROVENANCE_FILE, TEMPLATE_FILE = "provenance.jsonl", "chat_template.jinja"

_LISTED = 3
"""Lists of so many items are told whole where they differ."""

EpisodeKey = tuple[str, int]
"""Task id and trial."""


def encode(value: Any) -> bytes:
    """One line of JSON, keys in the order they were written. Lone surrogates, which models do emit, survive."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode() + b"\n"


class RunFolder:
    """The folder of one run, open for appending.

    path: made if it does not exist. config: what the run is; has to equal that of a run already there.

    Used as a context manager it keeps other processes out until it is left, however that happens.

    Raises:
        OptionError: the folder cannot be made, holds another run, or files of one without its `run.json`, or another
            process writes to it.
    """

    def __init__(self, path: str | os.PathLike[str], config: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        if self.path.exists() and not self.path.is_dir():
            raise OptionError(f"run_dir {self.path} is a file; expected a folder or a path where one can be made")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._guard = _lock_folder(self.path)
        except OSError as error:
            raise OptionError(f"run_dir {self.path}: expected a folder that can be written to ({error})") from None
        try:
            self._settle(json.loads(encode(config)))
            self.episodes = read_episodes(self.path)
            """The episodes on disk."""
            self.times = read_times(self.path)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._guard is not None:
            self._guard.close()

    def append(self, episode: Episode, times: Times) -> None:
        """Put one episode on disk with its times; when this returns it survives a crash of the machine."""
        line = {"task_id": episode["task_id"], "trial": episode["trial"], **asdict(times)}
        with self._lock:
            # Times first: should the run break off in between, the episode is played again and its last time counts.
            _append(self.path / TIMES_FILE, encode(line))
            _append(self.path / EPISODES_FILE, encode(episode))
            self.times[key(episode)] = times
            self.episodes[key(episode)] = episode

    def note_call(self, provenance: Mapping[str, Any], template: str | None = None) -> None:
        """Note what a call that is to play runs on, and the chat template of a model that is rendered here."""
        _append(self.path / PROVENANCE_FILE, encode(provenance))
        if template is not None:
            (self.path / TEMPLATE_FILE).write_text(template, encoding="utf-8")

    def _settle(self, config: Mapping[str, Any]) -> None:
        """Make the folder a run's, or see that it is this run's; remove what a crash left half written."""
        if (self.path / RUN_FILE).exists():
            if not expect_same_run(self.path, config):
                for name in (EPISODES_FILE, TIMES_FILE):
                    (self.path / name).unlink(missing_ok=True)
            if read_config(self.path) != config:
                write_json(self.path / RUN_FILE, config)
        else:
            others = sorted(entry.name for entry in self.path.iterdir() if entry.name != LOCK_FILE)
            if others:
                raise OptionError(
                    f"run_dir {self.path} holds {others[0]} but no {RUN_FILE}, so it is no run folder; use another one"
                )
            write_json(self.path / RUN_FILE, config)
        for name in (EPISODES_FILE, TIMES_FILE, PROVENANCE_FILE):
            _drop_torn_line(self.path / name)


def expect_same_run(path: Path, config: Mapping[str, Any]) -> bool:
    """Return whether a folder that holds a run holds this one; another without a single valid episode may give way.

    Raises:
        OptionError: it holds another one that may not, and what differs.
    """
    if not (path / RUN_FILE).exists():
        return True
    stored = json.loads(encode(_without_prices(read_config(path))))
    wanted = json.loads(encode(_without_prices(config)))
    names = [name for name in {**stored, **wanted} if stored.get(name) != wanted.get(name)]
    if not names:
        return True
    if all(episode["status"] == Status.INVALID for episode in read_episodes(path).values()):
        return False
    told = "; ".join(_difference(name, stored.get(name), wanted.get(name)) for name in names)
    raise OptionError(
        f"run_dir {path} holds a run with another configuration: {told}. "
        f"Use another run_dir, or remove this one to start afresh."
    )


def _without_prices(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """What two calls have to agree on: prices change nothing that an agent does, and the later ones count."""
    agent = {name: value for name, value in config["agent"].items() if name != "prices"}
    return {**config, "agent": agent}


def _lock_folder(path: Path) -> IO[bytes] | None:
    """An open file whose lock the system drops when the process ends; None where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return None
    file = open(path / LOCK_FILE, "ab")  # noqa: SIM115 - closed by the owner; the lock lives as long as it is open
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise OptionError(
            f"run_dir {path}: another process is writing to it; wait for it or use another run_dir"
        ) from None
    return file


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


def read_config(path: Path, *, earlier: bool = False) -> dict[str, Any]:
    """The contents of `run.json`.

    earlier: whether a run of the format before is read, too.

    Raises:
        OptionError: there is none, or it is of a format this version does not know.
    """
    file = path / RUN_FILE
    if not file.exists():
        raise OptionError(f"{path} is no run folder: it has no {RUN_FILE}")
    try:
        config = json.loads(file.read_bytes())
    except ValueError as error:
        raise OptionError(f"{file} cannot be read as JSON ({error}); use another run_dir") from None
    known = config.get("format") if isinstance(config, dict) else None
    if known == EARLIER and not earlier:
        raise OptionError(
            f"{file} is of format {EARLIER}; expected {FORMAT}, the one this version of teller_gym reads. "
            f"Bring the run up to it by  teller-gym regrade {path} --out NEWRUN  which asks no agent"
        )
    if known not in (FORMAT, EARLIER):
        raise OptionError(f"{file} is not of format {FORMAT}, the one this version of teller_gym reads")
    return dict(config)


def read_episodes(path: Path) -> dict[EpisodeKey, Episode]:
    """The episodes of a run folder; of one played again, the last record. Those of an earlier format are brought up."""
    always = Episode.__required_keys__ - {"canary"} - ADDED  # older ones have no canary
    lines = _records(path / EPISODES_FILE, always)
    for number, line in enumerate(lines, 1):
        if line["format"] == EARLIER:
            lines[number - 1] = brought_up(line)
        elif line["format"] != FORMAT:
            raise OptionError(
                f"{path / EPISODES_FILE}: {line['task_id']} is a record of format {line['format']}; "
                f"expected {FORMAT}, the one this version of teller_gym reads"
            )
        elif not line.keys() >= ADDED:
            raise _damaged(path / EPISODES_FILE, number)
    return {key(episode): episode for episode in lines}


def read_times(path: Path) -> dict[EpisodeKey, Times]:
    """The times of a run folder's episodes."""
    lines = _records(path / TIMES_FILE, frozenset(("task_id", "trial", "wall_s")))
    return {(line["task_id"], line["trial"]): Times(line["wall_s"], tuple(line.get("turns_s", ()))) for line in lines}


def _records(path: Path, keys: frozenset[str]) -> list[Any]:
    records = read_lines(path)
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict) or not keys <= record.keys():
            raise _damaged(path, number)
    return records


def _damaged(path: Path, number: int) -> OptionError:
    return OptionError(f"{path}, line {number} is damaged (it is no record); remove that line and run again")


def load_run(path: Path, *, earlier: bool = False) -> tuple[dict[str, Any], list[Episode], dict[EpisodeKey, Times]]:
    """Configuration, episodes so far (in the order of the plan) and times of a run folder.

    earlier: whether a run of the format before is read, too.

    Raises:
        OptionError: it is no run folder, or a line of it is damaged.
    """
    config, episodes = read_config(path, earlier=earlier), read_episodes(path)
    return config, [episodes[place] for place in planned_keys(config) if place in episodes], read_times(path)


def planned_keys(config: Mapping[str, Any]) -> list[EpisodeKey]:
    """The episodes that a run is made of, in their order: the stages one after the other, each trial by trial."""
    stages = sorted({part["stage"] for part in config["parts"]})
    return [
        (task_id, trial)
        for stage in stages
        for trial in range(config["trials"])
        for part in config["parts"]
        if part["stage"] == stage
        for task_id in part["task_ids"]
    ]


def read_lines(path: Path) -> list[Any]:
    """The lines of a JSON Lines file, without a last line that was cut off; empty where there is no file.

    Raises:
        OptionError: a line other than the last is damaged, with its number.
    """
    if not path.exists():
        return []
    whole = path.read_bytes()
    values = []
    for number, line in enumerate(whole[: whole.rfind(b"\n") + 1].splitlines(), 1):
        try:
            values.append(json.loads(line))
        except ValueError as error:
            raise OptionError(f"{path}, line {number} is damaged ({error}); remove that line and run again") from None
    return values


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file so that a reader sees the old or the new one, never half of it."""
    scratch = path.with_name(path.name + ".part")
    with open(scratch, "wb") as file:
        file.write(json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(scratch, path)


def _append(path: Path, line: bytes) -> None:
    with open(path, "ab") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _drop_torn_line(path: Path) -> None:
    """Cut off what follows the last line end: an episode whose writing was interrupted, to be played again."""
    if path.exists():
        with open(path, "rb+") as file:
            whole = file.read()
            if not whole.endswith(b"\n"):
                file.truncate(whole.rfind(b"\n") + 1)
