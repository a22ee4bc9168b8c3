"""The cases of a pool: what each is like, and why one cannot be chosen. Nothing is played here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import msgspec

from teller_gym.agents.schemas import is_date
from teller_gym.base.errors import ScenarioError
from teller_gym.base.text import fingerprint
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.choosing.quotas import TAG
from teller_gym.proof.leaks import fields_of


class Drawn(msgspec.Struct, frozen=True):
    """A case of the pool.

    Attributes:
        seed: what it is drawn from.
        refusal: why it cannot be chosen; empty if it can.
        ending: what its tag says.
        fingerprint: of the case.
        outcome: its first output.
        answer: represents all its outputs.
        recipes: represent its outputs with dates as days from a date that the case shows.
        branches: outcome of each decision point.
        fields: its normalised fields, see :mod:`teller_gym.proof.leaks`.
    """

    seed: int
    refusal: str = ""
    ending: str = ""
    fingerprint: str = ""
    outcome: str = ""
    answer: str = ""
    recipes: tuple[str, ...] = ()
    branches: dict[str, str] = {}
    fields: dict[str, Any] = {}


def draw(scenario: Scenario, seed: int, split: Split) -> Drawn:
    """Return the case of a seed.

    Raises:
        ScenarioError: it has no tag ``ending:…``.
    """
    try:
        task = drawn_task(scenario, seed, split)
    except ScenarioError as error:
        return Drawn(seed, refusal=f"refused: {error}")
    ending = next((tag.removeprefix(TAG) for tag in task.tags if tag.startswith(TAG)), "")
    if not ending:
        raise ScenarioError(
            f"{scenario.name}: expected a tag {TAG}<name> on every case, that of the seed {seed} has none"
        )
    return Drawn(
        seed,
        refusal=_refusal(scenario, task),
        ending=ending,
        fingerprint=task.fingerprint,
        outcome=str(task.standard.outputs[scenario.output_fields[0]]),
        answer=fingerprint(task.standard.outputs),
        recipes=tuple(_recipes(scenario, task)),
        branches=dict(task.branches),
        fields=dict(fields_of(scenario, task)),
    )


def drawn_task(scenario: Scenario, seed: int, split: Split) -> Task:
    """Return the task of a seed."""
    return scenario.complete(scenario.draft(seed), task_id=f"{scenario.name}-{seed}", seed=seed, split=split)


def _refusal(scenario: Scenario, task: Task) -> str:
    if scenario.is_withheld(task.branches):
        return "withheld branches"
    if (solved := scenario.solve(task).outputs) != task.standard.outputs:
        return f"expert and solver differ: {task.standard.outputs} and {solved}"
    complaint = next(iter(scenario.realism(task, scenario.policy)), "")
    return f"not realistic: {complaint}" if complaint else ""


def _recipes(scenario: Scenario, task: Task) -> Iterator[str]:
    """Yield the representation of the answers of an agent that knows only the dates of the case, and is right here."""
    dates = {name: day for name, value in task.standard.outputs.items() if (day := _day(value)) is not None}
    if not dates:
        return
    fields = {name: value for name, value in task.standard.outputs.items() if name not in dates}
    record = task.tables[scenario.template.table][task.case_id]
    shown = {field.name: _day(record.get(field.name)) for field in scenario.template.existing if field.group is None}
    for name, day in {"today": task.today, **shown}.items():
        if day is not None:
            yield fingerprint([fields, name, {output: (found - day).days for output, found in dates.items()}])


def _day(value: Any) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) and is_date(value) else None
