"""Computes a task's difficulty from countable parts, and generates tasks of a given difficulty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.base.text import shown
from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import FAR_AWAY, Scenario, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import LARGEST_SEED, generate_task

NOT_REACHED = "not_reached"
"""Outcome that a solver reports for a decision point that the case does not reach."""

TRIES = 1_000
"""Maximum number of tasks that are tried to find one in a range."""

_STEP = 16 * FAR_AWAY
"""Distance between the seeds that are tried, a multiple of the distance by which a scenario redraws a task. Searches
from different seeds below it find different tasks, so that disjoint ranges of seeds give disjoint tasks."""

_SAMPLE = 400
"""Number of generated tasks from which a scenario's bands are computed."""

_COMPUTED = (How.DERIVE, How.DECIDE)


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of ``difficulty.yaml``, which explains the numbers.

    Raises:
        ScenarioError: the shares do not add up to 1, or a number is too small.
    """

    required_calls: float
    branches: float
    computed: float
    distractors: float
    repeats: float

    def __post_init__(self) -> None:
        shares = (self.required_calls, self.branches, self.computed, self.distractors)
        if min(shares) < 0 or abs(sum(shares) - 1) > 1e-9 or self.repeats < 1:
            raise ScenarioError(f"difficulty.yaml: expected shares that add up to 1 and repeats >= 1, got {self}")


class Reach(msgspec.Struct, frozen=True):
    """A scenario's totals, by which the parts of a difficulty are divided.

    Attributes:
        nodes: number of tools in the graph.
        branches: number of decision points that the solver reports.
        computed: number of inputs in the graph that the agent derives or decides.
        tools: number of the scenario's own tools, auxiliary ones included.
    """

    nodes: int
    branches: int
    computed: int
    tools: int


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a task's difficulty.

    Attributes:
        required_calls: number of calls in the standard result.
        branches: number of decision points that the case reaches.
        computed: number of arguments of required calls, including the final review's output fields, that the agent
            derives or decides according to the graph.
        distractors: number of available tools that belong to no procedure.
        reach: the scenario's totals, by which the parts are divided.
    """

    required_calls: int
    branches: int
    computed: int
    distractors: int
    reach: Reach

    @property
    def level(self) -> float:
        """Difficulty of the task, in [0, 1]; it never falls when a part grows.

        The sum of the parts, weighted by ``difficulty.yaml``. Each part is a ratio of at most 1: required calls to
        ``repeats`` times the graph's nodes, branches to all decision points, computed values to ``repeats`` times the
        graph's computed inputs, and distractors to all available tools.
        """
        weights, reach = load_weights(), self.reach
        parts = (
            weights.required_calls * _part(self.required_calls, weights.repeats * reach.nodes),
            weights.branches * _part(self.branches, reach.branches),
            weights.computed * _part(self.computed, weights.repeats * reach.computed),
            weights.distractors * _part(self.distractors, reach.tools + self.distractors),
        )
        # fsum, because sum() rounds differently from Python 3.12 on.
        return min(1.0, math.fsum(parts))


def _part(value: int, most: float) -> float:
    return min(1.0, value / most) if most else 0.0


