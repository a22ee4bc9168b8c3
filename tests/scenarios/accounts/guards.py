"""Modified arguments for entries of ``guards.yaml``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import load_guards


def due_when_received(task: Task) -> Mapping[str, Any]:
    return {"action_due_date": task.tables["requests"][task.case_id]["received_date"]}


GUARDS = load_guards(__file__, {"due_when_received": due_when_received})
