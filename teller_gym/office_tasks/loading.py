"""Loads scenarios and tasks by name: bank procedures, office tasks and working days."""

from __future__ import annotations

from typing import Any, cast

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, did_you_mean, shown
from teller_gym.days.store import find_day, frozen, generate_day, split_days
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure import scenario as bank
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import OFFICES, SCENARIOS
from teller_gym.tasks import store
from teller_gym.tasks.store import parse_split

DAY = "day"
"""Scenario name of working days, which are queues of cases from several scenarios."""

_DAY_SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.GENERATED)


def load_scenario(name: str) -> Scenario:
    """Load a scenario by name, such as ``loans``.

    ``wealth`` is an `office_tasks.contract.OfficeScenario`.

    Raises:
        OptionError: the name is unknown.
    """
    if isinstance(name, str) and name in OFFICES:
        return cast("Scenario", load_office(OFFICES[name]))
    _expect_name(name, (*SCENARIOS, *OFFICES))
    return bank.load_scenario(name)


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Task]:
    """Load tasks of a scenario.

    Tasks of ``wealth`` are `teller_gym.office_tasks.task.OfficeTask`; those of ``day`` are `teller_gym.days.day.Day`.

    Args:
        scenario: name of the scenario, or ``day``.
        split: split of the tasks.
        n: number of tasks, counted from the first; None for all. Required for the split ``generated``.
        seed: seed of the first generated task; the following tasks have the following seeds.

    Raises:
        OptionError: the scenario or split is unknown, or has too few tasks.
    """
    _expect_name(scenario, (*SCENARIOS, *OFFICES, DAY))
    if scenario in SCENARIOS:
        return store.load_tasks(scenario, split, n, seed)
    if n is not None and (type(n) is not int or n < 1):
        raise OptionError(f"n: expected at least 1 task, got {n!r}")
    found: list[Any] = _days(split, n, seed) if scenario == DAY else _office_tasks(scenario, split, n, seed)
    return found


def _office_tasks(scenario: str, split: str, n: int | None, seed: int) -> list[Any]:
    office, wanted = load_office(OFFICES[scenario]), parse_split(split)
    if wanted is Split.GENERATED:
        return [office.generated(seed + number) for number in range(_counted(n))]
    ids = office.ids(wanted)
    _expect_so_many(scenario, split, len(ids), n)
    return [office.find(task_id) for task_id in ids[:n]]


def _days(split: str, n: int | None, seed: int) -> list[Any]:
    wanted = parse_split(split, _DAY_SPLITS)
    if wanted is Split.GENERATED:
        return [generate_day(seed + number, frozen().scenarios) for number in range(_counted(n))]
    ids = [entry.id for entry in split_days(wanted)]
    _expect_so_many(DAY, split, len(ids), n)
    return [find_day(day_id, frozen().scenarios) for day_id in ids[:n]]


def _expect_name(name: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(name, str) or name not in allowed:
        hint = did_you_mean(as_text(name)[:80], allowed)
        raise OptionError(f"scenario: expected one of {', '.join(allowed)}, got {shown(name)}{hint}")


def _counted(n: int | None) -> int:
    if n is None:
        raise OptionError("split=generated is unlimited: say how many tasks with n=…")
    return n


def _expect_so_many(scenario: str, split: str, there: int, n: int | None) -> None:
    if n is not None and n > there:
        raise OptionError(f"n: split {split} of {scenario} has {there} tasks, got n={n}")
