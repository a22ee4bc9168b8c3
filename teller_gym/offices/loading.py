"""Scenarios and tasks by name, those of office work among them."""

from __future__ import annotations

from typing import cast

from teller_gym.base.errors import OptionError
from teller_gym.offices.contract import load_office
from teller_gym.procedure import scenario as bank
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import OFFICES
from teller_gym.tasks import store
from teller_gym.tasks.store import parse_split


def load_scenario(name: str) -> Scenario:
    """Return a scenario by its name, such as ``loans``; ``wealth`` is a `teller_gym.offices.contract.OfficeScenario`.

    Raises:
        OptionError: there is none of that name.
    """
    if name in OFFICES:
        return cast("Scenario", load_office(OFFICES[name]))
    return bank.load_scenario(name)


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Task]:
    """Return tasks of a scenario; those of ``wealth`` are `teller_gym.offices.task.OfficeTask`.

    Args:
        scenario: its name.
        split: of which split.
        n: how many, from the first on; all if None. Needed for the split ``generated``.
        seed: of the first generated task; the others follow.

    Raises:
        OptionError: there is no such scenario or split, or not so many tasks.
    """
    if scenario not in OFFICES:
        return store.load_tasks(scenario, split, n, seed)
    office, wanted = load_office(OFFICES[scenario]), parse_split(split)
    if n is not None and (type(n) is not int or n < 1):
        raise OptionError(f"n: expected at least 1 task, got {n!r}")
    if wanted is Split.GENERATED:
        if n is None:
            raise OptionError("split=generated is unlimited: say how many tasks with n=…")
        return cast("list[Task]", [office.generated(seed + number) for number in range(n)])
    ids = office.ids(wanted)
    if n is not None and n > len(ids):
        raise OptionError(f"n: split {split} of {scenario} has {len(ids)} tasks, got n={n}")
    return cast("list[Task]", [office.find(task_id) for task_id in ids[:n]])
