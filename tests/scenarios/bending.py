"""Boundary cases, made from frozen cases, on which expert and solver are compared."""

import copy
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record

Change = Callable[..., Any]
"""A function that changes a task's tables, given the task, its case, the record the case is about, and any value."""
AROUND = (-1, 0, 1)
"""Just below a limit, at the limit, and just above it."""


class Bending:
    """The boundary cases of a scenario.

    Args:
        name: name of the scenario, such as ``loans``.
        record: returns the record that a task's case is about, empty if there is none.
    """

    def __init__(self, name: str, record: Callable[[Task, Record], Record]) -> None:
        self.scenario = load_scenario(name)
        self._record = record
        self._kinds: dict[str, list[Callable[[], Iterator[Task]]]] = {}

    def chosen(self, count: int | None = None, /, **branches: str) -> list[Task]:
        """Return the first frozen tasks with these branch outcomes."""
        tasks = frozen_tasks(self.scenario.name).values()
        return [task for task in tasks if branches.items() <= task.branches.items()][:count]

    def changed(self, task: Task, change: Change, *values: Any, today: date | None = None) -> Task:
        """Return a changed copy of a task, keeping the old standard result."""
        copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables), today=today or task.today)
        case = copied.tables[self.scenario.template.table][copied.case_id]
        change(copied, case, self._record(copied, case), *values)
        return copied

    def bend(self, task: Task, change: Change, *values: Any, today: date | None = None) -> Task:
        """Return a changed copy of a task, with a new standard result from the expert."""
        copied = self.changed(task, change, *values, today=today)
        return msgspec.structs.replace(copied, standard=self.scenario.run_expert(copied))

    def boundary(self, *values: Any, count: int | None = 3, **branches: str) -> Callable[[Change], Change]:
        """Register a change for the first tasks with these outcomes, once for each value or once without values."""

        def made(change: Change) -> Change:
            given: list[tuple[Any, ...]] = [(value,) for value in values] or [()]
            self._add(
                change,
                lambda: (self.bend(task, change, *one) for one in given for task in self.chosen(count, **branches)),
            )
            return change

        return made

    def cases(self, kind: Callable[[], Iterator[Task]]) -> Callable[[], Iterator[Task]]:
        """Register a function that yields boundary cases."""
        self._add(kind, kind)
        return kind

    def all_bent(self) -> dict[str, list[Task]]:
        """Return all boundary cases, by name of the boundary."""
        return {name: [task for make in kinds for task in make()] for name, kinds in self._kinds.items()}

    def _add(self, named: Callable[..., Any], make: Callable[[], Iterator[Task]]) -> None:
        self._kinds.setdefault(named.__name__, []).append(make)
