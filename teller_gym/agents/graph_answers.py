"""Reference answers for stage 1: the gold graph, answers without reading, and flawed copies of the gold graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.agents.base import Info, Observation
from teller_gym.agents.lexical import Lexical
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.envs.contract import reconstruction_of
from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.context import context
from teller_gym.stage1.task import GraphTask, gold_of, pool_of
from teller_gym.tools.tool import Category


def gold(task: GraphTask) -> str:
    """Return the gold graph as an answer."""
    graph = gold_of(task)
    return answer_text(graph.nodes, graph.edges)


def empty(task: GraphTask) -> str:
    """Return an answer without nodes and edges."""
    return answer_text((), ())


def complete(task: GraphTask) -> str:
    """Return an answer with every tool in the pool, and an edge from each tool to all tools listed after it."""
    names = list(pool_of(task).tools)
    return answer_text(names, combinations(names, 2))


def chain(task: GraphTask) -> str:
    """Return an answer with the right nodes as a chain, in the order in which the SOP first names them."""
    scenario, names = load_scenario(task.scenario), pool_of(task).names
    named = (node for clause in scenario.sop_document.clauses().values() for node in clause.nodes)
    order = [names[node] for node in dict.fromkeys((*named, *scenario.graph.nodes))]
    return answer_text(order, pairwise(order))


def gold_with_distractors(task: GraphTask) -> str:
    """Return the gold graph with all tools that do not belong to the scenario as nodes without edges."""
    graph, kinds = gold_of(task), (Category.FINANCIAL_DISTRACTOR, Category.GENERAL_DISTRACTOR)
    return answer_text((*graph.nodes, *(tool.name for tool in pool_of(task).tools.of(*kinds))), graph.edges)


def gold_reversed(task: GraphTask) -> str:
    """Return the gold graph with the direction of every edge reversed."""
    graph = gold_of(task)
    return answer_text(graph.nodes, ((down, up) for up, down in graph.edges))


def lexical(task: GraphTask) -> str:
    """Return the answer of a program that only compares words and sees only the prompt."""
    graph = Lexical().answer(task.scenario, context(task))
    return answer_text(graph.nodes, graph.edges)


def answer_text(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> str:
    """Encode an answer as bare JSON."""
    return msgspec.json.encode({"nodes": list(nodes), "edges": list(edges)}).decode()


GRAPH_ANSWERS: dict[str, Callable[[GraphTask], str]] = {
    "gold": gold,
    "empty": empty,
    "complete": complete,
    "chain": chain,
    "gold_with_distractors": gold_with_distractors,
    "gold_reversed": gold_reversed,
    "lexical": lexical,
}
"""Functions that return the reference answers, by name."""


class GraphAnswerer:
    """Agent that gives the reference answer with the given name."""

    def __init__(self, name: str, env: gym.Env[Any, Any]) -> None:
        if name not in GRAPH_ANSWERS:
            hint = did_you_mean(name, GRAPH_ANSWERS)
            raise OptionError(f"agent: expected one of {', '.join(GRAPH_ANSWERS)}, got {name!r}{hint}")
        self.name = name
        self._core = reconstruction_of(env)

    def reset(self) -> None:
        """Do nothing, since there is no state."""

    def act(self, obs: Observation, info: Info) -> str:
        return GRAPH_ANSWERS[self.name](self._core.task)
