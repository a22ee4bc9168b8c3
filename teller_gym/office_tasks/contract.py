"""Interface of office scenarios, and a function that loads one."""

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
    """An office whose services can be served over HTTP (see `teller_gym.office.serving`)."""

    store: Store
    services: Mapping[str, Service]

    def credentials(self) -> dict[str, Any]:
        """Return the user's credentials for each service."""


class OfficeScenario(Protocol):
    """An office scenario, whose tasks are found by id and performed at desks."""

    name: str
    perturbations: tuple[str, ...]
    """Names of the perturbations, which change the form but not the facts of an office."""
    max_steps: int
    """Default maximum number of steps per episode."""

    def find(self, task_id: str) -> OfficeTask:
        """Return the task with the given id.

        Raises:
            OptionError: there is no such task.
        """

    def ids(self, split: Split) -> tuple[str, ...]:
        """Return the ids of the frozen tasks in a split, in order."""

    def generated(self, seed: int, autonomy: str | None = None) -> OfficeTask:
        """Return the generated task for a seed.

        Raises:
            OptionError: the seed has another ``autonomy``.
        """

    def title(self, task: OfficeTask) -> str:
        """Return the title of the task kind, such as Net Worth Snapshot."""

    def open(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the agent's desk at the beginning of the day."""

    def served(self, task: OfficeTask) -> ServedOffice:
        """Return a task's office, for serving over HTTP."""

    def guide(self, task: OfficeTask, outside: bool = False) -> str:
        """Return the guide for an agent that uses tools or, with ``outside``, the services' own APIs."""

    def credentials(self, task: OfficeTask) -> str:
        """Return the text with the agent's credentials, for offices that require the agent to sign in."""

    def open_team(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the planner's desk, in an office that does not simulate the planner."""

    def team_guides(self, task: OfficeTask) -> tuple[str, str]:
        """Return the guides for a team of two agents, the planner and the executor."""

    def judge(self, task: OfficeTask, desk: Desk, loose: bool = False, team: tuple[str, ...] = ()) -> Verdict:
        """Grade the office of a desk.

        Args:
            task: the task.
            desk: the agent's desk after the episode.
            loose: True if amounts may be off by one percent, as in the paper.
            team: user names of the agent's teammates, with whom it may share confidential amounts.
        """

    def expert(self, task: OfficeTask, signs_in: bool = False) -> Steps:
        """Return the expert's steps.

        With ``signs_in``, the expert signs in where a service requires it.
        """

    def handbook(self) -> Mapping[str, str]:
        """Return the handbook chapters, by path in the file store."""

    def artefacts(self, task: OfficeTask) -> int:
        """Return the number of documents in a task's office, not counting distractors."""

    def checksum(self, task: OfficeTask) -> str:
        """Return a checksum of a task's office and of all requests for it."""

    def checksums(self) -> Mapping[str, str]:
        """Return the recorded checksums of the held-out offices, by seed."""

    def write(self) -> str:
        """Record the checksums of the held-out offices in the scenario's folder, and return the file's path."""

    def lapses(self, task: OfficeTask) -> Mapping[str, Lapse]:
        """Return the experts that each make one wrong judgement, by name."""

    def lapsing(self, task: OfficeTask, lapse: str, signs_in: bool = False) -> Steps:
        """Return the steps of an expert that makes one wrong judgement (see `expert` for ``signs_in``)."""

    def standard(self, task: OfficeTask) -> StandardResult:
        """Return the expert's calls and deliverables."""


@cache
def load_office(module: str) -> OfficeScenario:
    """Import a module and return the scenario that it defines as ``OFFICE``."""
    return cast("OfficeScenario", importlib.import_module(module).OFFICE)
