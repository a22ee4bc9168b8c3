"""The metrics of graph reconstruction, compared with brute force and with values computed by hand."""

import time
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ScenarioError
from teller_gym.stage1.digraph import Digraph, count_paths, digraph
from teller_gym.stage1.metrics import score_graph
from tests.stage1.plain import is_cyclic, plain_terms

LETTERS = "abcdef"
EMPTY = Digraph()


@st.composite
def acyclic(draw: st.DrawFn) -> Digraph:
    order = draw(st.permutations(LETTERS))
    edges = draw(st.lists(st.sampled_from(list(combinations(order, 2))), max_size=12))
    return digraph(draw(st.lists(st.sampled_from(LETTERS), max_size=4)), edges)


@st.composite
def anything(draw: st.DrawFn) -> Digraph:
    edges = draw(st.lists(st.sampled_from(list(product(LETTERS, repeat=2))), max_size=10))
    return digraph(draw(st.lists(st.sampled_from(LETTERS), max_size=4)), edges)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Digraph, Digraph]:
    """Draw a gold graph and an answer; half of the answers have most of their edges from the gold graph."""
    gold = draw(acyclic())
    other = draw(st.one_of(acyclic(), anything(), st.just(Digraph(gold.nodes[::-1], gold.edges[::-1]))))
    if draw(st.booleans()) and gold.edges:
        kept = draw(st.lists(st.sampled_from(gold.edges), max_size=12))
        nodes = gold.nodes if draw(st.booleans()) else ()
        other = digraph(nodes, [*kept, *other.edges[: draw(st.integers(0, 2))]])
    return gold, other


@given(questions())
@settings(max_examples=200, deadline=None)
def test_every_metric_equals_the_brute_force(question: tuple[Digraph, Digraph]) -> None:
    gold, answer = question
    scores = score_graph(gold, answer)
    assert scores.terms() == pytest.approx(plain_terms(gold, answer))
    assert scores.cyclic == is_cyclic(answer)
    assert all(0 <= value <= 1 for value in scores.terms().values())


def test_empty_graphs() -> None:
    some = digraph("a", ["bc"])
    assert set(score_graph(EMPTY, EMPTY).terms().values()) == {1.0}
    assert set(score_graph(some, EMPTY).terms().values()) == {0.0}
    assert set(score_graph(EMPTY, some).terms().values()) == {0.0}


def test_by_hand() -> None:
    gold = digraph("", ["ab", "bc", "cd", "ac"])  # paths abcd, acd
    answer = digraph("x", ["ab", "bc", "cd", "be"])  # paths abcd, abe
    terms = score_graph(gold, answer).terms()
    assert terms == pytest.approx({
        "node_precision": 4 / 6, "node_recall": 1, "node_f1": 8 / 10, "node_overlap": 4 / 6,
        "edge_precision": 3 / 4, "edge_recall": 3 / 4, "edge_f1": 3 / 4, "edge_overlap": 3 / 5,
        "path_overlap": 1 / 3,
        "reachability_overlap": 6 / 8,  # gold: ab ac ad bc bd cd; also in the answer: ae be
        "edit_similarity": 1 - 4 / (4 + 4 + 6 + 4),
    })  # fmt: skip


def test_a_common_stretch_is_no_common_path_where_an_end_is_not_one() -> None:
    gold = digraph("", ["ab", "bc"])
    longer = digraph("", ["xa", "ab", "bc"])
    assert score_graph(gold, longer).path_overlap == 0
    beside = digraph("", ["ab", "bc", "xb"])  # abc, xbc
    assert score_graph(gold, beside).path_overlap == 1 / 2


@pytest.mark.parametrize("extra", [["cc"], ["ca"], ["xy", "yx"]])
def test_a_cycle_costs_the_paths(extra: list[str]) -> None:
    gold = digraph("", ["ab", "bc"])
    scores = score_graph(gold, digraph("", ["ab", "bc", *extra]))
    assert scores.cyclic and scores.path_overlap == 0 and scores.edge_recall == 1


def test_isolated_nodes_are_no_paths() -> None:
    gold = digraph("ab", [])
    terms = score_graph(gold, digraph("a", [])).terms()
    assert (terms["node_overlap"], terms["edge_overlap"], terms["path_overlap"]) == (0.5, 1, 1)


def test_a_cyclic_gold_graph_is_refused() -> None:
    with pytest.raises(ScenarioError, match="gold graph has a cycle"):
        score_graph(digraph("", ["ab", "ba"]), EMPTY)


def test_dense_answers_cost_no_time() -> None:
    names = [f"tool_{n}" for n in range(284)]
    gold = digraph("", pairwise(names[:21]))
    dense = digraph(names, combinations(names, 2))
    both_ways = digraph(names, permutations(names, 2))
    assert dense.order is not None
    assert count_paths(dense.after, dense.order, dense.sources, dense.sinks) == 2**282
    started = time.perf_counter()
    scores, cyclic = score_graph(gold, dense), score_graph(gold, both_ways)
    assert time.perf_counter() - started < 2  # about 0.1
    assert scores.path_overlap == 0 and scores.edge_recall == 1 and cyclic.cyclic
    # A chain through all nodes is one of 2^282 paths; the quotient of these large integers is exact.
    chain = digraph("", pairwise(names))
    assert score_graph(chain, dense).path_overlap == 2.0**-282
