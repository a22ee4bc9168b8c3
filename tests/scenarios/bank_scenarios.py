"""The five bank scenarios, for tests that hold for each: their frozen tasks, boundary cases and guards."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from tests.scenarios.guards import Guard

NAMES = ("loans", "accounts", "credit_cards", "savings", "investments")

each_scenario = pytest.mark.parametrize("scenario", [load_scenario(name) for name in NAMES], ids=NAMES)


def tasks_of(scenario: Scenario) -> list[Task]:
    """Return the frozen tasks of a scenario."""
    return list(frozen_tasks(scenario.name).values())


def case_of(task: Task) -> dict[str, Any]:
    """Return the record of a task's case."""
    return task.tables[load_scenario(task.scenario).template.table][task.case_id]


def bent_tasks(name: str) -> dict[str, list[Task]]:
    """Return the tasks of a scenario that were bent onto boundaries, by boundary."""
    found: dict[str, list[Task]] = import_module(f"tests.scenarios.{name}.bent").all_bent()
    return found


def guards_of(name: str) -> tuple[Guard, ...]:
    """Return the questions to the core tools of a scenario."""
    found: tuple[Guard, ...] = import_module(f"tests.scenarios.{name}.guards").GUARDS
    return found
