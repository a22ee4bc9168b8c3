"""Evaluation of an agent on the tasks of one or more envs, which plays, records and measures episodes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.report import Report, make_report
from teller_gym.evaluation.records.episode import FORMAT
from teller_gym.evaluation.records.run_folder import RunFolder, expect_same_run, load_run
from teller_gym.evaluation.runs import filtered_tools as filtered
from teller_gym.evaluation.runs.limits import Gate, Limits
from teller_gym.evaluation.runs.parts import FILTERED, FULL, OWN, TOOLS, Part, Selection, as_tuple
from teller_gym.evaluation.runs.players import AgentLike, Player, Seat, check_name, is_checkpoint, name_of, resolve
from teller_gym.evaluation.runs.queue import Work
from teller_gym.tasks.store import CANARY


def evaluate(
    agent: AgentLike,
    env_id: str | Sequence[str],
    split: str | Sequence[str] = "heldout",
    *,
    n: int | None = None,
    task_ids: Sequence[str] | None = None,
    run_dir: str | os.PathLike[str] | None = None,
    trials: int = 1,
    concurrency: int = 1,
    seed: int = 0,
    env_kwargs: Mapping[str, Any] | None = None,
    graph_kwargs: Mapping[str, Any] | None = None,
    agent_kwargs: Mapping[str, Any] | None = None,
    tools: str = OWN,
    filtered_from: str | os.PathLike[str] | None = None,
    limits: Limits | None = None,
    overwrite: bool = False,
    progress: bool = True,
) -> Report:
    """Evaluate an agent on the tasks of one or several splits.

    Args:
        agent: a reference agent's name, the folder of a Hugging Face checkpoint, "endpoint" for a chat model behind an
            OpenAI-compatible endpoint, an agent as defined in `teller_gym.agents.base` (with `reset()` and
            `act(obs, info)`, with `act_batch`, or with `open`), or a factory `env -> agent`.
        env_id, split: one or several envs and splits, of either stage. Every env is played on every split that it has.
        n: number of tasks per env and split. For a frozen split of stage 2 it is a fixed subset, spread over outcomes
            and branches.
        task_ids: ids of the tasks to play, from any frozen split.
        run_dir: folder for transcripts and report; None to write nothing. An interrupted run in it is continued, and
            invalid episodes are played again. A run with other tasks, other settings or, for your own agent, other code
            is rejected.
        overwrite: True to remove an existing run in run_dir first.
        trials: number of times each task is played.
        concurrency: number of episodes played at the same time; a model generates for all of them together.
        seed: base seed of the episodes, of split `generated`, and of the bootstrap.
        env_kwargs, graph_kwargs: constructor options for the stage 2 and stage 1 envs.
        agent_kwargs: options for a checkpoint's agent or for an endpoint.
        tools: tools available in stage 2: `own` (according to env_kwargs), `full` (the whole pool), `gold` (those of
            the scenario's graph), or `filtered` (those in the agent's own answers of stage 1, used in rotation; they
            come from this run's stage 1 or from the run folder filtered_from).
        limits: limits on tokens, cost and time; once one is reached, running episodes end and the run stops.
        progress: True to report progress on stderr.

    Raises:
        OptionError: an option is wrong, or run_dir contains another run.
        MissingExtraError: the extra that runs the agent is not installed.
        InfrastructureError: several episodes in a row failed without fault of the agent; those played are kept.
    """
    _check(trials, concurrency, seed, tools, env_kwargs, graph_kwargs)
    if run_dir is not None and isinstance(agent, str | os.PathLike) and _is_checkpoint_at(agent, run_dir):
        raise OptionError(f"run_dir: {os.fspath(run_dir)} is the checkpoint's own folder; expected another one")
    selection = Selection(
        env_ids=as_tuple(env_id), splits=as_tuple(split), n=n, task_ids=None if task_ids is None else tuple(task_ids),
        seed=seed, options=env_kwargs or {}, graph_options=graph_kwargs or {}, tools=tools,
    )  # fmt: skip
    parts = selection.parts()
    player = resolve(agent, agent_kwargs)
    with ExitStack() as stack:
        lists = _tool_lists(parts, tools, filtered_from)
        episodes = trials * sum(len(part.tasks) for part in parts)
        seats = [Seat(parts, player) for _ in range(min(concurrency, episodes))]
        for seat in seats:
            stack.callback(seat.close)
        config = _config(parts, player, seats[0], trials, seed)
        check_name(config["agent"]["name"])
        if lists is not None and tools == FILTERED:
            config["tools_sha256"] = filtered.checksum(lists)
        if run_dir is not None and not overwrite:
            expect_same_run(Path(run_dir), config)  # before loading a model
        seats[0].at(0)  # before writing anything, since the agent may fail to load
        folder = None if run_dir is None else stack.enter_context(RunFolder(run_dir, config, overwrite=overwrite))
        work = Work(config, parts, seats, folder, Gate(limits, player.prices), progress)
        work.note_call(getattr(seats[0].at(0).agent, "chat_template", None), concurrency=concurrency)
        work.play(lists)
    report = make_report(config, work.in_order(), work.times, played=work.played)
    if folder is not None:
        report.save(folder.path)
    return report


def _check(
    trials: int, concurrency: int, seed: int, tools: str, env_kwargs: Mapping[str, Any] | None,
    graph_kwargs: Mapping[str, Any] | None,
) -> None:  # fmt: skip
    if trials < 1 or concurrency < 1:
        raise OptionError(
            f"trials and concurrency: expected at least 1, got trials={trials}, concurrency={concurrency}"
        )
    if type(seed) is not int or seed < 0:
        raise OptionError(f"seed: expected a whole number of 0 or more, got {seed!r}")
    if tools not in TOOLS:
        raise OptionError(f"tools: expected one of {', '.join(TOOLS)}, got {tools!r}")
    if "split" in {**(env_kwargs or {}), **(graph_kwargs or {})}:
        raise OptionError("split: give it by itself, as split=…, not among the options of the env")


def _is_checkpoint_at(agent: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    return is_checkpoint(Path(agent)) and Path(agent).resolve() == Path(folder).resolve()


def _tool_lists(
    parts: Sequence[Part], tools: str, filtered_from: str | os.PathLike[str] | None
) -> filtered.ToolLists | None:
    """Return the tool lists known before the run.

    None is returned if tools are not filtered, or depend on this run.
    """
    if filtered_from is not None and tools != FILTERED:
        raise OptionError(f"filtered_from: expected none with tools={tools}; it goes with tools=filtered")
    second = [part for part in parts if part.stage == 2]
    if tools in (OWN, FULL):
        return None
    if tools == FILTERED and filtered_from is None:
        first = {part.scenario for part in parts if part.stage == 1}
        if missing := sorted({part.scenario for part in second} - first):
            raise OptionError(
                f"tools=filtered: stage 1 of {', '.join(missing)} is not in this run; play both stages, or name a run "
                f"of stage 1 by filtered_from=RUN"
            )
        return None
    return filtered.tool_lists(second, [] if filtered_from is None else filtered.answers_of(filtered_from))


def _config(parts: Sequence[Part], player: Player, seat: Seat, trials: int, seed: int) -> dict[str, Any]:
    """Return the run's configuration, which contains everything that affects its episodes."""
    return {
        "format": FORMAT,
        "canary": CANARY,
        "teller_gym": teller_gym.__version__,
        "agent": player.identity
        if "name" in player.identity
        else {"name": name_of(seat.at(0).agent), **player.identity},
        "parts": [part.config() for part in parts],
        "trials": trials,
        "seed": seed,
    }


def load_report(run_dir: str | os.PathLike[str]) -> Report:
    """Measure the episodes in a run folder, finished or not, without playing any.

    Raises:
        OptionError: the folder contains no run.
    """
    config, episodes, times = load_run(Path(run_dir))
    return make_report(config, episodes, times)
