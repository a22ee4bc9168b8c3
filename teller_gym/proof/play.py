"""Plays episodes through the public interface and measures them for the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

import gymnasium as gym

from teller_gym.agents.base import SHOWN_TO_AGENTS, Agent, Info
from teller_gym.agents.graph_answers import gold
from teller_gym.base.errors import OptionError
from teller_gym.days.day import Day
from teller_gym.envs.bank import BankEnv
from teller_gym.envs.contract import Execution, execution_of
from teller_gym.envs.day import DayEnv
from teller_gym.envs.graph import GraphEnv
from teller_gym.envs.office import OfficeEnv
from teller_gym.envs.teller import TellerEnv
from teller_gym.evaluation.runs.tasks import as_chosen, stratified
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.registration import ENVS
from teller_gym.stage1.task import GraphTask
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text

_TINY = 1e-9


class Kind(StrEnum):
    """Type of work in an env, which determines its checks."""

    EXECUTION = "execution"
    """Cases from one scenario."""
    MIXED = "mixed"
    """Cases from all scenarios."""
    GRAPH = "graph"
    """Reconstruction of a scenario's graph."""
    DAY = "day"
    """Queue of a working day."""
    OFFICE = "office"
    """Tasks in an office."""


_TYPES = {Kind.GRAPH: GraphEnv, Kind.MIXED: BankEnv, Kind.DAY: DayEnv, Kind.OFFICE: OfficeEnv}


class Subject:
    """Env under test; an id ``module:id`` imports the module first.

    Raises:
        gymnasium.error.Error: there is no such env.
        OptionError: the env is not one of this package.
    """

    def __init__(self, env_id: str, **options: Any) -> None:
        self.env_id = env_id
        self.env: gym.Env[Any, Any] = gym.make(env_id, **options)
        bare: object = self.env.unwrapped
        if not isinstance(bare, TellerEnv | GraphEnv | DayEnv | OfficeEnv):
            raise OptionError(f"env: expected an environment of teller_gym, such as {ENVS[0].id}, got {env_id}")
        scenario: Any = bare.scenario
        self.scenario: Scenario = scenario
        self.scenarios = bare.scenarios if isinstance(bare, BankEnv) else (bare.scenario.name,)
        self.kind = next((kind for kind, env_type in _TYPES.items() if isinstance(bare, env_type)), Kind.EXECUTION)

    @property
    def core(self) -> Execution:
        """Interface of an execution env beyond Gymnasium's own."""
        return execution_of(self.env)

    @cached_property
    def tasks(self) -> list[Task]:
        """All frozen tasks of the scenario, ordered by id."""
        return list(frozen_tasks(self.scenario.name).values())

    def part(self, n: int | None) -> list[Task]:
        """Return n frozen tasks, spread over outcomes and branches as in evaluation.

        All tasks are returned if n is None.
        """
        if n is None:
            return self.tasks
        outcome = self.scenario.output_fields[0]
        kept = {task.id for task in stratified([as_chosen(task, outcome) for task in self.tasks], n)}
        return [task for task in self.tasks if task.id in kept]

    def start(self, task: AnyTask) -> tuple[Any, Info]:
        """Reset the env to a task."""
        return self.env.reset(options={"task_id": task.id})


AnyTask = Task | GraphTask | Day | OfficeTask
T = TypeVar("T", Task, GraphTask, Day, OfficeTask)
X = TypeVar("X")


@lru_cache(maxsize=4)
def subject(env_id: str, distractors: int | str = 0) -> Subject:
    """Return the env under test with the given number of distractors, cached per process."""
    return Subject(env_id, **({"distractors": distractors} if distractors else {}))


def spread(items: Sequence[X], n: int | None) -> Sequence[X]:
    """Return n items spread evenly over a sequence, or all items if n is None."""
    return items if n is None else items[:: max(1, len(items) // n)][:n]


class Played(NamedTuple):
    """Result of an episode."""

    score: float
    success: bool
    rewards: float
    checkpoints: dict[str, bool]
    steps: int
    errors: int

    def flaw(self, *, errors_allowed: bool = True) -> str:
        """Return a description of how the episode falls short.

        It is empty if the episode succeeded with a score and total reward of 1.
        """
        right = self.success and self.score == 1.0 and abs(self.rewards - 1.0) <= _TINY
        if right and (errors_allowed or not self.errors):
            return ""
        missed = [name for name, passed in self.checkpoints.items() if not passed]
        return (
            f"score {self.score:.3f}, rewards {self.rewards:.3f}, {self.errors} calls failed, "
            f"missed {', '.join(missed) or 'nothing'}"
        )


def play_actions(under: Subject, task: AnyTask, actions: Iterable[str]) -> Played:
    """Play actions from the start of a task until the actions or the episode end."""
    left = iter(actions)
    return _play(under, task, lambda obs, info: next(left, None))


def play_agent(under: Subject, task: AnyTask, agent: Agent) -> Played:
    """Play a task with an agent."""
    return _play(
        under, task, lambda obs, info: agent.act(obs, {name: info[name] for name in SHOWN_TO_AGENTS}), agent.reset
    )


def play_all(under: Subject, tasks: Iterable[T], agent: Agent) -> Iterator[tuple[T, Played]]:
    """Play tasks with an agent and yield the results; a random agent is seeded with each task's index."""
    for number, task in enumerate(tasks):
        if seed := getattr(agent, "seed", None):
            seed(number)
        yield task, play_agent(under, task, agent)


def _play(
    under: Subject, task: AnyTask, act: Callable[[Any, Info], str | None], begin: Callable[[], None] = lambda: None
) -> Played:
    obs, info = under.start(task)
    begin()
    rewards, over, steps, errors = 0.0, False, 0, 0
    while not over and (action := act(obs, info)) is not None:
        obs, reward, terminated, truncated, info = under.env.step(action)
        rewards += float(reward)
        over = terminated or truncated
        steps += 1
        errors += info["error"] is not None
    return Played(info["score"], info["success"] and over, rewards, info["checkpoints"], steps, errors)


def standard_actions(task: Task | GraphTask | Day) -> list[str]:
    """Return the actions of the standard result, which are its calls or a single answer with the gold graph."""
    if isinstance(task, GraphTask):
        return [gold(task)]
    return [action_text(call) for call in task.standard.calls]
