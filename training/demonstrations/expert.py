"""Expert trajectories as chat data, one JSON line per episode on a fresh task.

Messages and tool calls stay JSON, never Arrow tables: Arrow would merge the arguments of different tools into one
struct and fill gaps with nulls, and a model would learn to write those nulls.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec

import teller_gym
from teller_gym.agents.chat import Message, Schema
from teller_gym.agents.scripted import WorkingExpert
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.envs.contract import execution_of
from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.processes.isolate import spread
from teller_gym.training.run_folder.checksums import file_sum
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import LeakGuard, make_env

ExpertFactory = Callable[[gym.Env[Any, Any]], Any]


@dataclass(frozen=True)
class Trajectory:
    """One expert episode.

    Attributes:
        fingerprint: the task's fingerprint, for checking stored data against the evaluation splits again.
        messages: the whole chat in OpenAI's format, the system message first.
        tools: schemas of the available tools.
    """

    task_id: str
    fingerprint: str
    messages: list[Message]
    tools: list[Schema]

    @property
    def scenario(self) -> str:
        """The task's scenario, taken from its id."""
        return self.task_id.partition("-g-")[0]


def expert_factory(working: bool) -> ExpertFactory:
    """Return a function that creates an environment's expert, which shows its working if ``working`` is true."""
    return WorkingExpert if working else partial(teller_gym.make_agent, "expert")


def play_expert(env: gym.Env[Any, Any], expert: Any, task_id: str, guard: LeakGuard) -> Trajectory:
    """Let the expert complete a task and return the episode.

    Raises:
        LeakError: the task is in an evaluation split.
        InfrastructureError: the expert does not reach the full score, so that its episode would teach mistakes.
    """
    info, found = _played(env, expert, task_id, guard)
    if not info["success"] or info["score"] < 1 - 1e-9:
        raise InfrastructureError(f"the expert scored {info['score']:.3f} on {task_id}: its data would teach mistakes")
    return found


SHORT = 2
"""Number of calls after which a short trajectory stops; in the banking scenarios, they read the case and make its first
check."""

STOPPED = "The case is done."
"""Final response of a short trajectory."""


def play_short(env: gym.Env[Any, Any], expert: Any, task_id: str, guard: LeakGuard) -> Trajectory:
    """Let the expert begin a task and end it with `STOPPED` after its first calls; see `play_expert`."""
    return _played(env, expert, task_id, guard, SHORT)[1]


def _played(
    env: gym.Env[Any, Any], expert: Any, task_id: str, guard: LeakGuard, calls: int | None = None
) -> tuple[dict[str, Any], Trajectory]:
    """Let the expert play a task, or only its first ``calls`` calls; return the last info and the episode."""
    obs, info = env.reset(options={"task_id": task_id})
    core = execution_of(env)
    guard.check(core.task)
    expert.reset()
    over, made = False, 0
    while not over:
        action = expert.act(obs, info) if calls is None or made < calls else STOPPED
        obs, _, terminated, truncated, info = env.step(action)
        over, made = terminated or truncated, made + 1
    return info, Trajectory(task_id, core.task.fingerprint, core.messages(), core.tool_schemas())


@dataclass(frozen=True)
class Wanted:
    """Specification of the trajectories to generate.

    Attributes:
        first_seed: seed of the first task; the others follow.
        shortcuts: share of trajectories that stop after the expert's second call as if the case were finished.
        after: number of leading trajectories without shortcuts.
        working: True if the expert shows its working, see `teller_gym.procedure.working`.
    """

    env_id: str
    options: dict[str, Any]
    first_seed: int = 0
    shortcuts: float = 0.0
    after: int = 0
    band: Band = field(default_factory=Band)
    working: bool = False


Heads = dict[str, dict[str, Any]]
"""System messages and tools shared by many lines, by digest."""


