"""Drills: an expert's call after a short record of the values that it copies or derives.

A model with random weights hardly finds the token to copy among a thousand, but does among fifty. So a curriculum may
begin with drills cut from trajectories. The record of a call is one tool result with the fields of earlier results
whose values the call uses, the fields from which its other arguments follow according to the procedure's graph, and a
few others.
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
"""Values that occur in so many fields that equality does not show a value's origin."""


def sources(graph: Graph) -> dict[str, frozenset[str]]:
    """Return, for each tool, the other tools' result fields from which its arguments are copied or derived."""
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
    """Cut a trajectory into one drill per call.

    Args:
        trajectory: the whole episode.
        others: maximum number of fields in addition to those that the call uses.
        seed: seed for choosing the additional fields.
        follows_from: result of `sources`; without it only copied values are certain to be in the record.
        nested: True for a record with results and the agent's own notes in their original form, without the other
            fields, so that a field of two persons appears for both. False for one flat object of results' fields,
            with the last value of each name.
    """
    rng = random.Random(seed)
    follows_from = follows_from or {}
    known: dict[str, Any] = {}
    seen: list[Any] = []
    for message in trajectory.messages:
        if message["role"] == "tool":
            seen.append(_parsed(message["content"]))
            known.update(_fields(seen[-1]))
        elif message["role"] == "assistant" and message.get("tool_calls"):
            noted = read(str(message.get("content") or ""))
            if known:
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
    """Parse a tool result; return an empty object if it is not JSON."""
    try:
        return json.loads(content)
    except ValueError:
        return {}


def _pruned(value: Any, shown: Set[str]) -> Any:
    """Return a value reduced to the shown fields; objects and lists of objects may become empty."""
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
    """Return a tool result's scalar fields, including nested ones under their own key."""
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
    """Yield a name and its forms without leading words, which may name a value's owner."""
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