@cache
def load_weights() -> Weights:
    """Return the numbers of ``difficulty.yaml``."""
    text = resources.files("teller_gym.tasks").joinpath("difficulty.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=Weights)


@cache
def _computed_inputs(scenario: Scenario) -> dict[str, frozenset[str]]:
    """Return the inputs that the agent derives or decides, by node."""
    return {
        name: frozenset(argument for argument, item in node.inputs.items() if item.how in _COMPUTED)
        for name, node in scenario.graph.nodes.items()
    }


def difficulty_of(task: Task, scenario: Scenario, distractors: int = 0) -> Difficulty:
    """Compute the difficulty of a task.

    Args:
        task: task with its standard result and branches.
        scenario: scenario of the task.
        distractors: number of available tools that belong to no procedure.

    Raises:
        OptionError: the number of distractors is negative.
    """
    if distractors < 0:
        raise OptionError(f"distractors: expected 0 or more, got {distractors}")
    inputs = _computed_inputs(scenario)
    calls = task.standard.calls
    return Difficulty(
        required_calls=len(calls),
        branches=sum(outcome != NOT_REACHED for outcome in task.branches.values()),
        computed=sum(len(inputs[call.name] & call.arguments.keys()) for call in calls if call.name in inputs),
        distractors=distractors,
        reach=Reach(
            nodes=len(inputs),
            branches=len(task.branches),
            computed=sum(map(len, inputs.values())),
            tools=len(scenario.tools),
        ),
    )


def generated_in_range(scenario: str, seed: int, low: float, high: float, distractors: int = 0) -> Task:
    """Return the first generated task, starting from a seed, with a level in a range; its id identifies it.

    The search tries the given seed and then seeds far from it (wrapping around to 0 after the largest), so that
    neighbouring seeds do not lead to the same task. Its time is inversely proportional to the share of tasks in the
    range.

    Args:
        scenario: scenario name such as ``loans``.
        seed: 0 … ``LARGEST_SEED``.
        low, high: smallest and largest level, in [0, 1].
        distractors: number of available tools that belong to no procedure, which affects the level.

    Raises:
        OptionError: the range or the seed is invalid, or no task was found; the message gives the existing levels.
    """
    check_range(low, high)
    loaded = load_scenario(scenario)
    seen = []
    for number in range(TRIES):
        task = generate_task(scenario, (seed + number * _STEP) % (LARGEST_SEED + 1) if number else seed)
        level = difficulty_of(task, loaded, distractors).level
        if low <= level <= high:
            return task
        seen.append(level)
    seen.sort()
    raise OptionError(
        f"difficulty: expected a range in which {scenario} has tasks, got {low} to {high}; of {TRIES} tasks with "
        f"{distractors} distractors, levels are {seen[0]:.2f} to {seen[-1]:.2f}, half of them "
        f"{seen[TRIES // 4]:.2f} to {seen[3 * TRIES // 4]:.2f}: choose a range that holds some of these"
    )


def check_range(low: Any, high: Any) -> None:
    """Check a range of levels; raises ``OptionError`` unless both are numbers with 0 <= low <= high <= 1."""
    # bool is a subclass of int, and comparisons with NaN are False.
    if any(type(end) is bool or not isinstance(end, int | float) for end in (low, high)) or not 0 <= low <= high <= 1:
        raise OptionError(f"difficulty: expected 0 <= low <= high <= 1, got low {shown(low)} and high {shown(high)}")


@cache
def bands(scenario: str, count: int, distractors: int = 0) -> tuple[tuple[float, float], ...]:
    """Return disjoint ranges of levels, from easy to hard, with about equal shares of the generated tasks.

    Args:
        scenario: scenario name such as ``loans``.
        count: number of ranges.
        distractors: number of available tools that belong to no procedure.

    Raises:
        OptionError: the count is below 1, or the scenario's tasks have too few levels for so many ranges.
    """
    if count < 1:
        raise OptionError(f"bands: expected 1 or more, got {count}")
    loaded = load_scenario(scenario)
    levels = sorted(difficulty_of(generate_task(scenario, seed), loaded, distractors).level for seed in range(_SAMPLE))
    starts = [0.0, *(levels[_SAMPLE * number // count] for number in range(1, count))]
    if any(start == following for start, following in pairwise(starts)):
        raise OptionError(f"bands: the levels of {scenario} do not make {count} ranges; choose fewer")
    ends = [*(math.nextafter(start, 0.0) for start in starts[1:]), 1.0]
    return tuple(zip(starts, ends, strict=True))


class Stage(msgspec.Struct, frozen=True):
    """A part of a schedule: a number of episodes with levels in a range."""

    episodes: int
    low: float
    high: float


class Schedule(msgspec.Struct, frozen=True):
    """A curriculum: stages with their ranges of levels; without stages, all levels are drawn."""

    stages: tuple[Stage, ...] = ()

    def range_at(self, episode: int) -> tuple[float, float]:
        """Return the range of levels for an episode, counted from 0; the last stage has no end."""
        for stage in self.stages:
            if episode < stage.episodes:
                return stage.low, stage.high
            episode -= stage.episodes
        return (self.stages[-1].low, self.stages[-1].high) if self.stages else (0.0, 1.0)


def parse_difficulty(value: Any) -> Schedule:
    """Convert the option ``difficulty`` to a schedule.

    Args:
        value: None for all levels, a pair ``(low, high)``, or a list of stages ``(episodes, (low, high))``; lists from
            YAML and Hydra are accepted in place of tuples.

    Raises:
        OptionError: the value is none of these, or a range or a number of episodes is invalid.
    """
    if value is None:
        return Schedule()
    items = _items(value)
    if not items:
        raise _no_difficulty(value)
    if all(_items(item) is None for item in items):
        return Schedule((_stage(1, items, value),))
    stages = []
    for item in items:
        stage = _items(item)
        ends = _items(stage[1]) if stage is not None and len(stage) == 2 else None
        if stage is None or ends is None or type(stage[0]) is not int or stage[0] < 1:
            raise _no_difficulty(value)
        stages.append(_stage(stage[0], ends, value))
    return Schedule(tuple(stages))


def _items(value: Any) -> list[Any] | None:
    """Return the items of a list or tuple, or None for any other value, including text."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes) else None


def _stage(episodes: int, ends: list[Any], value: Any) -> Stage:
    if len(ends) != 2:
        raise _no_difficulty(value)
    check_range(*ends)
    return Stage(episodes, float(ends[0]), float(ends[1]))


def _no_difficulty(value: Any) -> OptionError:
    return OptionError(
        "difficulty: expected None, a pair (low, high) with levels of 0 to 1, or a list of (episodes, (low, high)) "
        f"with episodes of 1 or more, got {shown(value)}"
    )
