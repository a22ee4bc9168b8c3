"""The five bank scenarios, with their frozen tasks, boundary cases and guards, for tests that cover all of them."""

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
    return list(frozen_tasks(scenario.name).values())


def case_of(task: Task) -> dict[str, Any]:
    return task.tables[load_scenario(task.scenario).template.table][task.case_id]


def bent_tasks(name: str) -> dict[str, list[Task]]:
    """Return the boundary cases of a scenario, by name of the boundary."""
    found: dict[str, list[Task]] = import_module(f"tests.scenarios.{name}.bent").all_bent()
    return found


def guards_of(name: str) -> tuple[Guard, ...]:
    found: tuple[Guard, ...] = import_module(f"tests.scenarios.{name}.guards").GUARDS
    return found
