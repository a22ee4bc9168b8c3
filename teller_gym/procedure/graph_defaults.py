"""Defaults of ``graph.yaml``: outputs of nodes, which the tools have, and data edges, which inputs imply."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from teller_gym.procedure.graph import Edge, EdgeKind, Graph, Node
from teller_gym.tools.tool import Tool


def completed(graph: Graph, tools: Mapping[str, Tool], first: Mapping[str, Node], last: Mapping[str, Node]) -> Graph:
    """Return a graph with the nodes of tools that were made of the template, and with all that it left out.

    A graph that states some data edge must state them all, and a node that states some output all of its outputs: what
    is written down is checked, not mended.

    Args:
        graph: as written.
        tools: the scenario's.
        first, last: nodes to add before and after those written, which go before them where both have one.
    """
    nodes = {**first, **last, **graph.nodes}
    nodes = {name: nodes[name] for name in dict.fromkeys((*first, *graph.nodes, *last))}
    nodes = {
        name: node if node.outputs or name not in tools else msgspec.structs.replace(node, outputs=tools[name].outputs)
        for name, node in nodes.items()
    }
    whole = Graph(nodes, graph.edges)
    if any(edge.kind is EdgeKind.DATA for edge in graph.edges):
        return whole
    order = list(nodes)
    pairs = sorted(whole.data_pairs(), key=lambda pair: [order.index(name) if name in nodes else -1 for name in pair])
    edges = tuple(Edge(one, other, EdgeKind.DATA, f"{other} takes what {one} returns") for one, other in pairs)
    return Graph(nodes, (*edges, *graph.edges))
