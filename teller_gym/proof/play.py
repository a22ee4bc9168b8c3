"""Episodes through the public interface, for the checks to measure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

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
from teller_gym.proof.benchmark import stated_sizes
from teller_gym.proof.report import ProofItem, item
from teller_gym.registration import ENVS
from teller_gym.stage1.task import GraphTask
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text


class Kind(StrEnum):
    """The agent's job in an env, on which the checks depend."""

    EXECUTION = "execution"
    """Work the cases of one scenario."""
    MIXED = "mixed"
    """Work the cases of all scenarios."""
    GRAPH = "graph"
    """Answer with the graph of a scenario."""
    DAY = "day"
    """Work the queue of a day."""
    OFFICE = "office"
    """Do pieces of work in an office."""


_TYPES = {Kind.GRAPH: GraphEnv, Kind.MIXED: BankEnv, Kind.DAY: DayEnv, Kind.OFFICE: OfficeEnv}


class Subject:
    """The env under proof.

    Args:
        env_id: as for ``gym.make``; ``module:id`` imports the module first.
        distractors: how many tools that do not belong are in play; a number or ``"all"``.
        options: further ones of the env.

    Raises:
        gymnasium.error.Error: there is no such env.
        OptionError: it is none of this package's kind.
    """

    def __init__(self, env_id: str, distractors: int | str = 0, **options: Any) -> None:
        self.env_id = env_id
        if distractors:
            options["distractors"] = distractors
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
        """Access to an env of stage 2 beyond Gymnasium's own; the checks of stage 1 use none of it."""
        return execution_of(self.env)

    @cached_property
    def tasks(self) -> list[Task]:
        """All frozen tasks, in order."""
        return list(frozen_tasks(self.scenario.name).values())

    def part(self, n: int) -> list[Task]:
        """n frozen tasks (all if there are fewer), spread over outcomes and branches as in evaluation."""
        outcome = self.scenario.output_fields[0]
        kept = {task.id for task in stratified([as_chosen(task, outcome) for task in self.tasks], n)}
        return [task for task in self.tasks if task.id in kept]

    def playing(self, env: gym.Env[Any, Any]) -> Subject:
        """Return the same with another env of its kind."""
        new = object.__new__(Subject)
        new.__dict__.update(self.__dict__)
        new.env = env
        return new

    def start(self, task: Task | GraphTask | Day | OfficeTask) -> tuple[Any, Info]:
        """Begin a task's episode."""
        return self.env.reset(options={"task_id": task.id})


@lru_cache(maxsize=4)
def subject(env_id: str, distractors: int | str = 0) -> Subject:
    """Return the env under proof, with this number of distractors; made once in a process."""
    return Subject(env_id, distractors)


def of_benchmark(scenario: str) -> bool:
    """Return True if a scenario is one of the benchmark's, about which more is claimed than about a user's own."""
    return bool(stated_sizes(scenario))


def left_out(name: str, claim: str, scenario: str, document: str) -> ProofItem:
    """Return the item of a claim that a scenario has no document for: it fails only for those of the benchmark."""
    problems = [f"{document} is missing in the scenario's folder"] if of_benchmark(scenario) else []
    return item(name, claim, f"not measured: the scenario has no {document}", problems)


class Played(NamedTuple):
    """The end of an episode."""

    score: float
    success: bool
    rewards: float
    checkpoints: dict[str, bool]
    steps: int
    errors: int


def play_actions(under: Subject, task: Task | GraphTask | Day, actions: Sequence[str]) -> Played:
    """Play actions from the start of a task until they are used up or the episode ends."""
    _, info = under.start(task)
    rewards, over, steps, errors = 0.0, False, 0, 0
    for action in actions:
        if over:
            break
        _, reward, terminated, truncated, info = under.env.step(action)
        rewards += float(reward)
        over = terminated or truncated
        steps += 1
        errors += info["error"] is not None
    return Played(info["score"], info["success"] and over, rewards, info["checkpoints"], steps, errors)


def play_agent(under: Subject, task: Task | Day | OfficeTask, agent: Agent) -> Played:
    """Let an agent play a task."""
    obs, info = under.start(task)
    agent.reset()
    rewards, over, steps, errors = 0.0, False, 0, 0
    while not over:
        shown = {name: info[name] for name in SHOWN_TO_AGENTS}
        obs, reward, terminated, truncated, info = under.env.step(agent.act(obs, shown))
        rewards += float(reward)
        over = terminated or truncated
        steps += 1
        errors += info["error"] is not None
    return Played(info["score"], info["success"], rewards, info["checkpoints"], steps, errors)


def standard_actions(task: Task | GraphTask | Day) -> list[str]:
    """Return the standard result as actions: its calls, or the gold graph as the only answer."""
    if isinstance(task, GraphTask):
        return [gold(task)]
    return [action_text(call) for call in task.standard.calls]
