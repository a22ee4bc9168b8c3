"""The environment of stage 1: read the context and the tools, answer once with the graph."""

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
    ``Dict`` of two texts: ``state`` (at reset: the business context in prose, which states every state and temporal
    precedence and what feeds what, the signatures of the pool, and how to answer; then: how the answer was read) and
    ``tool_result`` (empty at reset; then JSON: how many nodes and edges were read, and what could not be read or was
    unknown; nothing of the gold graph).

    ## Reward
    The score, at the only step. ``overlap`` (default) is the mean of node, edge and path overlap: nodes are found by
    reading, edges by connecting, and paths only by getting long stretches right. Any other metric can be selected by
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
        """The scenario whose procedure is reconstructed."""
        return self._scenario

    @property
    def tools(self) -> ToolSet:
        """The pool, by the names shown and in the order shown; raises ``ResetNeeded`` before the first reset."""
        return self.episode.tools

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return an empty list: there is nothing to call."""
        return []

    def restore(self, snapshot: GraphEpisode) -> None:
        """Go back to a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot is of an env of another scenario or reward.
        """
        own, theirs = self._scenario.name, snapshot.task.scenario
        if own != theirs:
            raise OptionError(f"snapshot: expected one of an env of the scenario {own}, got {theirs}")
        super().restore(snapshot)
        self._show(snapshot.task)

    def named(self, options: dict[str, Any]) -> GraphEpisode:
        """Return a new episode of a named task of any split."""
        name, task_id = self._scenario.name, only_task_id(options)
        return self._begun(find_graph_task(name, task_id, distractors=self.distractors, schema_shift=self._shift))

    def drawn(self, bits: int) -> GraphEpisode:
        """Return a new episode of a task of the split."""
        number, name = bits % min(SIZES[self._split], _LARGEST_DRAW), self._scenario.name
        return self._begun(
            graph_task(name, self._split, number, distractors=self.distractors, schema_shift=self._shift)
        )

    def _begun(self, task: GraphTask) -> GraphEpisode:
        self._show(task)
        return GraphEpisode(task, self._settings)

    def _show(self, task: GraphTask) -> None:
        """Let the action space draw graphs over the pool of a task."""
        self.action_space.names = tuple(pool_of(task).tools)
