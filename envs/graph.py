"""The Gymnasium environment of stage 1: reconstruct a procedure's graph from its context and tools."""

from __future__ import annotations

from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of
from teller_gym.envs.base import EpisodeEnv
from teller_gym.envs.episode.graph import GraphEpisode, GraphReward, GraphSettings
from teller_gym.envs.episode.graph_grade import OVERLAP
from teller_gym.envs.options import only_task_id, read_bool, refuse_unknown
from teller_gym.envs.spaces.text import GraphAnswerText
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.stage1.metrics import METRICS
from teller_gym.stage1.task import (
    DEFAULT_DISTRACTORS,
    SIZES,
    GraphTask,
    find_graph_task,
    graph_task,
    parse_graph_count,
    parse_graph_split,
    pool_of,
)
from teller_gym.tools.tool import ToolSet

REWARDS = (OVERLAP, *METRICS)
_LARGEST_DRAW = 2**32


class GraphEnv(EpisodeEnv[GraphEpisode]):
    """Reconstruct the dependency graph of a procedure from the signatures of a pool of tools, in one step.

    ## Action space
    Text (:class:`~teller_gym.envs.spaces.text.GraphAnswerText`): one JSON or YAML object ``{"nodes": […], "edges":
    [[upstream, downstream], …]}``, bare, in a code fence or within other text; see
    :func:`~teller_gym.stage1.answer.read_answer`.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the business context in prose, which describes all state and temporal
    dependencies and the flow of data, the tools' signatures, and instructions for the answer; then: whether the answer
    could be read) and ``tool_result`` (empty at reset; then JSON: the numbers of nodes and edges, and the unreadable or
    unknown parts of the answer; it reveals nothing about the gold graph).

    ## Reward
    The score, at the only step. ``overlap`` (default) is the mean of node, edge and path overlap: nodes require only
    reading, edges require connecting tools, and paths require long stretches to be right. Any other metric can be
    selected by name; see :class:`~teller_gym.stage1.metrics.GraphScores`.

    ## Starting state
    A task of the split, drawn from the env's generator or selected by ``options={"task_id": …}``. A task is a scenario,
    a sample of distractors, an order of the tools and, unless ``schema_shift`` is off, new names and texts.

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
        split: split that ``reset`` draws from: train, validation (16 tasks) or heldout (50).
        distractors: number of tools in the pool that do not belong to the scenario, 0 to 243 or "all". A fifth of the
            distractors is reserved for heldout, so that train and validation have at most 195.
        schema_shift: True to draw names, texts and orders of tools, inputs and outputs for each task, where a value has
            different names as an output and as an input; heldout uses names that train never shows. If False, tools
            have their original names, and equal names reveal much of the graph.
        reward: ``overlap`` or a metric's name.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: a value is unknown; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    stage = 1
    max_steps = 1
    example = "loans-graph-train-0"
    action_space: GraphAnswerText
    _settings: GraphSettings

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
        self._scenario = load_scenario(scenario)
        self._split = parse_graph_split(split)
        count = parse_graph_count(distractors, self._split)
        self._shift = read_bool("schema_shift", schema_shift)
        one_of("reward", reward, REWARDS)
        self._set_up(GraphSettings(reward=GraphReward(reward), distractors=count), render_mode)

    def _actions(self) -> GraphAnswerText:
        return GraphAnswerText(self._scenario.graph.nodes)

    @property
    def scenario(self) -> Scenario:
        """The scenario whose graph is to be reconstructed."""
        return self._scenario

    @property
    def tools(self) -> ToolSet:
        """The task's pool of tools as agents see it; raises ``ResetNeeded`` before the first reset."""
        return self.episode.tools

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return an empty list, because no tool can be called."""
        return []

    def restore(self, snapshot: GraphEpisode) -> None:
        """Continue from a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot comes from an env of another scenario or reward.
        """
        own, theirs = self._scenario.name, snapshot.task.scenario
        if own != theirs:
            raise OptionError(f"snapshot: expected one of an env of the scenario {own}, got {theirs}")
        super().restore(snapshot)
        self._show(snapshot.task)

    def named(self, options: dict[str, Any]) -> GraphEpisode:
        """Start an episode of the task with the given id, of any split."""
        name, task_id = self._scenario.name, only_task_id(options)
        return self._begun(find_graph_task(name, task_id, distractors=self.distractors, schema_shift=self._shift))

    def drawn(self, bits: int) -> GraphEpisode:
        """Start an episode of a task of the split."""
        number, name = bits % min(SIZES[self._split], _LARGEST_DRAW), self._scenario.name
        return self._begun(
            graph_task(name, self._split, number, distractors=self.distractors, schema_shift=self._shift)
        )

    def _begun(self, task: GraphTask) -> GraphEpisode:
        self._show(task)
        return GraphEpisode(task, self._settings)

    def _show(self, task: GraphTask) -> None:
        """Make the action space draw graphs over a task's pool of tools."""
        self.action_space.names = tuple(pool_of(task).tools)
