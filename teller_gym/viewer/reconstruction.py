"""Compares the graph in a stage 1 answer with the procedure's graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from teller_gym.evaluation.records.episode import GraphRecord
from teller_gym.procedure.graph import Graph
from teller_gym.viewer.layout import lay_out

MOST_NODES, MOST_EDGES = 60, 160
"""Maximum size of a drawing. Additional nodes and edges of an answer appear only in the lists."""


def compared(answer: GraphRecord | None, graph: Graph | None) -> dict[str, Any]:
    """Return, as JSON values, the nodes and edges in both graphs, only in the procedure's, and only in the answer's.

    The drawing shows the procedure's whole graph and as much of the rest as remains legible.

    Args:
        answer: the answered graph; None counts as an empty graph.
        graph: the procedure's graph; None if it is unknown here, in which case everything counts as added.
    """
    gold_nodes = tuple(graph.nodes) if graph else ()
    gold_edges = tuple((edge.upstream, edge.downstream) for edge in graph.edges) if graph else ()
    given_nodes = tuple(dict.fromkeys(answer["nodes"])) if answer else ()
    given_edges = tuple(dict.fromkeys((edge[0], edge[1]) for edge in answer["edges"])) if answer else ()
    nodes, edges = _sides(gold_nodes, given_nodes), _sides(gold_edges, given_edges)
    drawn = (*gold_nodes, *(nodes["added"][: max(0, MOST_NODES - len(gold_nodes))]))
    shown = frozenset(drawn)
    fitting = [edge for edge in edges["added"] if shown.issuperset(edge) and edge[0] != edge[1]]
    added = fitting[: max(0, MOST_EDGES - len(gold_edges))]
    return {
        "nodes": nodes,
        "edges": {side: [list(edge) for edge in pairs] for side, pairs in edges.items()},
        "drawing": lay_out(drawn, (*gold_edges, *added)).plain() if drawn else None,
        "left_out": [len(gold_nodes) + len(nodes["added"]) - len(drawn), len(edges["added"]) - len(added)],
    }


def _sides(gold: Iterable[Any], given: Iterable[Any]) -> dict[str, list[Any]]:
    wanted, has = dict.fromkeys(gold), dict.fromkeys(given)
    return {
        "common": [item for item in wanted if item in has],
        "missing": [item for item in wanted if item not in has],
        "added": [item for item in has if item not in wanted],
    }
