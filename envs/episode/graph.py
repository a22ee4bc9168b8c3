"""An episode of stage 1: the agent reads the context and the tools, and answers once with the graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from teller_gym.base.errors import ErrorInfo
from teller_gym.base.text import fingerprint
from teller_gym.envs.episode.base import Episode, EpisodeSettings, Outcome, Read
from teller_gym.envs.episode.graph_grade import CHECKPOINTS, OVERLAP, OVERLAPS, ScoredAnswer, grade_of
from teller_gym.grading.grader import Grade
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.stage1.answer import read_answer
from teller_gym.stage1.context import context
from teller_gym.stage1.digraph import Digraph, digraph
from teller_gym.stage1.document import MAX_CHARACTERS
from teller_gym.stage1.metrics import METRICS, score_graph
from teller_gym.stage1.task import GraphTask, gold_of, own_names, pool_of
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.tool import ToolSet


class GraphReward(msgspec.Struct, frozen=True):
    """The metric that is the score and the reward of the only step."""

    metric: str
    shaped: bool = True


class GraphSettings(EpisodeSettings, frozen=True, eq=False, kw_only=True):
    """Settings of an env of stage 1."""

    reward: GraphReward


class _NoAnswer(msgspec.Struct, frozen=True):
    """The score before the answer."""

    score: float = 0.0

    def terms(self) -> dict[str, float]:
        return dict.fromkeys(METRICS, 0.0)


class GraphEpisode(Episode):
    """An episode of one stage 1 task; ``answer`` is None before the step."""

    longest = MAX_CHARACTERS
    max_steps = 1
    task: GraphTask
    settings: GraphSettings

    def __init__(self, task: GraphTask, settings: GraphSettings) -> None:
        super().__init__(task, settings)
        self.answer: ScoredAnswer | None = None

    @property
    def scenario(self) -> Scenario:
        """The scenario of the task."""
        return load_scenario(self.task.scenario)

    def adopt(self, settings: GraphSettings) -> None:
        """Apply settings; the tools are those of the task's pool, by the names and in the order that agents see."""
        self.settings = settings
        self.tools = pool_of(self.task).tools

    def read(self, action: object, tools: ToolSet) -> Read:
        """Return an action of any type as a final response."""
        return FinalResponse(action)  # type: ignore[arg-type]

    def take(self, action: str, read: Read) -> Outcome:
        """Parse and score the answer."""
        gold = gold_of(self.task)
        answer = read_answer(action, self.tools)
        scores = score_graph(gold, answer.graph)
        terms, metric = scores.terms(), self.settings.reward.metric
        score = sum(terms[name] for name in OVERLAPS) / len(OVERLAPS) if metric == OVERLAP else terms[metric]
        error = answer.error()
        shown: dict[str, Any] = {
            "nodes": len(answer.graph.nodes),
            "edges": len(answer.graph.edges),
            "problems": [problem.message for problem in answer.problems],
        }
        info = ErrorInfo(error[0].value, error[1], None) if error else None
        if info:
            shown = {"error": dict(info), **shown}
        passed = (
            answer.readable,
            answer.readable and not scores.cyclic,
            set(gold.nodes) == set(answer.graph.nodes),
            set(gold.edges) == set(answer.graph.edges),
        )
        checkpoints = dict(zip(CHECKPOINTS, passed, strict=True))
        self.answer = ScoredAnswer(answer, scores, score, checkpoints, info)
        return Outcome(msgspec.json.encode(shown).decode(), info, True)

    def call(self, action: str, call: ToolCall) -> Outcome:
        """Not used, because no tool can be called."""
        raise NotImplementedError

    # -- the score ----------------------------------------------------------------------------------------------------

    def standing(self) -> ScoredAnswer | _NoAnswer:
        """Return the score and every metric; all are 0 before the answer."""
        return self.answer or _NoAnswer()

    def is_right(self) -> bool:
        return self.answer is not None and self.answer.is_right()

    def checkpoints(self) -> dict[str, bool]:
        """Return True or False for each checkpoint, by name; empty before the answer."""
        return {} if self.answer is None else self.answer.checkpoints

    def scored(self) -> ScoredAnswer:
        """Return the scored answer; raises ``ResetNeeded`` before the answer."""
        if self.answer is None:
            raise ResetNeeded("there is no answer yet: call step() first")
        return self.answer

    def answer_by_own_names(self) -> Digraph:
        """Return the answer's graph with the tools' original names; names of no shown tool stay as written.

        If such a name equals a tool's original name, a suffix distinguishes it.
        """
        own, graph = own_names(self.task), self.scored().answer.graph
        taken = frozenset(own.values())

        def named(name: str) -> str:
            return own.get(name, f"{name} (no tool of this pool)" if name in taken else name)

        return digraph(map(named, graph.nodes), ((named(up), named(down)) for up, down in graph.edges))

    def grade(self) -> Grade:
        """Grade the answer; raises ``ResetNeeded`` before the answer."""
        return grade_of(self.scored(), self.scenario.graph.nodes, self.answer_by_own_names().nodes)

    # -- observations -----------------------------------------------------------------------------------------------

    def procedure(self) -> str:
        """Return the context, the tools' signatures, and the instructions for the answer."""
        return context(self.task)

    def opening(self) -> str:
        return self.procedure()

    def account(self, error: ErrorInfo | None) -> str:
        """Return a sentence for ``state`` on whether the answer could be read."""
        taken = "was read" if error is None else f"has faults ({error.kind})"
        return f"Task {self.task.id}. Step 1 of 1. The answer {taken}."

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far: system, user and, after the step, the answer and its result."""
        chat: list[dict[str, Any]] = [
            {"role": "system", "content": _system_prompt()},
            {"role": "user", "content": context(self.task)},
        ]
        for action, result in self.history:
            chat.append({"role": "assistant", "content": action})
            chat.append({"role": "tool", "tool_call_id": "call_1", "name": "", "content": result})
        return chat

    def rendered(self) -> str:
        """Return the task, the answer and its scores as text for people."""
        lines = [f"{self.task.id}  {self.scenario.title}", f"{len(self.tools)} tools, {self.task.count} distractors"]
        answer = self.answer
        if answer is None:
            return "\n".join([*lines, "", *self.tools])
        graph = answer.answer.graph
        lines += ["", f"{len(graph.nodes)} nodes", *(f"  {name}" for name in graph.nodes)]
        lines += ["", f"{len(graph.edges)} edges", *(f"  {up} -> {down}" for up, down in graph.edges)]
        lines += ["", *(problem.message for problem in answer.answer.problems)]
        lines += [f"{name:22}{value:.3f}" for name, value in answer.terms().items()]
        return "\n".join([*lines, f"score {answer.score:.3f}  (episode over)"])

    def state_hash(self) -> str:
        return fingerprint([self.task, self.answer.answer.graph if self.answer else None])

    def separate(self, settings: GraphSettings | None) -> None:
        """Do nothing: a fork can share everything, because an answer never changes."""

    def remake(self) -> Callable[[Any], GraphEpisode]:
        return partial(GraphEpisode, self.task)


@cache
def _system_prompt() -> str:
    return resources.files("teller_gym.envs").joinpath("graph_system_prompt.md").read_text(encoding="utf-8").strip()
