"""The environment of stage 1: read the context and the tools, answer once with the graph."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, ClassVar

import gymnasium as gym
import msgspec
from gymnasium import spaces

from teller_gym.base.errors import ErrorInfo, OptionError
from teller_gym.base.text import as_text, fingerprint, one_of, shown
from teller_gym.envs.graph_space import GraphAnswerText
from teller_gym.envs.options import refuse_unknown
from teller_gym.envs.resetting import expect_options, read_seed, task_id_of
from teller_gym.envs.spaces import FreeText
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult
from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.answer import Answer, read_answer
from teller_gym.stage1.context import context
from teller_gym.stage1.digraph import Digraph, digraph
from teller_gym.stage1.document import MAX_CHARACTERS
from teller_gym.stage1.metrics import METRICS, GraphScores, score_graph
from teller_gym.stage1.task import (
    DEFAULT_DISTRACTORS,
    SIZES,
    GraphTask,
    find_graph_task,
    gold_of,
    graph_task,
    own_names,
    parse_graph_count,
    parse_graph_split,
    pool_of,
)
from teller_gym.tools.overlong import stored
from teller_gym.tools.tool import ToolSet

OVERLAP = "overlap"
REWARDS = (OVERLAP, *METRICS)
CHECKPOINTS = ("readable", "acyclic", "nodes", "edges")
_OVERLAPS = ("node_overlap", "edge_overlap", "path_overlap")
_LARGEST_DRAW = 2**32

Observation = dict[str, str]
Info = dict[str, Any]


class Outcome(msgspec.Struct, frozen=True):
    """What became of an answer."""

    action: str
    answer: Answer
    scores: GraphScores
    score: float
    checkpoints: dict[str, bool]
    error: ErrorInfo | None
    result: str


class GraphSnapshot(msgspec.Struct, frozen=True):
    """All that an episode is made of; opaque, and good for any number of restores."""

    task: GraphTask
    reward: str
    outcome: Outcome | None


class GraphEnv(gym.Env[Observation, str]):
    """Reconstruct the dependency graph of a procedure from the signatures of a pool of tools, in one step.

    ## Action space
    Text (:class:`~teller_gym.envs.graph_space.GraphAnswerText`): one JSON or YAML object ``{"nodes": […], "edges":
    [[upstream, downstream], …]}``, bare, in a code fence or within other text; see
    :func:`~teller_gym.stage1.answer.read_answer`.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the business context in prose, which states every state and temporal
    precedence and what feeds what, the signatures of the pool, and how to answer; then: how the answer was read) and
    ``tool_result`` (empty at reset; then JSON: how many nodes and edges were read, and what could not be read or was
    unknown; nothing of the gold graph).

    ## Reward
    The score, at the only step. ``overlap`` (default) is the mean of node, edge and path overlap: nodes alone are found
    by reading, edges by connecting, and paths only by getting long stretches right. Any other metric can be selected by
    name; see :class:`~teller_gym.stage1.metrics.GraphScores`.

    ## Starting state
    A task of the split, drawn from the env's generator, or the one named by ``options={"task_id": …}``. A task is a
    scenario, a sample of distractors, an order of the tools and, unless ``schema_shift`` is off, new names and texts.

    ## Episode end
    Terminated after the first step.

    ## Information
    The keys of every env: ``task_id``, ``scenario``, ``step``, ``error`` (None, or kind, message and field; malformed:
    something could not be read, validation: unknown names, repetitions, cycles), ``checkpoints`` (at the end: readable,
    acyclic, nodes and edges exactly right), ``reward_terms`` (every metric), ``score``, ``success`` (nodes and edges
    exactly right), ``invalid``.

    ## Arguments
    Args:
        scenario: name of the scenario.
        split: what ``reset`` draws from: train, validation (16 tasks) or heldout (50).
        distractors: how many tools that do not belong to the scenario are in the pool, 0 to 243 or "all". A fifth of
            them is in no sample of train and validation, which therefore hold 195 at most.
        schema_shift: whether tools, inputs and outputs have names, texts and orders drawn for each task, in which a
            value has one name as an output and another as an input; heldout uses names that train never shows.
            Without it, names are the tools' own, and equal names reveal much of the graph.
        reward: ``overlap`` or a metric's name.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: an unknown value; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]
    stage: ClassVar[int] = 1
    max_steps = 1
    failure: str | None = None
    """Always None: no tool runs that could break."""

    def __init__(
        self,
        scenario: str,
        split: str = "train",
        distractors: int | str = DEFAULT_DISTRACTORS,
        schema_shift: bool = True,
        reward: str = OVERLAP,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(type(self), unknown)
        self.scenario = load_scenario(scenario)
        self._split = parse_graph_split(split)
        self._distractors = parse_graph_count(distractors, self._split)
        if not isinstance(schema_shift, bool):
            raise OptionError(f"schema_shift: expected True or False, got {shown(schema_shift)}")
        one_of("reward", reward, REWARDS)
        one_of("render_mode", render_mode, (None, "ansi"))
        self._shift = schema_shift
        self._reward = reward
        self.render_mode = render_mode
        texts: dict[str, gym.Space[Any]] = {"state": FreeText(), "tool_result": FreeText()}
        self.observation_space = spaces.Dict(texts)  # type: ignore[assignment]
        self._answers = GraphAnswerText(self.scenario.graph.nodes)
        self.action_space = self._answers
        self._task: GraphTask | None = None
        self._outcome: Outcome | None = None

    # -- Gymnasium's interface ------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode.

        Args:
            seed: seeds the env's generator, which draws the task.
            options: ``{"task_id": …}`` names any task, whatever the split.

        Raises:
            OptionError: an unknown option or task id.
        """
        expect_options(options, "{'task_id': 'loans-graph-train-0'}")
        super().reset(seed=read_seed(seed))
        self._begin(self._named(options) if options else self._draw(), None)
        return {"state": context(self.task), "tool_result": ""}, self._info()

    def step(self, action: str) -> tuple[Observation, float, bool, bool, Info]:
        """Read and score the answer; never raises on what an agent wrote.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over, or none was started.
        """
        task = self.task
        if self._outcome is not None:
            raise gym.error.ResetNeeded("the episode is over: call reset() first")
        outcome = self._outcome = self._judge(task, action)
        taken = "was read" if outcome.error is None else f"has faults ({outcome.error.kind})"
        state = f"Task {task.id}. Step 1 of 1. The answer {taken}."
        return {"state": state, "tool_result": outcome.result}, outcome.score, True, False, self._info()

    def render(self) -> str | None:
        """Return the task, the answer and its scores as a person would read them (``render_mode="ansi"``)."""
        if self.render_mode is None or self._task is None:
            return None
        lines = [f"{self._task.id}  {self.scenario.title}", f"{len(self.tools)} tools, {self._task.count} distractors"]
        outcome = self._outcome
        if outcome is None:
            return "\n".join([*lines, "", *self.tools])
        graph = outcome.answer.graph
        lines += ["", f"{len(graph.nodes)} nodes", *(f"  {name}" for name in graph.nodes)]
        lines += ["", f"{len(graph.edges)} edges", *(f"  {up} -> {down}" for up, down in graph.edges)]
        lines += ["", *(problem.message for problem in outcome.answer.problems)]
        lines += [f"{name:22}{value:.3f}" for name, value in outcome.scores.terms().items()]
        return "\n".join([*lines, f"score {outcome.score:.3f}  (episode over)"])

    # -- what agents, trainers and reports use besides ------------------------------------------------------------

    @property
    def task(self) -> GraphTask:
        """The task of the episode; raises ``ResetNeeded`` before the first reset."""
        if self._task is None:
            raise gym.error.ResetNeeded("there is no task yet: call reset() first")
        return self._task

    @property
    def tools(self) -> ToolSet:
        """The pool, by the names shown and in the order shown; raises ``ResetNeeded`` before the first reset."""
        return pool_of(self.task).tools

    @property
    def distractors(self) -> int:
        """How many tools that do not belong to the scenario are in the pool."""
        return self._distractors

    @property
    def scores(self) -> GraphScores | None:
        """The metrics of the answer; None before it."""
        return self._outcome.scores if self._outcome else None

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return an empty list: there is nothing to call."""
        return []

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far: system, user and, after the step, the answer and what was said to it."""
        chat: list[dict[str, Any]] = [
            {"role": "system", "content": _system_prompt()},
            {"role": "user", "content": context(self.task)},
        ]
        if self._outcome is None:
            return chat
        answer = {"role": "assistant", "content": self._outcome.action}
        return [*chat, answer, {"role": "tool", "tool_call_id": "call_1", "name": "", "content": self._outcome.result}]

    @property
    def outcome(self) -> Outcome:
        """What became of the answer; raises ``ResetNeeded`` before it was given."""
        if self._outcome is None:
            raise gym.error.ResetNeeded("there is no answer yet: call step() first")
        return self._outcome

    def answer_by_own_names(self) -> Digraph:
        """Return the graph of the answer under the tools' own names; a name of no tool is kept as written.

        The exception is a name that no tool shown here has but that is some tool's own name: it gets a mark.
        """
        own, graph = own_names(self.task), self.outcome.answer.graph
        taken = frozenset(own.values())

        def named(name: str) -> str:
            return own.get(name, f"{name} (no tool of this pool)" if name in taken else name)

        return digraph(map(named, graph.nodes), ((named(up), named(down)) for up, down in graph.edges))

    def grade(self) -> Grade:
        """Return the grade of the answer, in the form that the envs of stage 2 give; see :attr:`outcome`.

        The required tools are the nodes of the gold graph, those invoked the nodes of the answer, by their own names.
        """
        outcome, answer = self.outcome, self.answer_by_own_names()
        reasons = _reasons(outcome, self.scenario.graph.nodes, answer.nodes)
        return Grade(
            score=outcome.score,
            terms=outcome.scores.terms(),
            checkpoints=dict(outcome.checkpoints),
            accurate=all(outcome.checkpoints.values()),
            success=all(outcome.checkpoints.values()),
            clean=all(outcome.checkpoints.values()),
            collateral=(),
            outputs=None,
            errors={str(outcome.error.kind): 1} if outcome.error else {},
            required_tools=tuple(self.scenario.graph.nodes),
            invoked_tools=answer.nodes,
            calls=1,
            reasons=reasons,
        )

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it is passed or not; see :meth:`grade`."""
        return self.grade().reasons

    def snapshot(self) -> GraphSnapshot:
        """Return the episode as it stands; raises ``ResetNeeded`` before the first reset."""
        return GraphSnapshot(self.task, self._reward, self._outcome)

    def restore(self, snapshot: GraphSnapshot) -> None:
        """Go back to a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot is of an env of another scenario or reward.
        """
        own, theirs = (self.scenario.name, self._reward), (snapshot.task.scenario, snapshot.reward)
        if own != theirs:
            raise OptionError(f"snapshot: expected one of an env with scenario and reward {own}, got {theirs}")
        self._begin(snapshot.task, snapshot.outcome)

    def state_hash(self) -> str:
        """Return a fingerprint of the task and of the answer as it was read; see :meth:`snapshot`."""
        graph = self._outcome.answer.graph if self._outcome else None
        return fingerprint([self.task, graph])

    # -- inside ---------------------------------------------------------------------------------------------------

    def _begin(self, task: GraphTask, outcome: Outcome | None) -> None:
        self._task, self._outcome = task, outcome
        self._answers.names = tuple(pool_of(task).tools)

    def _draw(self) -> GraphTask:
        # Raw bits, because NumPy promises a stable stream only for them.
        bits = int(self.np_random.bit_generator.random_raw())
        number = bits % min(SIZES[self._split], _LARGEST_DRAW)
        name = self.scenario.name
        return graph_task(name, self._split, number, distractors=self._distractors, schema_shift=self._shift)

    def _named(self, options: dict[str, Any]) -> GraphTask:
        if list(options) != ["task_id"]:
            raise OptionError(f"options: expected only 'task_id', got {shown(list(options))}")
        name, task_id = self.scenario.name, task_id_of(options)
        return find_graph_task(name, task_id, distractors=self._distractors, schema_shift=self._shift)

    def _judge(self, task: GraphTask, action: str) -> Outcome:
        gold = gold_of(task)
        answer = read_answer(action, pool_of(task).tools)
        scores = score_graph(gold, answer.graph)
        terms = scores.terms()
        score = (
            sum(terms[name] for name in _OVERLAPS) / len(_OVERLAPS) if self._reward == OVERLAP else terms[self._reward]
        )
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
        kept, result = stored(as_text(action), MAX_CHARACTERS), msgspec.json.encode(shown).decode()
        return Outcome(kept, answer, scores, score, checkpoints, info, result)

    def _info(self) -> Info:
        outcome = self._outcome
        return {
            "task_id": self.task.id,
            "scenario": self.scenario.name,
            "step": 1 if outcome else 0,
            "error": outcome.error if outcome else None,
            "checkpoints": dict(outcome.checkpoints) if outcome else {},
            "reward_terms": outcome.scores.terms() if outcome else dict.fromkeys(METRICS, 0.0),
            "score": outcome.score if outcome else 0.0,
            "success": outcome is not None and all(outcome.checkpoints.values()),
            "invalid": False,
            "defect": None,
        }


def _reasons(outcome: Outcome, gold: Iterable[str], given: Iterable[str]) -> tuple[CheckpointResult, ...]:
    scores, (wanted, found) = outcome.scores, (set(gold), set(given))
    missing, added = sorted(wanted - found), sorted(found - wanted)
    words = {
        "readable": "a graph was read" if outcome.answer.readable else outcome.answer.problems[0].message,
        "acyclic": "the answer has a cycle" if scores.cyclic else "no cycle",
        "nodes": f"missing: {', '.join(missing) or 'none'}; too many: {', '.join(added) or 'none'}",
        "edges": f"precision {scores.edge_precision:.3f}, recall {scores.edge_recall:.3f}",
    }
    weight = 1 / len(CHECKPOINTS)
    return tuple(CheckpointResult(name, outcome.checkpoints[name], weight, words[name]) for name in CHECKPOINTS)


@cache
def _system_prompt() -> str:
    return resources.files("teller_gym.envs").joinpath("graph_system_prompt.md").read_text(encoding="utf-8").strip()
