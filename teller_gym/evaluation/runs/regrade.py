"""Regrading, which replays a run's stored actions in the current env and reports the differences.

It shows whether a change to the package affects earlier results, and updates a run without calling its agent again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.envs.contract import execution_of
from teller_gym.evaluation.measures.metrics import summarise
from teller_gym.evaluation.measures.report import make_report
from teller_gym.evaluation.records.episode import FORMAT, Episode, Status, Times, key
from teller_gym.evaluation.records.run_folder import (
    EPISODES_FILE,
    REPORT_FILE,
    RUN_FILE,
    EpisodeKey,
    RunFolder,
    encode,
    expect_same_run,
    load_run,
    planned_keys,
)
from teller_gym.evaluation.runs.parts import FILTERED, GOLD, Env, Part, make_env
from teller_gym.evaluation.runs.play import Planned, broken_record
from teller_gym.evaluation.runs.players import Place
from teller_gym.evaluation.runs.regrade_result import Regrading
from teller_gym.evaluation.runs.replay_changes import EpisodeChanges, Pair, changes, gone
from teller_gym.evaluation.runs.stored_actions import Author, Replayed, replay
from teller_gym.evaluation.runs.tasks import Chosen
from teller_gym.variation.pool import ALL, parse_count, tools_in_play


@dataclass(frozen=True, slots=True)
class _Room:
    """Part of a run with its env."""

    stored: Mapping[str, Any]
    part: Part
    env: Env

    def config(self) -> dict[str, Any]:
        """Return the part's entry in run.json with the current options and checksum."""
        now = self.part.config()
        return {**self.stored, "options": now["options"], "frozen_sha256": now["frozen_sha256"]}


def regrade(
    run_dir: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    graph_kwargs: Mapping[str, Any] | None = None,
) -> Regrading:
    """Replay the stored actions of every valid episode and compare the records.

    Args:
        run_dir: run folder, finished or not; nothing is written to it.
        out: folder for a new run with the new records. Episodes that no longer end are invalid in the new run, and
            invalid ones are copied. An interrupted call is continued from its records.
        env_kwargs, graph_kwargs: constructor options for the stage 2 and stage 1 envs that replace the run's.

    Raises:
        OptionError: the folder contains no run of this version's format, an env or one of its options no longer
            exists, or `out` contains something else.
        StorageError: writing the new run fails; the same call continues it.
    """
    path = Path(run_dir)
    if out is not None and all((Path(out) / name).exists() for name in (RUN_FILE, REPORT_FILE)):
        raise OptionError(f"out: {os.fspath(out)} holds a run already; use another folder")
    config, episodes, times = load_run(path)
    kwargs = {1: graph_kwargs or {}, 2: env_kwargs or {}}
    with ExitStack() as stack:
        rooms = [_room(stored, kwargs[stored["stage"]], stack) for stored in config["parts"]]
        new = _config(config, rooms, path)
        if out is not None:
            _expect_room(Path(out), new)
        places = {task_id: number for number, room in enumerate(rooms) for task_id in room.stored["task_ids"]}
        played = [
            _played(then, places[then["task_id"]], rooms) if then["status"] != Status.INVALID else None
            for then in episodes
        ]
    pairs = list(zip(episodes, played, strict=True))
    if out is not None:
        now = [then if what is None else _record(then, what) for then, what in pairs]
        _write(Path(out), new, now, times)
    return Regrading(
        agent=config["agent"]["name"],
        versions=Pair(config["teller_gym"], teller_gym.__version__),
        data=tuple(_other_data(rooms)),
        episodes=tuple(_compared(then, what) for then, what in pairs if what is not None),
        invalid=sum(what is None for what in played),
        absent=len(planned_keys(config)) - len(episodes),
        metrics=_metrics([(then, what) for then, what in pairs if what is not None]),
    )


def _expect_room(out: Path, config: Mapping[str, Any]) -> None:
    """Check that `out` contains no other run.

    A run that an interrupted call with the same arguments started is accepted.
    """
    try:
        expect_same_run(out, config)
    except OptionError as error:
        raise OptionError(f"out: {out} holds another run already; use another folder ({error})") from None


def _room(stored: Mapping[str, Any], kwargs: Mapping[str, Any], stack: ExitStack) -> _Room:
    options = {**stored["options"], **kwargs}
    part = Part(stored["env"], stored["scenario"], stored["stage"], options, stored["tools"], ())
    try:
        env = make_env(part.env_id, options)
    except OptionError as error:
        how = f"with {', '.join(f'{name}={one!r}' for name, one in kwargs.items())}" if kwargs else "as the run had it"
        raise OptionError(
            f"{part.env_id} cannot be made {how}: {error}. An option can be given anew: env.<option>=…, "
            f"graph.<option>=… for stage 1, or env_kwargs from Python"
        ) from None
    stack.callback(env.close)
    return _Room(stored, part, env)


