"""Lays out a directed graph for drawing, without overlapping boxes and without edges that run through a box.

Nodes are arranged in layers; an edge that spans several layers has a bend in each layer in between.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any

LINE = 20
"""Maximum number of characters in a line of a label, so that it fits the width of a box."""
LINES = 2
BOX_WIDTH, BOX_HEIGHT = 160, 50
LAYER_GAP = 36
_BEND_WIDTH, _APART, _MARGIN = 8, 14, 12
_ROUNDS = 24
_PORT_SPREAD = 0.7
"""Share of a box's width over which edges begin or end."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Coordinates of a drawing in pixels, with the origin at the top left.

    Attributes:
        width, height: size of the drawing.
        boxes: top left corner of each node's box.
        routes: points of each edge from its upstream to its downstream node. Segments alternately cross the gap between
            two layers and pass straight through a layer.
    """

    width: int
    height: int
    boxes: dict[str, tuple[int, int]]
    routes: dict[Pair, list[tuple[int, int]]]

    def plain(self) -> dict[str, Any]:
        """Return the drawing, with the lines of each label, as JSON values."""
        return {
            "width": self.width,
            "height": self.height,
            "box": [BOX_WIDTH, BOX_HEIGHT],
            "nodes": [[name, x, y, label_lines(name)] for name, (x, y) in self.boxes.items()],
            "edges": [[up, down, [list(point) for point in route]] for (up, down), route in self.routes.items()],
        }


@lru_cache(maxsize=4096)
def label_lines(name: str) -> tuple[str, ...]:
    """Break a tool name into lines that fit a box, if possible after underscores.

    A long name is shortened with "…".
    """
    lines = [""]
    for part in re.findall("[^_]*_|[^_]+", " ".join(name[: 2 * LINE * LINES].split())):
        pieces = [part[i : i + LINE] for i in range(0, len(part), LINE)]
        if len(lines[-1]) + len(pieces[0]) <= LINE:
            lines[-1] += pieces.pop(0)
        lines += pieces
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: LINE - 1] + "…"]
    return tuple(lines)


@lru_cache(maxsize=512)
def lay_out(nodes: tuple[str, ...], edges: tuple[Pair, ...]) -> Layout:
    """Return a drawing of a graph.

    Equal graphs have equal drawings.

    Args:
        nodes: distinct names.
        edges: distinct (upstream, downstream) pairs of nodes; self-loops are ignored.
    """
    edges = tuple(edge for edge in edges if edge[0] != edge[1])
    plan = layered(nodes, edges)
    middle = _across(plan)
    left = min((x - _width(slot) / 2 for slot, x in middle.items()), default=0.0)
    shifted = {slot: round(x - left) + _MARGIN for slot, x in middle.items()}
    boxes = {slot.name: (x - BOX_WIDTH // 2, _top(slot.layer)) for slot, x in shifted.items() if not slot.bend}
    routes = _routes(plan, edges, shifted)
    right = max((x + _width(slot) // 2 for slot, x in shifted.items()), default=0)
    height = _top(len(plan.layers)) - LAYER_GAP if plan.layers else 0
    return Layout(right + _MARGIN, height + _MARGIN, {name: boxes[name] for name in nodes}, routes)


def _top(layer: int) -> int:
    return _MARGIN + layer * (BOX_HEIGHT + LAYER_GAP)


def _width(slot: Slot) -> int:
    return _BEND_WIDTH if slot.bend else BOX_WIDTH


def _across(plan: Layering) -> dict[Slot, float]:
    """Return the horizontal centre of each slot, as close to its neighbours along edges as order and widths allow."""
    middle: dict[Slot, float] = {}
    for layer in plan.layers:
        x = 0.0
        for slot in layer:
            middle[slot] = x + _width(slot) / 2
            x += _width(slot) + _APART
    above, below = neighbours(plan.chains)
    for turn in range(_ROUNDS):
        layers, links = (plan.layers, above) if turn % 2 == 0 else (plan.layers[::-1], below)
        for layer in layers:
            # The last rounds consider both sides, so that nodes are centred between their neighbours above and below.
            both = turn >= _ROUNDS - 4
            wanted = [_wanted(slot, (above, below) if both else (links,), middle) for slot in layer]
            middle.update(zip(layer, _spread(layer, wanted), strict=True))
    return middle


def _wanted(slot: Slot, links: Sequence[Mapping[Slot, Sequence[Slot]]], middle: Mapping[Slot, float]) -> float:
    """Return the best position for a slot.

    Bends of an edge attract each other, so that long edges are straight.
    """
    ends = [(middle[other], 4 if slot.bend and other.bend else 1) for side in links for other in side.get(slot, ())]
    return sum(x * weight for x, weight in ends) / sum(weight for _, weight in ends) if ends else middle[slot]


def _spread(layer: Sequence[Slot], wanted: Sequence[float]) -> list[float]:
    """Return positions in order and far enough apart, with the least sum of squared distances from those wanted.

    After subtracting the minimum distances this is isotonic regression, solved by pooling adjacent violators.
    """
    offsets = [0.0]
    for one, two in pairwise(layer):
        offsets.append(offsets[-1] + (_width(one) + _width(two)) / 2 + _APART)
    pools: list[tuple[float, float, int]] = []  # mean, weight, count
    for slot, want, offset in zip(layer, wanted, offsets, strict=True):
        pool = (want - offset, 2.0 if slot.bend else 1.0, 1)  # bends weigh more, to keep long edges straight
        while pools and pools[-1][0] >= pool[0]:
            mean, weight, many = pools.pop()
            total = weight + pool[1]
            pool = ((mean * weight + pool[0] * pool[1]) / total, total, many + pool[2])
        pools.append(pool)
    means = [mean for mean, _, many in pools for _ in range(many)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _routes(plan: Layering, edges: Sequence[Pair], middle: Mapping[Slot, int]) -> dict[Pair, list[tuple[int, int]]]:
    leaving = _ports(plan.chains, middle, 0, 1)
    entering = _ports(plan.chains, middle, -1, -2)
    routes = {}
    for number, (edge, chain) in enumerate(zip(edges, plan.chains, strict=True)):
        points = [(leaving[number], _top(chain[0].layer) + BOX_HEIGHT)]
        for bend in chain[1:-1]:
            points += [(middle[bend], _top(bend.layer)), (middle[bend], _top(bend.layer) + BOX_HEIGHT)]
        points.append((entering[number], _top(chain[-1].layer)))
        routes[edge] = points[::-1] if plan.flipped[number] else points
    return routes


def _ports(chains: Sequence[Sequence[Slot]], middle: Mapping[Slot, int], end: int, towards: int) -> dict[int, int]:
    """Return the horizontal position at which each edge meets the box at one end, in the order of its other end."""
    at: dict[Slot, list[int]] = {}
    for number, chain in enumerate(chains):
        at.setdefault(chain[end], []).append(number)
    ports = {}
    for slot, numbers in at.items():
        numbers.sort(key=lambda number: middle[chains[number][towards]])
        step = BOX_WIDTH * _PORT_SPREAD / max(4, len(numbers))
        for place, number in enumerate(numbers):
            ports[number] = round(middle[slot] + (place - (len(numbers) - 1) / 2) * step)
    return ports


Pair = tuple[str, str]
_SWEEPS = 12


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a layer, for a node or for the bend of an edge.

    Attributes:
        name: name of the node; empty for a bend.
        edge: number of the bend's edge; -1 for a node.
        layer: number of the layer, from 0 at the top.
    """

    name: str
    edge: int
    layer: int

    @property
    def bend(self) -> bool:
        """True for the bend of an edge, False for a node."""
        return self.edge >= 0


