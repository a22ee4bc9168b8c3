"""`evaluate`: play an agent over a split, write every episode down, measure."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym

import teller_gym
from teller_gym.errors import InfrastructureError, OptionError
from teller_gym.registration import ENVS
from teller_gym.tasks import CANARY

from . import tasks
from .drivers import play_all
from .episodes import FORMAT, Episode, Status, key
from .play import Env, Planned, Seat
from .players import AgentLike, Player, is_checkpoint, name_of, resolve
from .progress import Progress
from .report import Report, make_report
from .rundir import EpisodeKey, RunFolder, load_run

MAX_FAILURES_IN_A_ROW = 5
"""So many invalid episodes one after another mean that something is broken for good; the run stops."""


def evaluate(
    agent: AgentLike,
    env_id: str,
    split: str = "heldout",
    *,
    n: int | None = None,
    task_ids: Sequence[str] | None = None,
    run_dir: str | os.PathLike[str] | None = None,
    trials: int = 1,
    concurrency: int = 1,
    seed: int = 0,
    env_kwargs: Mapping[str, Any] | None = None,
    agent_kwargs: Mapping[str, Any] | None = None,
    progress: bool = True,
) -> Report:
    """Play an agent over the tasks of a split and measure it.

    agent: a reference agent's name, the folder of a Hugging Face checkpoint, any object with `reset()` and
    `act(obs, info)`, or a factory `env -> agent`.
    n: so many tasks; of a frozen split a fixed part, spread over its outcomes and branches. task_ids: these tasks,
    from whatever frozen split.
    run_dir: folder for transcripts and report. A run cut off there continues; a finished one is only read; invalid
    episodes of an earlier call are played again. Without it nothing is written.
    trials: times each task is played. concurrency: live episodes; a model generates for all of them together.
    seed: of every episode's own seed, of split `generated`, and of the bootstrap.
    env_kwargs: constructor options of the env. agent_kwargs: options of a checkpoint's agent.
    progress: whether to tell on stderr how far the run is.

    Raises:
        OptionError: an option is wrong, or run_dir holds another run.
        MissingExtraError: a checkpoint without the extra that runs it.
        InfrastructureError: episode after episode broke down; what was played is kept.
    """
    if trials < 1 or concurrency < 1:
        raise OptionError(
            f"trials and concurrency: expected at least 1, got trials={trials}, concurrency={concurrency}"
        )
    if type(seed) is not int or seed < 0:
        raise OptionError(f"seed: expected a whole number of 0 or more, got {seed!r}")
    if "split" in (env_kwargs or {}):
        raise OptionError("split: give it by itself, as split=…, not among the options of the env")
    if run_dir is not None and isinstance(agent, str | os.PathLike) and _is_checkpoint_at(agent, run_dir):
        raise OptionError(f"run_dir: {os.fspath(run_dir)} is the checkpoint's own folder; expected another one")
    options = {**(env_kwargs or {}), "split": split}
    with ExitStack() as stack:
        envs = [stack.enter_context(_made(env_id, options))]
        scenario, outcome = _scenario_of(envs[0])
        chosen = tasks.choose(scenario, split, outcome=outcome, n=n, task_ids=task_ids, seed=seed)
        player = resolve(agent, agent_kwargs)
        plan = [
            Planned(task, trial, tasks.episode_seed(seed, task.id, trial)) for trial in range(trials) for task in chosen
        ]
        seats = _seats(stack, player, envs[0], env_id, options, min(concurrency, len(plan)))
        config = _config(env_id, options, player, seats[0], chosen, trials, seed, scenario)
        folder = None if run_dir is None else stack.enter_context(RunFolder(run_dir, config))
        episodes, times, played = _play(plan, seats, folder, progress)
    report = make_report(config, episodes, times, played=played)
    if folder is not None:
        report.save(folder.path)
    return report


def _scenario_of(env: Env) -> tuple[str, str]:
    """The scenario that an env plays, and the output field that says how a case ends: by convention the first."""
    core: Any = env.unwrapped
    return core.scenario.name, core.scenario.output_fields[0]


@contextmanager
def _made(env_id: str, options: Mapping[str, Any]) -> Iterator[Env]:
    """An env for one seat. The checker that wraps every env by default would check each of many thousand steps."""
    try:
        env: Env = gym.make(env_id, disable_env_checker=True, **options)
    except (gym.error.Error, ModuleNotFoundError) as error:
        raise OptionError(f"env: {error}") from None
    except TypeError as error:
        raise OptionError(f"env: {_EXPECTED} and options that it takes, got {env_id} and: {error}") from error
    try:
        expect_ours(env, env_id)
        yield env
    finally:
        env.close()


_EXPECTED = f"expected an environment of teller_gym, such as {ENVS[0].id},"


def expect_ours(env: Env, env_id: str) -> None:
    """Raise an OptionError if an env is not one of this package's kind."""
    if not hasattr(env.unwrapped, "tool_schemas"):
        raise OptionError(f"env: {_EXPECTED} got {env_id}")
    if not hasattr(env.unwrapped, "grade"):
        raise OptionError(
            f"env: {_EXPECTED} got {env_id}, whose answers are scored in one step, not by episodes of calls"
        )