def _played(then: Episode, number: int, rooms: Sequence[_Room]) -> Replayed:
    """Replay one episode with its agent's name and its tools."""
    room = rooms[number]
    tools = _own_names(room.env, then) if room.part.tools in (FILTERED, GOLD) else None
    planned = _planned(then, number, tools)
    actions = [turn["action"] for turn in then["trace"]]
    what = replay(
        planned, Place(room.env, Author(then["agent"])), actions, notes=[turn["model"] for turn in then["trace"]]
    )
    what.episode["tokens"] = then["tokens"]
    return what


def _own_names(env: Env, then: Episode) -> tuple[str, ...] | None:
    """Return the original names of an episode's tools.

    Unknown names are kept, and the env rejects them. None is returned if the task no longer exists.
    """
    pool = list(tools_in_play(then["scenario"], parse_count(ALL), ""))
    try:
        env.reset(options={"task_id": then["task_id"], "tools": pool})
    except OptionError:
        return None  # the task no longer exists, which the replay will report
    names = execution_of(env).tools.names
    own = {shown: name for name, all_shown in names.items() for shown in all_shown}
    return tuple(dict.fromkeys(own.get(shown, shown) for shown in then["tools"]))


def _ending(what: Replayed) -> str | None:
    steps = what.episode["steps"]
    if what.left_over:
        return f"ends at step {steps} now, where it went on; stored actions left over: {what.left_over}"
    if what.open:
        return f"goes on now after its last stored action, step {steps}, so that its grade is the one so far"
    return None


def _record(then: Episode, what: Replayed) -> Episode:
    """Return the record of an episode for the new run."""
    if not what.open:
        return what.episode
    return broken_record(_planned(then), then["agent"], then["stage"], f"regrading: the episode {_ending(what)}")


def _planned(then: Episode, part: int = 0, tools: tuple[str, ...] | None = None) -> Planned:
    task = Chosen(
        then["task_id"], then["scenario"], then["split"], then["outcome"], then["branches"], then["difficulty"]
    )
    return Planned(part, task, then["trial"], then["seed"], tools)


def _compared(then: Episode, what: Replayed) -> EpisodeChanges:
    """Compare an episode with its replay."""
    if what.episode["status"] == Status.INVALID:
        return gone(then, what.episode["failure"] or "")
    now: Episode = json.loads(encode(what.episode))  # as it would be read from a file
    return changes(then, now, _ending(what))


def _metrics(pairs: Sequence[tuple[Episode, Replayed]]) -> dict[int, dict[str, Pair]]:
    """Return each stage's metrics then and now, over the episodes that are complete in both."""
    found: dict[int, dict[str, Pair]] = {}
    whole = [(then, what.episode) for then, what in pairs if not what.open and what.episode["status"] != Status.INVALID]
    for stage in sorted({then["stage"] for then, _ in whole}):
        mine = [pair for pair in whole if pair[0]["stage"] == stage]
        before, after = (summarise(side, stage=stage, resamples=0) for side in zip(*mine, strict=True))
        names = dict.fromkeys([*before, *after])
        values = {
            name: Pair(*(side[name].value if name in side else None for side in (before, after))) for name in names
        }
        found[stage] = {name: pair for name, pair in values.items() if pair != Pair(None, None)}
    return found


def _other_data(rooms: Iterable[_Room]) -> Iterator[str]:
    names = (room.part.scenario for room in rooms if room.config()["frozen_sha256"] != room.stored["frozen_sha256"])
    yield from dict.fromkeys(names)


def _config(config: Mapping[str, Any], rooms: Iterable[_Room], path: Path) -> dict[str, Any]:
    """Return the new run's run.json, which identifies the regraded run by a checksum of its records."""
    return {
        **config,
        "format": FORMAT,
        "teller_gym": teller_gym.__version__,
        "parts": [room.config() for room in rooms],
        "regraded_from": {
            "teller_gym": config["teller_gym"],
            "episodes_sha256": _checksum(path / EPISODES_FILE),
        },
    }


def _checksum(file: Path) -> str:
    if not file.exists():
        return hashlib.sha256().hexdigest()
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _write(path: Path, config: dict[str, Any], episodes: Sequence[Episode], times: Mapping[EpisodeKey, Times]) -> None:
    with RunFolder(path, config) as folder:
        for episode in episodes:
            if key(episode) not in folder.episodes:  # an interrupted call may have written it
                folder.append(episode, times.get(key(episode), Times(0.0)))
    make_report(config, episodes, times).save(path)
