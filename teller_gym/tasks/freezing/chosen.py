"""Instances from the seeds listed in ``chosen_seeds.yaml``, one row each, in the order of their ids.

``teller-gym choose`` writes the document; see :mod:`teller_gym.proof.choosing`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task

DOCUMENT = "chosen_seeds.yaml"


class ChosenSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seed and split of one instance."""

    seed: int
    split: Split


def chosen_seeds(scenario: Scenario) -> tuple[ChosenSeed, ...] | None:
    """Return the rows of ``chosen_seeds.yaml``, or None if the scenario does not have the document.

    Raises:
        ScenarioError: the document is invalid, a seed occurs twice, or a split is not train, validation or heldout.
    """
    text = scenario.optional_document(DOCUMENT)
    if text is None:
        return None
    try:
        found = msgspec.yaml.decode(text, type=tuple[ChosenSeed, ...])
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"{DOCUMENT}: {error}") from None
    seen: set[int] = set()
    for number, row in enumerate(found, start=1):
        if row.split not in (Split.TRAIN, Split.VALIDATION, Split.HELDOUT):
            raise ScenarioError(f"{DOCUMENT}: row {number}: expected train, validation or heldout, got {row.split}")
        if row.seed in seen:
            raise ScenarioError(f"{DOCUMENT}: row {number}: the seed {row.seed} stands there twice")
        seen.add(row.seed)
    return found


def instances(scenario: Scenario, rows: Sequence[ChosenSeed]) -> list[Task]:
    """Return the tasks drawn from the rows' seeds, with ids such as ``loans-0001`` in the same order.

    Raises:
        ScenarioError: two are the same case, or one takes withheld branches, because the generator has changed.
    """
    tasks = [
        scenario.complete(
            scenario.draft(row.seed), task_id=f"{scenario.name}-{number:04d}", seed=row.seed, split=row.split
        )
        for number, row in enumerate(rows, start=1)
    ]
    known: dict[str, Task] = {}
    for task in tasks:
        other = known.setdefault(task.fingerprint, task)
        if other is not task:
            raise ScenarioError(f"{DOCUMENT}: the seeds {other.seed} and {task.seed} give the same case; choose anew")
        if scenario.is_withheld(task.branches):
            raise ScenarioError(f"{DOCUMENT}: the seed {task.seed} gives a case of withheld branches; choose anew")
    return tasks
