"""API graph of a scenario, which has the dependencies between its tools.

It is read from YAML and checked against the tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.tools.tool import Tool


class Source(StrEnum):
    """Origin of a node's input."""

    USER_INPUT = "user_input"
    OTHER_API = "other_api"
    SYSTEM_STATE = "system_state"


class How(StrEnum):
    """Way in which an argument is derived from its source."""

    COPY = "copy"
    DERIVE = "derive"
    CONSTANT = "constant"
    DECIDE = "decide"


class EdgeKind(StrEnum):
    """Reason why B comes after A: B takes a value from A, needs A's effect on the case, or only follows A in time."""

    DATA = "data"
    STATE = "state"
    TEMPORAL = "temporal"


class NodeInput(msgspec.Struct, frozen=True, rename={"origin": "from"}, forbid_unknown_fields=True):
    """Definition of one argument.

    It has the argument's source, the outputs (``api.output``) it comes from, how it is derived, and its SOP clause.
    """

    source: Source
    origin: tuple[str, ...] = ()
    how: How = How.COPY
    clause: str | None = None

    def describe(self) -> str:
        """Return a description of the value's expected source."""
        match self.source:
            case Source.USER_INPUT:
                return "the request"
            case Source.OTHER_API:
                verb = "worked out from" if self.how is How.DERIVE else "taken from"
                return f"{verb} {', '.join(self.origin)}" + (f" (SOP {self.clause})" if self.clause else "")
            case Source.SYSTEM_STATE:
                return f"the SOP, clause {self.clause}"


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tool in the graph, with its inputs by name and the names of its outputs."""

    inputs: dict[str, NodeInput]
    outputs: tuple[str, ...] = ()


class Edge(msgspec.Struct, frozen=True, rename={"upstream": "from", "downstream": "to"}, forbid_unknown_fields=True):
    """Dependency of ``downstream`` on ``upstream``."""

    upstream: str
    downstream: str
    kind: EdgeKind
    why: str


class Graph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``graph.yaml``, with nodes by name and edges."""

    nodes: dict[str, Node]
    edges: tuple[Edge, ...] = ()

    def upstream(self, name: str) -> tuple[str, ...]:
        """Return the nodes on which ``name`` directly depends, in the order of the edges."""
        return tuple(edge.upstream for edge in self.edges if edge.downstream == name)

    def order(self) -> list[str]:
        """Return the nodes in topological order, with ties in file order.

        Raises:
            ScenarioError: the graph has a cycle.
        """
        sorter = TopologicalSorter({name: self.upstream(name) for name in self.nodes})
        try:
            return list(sorter.static_order())
        except CycleError as error:
            raise ScenarioError(f"the API graph has a cycle: {' -> '.join(error.args[1])}") from None

    def check(self, tools: Mapping[str, Tool]) -> None:
        """Check that the graph is consistent, both internally and with the tools' signatures.

        Raises:
            ScenarioError: the graph is inconsistent; the message describes the first contradiction.
        """
        self.order()
        pairs = [(edge.upstream, edge.downstream) for edge in self.edges]
        if len(set(pairs)) != len(pairs):
            raise ScenarioError("an edge is written twice in the API graph")
        for edge in self.edges:
            for name in (edge.upstream, edge.downstream):
                if name not in self.nodes:
                    raise ScenarioError(f"edge {edge.upstream} -> {edge.downstream}: there is no node {name!r}")
        for name, node in self.nodes.items():
            self._check_node(name, node, tools)
        self._check_data_edges()

    def _check_node(self, name: str, node: Node, tools: Mapping[str, Tool]) -> None:
        if name not in tools:
            raise ScenarioError(f"node {name!r} of the API graph is no tool")
        declared, actual = list(node.inputs), [p.name for p in tools[name].parameters]
        if declared != actual:
            raise ScenarioError(f"node {name!r}: inputs are {declared}, the tool's arguments are {actual}")
        if node.outputs != tools[name].outputs:
            raise ScenarioError(f"node {name!r}: outputs are {node.outputs}, the tool returns {tools[name].outputs}")
        for argument, item in node.inputs.items():
            if (item.source is Source.OTHER_API) != bool(item.origin):
                raise ScenarioError(f"{name}.{argument}: an input has origins if and only if its source is other_api")
            for origin in item.origin:
                api, _, output = origin.partition(".")
                if api not in self.nodes or output not in self.nodes[api].outputs:
                    raise ScenarioError(f"{name}.{argument}: {origin!r} is no output of a node")

    def data_pairs(self) -> set[tuple[str, str]]:
        """Return the (upstream, downstream) pairs implied by the nodes' inputs."""
        return {
            (origin.partition(".")[0], name)
            for name, node in self.nodes.items()
            for item in node.inputs.values()
            for origin in item.origin
        }

    def _check_data_edges(self) -> None:
        declared = {(edge.upstream, edge.downstream) for edge in self.edges if edge.kind is EdgeKind.DATA}
        implied = self.data_pairs()
        if declared != implied:
            missing, extra = sorted(implied - declared), sorted(declared - implied)
            raise ScenarioError(f"data edges do not follow the inputs: missing {missing}, without an input {extra}")
        producers: dict[str, set[str]] = {}
        for name, node in self.nodes.items():
            for output in node.outputs:
                producers.setdefault(output, set()).add(name)
        for name, node in self.nodes.items():
            for argument, item in node.inputs.items():
                makers = producers.get(argument, set()) - {name}
                origins = {origin.partition(".")[0] for origin in item.origin}
                if makers and item.source is Source.OTHER_API and not origins & makers:
                    raise ScenarioError(f"{name}.{argument} is an output of {sorted(makers)} but taken from {origins}")


def load_graph(text: str | bytes) -> Graph:
    """Parse ``graph.yaml``.

    Raises:
        ScenarioError: the file is invalid.
    """
    try:
        return msgspec.yaml.decode(text, type=Graph)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"graph.yaml: {error}") from None


def completed(graph: Graph, tools: Mapping[str, Tool], first: Mapping[str, Node], last: Mapping[str, Node]) -> Graph:
    """Add the nodes of tools generated from the template, and the parts that ``graph.yaml`` omits.

    The file may omit a node's outputs, which the tool has, and all data edges, which follow from the inputs; it must
    not omit only some of them. Nodes in ``first`` and ``last`` are added unless the file has a node with the same name.
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
