"""Layers of a directed graph and the order of nodes within each, for drawing it from top to bottom.

An edge that spans several layers passes through a bend in each layer between, so that it never runs through a node.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Pair = tuple[str, str]
_SWEEPS = 12


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a layer: a node, or the bend of an edge.

    Attributes:
        name: of the node; of a bend, empty.
        edge: number of the bend's edge, else -1.
        layer: from the top, from 0.
    """

    name: str
    edge: int
    layer: int

    @property
    def bend(self) -> bool:
        """True if this is no node."""
        return self.edge >= 0


@dataclass(frozen=True, slots=True)
class Layering:
    """Slots in order, layer by layer, and the chain of slots that each edge runs through, from top to bottom."""

    layers: list[list[Slot]]
    chains: list[list[Slot]]
    flipped: list[bool]
    """True if an edge points upwards, which it must where the edges run in a cycle."""


def layered(nodes: Sequence[str], edges: Sequence[Pair]) -> Layering:
    """Put nodes into layers, upstream above downstream, ordered so that few edges cross.

    Args:
        nodes: each once.
        edges: pairs of nodes, each once, no node with itself. Of edges that run in a cycle, the last points upwards.
    """
    downward = _without_cycles(nodes, edges)
    depth = _depths(nodes, downward)
    layers: list[list[Slot]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    at = {name: Slot(name, -1, depth[name]) for name in nodes}
    for slot in at.values():
        layers[slot.layer].append(slot)
    chains = []
    for number, (up, down) in enumerate(downward):
        bends = [Slot("", number, layer) for layer in range(depth[up] + 1, depth[down])]
        for bend in bends:
            layers[bend.layer].append(bend)
        chains.append([at[up], *bends, at[down]])
    flipped = [pair != edge for pair, edge in zip(downward, edges, strict=True)]
    return Layering(_ordered(layers, neighbours(chains)), chains, flipped)


def neighbours(chains: Sequence[Sequence[Slot]]) -> tuple[dict[Slot, list[Slot]], dict[Slot, list[Slot]]]:
    """Return what is linked to each slot in the layer above, and in the layer below."""
    above: dict[Slot, list[Slot]] = {}
    below: dict[Slot, list[Slot]] = {}
    for chain in chains:
        for up, down in pairwise(chain):
            above.setdefault(down, []).append(up)
            below.setdefault(up, []).append(down)
    return above, below


def crossings(layers: Sequence[Sequence[Slot]], below: Mapping[Slot, Sequence[Slot]]) -> int:
    """Count the pairs of links that cross."""
    count = 0
    for upper, lower in pairwise(layers):
        place = {slot: index for index, slot in enumerate(lower)}
        ends: list[int] = []
        for slot in upper:
            mine = [place[down] for down in below.get(slot, ())]
            count += sum(len(ends) - bisect_right(ends, end) for end in mine)
            for end in mine:
                insort(ends, end)
    return count


def _without_cycles(nodes: Sequence[str], edges: Sequence[Pair]) -> list[Pair]:
    """Turn round the edges that would close a cycle with those before them."""
    after: dict[str, list[str]] = {name: [] for name in nodes}
    kept = []
    for up, down in edges:
        pair = (down, up) if _leads(after, down, up) else (up, down)
        after[pair[0]].append(pair[1])
        kept.append(pair)
    return kept


def _leads(after: Mapping[str, Sequence[str]], start: str, end: str) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        name = waiting.pop()
        if name == end:
            return True
        fresh = [down for down in after[name] if down not in seen]
        seen.update(fresh)
        waiting += fresh
    return False


def _depths(nodes: Sequence[str], edges: Sequence[Pair]) -> dict[str, int]:
    """Return the longest way to each node from above."""
    before: dict[str, list[str]] = {name: [] for name in nodes}
    waits = dict.fromkeys(nodes, 0)
    after: dict[str, list[str]] = {name: [] for name in nodes}
    for up, down in edges:
        before[down].append(up)
        after[up].append(down)
        waits[down] += 1
    order = [name for name in nodes if not waits[name]]
    for name in order:  # grows while it is walked
        for down in after[name]:
            waits[down] -= 1
            if not waits[down]:
                order.append(down)
    depth: dict[str, int] = {}
    for name in order:
        depth[name] = max((depth[up] + 1 for up in before[name]), default=0)
    return depth


def _ordered(
    layers: list[list[Slot]], linked: tuple[Mapping[Slot, Sequence[Slot]], Mapping[Slot, Sequence[Slot]]]
) -> list[list[Slot]]:
    """Sort each layer by the mean place of what its slots are linked to, downwards and upwards in turn."""
    above, below = linked
    best = [list(layer) for layer in layers]
    fewest = crossings(best, below)
    current = [list(layer) for layer in layers]
    for sweep in range(_SWEEPS):
        fixed, links = (current, above) if sweep % 2 == 0 else (current[::-1], below)
        for before, layer in pairwise(fixed):
            place = {slot: index for index, slot in enumerate(before)}
            own = {slot: index for index, slot in enumerate(layer)}
            layer.sort(key=lambda slot: _mean([place[other] for other in links.get(slot, ())], own[slot]))
        count = crossings(current, below)
        if count < fewest:
            best, fewest = [list(layer) for layer in current], count
    return best


def _mean(places: Sequence[int], otherwise: int) -> float:
    return sum(places) / len(places) if places else float(otherwise)
