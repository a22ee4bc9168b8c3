"""Frozen tasks on disk and fresh ones from the generator.

A frozen file is JSON Lines: a header with the canary, then one task a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

import msgspec

from teller_gym.errors import OptionError, ScenarioError
from teller_gym.scenario import load_scenario
from teller_gym.task import Split, Task

CANARY = "teller-gym canary 6f1d2f0e-4f0b-4a57-9a2c-8d1f6b7c0e35: evaluation data, do not train on it"
"""Stands in every frozen file, so that a model trained on it can be found out."""

FROZEN_SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT)


class Header(msgspec.Struct, frozen=True):
    """First line of a frozen file."""

    canary: str
    scenario: str
    tasks: int


def freeze(scenario: str, tasks: Sequence[Task]) -> bytes:
    """Return the bytes of a frozen file.

    Keys keep their order, so that tools show a record's fields in the order in which they show a generated one's.
    """
    header = Header(canary=CANARY, scenario=scenario, tasks=len(tasks))
    return b"".join(msgspec.json.encode(item) + b"\n" for item in (header, *tasks))


@cache
def frozen_tasks(scenario: str) -> dict[str, Task]:
    """Return all frozen tasks of a scenario by id, in order.

    Raises:
        ScenarioError: the file is damaged.
    """
    package = resources.files("teller_gym.scenarios").joinpath(scenario, "instances.jsonl")
    first, *lines = package.read_bytes().splitlines()
    header = msgspec.json.decode(first, type=Header)
    decoder = msgspec.json.Decoder(Task)
    tasks = {task.id: task for task in map(decoder.decode, lines)}
    if header.canary != CANARY or header.tasks != len(tasks):
        raise ScenarioError(
            f"the frozen file of {scenario} is damaged: expected {header.tasks} tasks, got {len(tasks)}"
        )
    return tasks


@cache
def split_tasks(scenario: str, split: Split) -> tuple[Task, ...]:
    """Return the frozen tasks of one split, in order."""
    return tuple(task for task in frozen_tasks(scenario).values() if task.split == split)


@cache
def heldout_fingerprints(scenario: str) -> frozenset[str]:
    """Return the fingerprints that no generated task may have."""
    return frozenset(task.fingerprint for task in split_tasks(scenario, Split.HELDOUT))


def generate_task(scenario: str, seed: int) -> Task:
    """Return a fresh task that equals no held-out one."""
    return load_scenario(scenario).generate(seed, heldout_fingerprints(scenario))


def parse_split(split: str) -> Split:
    """Return the split of a name.

    Raises:
        OptionError: there is no such split.
    """
    try:
        return Split(split)
    except ValueError:
        raise OptionError(f"split: expected one of {', '.join(Split)}, got {split!r}") from None


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Task]:
    """Return tasks of a scenario.

    Args:
        scenario: such as ``loans``.
        split: train, validation, heldout or generated.
        n: the first n of a frozen split (all if None); required for generated.
        seed: first seed of generated tasks, which have the seeds ``seed … seed + n - 1``; not used for frozen ones.

    Raises:
        OptionError: an unknown scenario or split, or n is missing or out of range.
    """
    load_scenario(scenario)
    chosen = parse_split(split)
    if n is not None and n < 0:
        raise OptionError(f"n: expected 0 or more, got {n}")
    if chosen is Split.GENERATED:
        if n is None:
            raise OptionError("n: the generated split has no end; say how many tasks, for example n=100")
        return [generate_task(scenario, seed + i) for i in range(n)]
    return list(split_tasks(scenario, chosen)[:n])
