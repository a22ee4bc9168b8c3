"""A scenario's API graph as a Mermaid diagram, which Markdown viewers draw."""

from __future__ import annotations

from teller_gym.procedure.graph import EdgeKind, Graph

ARROWS = {EdgeKind.DATA: "-->", EdgeKind.STATE: "-.->", EdgeKind.TEMPORAL: "==>"}
LEGEND = "Solid arrows are data dependencies, dotted ones state, thick ones temporal."


def diagram(graph: Graph) -> list[str]:
    """Return the lines of the diagram: nodes in topological order, then the edges as the graph has them."""
    number = {name: f"n{place}" for place, name in enumerate(graph.order())}
    nodes = [f"    {key}[{name}]" for name, key in number.items()]
    edges = [f"    {number[edge.upstream]} {ARROWS[edge.kind]} {number[edge.downstream]}" for edge in graph.edges]
    return ["```mermaid", "flowchart TD", *nodes, *edges, "```"]
