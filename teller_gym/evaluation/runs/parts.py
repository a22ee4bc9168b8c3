"""Parts of a run, each of which is an environment with options and tasks of one scenario, stage and split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.days.day import Day
from teller_gym.envs.contract import AnyStage, contract_of
from teller_gym.envs.day import DayEnv
from teller_gym.envs.office import OfficeEnv
from teller_gym.evaluation.runs import tasks
from teller_gym.evaluation.runs.tasks import Chosen, Wanted
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.registration import ENVS
from teller_gym.stage1.task import SIZES
from teller_gym.tasks.difficulty import difficulty_of
from teller_gym.variation.pool import ALL

Env = gym.Env[Any, Any]

OWN, FULL, FILTERED, GOLD = "own", "full", "filtered", "gold"
TOOLS = (OWN, FULL, FILTERED, GOLD)
"""Choices for the available tools in stage 2.

They are the tools according to the env's options, the full pool, those in the agent's own stage 1 answers, and those in
the scenario's graph.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One environment of a run as plain data, so that another process can create it.

    Attributes:
        options: constructor options, including `split`.
        tools: one of TOOLS.
        unseen: True if the env leaves the scenario out of training.
    """

    env_id: str
    scenario: str
    stage: int
    options: dict[str, Any]
    tools: str
    tasks: tuple[Chosen, ...]
    unseen: bool = False

    def config(self) -> dict[str, Any]:
        """Return the part as an entry of run.json."""
        return {
            "env": self.env_id,
            "scenario": self.scenario,
            "stage": self.stage,
            "splits": list(dict.fromkeys(task.split for task in self.tasks)),
            "options": {name: _plain(value) for name, value in sorted(self.options.items())},
            "tools": self.tools,
            "frozen_sha256": tasks.frozen_checksum(self.scenario),
            "task_ids": [task.id for task in self.tasks],
            **({"unseen": True} if self.unseen else {}),
        }


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Selection of a run's tasks and their options; see `evaluate`."""

    env_ids: tuple[str, ...]
    splits: tuple[str, ...]
    n: int | None
    task_ids: tuple[str, ...] | None
    seed: int
    options: Mapping[str, Any]
    graph_options: Mapping[str, Any]
    tools: str

    def parts(self) -> list[Part]:
        """Return the parts, with stage 1 first.

        Its answers may determine the tools of stage 2.

        Raises:
            OptionError: an env, option, split or task does not exist, or a task is selected twice.
        """
        found = [part for env_id in self.env_ids for part in self._parts_of(env_id)]
        found.sort(key=lambda part: part.stage)
        seen: dict[str, str] = {}
        for part in found:
            for task in part.tasks:
                if task.id in seen:
                    raise OptionError(f"env: {task.id} is a task of both {seen[task.id]} and {part.env_id}")
                seen[task.id] = part.env_id
        self._expect_all(seen)
        return found

    def _expect_all(self, found: Iterable[str]) -> None:
        missing = set(self.task_ids or ()) - set(found)
        if missing:
            names = ", ".join(self.env_ids)
            raise OptionError(f"task_ids: expected tasks of {names}, got {', '.join(sorted(missing))}")

    def _parts_of(self, env_id: str) -> Iterable[Part]:
        stage = _stage_of(env_id)
        # Tasks selected by id are played once, regardless of the split.
        splits = self.splits if self.task_ids is None else self.splits[:1]
        if len(splits) > 1 and stage == 1:
            splits = tuple(split for split in splits if split in SIZES)
            if not splits:
                raise OptionError(f"split: {env_id} has {', '.join(SIZES)}, got {', '.join(self.splits)}")
        for split in splits:
            options = {**(self.graph_options if stage == 1 else self._stage2_options()), "split": split}
            env = make_env(env_id, options)
            try:
                core = contract_of(env)
                unseen = getattr(core, "unseen", ())
                scenarios = (*getattr(core, "scenarios", (core.scenario.name,)), *unseen)
                for scenario in scenarios:
                    ids = self._ids_of(scenario, stage, alone=len(self.env_ids) == len(scenarios) == 1)
                    chosen = self._chosen(core, scenario, split, ids) if ids is None or ids or not self.task_ids else []
                    if chosen:
                        tools = self.tools if stage == 2 else OWN
                        yield Part(env_id, scenario, stage, options, tools, tuple(chosen), scenario in unseen)
            finally:
                env.close()

    def _stage2_options(self) -> dict[str, Any]:
        if self.tools != OWN and "distractors" in self.options:
            raise OptionError(f"tools={self.tools} says which tools are in play: leave env.distractors out")
        return {**self.options, "distractors": ALL} if self.tools == FULL else dict(self.options)

    def _chosen(self, core: AnyStage, scenario: str, split: str, ids: list[str] | None) -> list[Chosen]:
        wanted = Wanted(n=self.n, task_ids=ids, seed=self.seed)
        if getattr(core, "stage", 2) == 1:
            return tasks.choose_graphs(scenario, split, wanted)
        played_by: object = core
        if isinstance(played_by, DayEnv):
            if self.tools not in (OWN, FULL):
                raise OptionError(f"tools={self.tools}: in a working day the open case says which tools are in play")
            sizes, desks = played_by.sizes, played_by.desks
            return tasks.choose_days(split, wanted, sizes=sizes, scenarios=desks)
        if isinstance(played_by, OfficeEnv):
            if self.tools not in (OWN, FULL):
                raise OptionError(f"tools={self.tools}: an office has no tools but its own")
            office, autonomy = played_by.office, played_by.autonomy
            return tasks.choose_work(office, split, wanted, autonomy=autonomy)
        # Before its first episode, an env of several scenarios refers to only one of them.
        played = core.scenario if core.scenario.name == scenario else load_scenario(scenario)
        outcome, level = outcome_field(played), level_of(played, getattr(core, "distractors", 0))
        return tasks.choose(scenario, split, wanted, outcome=outcome, level=level)

    def _ids_of(self, scenario: str, stage: int, alone: bool) -> list[str] | None:
        """Return the selected task ids that belong to a part.

        A single part gets all of them, so that unknown ids raise an error.
        """
        if self.task_ids is None:
            return None
        if alone:
            return list(self.task_ids)
        head = f"{scenario}-graph-"
        own = [task_id for task_id in self.task_ids if task_id.startswith(f"{scenario}-")]
        return [task_id for task_id in own if task_id.startswith(head) == (stage == 1)]


