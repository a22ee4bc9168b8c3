"""Directed graphs of names, with functions that count paths and find reachable pairs without enumerating paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

import msgspec

Pair = tuple[str, str]
"""An edge as (upstream, downstream)."""


class Digraph(msgspec.Struct, frozen=True, dict=True):
    """Distinct names and (upstream, downstream) pairs, in their original order.

    Use :func:`digraph` to create a graph; it adds the ends of every edge to the nodes.
    """

    nodes: tuple[str, ...] = ()
    edges: tuple[Pair, ...] = ()

    @cached_property
    def after(self) -> dict[str, list[str]]:
        """Direct successors of every node."""
        return successors(self.nodes, self.edges)

    @cached_property
    def order(self) -> list[str] | None:
        """Nodes in topological order, or None if there is a cycle (a self-loop is one)."""
        before: dict[str, list[str]] = {name: [] for name in self.nodes}
        for up, down in self.edges:
            before[down].append(up)
        try:
            return list(TopologicalSorter(before).static_order())
        except CycleError:
            return None

    @cached_property
    def sources(self) -> frozenset[str]:
        """Nodes with outgoing but no incoming edges."""
        return frozenset(up for up, _ in self.edges) - frozenset(down for _, down in self.edges)

    @cached_property
    def sinks(self) -> frozenset[str]:
        """Nodes with incoming but no outgoing edges."""
        return frozenset(down for _, down in self.edges) - frozenset(up for up, _ in self.edges)


def digraph(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> Digraph:
    """Return a graph without duplicate nodes and edges.

    The ends of edges are nodes even if they are not listed.
    """
    pairs = dict.fromkeys((up, down) for up, down in edges)
    names = dict.fromkeys(nodes)
    for pair in pairs:
        names.update(dict.fromkeys(pair))
    return Digraph(tuple(names), tuple(pairs))


def successors(nodes: Iterable[str], edges: Iterable[Pair]) -> dict[str, list[str]]:
    """Return the direct successors of every node."""
    after: dict[str, list[str]] = {name: [] for name in nodes}
    for up, down in edges:
        after[up].append(down)
    return after


def count_paths(after: Mapping[str, Sequence[str]], order: Sequence[str], starts: Any, ends: Collection[str]) -> int:
    """Count the paths from any start to any end.

    The number may be very large.

    Args:
        after: successors of every node, without a cycle.
        order: a topological order of the nodes.
        starts: first nodes of paths; none of them may be an end.
        ends: last nodes of paths, which must not have successors.
    """
    ways: dict[str, int] = {}
    for name in reversed(order):
        ways[name] = 1 if name in ends else sum([ways[down] for down in after[name]])
    return sum(ways[name] for name in starts)


def reachable(graph: Digraph, index: Mapping[str, int]) -> list[int]:
    """Return the nodes that each node reaches by one or more edges, as bit sets in the order of the index.

    A node on a cycle reaches itself. The index must have a position for every node; additional positions have empty
    sets.
    """
    rows = [0] * len(index)
    if graph.order is not None:
        for name in reversed(graph.order):
            row = 0
            for down in graph.after[name]:
                place = index[down]
                row |= rows[place] | 1 << place
            rows[index[name]] = row
        return rows
    for up, down in graph.edges:
        rows[index[up]] |= 1 << index[down]
    for via, bit in ((index[name], 1 << index[name]) for name in graph.nodes):
        if passed_on := rows[via]:
            for place, row in enumerate(rows):
                if row & bit:
                    rows[place] = row | passed_on
    return rows
