"""The Gymnasium environment of the banking scenarios; :class:`BankEpisode` implements the episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of, shown
from teller_gym.envs.base import EpisodeEnv, Observation
from teller_gym.envs.episode.bank import BankEpisode, BankSettings, budget_of
from teller_gym.envs.episode.base import Info
from teller_gym.envs.options import (
    read_bool,
    read_max_steps,
    read_reward,
    read_seed,
    refuse_unknown,
    shows_progress,
    task_id_of,
    tools_of,
)
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import RENDERINGS
from teller_gym.procedure.task import BANK_SPLITS, Split, Task
from teller_gym.tasks.difficulty import difficulty_of, generated_in_range, parse_difficulty
from teller_gym.tasks.store import find_task, generate_task, parse_split, split_tasks, under_policy_shift
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.options import Variation
from teller_gym.variation.pool import parse_count, tools_in_play

_TRIES = 100
"""Attempts to find a task that still has the wanted difficulty under its drawn policy."""


class TellerEnv(EpisodeEnv[BankEpisode]):
    """Handle one case of a bank by calling tools, following a standard operating procedure.

    ## Action space
    Text (:class:`~teller_gym.envs.spaces.ToolCallText`): one JSON tool call ``{"name": …, "arguments": {…}}``, bare, in
    a code fence, in ``<tool_call>`` tags or within words; see :mod:`teller_gym.tools.reading`. Text without any attempt
    at a call is the final response and ends the episode.

    ## Observation space
    ``Dict`` of two texts: ``state`` (at reset: the request and the SOP; later: the progress of the episode) and
    ``tool_result`` (JSON result of the last call; empty at reset).

    ## Reward
    ``shaped``: the change in score at every step, so an episode's rewards add up to its score;
    ``sparse``: 1 at the end if the case is right: every output field, the final acts and the records. See
    :class:`~teller_gym.grading.score.RewardConfig`.

    ## Starting state
    A case of the split, drawn from the env's generator or selected by ``options={"task_id": …}``.

    ## Episode end
    Terminated when the final review is accepted or a final response is given; truncated when ``max_steps`` is spent.

    ## Information
    The same keys at every step: ``task_id``, ``scenario``, ``step``, ``error`` (None, or kind, message and field),
    ``checkpoints`` (the passed ones; at the end, or with ``diagnose``, all), ``reward_terms`` (unweighted), ``score``,
    ``success``, ``invalid`` (True if the machine or the env failed, which ends the episode without a score;
    ``failure`` says why), ``defect`` (None, or the crash of our code on this action, which counts as a failed call).

    ## Arguments
    Args:
        scenario: name of the scenario.
        split: split that ``reset`` draws from: train, validation, heldout, generated, or one of the held-out splits
            that vary policy, schema or branches: heldout_policy, heldout_schema, heldout_branch.
        sop: rendering of the SOP, ``abstract`` or ``explicit``.
        distractors: number of tools that do not belong to the procedure, drawn for each task; 0 to 243, or "all".
        reward: ``shaped``, ``sparse``, a ``RewardConfig``, or a mapping of its fields.
        max_steps: step budget; three times the longest standard result if None.
        state_view: content of ``state`` after reset: ``progress`` or ``none``.
        diagnose: True to list all ``checkpoints`` at every step.
        policy_shift: True to regenerate each task with its own thresholds, rates and limits, which SOP, tools and
            graders follow. Here and in the next three, a number of 1 or more selects a random stream, True the first.
        schema_shift: True to rename, reorder and redescribe tools and parameters, and to split some tools.
        perturb: True to write results in other, equivalent ways, with noise in texts that no rule reads.
        faults: True to let tools sometimes return temporary errors; the SOP then says what to do.
        difficulty: with split="generated", the tasks' range of difficulty (low, high) in [0, 1], or a schedule
            ``[(episodes, (low, high)), …]`` of ranges (:mod:`teller_gym.tasks.difficulty`). None draws from all tasks.
        render_mode: ``ansi`` or None.

    Raises:
        OptionError: a value is unknown; the message names what is allowed.

    ## Version history
    * v0: first version.
    """

    _settings: BankSettings

    def __init__(
        self,
        scenario: str,
        split: str = "train",
        sop: str = "abstract",
        distractors: int | str = 0,
        reward: str | RewardConfig | Mapping[str, Any] = "shaped",
        max_steps: int | None = None,
        state_view: str = "progress",
        diagnose: bool = False,
        policy_shift: bool | int = False,
        schema_shift: bool | int = False,
        perturb: bool | int = False,
        faults: bool | int = False,
        difficulty: Any = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        refuse_unknown(type(self), unknown)
        self._first = load_scenario(scenario)
        self._split = parse_split(split, BANK_SPLITS)
        if difficulty is not None and self._split is not Split.GENERATED:
            raise OptionError(
                f"difficulty: expected None with a frozen split, got {shown(difficulty)} with split={shown(split)}"
            )
        self._schedule = None if difficulty is None else parse_difficulty(difficulty)
        self._episodes = 0
        one_of("sop", sop, RENDERINGS)
        settings = BankSettings(
            reward=read_reward(reward, RewardConfig()),
            max_steps=read_max_steps(max_steps),
            sop=sop,
            distractors=parse_count(distractors),
            progress=shows_progress(state_view),
            diagnose=read_bool("diagnose", diagnose),
            variation=Variation.read(
                policy_shift=policy_shift, schema_shift=schema_shift, perturb=perturb, faults=faults
            ),
        )
        self._set_up(settings, render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode.

        Args:
            seed: seeds the env's generator, which draws the task, and restarts a schedule of difficulty.
            options: ``{"task_id": …}`` selects any frozen task or a generated one (``loans-g-<seed>``). In addition,
                ``"tools": […]`` may list the original names of the available tools out of the full pool (the tool that
                submits is always included).

        Raises:
            OptionError: an option, task id or tool is unknown.
        """
        if read_seed(seed) is not None:
            self._episodes = 0
        return super().reset(seed=seed, options=options)

    # -- for agents, trainers and reports -----------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        """The scenario of the episode; before the first reset, the env's first scenario."""
        return self._first if self._episode is None else self._episode.scenario

    @property
    def tools(self) -> ToolSet:
        """The available tools; before the first reset, distractors are those of no particular task."""
        if self._episode is None:
            return tools_in_play(self.scenario.name, self._settings.distractors, "")
        return self._episode.tools

    @property
    def max_steps(self) -> int:
        """Maximum number of steps of an episode."""
        chosen = self._settings.max_steps
        return budget_of(self.scenario.name) if chosen is None else chosen

    # -- how episodes are drawn ---------------------------------------------------------------------------------------

    def named(self, options: dict[str, Any]) -> BankEpisode:
        """Start an episode of the task, and with the tools, that the options of a reset select."""
        if "task_id" not in options or not options.keys() <= {"task_id", "tools"}:
            raise OptionError(f"options: expected 'task_id' and at most 'tools' besides, got {shown(list(options))}")
        task = self._varied(self._found(task_id_of(options)))
        return BankEpisode(task, self._settings, tools_of(options))

    def drawn(self, bits: int) -> BankEpisode:
        """Start an episode of a task of the split, which counts as one in a schedule of difficulty."""
        if self._schedule is None:
            return BankEpisode(self._varied(self._drawn(self._first.name, bits)), self._settings)
        low, high = self._schedule.range_at(self._episodes)
        self._episodes += 1
        # A case that is regenerated under a drawn policy may lie outside the range.
        for attempt in range(_TRIES):
            task = self._varied(self._drawn(self._first.name, bits + attempt, (low, high)))
            if low <= difficulty_of(task, load_scenario(task.scenario), self._settings.distractors).level <= high:
                return BankEpisode(task, self._settings)
        raise OptionError(
            f"difficulty: expected a range in which there are tasks under drawn policies, got {low, high}"
        )

    def _drawn(self, scenario: str, bits: int, levels: tuple[float, float] | None = None) -> Task:
        if self._split is not Split.GENERATED:
            tasks = split_tasks(scenario, self._split)
            if not tasks:
                raise OptionError(f"split: {scenario} has no tasks of the split {self._split}")
            return tasks[bits % len(tasks)]
        seed = bits % 2**32
        if levels is None:
            return generate_task(scenario, seed)
        return generated_in_range(scenario, seed, *levels, self._settings.distractors)

    def _found(self, task_id: str) -> Task:
        return find_task(self._first.name, task_id)

    def _varied(self, task: Task) -> Task:
        stream = self._settings.variation.policy_shift
        return under_policy_shift(task, stream) if stream else task
