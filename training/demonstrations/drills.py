"""Drills: an expert's call behind a short record that holds what the call copies or derives from, and little else.

Among a thousand tokens a model from random weights hardly finds the one that it should copy; among fifty it does. So a
curriculum may begin with drills cut from the trajectories: for each call, the fields of earlier tool results whose
values the call uses, those that the procedure's graph says its other arguments follow from, and a few others, as one
tool result.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Set
from typing import Any

from teller_gym.agents.chat import Message
from teller_gym.procedure.graph import Graph
from teller_gym.procedure.working import read
from teller_gym.training.demonstrations.expert import Trajectory

EVERYWHERE = frozenset({"null", "true", "false", "0", "0.0", '"none"', '""'})
"""Values that stand in so many fields that an equal one says nothing about where a value comes from."""


def sources(graph: Graph) -> dict[str, frozenset[str]]:
    """Return for each tool the fields of other tools' results that its arguments are copied or worked out from."""
    return {
        name: frozenset(origin.rpartition(".")[2] for item in node.inputs.values() for origin in item.origin)
        for name, node in graph.nodes.items()
    }


def drills(
    trajectory: Trajectory,
    others: int,
    seed: int,
    follows_from: Mapping[str, frozenset[str]] | None = None,
    nested: bool = False,
) -> Iterator[Trajectory]:
    """Cut a trajectory into one drill a call.

    Args:
        trajectory: the whole episode.
        others: fields besides those that the call uses, at most.
        seed: of the choice of those.
        follows_from: what `sources` returns; without it only copied values are in the record for sure.
        nested: whether the record is a list of what was seen, results and the agent's own notes, each as it stood but
            for the fields left out. If two persons have a field, both are in it. Otherwise it is one flat object of
            results' fields, in which the last of a name is kept.
    """
    rng = random.Random(seed)
    follows_from = follows_from or {}
    known: dict[str, Any] = {}
    seen: list[Any] = []
    turn = -1
    for message in trajectory.messages:
        turn += message["role"] == "assistant"
        if message["role"] == "tool":
            seen.append(_parsed(message["content"]))
            known.update(_fields(seen[-1]))
        elif message["role"] == "assistant" and message.get("tool_calls"):
            noted = read(str(message.get("content") or ""))
            if known and turn not in trajectory.slips:
                call = message["tool_calls"][0]["function"]
                wanted = {json.dumps(value) for value in _leaves([call["arguments"], noted])}
                needed = follows_from.get(call["name"], frozenset())
                if nested:
                    wanted -= EVERYWHERE
                    needed |= {name for key in _keys([call["arguments"], noted]) for name in _names(key)}
                used = [key for key, value in known.items() if json.dumps(value) in wanted or key in needed]
                rest = [key for key in known if key not in set(used)]
                shown = {*used, *rng.sample(rest, min(others, len(rest)))}
                facts = _pruned(seen, shown) if nested else {key: known[key] for key in known if key in shown}
                content = json.dumps(facts, separators=(",", ":"), ensure_ascii=not nested)
                record: Message = {"role": "tool", "name": "record", "tool_call_id": "record", "content": content}
                yield Trajectory(trajectory.task_id, trajectory.fingerprint, [record, message], [])
            if nested and noted:
                seen.append(noted)
                known.update(_fields(noted))


def _parsed(content: str) -> Any:
    """A tool result, or nothing if it is no JSON."""
    try:
        return json.loads(content)
    except ValueError:
        return {}


def _pruned(value: Any, shown: Set[str]) -> Any:
    """What is left of a value without the fields that are not shown; objects and lists of objects may be empty."""
    if isinstance(value, list):
        kept = [_pruned(item, shown) for item in value]
        return (
            [item for item in kept if item not in ({}, [])] if any(isinstance(i, dict | list) for i in value) else kept
        )
    if not isinstance(value, dict):
        return value
    found = {}
    for key, item in value.items():
        if isinstance(item, dict) or (isinstance(item, list) and any(isinstance(one, dict | list) for one in item)):
            inner = _pruned(item, shown)
            if inner:
                found[key] = inner
        elif key in shown:
            found[key] = item
    return found


def _fields(result: Any) -> dict[str, Any]:
    """Scalar fields of a tool result, nested ones under their own key."""
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


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


def _names(key: str) -> Iterator[str]:
    """A name, and what is left of it without its first words: whose a value is may stand before its name."""
    words = key.split("_")
    yield from ("_".join(words[start:]) for start in range(len(words)))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value
