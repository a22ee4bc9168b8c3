"""Metrics that compare an answer with the gold graph by names."""

from __future__ import annotations

from collections.abc import Set

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.stage1.digraph import Digraph, count_paths, reachable, successors


class GraphScores(msgspec.Struct, frozen=True, kw_only=True):
    """All metrics, from 0 to 1.

    Two empty sets score 1; an empty and a non-empty set score 0.

    G and A are the nodes (or edges) of the gold graph and of the answer:

    * ``precision`` |G∩A| / |A|, ``recall`` |G∩A| / |G|, ``f1`` 2 |G∩A| / (|G| + |A|);
    * ``overlap``, the Jaccard index |G∩A| / |G∪A|. It is also computed for the *paths*, the simple paths of a graph
      from a source (no incoming edges) to a sink (no outgoing edges), and for the *reachability* pairs, all (u, v) such
      that one or more edges lead from u to v. An isolated node is not a path; the path overlap of a cyclic answer is 0;
    * ``edit_similarity``: 1 - d / (|V| + |E| + |V'| + |E'|), where V, E and V', E' are the nodes and edges of the two
      graphs, and d = |V△V'| + |E△E'| is their edit distance, the number of nodes and edges to add or remove. Names are
      labels, so there is no cheaper edit.
    """

    node_precision: float
    node_recall: float
    node_f1: float
    node_overlap: float
    edge_precision: float
    edge_recall: float
    edge_f1: float
    edge_overlap: float
    path_overlap: float
    reachability_overlap: float
    edit_similarity: float
    cyclic: bool
    """True if the answer has a cycle. A self-loop is one."""

    def terms(self) -> dict[str, float]:
        """Return the metrics by name, without ``cyclic``."""
        return {name: getattr(self, name) for name in METRICS}


METRICS = tuple(name for name in GraphScores.__struct_fields__ if name != "cyclic")


def score_graph(gold: Digraph, answer: Digraph) -> GraphScores:
    """Compare an answer with the gold graph, in time proportional to nodes times edges.

    Raises:
        ScenarioError: the gold graph has a cycle.
    """
    if gold.order is None:
        raise ScenarioError("the gold graph has a cycle")
    nodes = _Sets(frozenset(gold.nodes), frozenset(answer.nodes))
    edges = _Sets(frozenset(gold.edges), frozenset(answer.edges))
    sizes = nodes.given + nodes.wanted + edges.given + edges.wanted
    common = nodes.common + edges.common
    return GraphScores(
        node_precision=nodes.precision(),
        node_recall=nodes.recall(),
        node_f1=nodes.f1(),
        node_overlap=nodes.overlap(),
        edge_precision=edges.precision(),
        edge_recall=edges.recall(),
        edge_f1=edges.f1(),
        edge_overlap=edges.overlap(),
        path_overlap=_path_overlap(gold, answer),
        reachability_overlap=_reachability_overlap(gold, answer),
        edit_similarity=1 - (sizes - 2 * common) / sizes if sizes else 1.0,
        cyclic=answer.order is None,
    )


class _Sets:
    """Sizes of the expected and the given set and of their intersection."""

    def __init__(self, wanted: Set[object], given: Set[object]) -> None:
        self.wanted = len(wanted)
        self.given = len(given)
        self.common = len(wanted & given)

    def precision(self) -> float:
        return self.common / self.given if self.given else float(not self.wanted)

    def recall(self) -> float:
        return self.common / self.wanted if self.wanted else float(not self.given)

    def f1(self) -> float:
        both = self.wanted + self.given
        return 2 * self.common / both if both else 1.0

    def overlap(self) -> float:
        return _jaccard(self.common, self.wanted, self.given)


def _jaccard(common: int, wanted: int, given: int) -> float:
    either = wanted + given - common
    return common / either if either else 1.0


def _path_overlap(gold: Digraph, answer: Digraph) -> float:
    if gold.order is None or answer.order is None:
        return 0.0
    wanted = count_paths(gold.after, gold.order, gold.sources, gold.sinks)
    given = count_paths(answer.after, answer.order, answer.sources, answer.sinks)
    # A common path consists of common edges and leads from a common source to a common sink, and every such walk is a
    # common path. They are counted in the intersection, with the sources and sinks of the whole graphs.
    edges = frozenset(answer.edges)
    shared = successors(gold.nodes, (edge for edge in gold.edges if edge in edges))
    common = count_paths(shared, gold.order, gold.sources & answer.sources, gold.sinks & answer.sinks)
    return _jaccard(common, wanted, given)


def _reachability_overlap(gold: Digraph, answer: Digraph) -> float:
    index = {name: place for place, name in enumerate(dict.fromkeys((*gold.nodes, *answer.nodes)))}
    common = wanted = given = 0
    for gold_row, answer_row in zip(reachable(gold, index), reachable(answer, index), strict=True):
        common += (gold_row & answer_row).bit_count()
        wanted += gold_row.bit_count()
        given += answer_row.bit_count()
    return _jaccard(common, wanted, given)