class _Maker:
    """Plays the expert and returns its trajectories as lines of the file."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._env = make_env(wanted.env_id, wanted.options, "generated")
        self._expert = expert_factory(wanted.working)(self._env)
        self._mixture = Mixture.in_env(self._env)
        self._guard = LeakGuard()

    def __call__(self, numbers: range) -> tuple[list[bytes], Heads]:
        """Play the numbered trajectories and return their lines and the shared content."""
        heads: Heads = {}
        return [_line(self._play(number), heads) for number in numbers], heads

    def _play(self, number: int) -> Trajectory:
        wanted = self._wanted
        task_id = self._mixture.generated(wanted.band, wanted.first_seed + number)
        if number >= wanted.after and random.Random(f"shortcut/{task_id}").random() < wanted.shortcuts:
            return play_short(self._env, self._expert, task_id, self._guard)
        return play_expert(self._env, self._expert, task_id, self._guard)


PART = 64
"""Number of trajectories that a process generates at a time."""


def collect(
    path: Path, wanted: Wanted, count: int, report: Callable[[int], None] | None = None, processes: int = 1
) -> None:
    """Write expert trajectories on generated tasks to a JSON Lines file.

    ``<name>.head.json`` beside it holds the system messages and tools that the lines share. ``report`` is
    called with the number of finished trajectories. The bytes do not depend on the number of processes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    heads: Heads = {}
    number = 0
    unfinished = path.with_suffix(".part")
    # A single process reports each trajectory.
    size = 1 if processes == 1 else PART
    parts = [range(at, min(at + size, count)) for at in range(0, count, size)]
    with (
        unfinished.open("wb") as file,
        closing(spread(_Maker, (wanted,), parts, processes, "plays the expert")) as made,
    ):
        for lines, shared in made:
            heads |= shared
            for line in lines:
                file.write(line + b"\n")
                number += 1
                if report:
                    report(number)
        file.flush()
        os.fsync(file.fileno())
    # The data comes last, so that its existence implies that of the head.
    head = {"count": count, "sha256": file_sum(unfinished), "heads": heads}
    write_json(path.with_suffix(".head.json"), head)
    os.replace(unfinished, path)


def damage(path: Path, count: int) -> str | None:
    """Return a clause that describes the damage to a file written by `collect` or to its head, or None if both are
    complete."""
    head_path = path.with_suffix(".head.json")
    try:
        head = json.loads(head_path.read_text("utf-8"))
        heads = head["heads"].items()
        whole = all(_digest(one["system"], one["tools"]) == digest for digest, one in heads)
    except FileNotFoundError:
        return f"{head_path.name} is missing"
    except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
        whole = False
    if not whole:
        return f"{head_path.name} is damaged"
    if head.get("count") != count:
        return f"it holds {head.get('count')} trajectories, wanted are {count}"
    return None if head.get("sha256") == file_sum(path) else f"{path.name} is damaged"


def _digest(system: str, tools: list[Schema]) -> str:
    return hashlib.sha256(msgspec.json.encode([system, tools])).hexdigest()[:16]


def _line(trajectory: Trajectory, heads: Heads) -> bytes:
    """Encode a trajectory as a line of the file and put its shared content in ``heads`` by digest."""
    chat = trajectory.messages
    system = chat[0]["content"] if chat[0]["role"] == "system" else ""
    digest = _digest(system, trajectory.tools)
    if digest not in heads:
        heads[digest] = {"system": system, "tools": trajectory.tools}
    rest = chat[1:] if system else chat
    row = {"task_id": trajectory.task_id, "fingerprint": trajectory.fingerprint, "head": digest, "messages": rest}
    return msgspec.json.encode(row)


def read(path: Path, first: int = 0, count: int | None = None) -> Iterator[Trajectory]:
    """Yield trajectories that `collect` wrote, in order.

    Args:
        first: number of the first trajectory to read.
        count: number of trajectories, or None for all that follow.

    Raises:
        OptionError: the file or its head is damaged; the message says what to remove.
    """
    number = 0
    try:
        heads = json.loads(path.with_suffix(".head.json").read_text("utf-8"))["heads"]
        with path.open("rb") as file:
            for line in islice(file, None if count is None else first + count):
                number += 1
                if number > first:
                    yield _trajectory(msgspec.json.decode(line), heads)
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError) as error:
        where = f"line {number}" if number else "its head"
        raise OptionError(
            f"{path}, {where} is damaged ({type(error).__name__}: {error}); remove that file and run the same command: "
            "it is made again"
        ) from error


def _trajectory(row: dict[str, Any], heads: dict[str, dict[str, Any]]) -> Trajectory:
    head = heads[row["head"]]
    system = [{"role": "system", "content": head["system"]}] if head["system"] else []
    return Trajectory(row["task_id"], row["fingerprint"], [*system, *row["messages"]], head["tools"])
