"""Scenarios and tasks by name, those of office work among them."""

from __future__ import annotations

from teller_gym.base.errors import OptionError
from teller_gym.offices.contract import OfficeScenario, load_office
from teller_gym.offices.task import OfficeTask
from teller_gym.procedure import scenario as bank
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import OFFICES
from teller_gym.tasks import store
from teller_gym.tasks.store import parse_split


def load_scenario(name: str) -> Scenario | OfficeScenario:
    """Return a scenario by its name, such as ``loans`` or ``wealth``; see its class for what it has.

    Raises:
        OptionError: there is none of that name.
    """
    return load_office(OFFICES[name]) if name in OFFICES else bank.load_scenario(name)


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Task] | list[OfficeTask]:
    """Return tasks of a scenario.

    Args:
        scenario: its name.
        split: of which split.
        n: how many, from the first on; all if None. Needed for the split ``generated``.
        seed: of the first generated task; the others follow.

    Raises:
        OptionError: there is no such scenario or split, or not so many tasks.
    """
    if scenario not in OFFICES:
        return list(store.load_tasks(scenario, split, n, seed))
    office, wanted = load_office(OFFICES[scenario]), parse_split(split)
    if n is not None and (type(n) is not int or n < 1):
        raise OptionError(f"n: expected at least 1 task, got {n!r}")
    if wanted is Split.GENERATED:
        if n is None:
            raise OptionError("split=generated is unlimited: say how many tasks with n=…")
        return [office.generated(seed + number) for number in range(n)]
    ids = office.ids(wanted)
    if n is not None and n > len(ids):
        raise OptionError(f"n: split {split} of {scenario} has {len(ids)} tasks, got n={n}")
    return [office.find(task_id) for task_id in ids[:n]]
