"""Frozen cases bent onto boundaries that few frozen cases lie on, only for comparing the two computations."""

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
"""A change of a task's tables: it gets the task, its case, the record that the case is about, and a value, if any."""
AROUND = (-1, 0, 1)
"""Just below a limit, on it, and just above."""


class Bending:
    """The bent cases of a scenario.

    Args:
        name: such as ``loans``.
        record: gives the record that a case of a task is about; empty if there is none.
    """

    def __init__(self, name: str, record: Callable[[Task, Record], Record]) -> None:
        self.scenario = load_scenario(name)
        self._record = record
        self._kinds: dict[str, list[Callable[[], Iterator[Task]]]] = {}

    def chosen(self, count: int | None = None, /, **branches: str) -> list[Task]:
        """Return the first frozen tasks with these outcomes."""
        tasks = frozen_tasks(self.scenario.name).values()
        return [task for task in tasks if branches.items() <= task.branches.items()][:count]

    def changed(self, task: Task, change: Change, *values: Any, today: date | None = None) -> Task:
        """Return a copy of a task after a change, with the standard result of before."""
        copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables), today=today or task.today)
        case = copied.tables[self.scenario.template.table][copied.case_id]
        change(copied, case, self._record(copied, case), *values)
        return copied

    def bend(self, task: Task, change: Change, *values: Any, today: date | None = None) -> Task:
        """Return a copy of a task after a change, with a new standard result."""
        copied = self.changed(task, change, *values, today=today)
        return msgspec.structs.replace(copied, standard=self.scenario.run_expert(copied))

    def boundary(self, *values: Any, count: int | None = 3, **branches: str) -> Callable[[Change], Change]:
        """Bend the first tasks with these outcomes with a change, once for each value, or just once without values."""

        def made(change: Change) -> Change:
            given: list[tuple[Any, ...]] = [(value,) for value in values] or [()]
            self._add(
                change,
                lambda: (self.bend(task, change, *one) for one in given for task in self.chosen(count, **branches)),
            )
            return change

        return made

    def cases(self, kind: Callable[[], Iterator[Task]]) -> Callable[[], Iterator[Task]]:
        """Add the tasks that a function bends."""
        self._add(kind, kind)
        return kind

    def all_bent(self) -> dict[str, list[Task]]:
        """Return all bent tasks by the name of their boundary."""
        return {name: [task for make in kinds for task in make()] for name, kinds in self._kinds.items()}

    def _add(self, named: Callable[..., Any], make: Callable[[], Iterator[Task]]) -> None:
        self._kinds.setdefault(named.__name__, []).append(make)
