"""Drawings of graphs have no overlaps, and every edge connects the right boxes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.variation.pool import distractors
from teller_gym.viewer.layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    LAYER_GAP,
    LINE,
    LINES,
    Layout,
    crossings,
    label_lines,
    lay_out,
    layered,
    neighbours,
)

Nodes = tuple[str, ...]
Edges = tuple[tuple[str, str], ...]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Nodes, Edges]:
    nodes = tuple(f"n{i}" for i in range(draw(st.integers(1, 14))))
    name = st.sampled_from(nodes)
    return nodes, tuple(dict.fromkeys(draw(st.lists(st.tuples(name, name), max_size=40))))


def check_boxes(drawing: Layout) -> None:
    boxes = list(drawing.boxes.values())
    for place, (x, y) in enumerate(boxes):
        assert 0 <= x <= drawing.width - BOX_WIDTH
        assert 0 <= y <= drawing.height - BOX_HEIGHT
        for other_x, other_y in boxes[:place]:
            assert abs(x - other_x) >= BOX_WIDTH + 8 or abs(y - other_y) >= BOX_HEIGHT + LAYER_GAP


def check_routes(drawing: Layout, edges: Edges) -> None:
    assert set(drawing.routes) == {edge for edge in edges if edge[0] != edge[1]}
    for (up, down), route in drawing.routes.items():
        points = route if route[0][1] < route[-1][1] else route[::-1]
        first, last = (up, down) if points is route else (down, up)
        (left, top), (left_end, top_end) = drawing.boxes[first], drawing.boxes[last]
        assert left <= points[0][0] <= left + BOX_WIDTH
        assert points[0][1] == top + BOX_HEIGHT
        assert left_end <= points[-1][0] <= left_end + BOX_WIDTH
        assert points[-1][1] == top_end
        for i in range(1, len(points)):
            (x, y), (next_x, next_y) = points[i - 1], points[i]
            if i % 2:  # from one layer to the next, where no boxes are
                assert next_y - y == LAYER_GAP
            else:  # along a layer, between boxes
                assert x == next_x
                assert next_y - y == BOX_HEIGHT
                assert not [n for n, (bx, by) in drawing.boxes.items() if by == y and bx - 2 < x < bx + BOX_WIDTH + 2]


@given(graphs())
@settings(deadline=None, max_examples=60)
def test_any_graph_is_drawn_without_overlaps(graph: tuple[Nodes, Edges]) -> None:
    nodes, edges = graph
    drawing = lay_out(nodes, edges)
    assert list(drawing.boxes) == list(nodes)
    check_boxes(drawing)
    check_routes(drawing, edges)


@given(graphs())
@settings(deadline=None, max_examples=60)
def test_what_is_downstream_stands_below_unless_there_is_a_cycle(graph: tuple[Nodes, Edges]) -> None:
    nodes, edges = graph
    forward = tuple(edge for edge in edges if edge[0] < edge[1])
    drawing = lay_out(nodes, forward)
    assert all(drawing.boxes[up][1] < drawing.boxes[down][1] for up, down in forward)
    cyclic = lay_out(nodes, (*forward, *((down, up) for up, down in forward)))
    assert all(cyclic.boxes[up][1] < cyclic.boxes[down][1] for up, down in forward), "the first edges decide"


@given(graphs())
@settings(deadline=None, max_examples=30)
def test_crossings_are_counted_as_by_looking_at_every_pair(graph: tuple[Nodes, Edges]) -> None:
    plan = layered(graph[0], tuple(edge for edge in graph[1] if edge[0] != edge[1]))
    below = neighbours(plan.chains)[1]
    count = 0
    for upper, lower in zip(plan.layers, plan.layers[1:], strict=False):
        links = [(i, lower.index(down)) for i, slot in enumerate(upper) for down in below.get(slot, ())]
        count += sum(a < c and b > d for a, b in links for c, d in links)
    assert crossings(plan.layers, below) == count


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_the_graphs_of_the_scenarios_are_legible(name: str) -> None:
    graph = load_scenario(name).graph
    nodes, edges = tuple(graph.nodes), tuple((edge.upstream, edge.downstream) for edge in graph.edges)
    drawing = lay_out(nodes, edges)
    check_boxes(drawing)
    check_routes(drawing, edges)
    assert drawing.width <= 1200, "a laptop's screen, with a little scrolling"
    plan = layered(nodes, edges)
    assert crossings(plan.layers, neighbours(plan.chains)[1]) <= len(edges) / 2


def test_empty_graph() -> None:
    drawing = lay_out((), ())
    assert (drawing.boxes, drawing.routes) == ({}, {})


@given(st.text())
def test_labels_fit_their_boxes(name: str) -> None:
    lines = label_lines(name)
    assert 1 <= len(lines) <= LINES
    assert all(len(line) <= LINE for line in lines)


def test_names_of_real_tools_are_shown_whole() -> None:
    names = [tool.name for tool in distractors()] + [name for s in SCENARIOS for name in load_scenario(s).tools]
    assert [name for name in names if "".join(label_lines(name)) != name] == []