def _is_checkpoint_at(agent: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    return is_checkpoint(Path(agent)) and Path(agent).resolve() == Path(folder).resolve()


def _seats(
    stack: ExitStack, player: Player, first: Env, env_id: str, options: Mapping[str, Any], count: int
) -> list[Seat]:
    agent = player.make(first)
    if count > 1 and player.shared and not hasattr(agent, "act_batch"):
        raise OptionError(
            f"concurrency={count}: agent {name_of(agent)} plays one episode at a time; "
            f"give a factory that makes one for each env, or concurrency=1"
        )
    seats = [Seat(first, agent)]
    for _ in range(count - 1):
        env = stack.enter_context(_made(env_id, options))
        seats.append(Seat(env, agent if hasattr(agent, "act_batch") else player.make(env)))
    return seats


def _config(
    env_id: str, options: Mapping[str, Any], player: Player, seat: Seat, chosen: Sequence[tasks.Chosen], trials: int,
    seed: int, scenario: str,
) -> dict[str, Any]:  # fmt: skip
    """What a run is. Whatever changes its episodes stands in it; how it was carried out does not."""
    return {
        "format": FORMAT,
        "canary": CANARY,
        "teller_gym": teller_gym.__version__,
        "env": env_id,
        "env_options": {name: _plain(value) for name, value in sorted(options.items())},
        "agent": {"name": name_of(seat.agent), **player.identity},
        "scenario": scenario,
        "splits": list(dict.fromkeys(task.split for task in chosen)),
        "frozen_sha256": tasks.frozen_checksum(scenario),
        "trials": trials,
        "seed": seed,
        "task_ids": [task.id for task in chosen],
    }


def _plain(value: Any) -> Any:
    """An option as JSON; of an object its repr, which for our frozen configs shows every field."""
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else repr(value)


def _play(
    plan: Sequence[Planned], seats: Sequence[Seat], folder: RunFolder | None, shown: bool
) -> tuple[list[Episode], dict[EpisodeKey, float], int]:
    """The plan's episodes in its order, their wall times, and how many were played now."""
    episodes = dict(folder.episodes) if folder else {}
    times = dict(folder.times) if folder else {}
    left = [planned for planned in plan if not _settled(episodes.get((planned.task.id, planned.trial)))]
    before = [episode["score"] for episode in episodes.values() if _settled(episode)]
    meter = Progress(len(plan), before=before, shown=shown)
    _announce(meter, len(plan), left, episodes, folder)
    row = 0

    def sink(episode: Episode, wall_s: float) -> None:
        nonlocal row
        wall_s = round(wall_s, 6)
        episodes[key(episode)], times[key(episode)] = episode, wall_s
        if folder is not None:
            folder.append(episode, wall_s)
        broke = episode["status"] == Status.INVALID
        meter.count(None if broke else episode["score"])
        row = row + 1 if broke else 0
        if row >= MAX_FAILURES_IN_A_ROW:
            where = "" if folder is None else f" What was played is kept in {folder.path}; the same call continues."
            raise InfrastructureError(
                f"{row} episodes in a row broke down, {episode['task_id']} with {episode['failure']}.{where}"
            )

    if left:
        play_all(left, seats, sink)
        meter.close()
    return [episodes[planned.task.id, planned.trial] for planned in plan], times, len(left)


def _settled(episode: Episode | None) -> bool:
    return episode is not None and episode["status"] != Status.INVALID


def _announce(
    meter: Progress, total: int, left: Sequence[Planned], episodes: Mapping[EpisodeKey, Episode],
    folder: RunFolder | None,
) -> None:  # fmt: skip
    if folder is None or not episodes:
        return
    broken = sum(episode["status"] == Status.INVALID for episode in episodes.values())
    again = f", {broken} of them again because they were invalid" if broken else ""
    if left:
        meter.say(
            f"{folder.path}: {total - len(left)} of {total} episodes are there; playing the other {len(left)}{again}"
        )
    else:
        meter.say(f"{folder.path} is finished: all {total} episodes are there; nothing to do")


def load_report(run_dir: str | os.PathLike[str]) -> Report:
    """Measure the episodes of a run folder, finished or not, without playing any.

    Raises:
        OptionError: it is no run folder.
    """
    config, episodes, times = load_run(Path(run_dir))
    return make_report(config, episodes, times)