def outcome_field(scenario: Any) -> str:
    """Return the name of the output field with a case's outcome.

    By convention it is the first one; it is empty for office work.
    """
    fields = getattr(scenario, "output_fields", ())
    return str(fields[0]) if fields else ""


def level_of(scenario: Any, distractors: int) -> tasks.Level:
    """Return a function that computes the difficulty of a scenario's tasks with the given number of distractors.

    For the scenario of a foreign env, the function returns None.
    """
    if not isinstance(scenario, Scenario):
        return lambda task: None

    def level(task: Task | Day) -> float:
        if isinstance(task, Day):
            return task.level
        return round(difficulty_of(task, scenario, distractors).level, 6)

    return level


def make_env(env_id: str, options: Mapping[str, Any]) -> Env:
    """Create an env of this package without Gymnasium's checker, which would slow down every step.

    Raises:
        OptionError: the env does not exist, is not one of this package, or does not accept the options.
    """
    try:
        env: Env = gym.make(env_id, disable_env_checker=True, **options)
    except (gym.error.Error, ModuleNotFoundError) as error:
        raise OptionError(f"env: {error}") from None
    except TypeError as error:
        raise OptionError(f"env: {_EXPECTED} and options that it takes, got {env_id} and: {error}") from error
    if not hasattr(env.unwrapped, "grade"):
        env.close()
        raise OptionError(f"env: {_EXPECTED} got {env_id}")
    return env


_EXPECTED = f"expected an environment of teller_gym, such as {ENVS[0].id},"


def _stage_of(env_id: str) -> int:
    """Return an env's stage, or 2 for an unknown env, which `make_env` will reject."""
    try:
        entry: Any = gym.spec(env_id).entry_point
    except (gym.error.Error, ModuleNotFoundError):
        return 2
    made = gym.envs.registration.load_env_creator(entry) if isinstance(entry, str) else entry
    return int(getattr(made, "stage", 2))


def _plain(value: Any) -> Any:
    """Return an option as a JSON value.

    Objects are represented by their repr, which shows all fields of the package's frozen configs.
    """
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else repr(value)


def as_tuple(value: str | Sequence[str]) -> tuple[str, ...]:
    """Return a single name as a tuple of one, and several names as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)
