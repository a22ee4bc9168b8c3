"""Modified arguments for entries of ``guards.yaml``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import call_of, load_guards


def one_day(task: Task) -> Mapping[str, Any]:
    arguments = call_of(task, "calculate_interest").arguments
    return {"to_date": arguments["from_date"]}


GUARDS = load_guards(__file__, {"one_day": one_day})
