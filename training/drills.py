"""Drills: an expert's call behind a short record that holds what the call copies or derives from, and little else.

Among a thousand tokens a model from random weights hardly finds the one that it should copy; among fifty it does. So a
curriculum may begin with drills cut from the trajectories: for each call, the fields of earlier tool results whose
values the call uses, those that the procedure's graph says its other arguments follow from, and a few others, as one
tool result.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from teller_gym.agents.chat import Message
from teller_gym.procedure.graph import Graph
from teller_gym.procedure.working import read
from teller_gym.training.experts import Trajectory


def sources(graph: Graph) -> dict[str, frozenset[str]]:
    """Return for each tool the fields of other tools' results that its arguments are copied or worked out from."""
    return {
        name: frozenset(origin.rpartition(".")[2] for item in node.inputs.values() for origin in item.origin)
        for name, node in graph.nodes.items()
    }


def drills(
    trajectory: Trajectory, others: int, seed: int, follows_from: Mapping[str, frozenset[str]] | None = None
) -> Iterator[Trajectory]:
    """Cut a trajectory into one drill a call.

    Args:
        trajectory: the whole episode.
        others: fields besides those that the call uses, at most.
        seed: of the choice of those.
        follows_from: what `sources` returns; without it only copied values are in the record for sure.
    """
    rng = random.Random(seed)
    follows_from = follows_from or {}
    known: dict[str, Any] = {}
    turn = -1
    for message in trajectory.messages:
        turn += message["role"] == "assistant"
        if message["role"] == "tool":
            known.update(_fields(message["content"]))
        elif message["role"] == "assistant" and message.get("tool_calls") and known and turn not in trajectory.slips:
            call = message["tool_calls"][0]["function"]
            noted = read(str(message.get("content") or ""))
            wanted = {json.dumps(value) for value in _leaves([call["arguments"], noted])}
            needed = follows_from.get(call["name"], frozenset())
            used = [key for key, value in known.items() if json.dumps(value) in wanted or key in needed]
            rest = [key for key in known if key not in set(used)]
            shown = {*used, *rng.sample(rest, min(others, len(rest)))}
            content = json.dumps({key: known[key] for key in known if key in shown}, separators=(",", ":"))
            record: Message = {"role": "tool", "name": "record", "tool_call_id": "record", "content": content}
            yield Trajectory(trajectory.task_id, trajectory.fingerprint, [record, message], [])


def _fields(content: str) -> dict[str, Any]:
    """Scalar fields of a tool result, nested ones under their own key."""
    try:
        result = json.loads(content)
    except ValueError:
        return {}
    found: dict[str, Any] = {}
    stack = [result]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            for key, value in item.items():
                if isinstance(value, dict | list):
                    stack.append(value)
                else:
                    found[key] = value
    return found


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value
