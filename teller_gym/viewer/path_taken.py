"""Compares an episode's calls with the graph of its procedure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from teller_gym.evaluation.records.episode import Episode, Kind
from teller_gym.procedure.graph import Graph
from teller_gym.viewer.layout import label_lines, lay_out

MOST_STRAY = 60
"""Maximum number of called tools outside the graph to draw, since a model may invent any number of names."""


class State(StrEnum):
    """A tool's state at the end of an episode."""

    RIGHT = "right"
    """Required, and its checkpoint was passed."""
    WRONG = "wrong"
    """Required and called, but never with the right arguments after the calls that it depends on."""
    MISSING = "missing"
    """Required and never called."""
    EXTRA = "extra"
    """Called but not required."""
    UNKNOWN = "unknown"
    """Called, but not among the available tools."""
    UNUSED = "unused"
    """Part of the procedure, but neither required in this task nor called."""


def calls_by_tool(episode: Episode) -> dict[tuple[str, bool], list[int]]:
    """Return the numbers of the steps that called each tool, counted from 1.

    Keys are a tool's original name and True or, for a tool that is not available, the name in the call and False.
    """
    calls: dict[tuple[str, bool], list[int]] = {}
    for number, turn in enumerate(episode["trace"], 1):
        if turn["kind"] == Kind.CALL and turn["tool"] is not None:
            own = turn["original"]
            calls.setdefault((own or turn["tool"], own is not None), []).append(number)
    return calls


def states(episode: Episode, nodes: Iterable[str]) -> dict[str, State]:
    """Return the state of every tool that is a node, required, or called."""
    passed = {row["checkpoint"] for row in episode["checkpoints"] if row["passed"]}
    called = calls_by_tool(episode)
    found: dict[str, State] = dict.fromkeys(nodes, State.UNUSED)
    for name, known in called:
        found[name] = State.EXTRA if known else State.UNKNOWN
    for name in episode["required_tools"]:
        if f"call:{name}" in passed:
            found[name] = State.RIGHT
        else:
            found[name] = State.WRONG if (name, True) in called else State.MISSING
    return found


def path_taken(episode: Episode, graph: Graph | None) -> dict[str, Any]:
    """Return, as JSON values, the state of each tool, the steps that called it, and a drawing of the graph.

    The drawing, under `own`, has the procedure's tools that are required in this task or were called. It is None if the
    procedure's graph is unknown (None).
    """
    nodes = tuple(graph.nodes) if graph else ()
    state = states(episode, nodes)
    steps: dict[str, list[int]] = {}
    for (name, _), numbers in calls_by_tool(episode).items():
        steps[name] = sorted([*steps.get(name, []), *numbers])
    stray = [name for name in state if name not in nodes]
    in_play = tuple(name for name in nodes if state[name] is not State.UNUSED)
    edges = tuple((edge.upstream, edge.downstream) for edge in graph.edges) if graph else ()
    kept = tuple(edge for edge in edges if edge[0] in in_play and edge[1] in in_play)
    return {
        "states": [[name, str(state[name]), steps.get(name, [])] for name in (*nodes, *stray[:MOST_STRAY])],
        "stray": [[name, label_lines(name)] for name in stray[:MOST_STRAY]],
        "more": len(stray[MOST_STRAY:]),
        "own": lay_out(in_play, kept).plain() if graph else None,
    }