@dataclass(frozen=True, slots=True)
class Layering:
    """The ordered slots of each layer, and the chain of slots that each edge passes, from top to bottom."""

    layers: list[list[Slot]]
    chains: list[list[Slot]]
    flipped: list[bool]
    """True for edges that point upwards, which is unavoidable in a cycle."""


def layered(nodes: Sequence[str], edges: Sequence[Pair]) -> Layering:
    """Arrange nodes in layers, upstream above downstream, in an order with few edge crossings.

    Args:
        nodes: distinct names.
        edges: distinct pairs of different nodes. In a cycle, the last edge points upwards.
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
    """Return the slots linked to each slot in the layer above, and those in the layer below."""
    above: dict[Slot, list[Slot]] = {}
    below: dict[Slot, list[Slot]] = {}
    for chain in chains:
        for up, down in pairwise(chain):
            above.setdefault(down, []).append(up)
            below.setdefault(up, []).append(down)
    return above, below


def crossings(layers: Sequence[Sequence[Slot]], below: Mapping[Slot, Sequence[Slot]]) -> int:
    """Count the pairs of links between adjacent layers that cross."""
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
    """Return the edges with each edge reversed that would close a cycle with the preceding edges."""
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
    """Return each node's depth, which is the number of edges on the longest path to it."""
    before: dict[str, list[str]] = {name: [] for name in nodes}
    for up, down in edges:
        before[down].append(up)
    depth: dict[str, int] = {}
    for name in TopologicalSorter(before).static_order():
        depth[name] = max((depth[up] + 1 for up in before[name]), default=0)
    return depth


def _ordered(
    layers: list[list[Slot]], linked: tuple[Mapping[Slot, Sequence[Slot]], Mapping[Slot, Sequence[Slot]]]
) -> list[list[Slot]]:
    """Sort each layer by the mean position of linked slots, in alternating directions, and return the best order."""
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
