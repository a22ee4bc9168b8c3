"""Builds the frozen files of a scenario and writes them into its folder."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.registration import SCENARIOS
from teller_gym.tasks.freezing import chosen, instances, variants
from teller_gym.tasks.store import (
    INSTANCES,
    VARIANTS,
    freeze,
    frozen_tasks,
    heldout_fingerprints,
    split_tasks,
    variant_tasks,
)


def build(scenario: str) -> dict[str, bytes]:
    """Return the content of the frozen files by name; the same code and documents give the same bytes.

    Instances are drawn from the seeds of ``chosen_seeds.yaml`` (:mod:`teller_gym.tasks.freezing.chosen`); without it,
    :mod:`teller_gym.tasks.freezing.instances` chooses them.

    Raises:
        OptionError: there is no such scenario.
        ScenarioError: the scenario has too few different cases.
    """
    loaded = load_scenario(scenario)
    rows = chosen.chosen_seeds(loaded)
    made = freeze(scenario, instances.choose(loaded) if rows is None else chosen.instances(loaded, rows))
    return {INSTANCES: made, VARIANTS: freeze(scenario, variants.choose(loaded, read_tasks(made)))}


def read_tasks(frozen: bytes) -> list[Task]:
    """Parse the tasks in the bytes of a frozen file."""
    decoder = msgspec.json.Decoder(Task)
    return [decoder.decode(line) for line in frozen.splitlines()[1:]]


def standing(scenario: str, name: str) -> bytes | None:
    """Return the content of an existing frozen file in the scenario's folder, or None if it is missing."""
    file = resources.files(SCENARIOS[scenario].module).joinpath(name)
    return file.read_bytes() if file.is_file() else None


def write(scenario: str) -> list[Path]:
    """Write the frozen files into the scenario's folder and return their paths; raises as :func:`build` does."""
    made = build(scenario)
    folder = Path(str(resources.files(SCENARIOS[scenario].module).joinpath("")))
    for name, content in made.items():
        (folder / name).write_bytes(content)
    for read_once in (frozen_tasks, variant_tasks, split_tasks, heldout_fingerprints):
        read_once.cache_clear()
    return [folder / name for name in made]
