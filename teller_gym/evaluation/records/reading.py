"""Reading of run folders, with a warning for each damaged line.

Valid lines are kept even if others are damaged. Continued runs, reports, the viewer and regrading all use these
functions, so that they agree.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.episode import FORMAT, Episode, Status, Times, key
from teller_gym.evaluation.records.jsonl import CUT_OFF, lines_of, read_json, shown
from teller_gym.evaluation.records.validation import OtherFormatError, expect_config, expect_times, whole_episode

RUN_FILE, EPISODES_FILE, TIMES_FILE = "run.json", "episodes.jsonl", "times.jsonl"
PROVENANCE_FILE = "provenance.jsonl"

MOST_TOLD = 10
"""Maximum number of damaged lines reported individually; the others are only counted."""

EpisodeKey = tuple[str, int]
"""Task id and trial."""

log = logging.getLogger(__name__)


def load_run(path: Path) -> tuple[dict[str, Any], list[Episode], dict[EpisodeKey, Times]]:
    """Return a run folder's configuration, its episodes so far in planned order, and their times.

    Each damaged line is left out with a warning.

    Raises:
        OptionError: the folder contains no run, its run.json is damaged, or another version wrote it.
    """
    config = read_config(path)
    episodes = read_episodes(path, config)
    return config, [episodes[place] for place in planned_keys(config) if place in episodes], read_times(path)


def read_config(path: Path) -> dict[str, Any]:
    """Read and validate `run.json`.

    Raises:
        OptionError: the file is missing or damaged, or has a format that this version does not read.
    """
    file = path / RUN_FILE
    if not file.is_file():
        raise OptionError(f"{path} is no run folder: it has no {RUN_FILE}")
    try:
        config = read_json(file)
    except ValueError as error:
        if isinstance(error, OptionError):
            raise
        raise _damaged_config(file, shown(str(error))) from None
    known = config.get("format") if isinstance(config, dict) else None
    if type(known) is int and known > FORMAT:
        raise OptionError(
            f"{file} is not of format {FORMAT}, the one this version of teller_gym reads, but of format "
            f"{shown(str(known))}, which a later version wrote; use that version"
        )
    if type(known) is not int or known != FORMAT:
        raise OptionError(f"{file} is not of format {FORMAT}, the one this version of teller_gym reads")
    try:
        expect_config(config)
    except ValueError as error:
        raise _damaged_config(file, shown(str(error))) from None
    return dict(config)


def read_episodes(path: Path, config: Mapping[str, Any]) -> dict[EpisodeKey, Episode]:
    """Return a run folder's valid episodes by key.

    If one occurs twice, its last valid record counts.

    Args:
        config: the run's configuration; episodes that do not belong to it are left out.

    Raises:
        OptionError: another version wrote one of the episodes.
    """
    found, notes = _episodes(path / EPISODES_FILE, config)
    _warn(path / EPISODES_FILE, notes)
    return found


def nothing_valid(path: Path, config: Mapping[str, Any]) -> bool:
    """Return True if a run folder has no valid episode.

    It must not have a damaged line either that could be repaired by hand.
    """
    found, notes = _episodes(path / EPISODES_FILE, config)
    whole = all(note.endswith(CUT_OFF) for note in notes)
    return whole and all(episode["status"] == Status.INVALID for episode in found.values())


def _episodes(file: Path, config: Mapping[str, Any]) -> tuple[dict[EpisodeKey, Episode], list[str]]:
    """Return a file's episodes, and notes about lines that are left out or duplicated."""
    plan, notes = set(planned_keys(config)), list[str]()
    parts = {task_id: (part["scenario"], part["stage"]) for part in config["parts"] for task_id in part["task_ids"]}
    found: dict[EpisodeKey, Episode] = {}
    for number, value, problem in lines_of(file):
        try:
            if problem is not None:
                raise ValueError(problem)
            episode = whole_episode(value)
        except OtherFormatError as error:
            raise OptionError(
                f"{file}, line {number} is {error}; expected {FORMAT}, the one this version of teller_gym reads; "
                f"use the version that wrote it"
            ) from None
        except ValueError as error:
            notes.append(f"line {number} is left out: {error}")
            continue
        place = key(episode)
        name = f"{shown(place[0])}, trial {place[1]}"
        if place not in plan or parts[place[0]] != (episode["scenario"], episode["stage"]):
            notes.append(f"line {number} is left out: {name}, is no episode of this run's {RUN_FILE}")
            continue
        before = found.get(place)
        if before is not None and before["status"] != Status.INVALID:
            notes.append(f"line {number}: {name}, is there twice; the last valid record counts")
            if episode["status"] == Status.INVALID:
                continue
        found[place] = episode
    return found, notes


def read_times(path: Path) -> dict[EpisodeKey, Times]:
    """Return a run folder's valid episode times by key."""
    lines = _records(path / TIMES_FILE, expect_times)
    return {(line["task_id"], line["trial"]): Times(line["wall_s"], tuple(line.get("turns_s", ()))) for line in lines}


def read_provenance(path: Path) -> list[dict[str, Any]]:
    """Return a run folder's provenance records, one for each call that played episodes."""
    return _records(path / PROVENANCE_FILE, _expect_object)


def read_lines(path: Path) -> list[Any]:
    """Return the valid values in a JSON Lines file, or an empty list if it does not exist."""
    return [line.value for line in lines_of(path) if line.problem is None]


def planned_keys(config: Mapping[str, Any]) -> list[EpisodeKey]:
    """Return the keys of all episodes that a run should have, in order of stage, trial and part."""
    stages = sorted({part["stage"] for part in config["parts"]})
    return [
        (task_id, trial)
        for stage in stages
        for trial in range(config["trials"])
        for part in config["parts"]
        if part["stage"] == stage
        for task_id in part["task_ids"]
    ]


def _records(path: Path, expect: Callable[[Any], None]) -> list[Any]:
    values, notes = [], []
    for number, value, problem in lines_of(path):
        try:
            if problem is not None:
                raise ValueError(problem)
            expect(value)
        except ValueError as error:
            notes.append(f"line {number} is left out: {error}")
        else:
            values.append(value)
    _warn(path, notes)
    return values


def _expect_object(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValueError("expected an object")


def _damaged_config(file: Path, problem: str) -> OptionError:
    return OptionError(
        f"{file} is damaged: {problem}. What it was is not known without it: put it back from a copy, or use another "
        f"folder; {EPISODES_FILE} beside it is left as it is"
    )


def _warn(file: Path, notes: Sequence[str]) -> None:
    for note in notes[:MOST_TOLD]:
        log.warning("%s, %s", file, shown(note))
    if len(notes) > MOST_TOLD:
        log.warning("%s: %d more lines like these", file, len(notes) - MOST_TOLD)
