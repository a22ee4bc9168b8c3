"""Protocol of a scenario of office work; `load_office` loads one by its module."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Protocol, cast

from teller_gym.office.desk.desk import Desk
from teller_gym.office.store import Store
from teller_gym.office.web import Service
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Verdict
from teller_gym.procedure.lapses import Lapse
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.task import Split, StandardResult


class ServedOffice(Protocol):
    """An office whose services can be served over HTTP; see `teller_gym.office.serving`."""

    store: Store
    services: Mapping[str, Service]

    def credentials(self) -> dict[str, Any]:
        """Return the user's credentials for each service."""


class OfficeScenario(Protocol):
    """A scenario of office work; its tasks are found by id, and played at desks."""

    name: str
    perturbations: tuple[str, ...]
    """Names of the ways in which an office may be the same and look otherwise."""
    max_steps: int
    """Steps that an episode may take, unless an env says otherwise."""

    def find(self, task_id: str) -> OfficeTask:
        """Return the task with the given id; raises ``OptionError``."""

    def ids(self, split: Split) -> tuple[str, ...]:
        """Return the ids of a split of frozen tasks, in order."""

    def generated(self, seed: int, autonomy: str | None = None) -> OfficeTask:
        """Return the generated task of a seed, in the given wording or that of the seed."""

    def title(self, task: OfficeTask) -> str:
        """Return the name of the kind of work, such as Net Worth Snapshot."""

    def open(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the desk at which a task is worked, as the day begins."""

    def served(self, task: OfficeTask) -> ServedOffice:
        """Return the office of a task as its services are reached from outside."""

    def guide(self, task: OfficeTask, outside: bool = False) -> str:
        """Return the guide for the agent, which works by tools, or from outside by the services."""

    def credentials(self, task: OfficeTask) -> str:
        """Return the text with the user's credentials, for offices in which the agent signs in."""

    def open_team(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the desk of the planner, in an office in which no simulated colleague answers for the planner."""

    def team_guides(self, task: OfficeTask) -> tuple[str, str]:
        """Return the guides of two agents who work together: of the planner, and of the executor."""

    def judge(self, task: OfficeTask, desk: Desk, loose: bool = False, team: tuple[str, ...] = ()) -> Verdict:
        """Return the verdict on a desk's office.

        Args:
            task: the task.
            desk: the desk where it was done.
            loose: True if amounts may be off by the paper's one percent.
            team: user names of the agent's team, whose messages to each other do no harm.
        """

    def expert(self, task: OfficeTask, signs_in: bool = False) -> Steps:
        """Return the steps of an expert who does the task correctly, and signs in where a service asks for it."""

    def handbook(self) -> Mapping[str, str]:
        """Return the chapters of the handbook by their paths: the law of all work."""

    def artefacts(self, task: OfficeTask) -> int:
        """Return how many documents the office of a task has for its work."""

    def checksum(self, task: OfficeTask) -> str:
        """Return a checksum of a task's office and request."""

    def checksums(self) -> Mapping[str, str]:
        """Return the checksums of the held-out offices, by their seeds."""

    def write(self) -> str:
        """Write the checksums of the held-out offices into the scenario's folder; return the path of the file."""

    def lapses(self, task: OfficeTask) -> Mapping[str, Lapse]:
        """Return the experts with one judgement left out, by name."""

    def lapsing(self, task: OfficeTask, lapse: str, signs_in: bool = False) -> Steps:
        """Return the steps of the expert with one judgement left out, who signs in where a service requires it."""

    def standard(self, task: OfficeTask) -> StandardResult:
        """Return the expert's calls and their deliverables."""


@cache
def load_office(module: str) -> OfficeScenario:
    """Return the scenario that a module keeps as ``OFFICE``."""
    return cast("OfficeScenario", importlib.import_module(module).OFFICE)
