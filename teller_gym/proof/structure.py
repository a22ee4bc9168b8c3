"""Claims about an env's parts: graph, parameters, frozen files, and Gymnasium's own checker."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import gymnasium as gym

from teller_gym.procedure.graph import Graph, Source
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.freezing import build, standing
from teller_gym.tools.tool import Category

MANY_PARAMETERS = 6


def graph(env_id: str) -> ProofItem:
    """Check that the graph is acyclic, and that every input from another API can be traced to that API."""
    under = subject(env_id).scenario.graph
    inputs = [node_input for node in under.nodes.values() for node_input in node.inputs.values()]
    given = sum(node_input.source is Source.OTHER_API for node_input in inputs)
    circular, untraced = _circular(under), list(_untraced(under))
    problems = [f"{name} depends on itself through others" for name in circular] + untraced
    figure = f"{len(inputs)} inputs, {given} from other APIs, {len(untraced)} of these not traced"
    claim = "the graph is acyclic and traceable"
    return item("graph", claim, figure, problems, {"inputs": len(inputs), "traced": given - len(untraced)})


def _circular(graph: Graph) -> list[str]:
    """Return the nodes on cycles or downstream of cycles."""
    left = dict.fromkeys(graph.nodes)
    waits = {(edge.upstream, edge.downstream) for edge in graph.edges}
    while free := [name for name in left if not any((other, name) in waits for other in left)]:
        for name in free:
            del left[name]
    return list(left)


def _untraced(graph: Graph) -> Iterator[str]:
    """Yield a problem for each input from another API without an existing output and edge from that API."""
    edges = {(edge.upstream, edge.downstream) for edge in graph.edges}
    for name, node in graph.nodes.items():
        for argument, node_input in node.inputs.items():
            if node_input.source is not Source.OTHER_API:
                continue
            ends = [origin.partition(".")[::2] for origin in node_input.origin]
            made = [api in graph.nodes and output in graph.nodes[api].outputs for api, output in ends]
            if not made or not all(made) or not all((api, name) in edges for api, _ in ends):
                yield f"{name}.{argument} cannot be traced to {', '.join(node_input.origin) or 'any output'}"


def parameters(env_id: str) -> ProofItem:
    """Check that more than half of the scenario's tools have more than `MANY_PARAMETERS` parameters."""
    scenario = subject(env_id).scenario
    tools = scenario.tools.of(Category.CORE, Category.AUXILIARY)
    many = [tool.name for tool in tools if len(tool.parameters) > MANY_PARAMETERS]
    share = len(many) / len(tools)
    figure = f"{len(many)} of {len(tools)} tools ({share:.0%})"
    problems = [] if share > 0.5 else [f"{share:.0%} of the tools, expected over half"]
    claim = f"over half of the tools take more than {MANY_PARAMETERS} parameters"
    return item("parameters", claim, figure, problems, {"share": share, "tools": len(tools)})


def frozen_bytes(env_id: str) -> ProofItem:
    """Check that rebuilding the frozen files gives the same bytes."""
    scenario = subject(env_id).scenario.name
    problems, sizes = [], {}
    for name, made in build(scenario).items():
        present = standing(scenario, name)
        sizes[name] = len(present or b"")
        if present is None:
            problems.append(f"there is no {name}: make it with  teller-gym freeze {scenario}")
        elif made != present:
            problems.append(f"{name}: {_first_difference(made, present)}")
    figure = ", ".join(f"{name} {size} bytes" for name, size in sizes.items())
    measured = {"bytes": sum(sizes.values()), "files": sizes}
    return item("frozen_bytes", "the frozen files are made again, byte for byte", figure, problems, measured)


def _first_difference(made: bytes, present: bytes) -> str:
    pairs = enumerate(zip(made.splitlines(), present.splitlines(), strict=False), start=1)
    line = next((number for number, (one, other) in pairs if one != other), None)
    return f"made {len(made)} bytes, the file has {len(present)}; first difference in line {line}"


def gymnasium_checker(env_id: str) -> ProofItem:
    """Check that Gymnasium's check_env passes without a warning."""
    from gymnasium.utils.env_checker import check_env

    problems = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            check_env(gym.make(env_id, render_mode="ansi").unwrapped)
        except Exception as error:
            problems.append(f"{type(error).__name__}: {error}")
    problems += [str(warning.message) for warning in caught]
    figure = f"{len(caught)} warnings"
    return item("gymnasium", "Gymnasium's check_env passes without a warning", figure, problems)


def disjoint(env_id: str) -> ProofItem:
    """Check that no case occurs twice in the frozen file, so that no held-out case is in another split."""
    tasks = subject(env_id).tasks
    prints: dict[str, str] = {}
    problems = []
    for task in tasks:
        if task.fingerprint in prints:
            problems.append(f"{task.id} is the same case as {prints[task.fingerprint]}")
        prints[task.fingerprint] = task.id
    figure = f"{len(prints)} different cases in {len(tasks)} instances"
    return item("disjoint", "no case is in two instances", figure, problems, {"cases": len(prints)})
