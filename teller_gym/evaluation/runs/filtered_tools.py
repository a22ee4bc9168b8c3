"""Filtered tools for stage 2: those named in a stage 1 answer, or those in the scenario's own graph."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.episode import Episode, Status
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.evaluation.runs.parts import GOLD, Part
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import frozen_tasks
from teller_gym.variation.pool import ALL, parse_count, tools_in_play

ToolLists = Mapping[str, Sequence[tuple[str, ...] | None]]
"""Tool lists that each scenario's episodes use in rotation.

None replaces the list of an invalid answer; the episodes that would use it have to wait until that answer has been
played again.
"""


def gold_tools(scenario: str) -> tuple[str, ...]:
    """Return the tools in the scenario's own graph."""
    return tuple(load_scenario(scenario).graph.nodes)


def tools_of_answer(scenario: str, nodes: Iterable[str]) -> tuple[str, ...]:
    """Return the tools that an answer names, and the two that every case needs, for reading and submitting it.

    Args:
        nodes: nodes of the answer under the tools' original names; unknown names are ignored.
    """
    # Every standard result begins with the tool that reads the case.
    reader = next(iter(frozen_tasks(scenario).values())).standard.calls[0].name
    named = {*nodes, load_scenario(scenario).submit, reader}
    return tuple(name for name in tools_in_play(scenario, parse_count(ALL), "") if name in named)


def tool_lists(parts: Iterable[Part], answers: Iterable[Episode]) -> ToolLists:
    """Return the tool lists for the parts with filtered tools.

    Args:
        answers: stage 1 episodes in planned order.

    Raises:
        OptionError: a scenario has no valid answer.
    """
    given = list(answers)
    lists: dict[str, list[tuple[str, ...] | None]] = {}
    for part in parts:
        name = part.scenario
        if part.tools == GOLD:
            lists[name] = [gold_tools(name)]
            continue
        graphs = [episode["graph"] for episode in given if episode["scenario"] == name]
        lists[name] = [None if graph is None else tools_of_answer(name, graph["nodes"]) for graph in graphs]
        if not any(lists[name]):
            raise OptionError(
                f"tools=filtered: there is no valid answer of stage 1 for {name}; play stage=[1,2] in one run, or name "
                f"a run of stage 1 by filtered_from=RUN"
            )
    return lists


def answers_of(run_dir: str | os.PathLike[str]) -> list[Episode]:
    """Return the valid stage 1 episodes in a run folder.

    Raises:
        OptionError: the folder is no run folder.
    """
    _, episodes, _ = load_run(Path(run_dir))
    return [episode for episode in episodes if episode["stage"] == 1 and episode["status"] != Status.INVALID]


def checksum(lists: ToolLists) -> str:
    """Return a SHA-256 digest of tool lists, which distinguishes runs in run.json."""
    return hashlib.sha256(repr(sorted((name, list(rows)) for name, rows in lists.items())).encode()).hexdigest()
