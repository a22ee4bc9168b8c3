"""Argument changes that ``guards.yaml`` names."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import call_of, load_guards


def from_the_last_day(task: Task) -> Mapping[str, Any]:
    return {"acquired_from": call_of(task, "list_tax_lots").arguments["acquired_to"]}


def day_too_late(task: Task) -> Mapping[str, Any]:
    first = call_of(task, "list_tax_lots").arguments["acquired_to"]
    return {"acquired_from": first, "acquired_to": task.tables["lots"][min(task.tables["lots"])]["acquired"]}


GUARDS = load_guards(__file__, globals())
