"""Frozen loan cases and look-ups of their records."""

from teller_gym.procedure.scenario import Draft, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record

LOANS = load_scenario("loans")
TASKS = list(frozen_tasks("loans").values())


def case_of(task: Task | Draft) -> Record:
    return task.tables["applications"][task.case_id]


def first(task: Task, kind: str | None = None) -> Record:
    people: list[Record] = case_of(task)["applicants"]
    return next(person for person in people if kind is None or person["employment_type"] == kind)


def collateral(task: Task) -> Record:
    return task.tables["collateral"][case_of(task)["collateral_id"]]
