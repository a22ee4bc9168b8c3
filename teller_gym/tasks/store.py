"""Frozen tasks on disk and tasks from the generator.

A frozen file is JSON Lines: a header with the canary, then one task in each line. A scenario has one file with its
instances and, optionally, one with the held-out splits that vary policy, schema or branches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.base.text import as_text, did_you_mean, shown
from teller_gym.procedure.scenario import FAR_AWAY, Scenario, load_scenario
from teller_gym.procedure.task import BANK_SPLITS, EVALUATION_SPLITS, VARIANT_SPLITS, Split, Task
from teller_gym.registration import SCENARIOS

CANARY = "teller-gym canary 6f1d2f0e-4f0b-4a57-9a2c-8d1f6b7c0e35: evaluation data, do not train on it"
"""Text in every frozen file, by which a model that was trained on the file can be detected."""

LARGEST_SEED = 10**18 - 1
"""Largest seed of a generated task; the smallest is 0."""

_GENERATED_ID = re.compile("(.*)-g-(0|[1-9][0-9]{0,17})")

FROZEN_SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)

INSTANCES, VARIANTS = "instances.jsonl", "heldout_variants.jsonl"


class Header(msgspec.Struct, frozen=True):
    """First line of a frozen file."""

    canary: str
    scenario: str
    tasks: int


def freeze(scenario: str, tasks: Sequence[Task]) -> bytes:
    """Return the content of a frozen file.

    Keys keep their order, so that tools show the fields of frozen and generated records in the same order.
    """
    header = Header(canary=CANARY, scenario=scenario, tasks=len(tasks))
    return b"".join(msgspec.json.encode(item) + b"\n" for item in (header, *tasks))


@cache
def frozen_tasks(scenario: str) -> dict[str, Task]:
    """Return a scenario's instances (splits train, validation and heldout) by id, in order.

    Raises ``ScenarioError`` if the file is damaged or its canary is wrong.
    """
    return _read(scenario, _file(scenario, INSTANCES).read_bytes)


@cache
def variant_tasks(scenario: str) -> dict[str, Task]:
    """Return the tasks of the held-out splits that vary policy, schema or branches; empty if the file is missing."""
    file = _file(scenario, VARIANTS)
    return _read(scenario, file.read_bytes) if file.is_file() else {}


def _file(scenario: str, name: str) -> Traversable:
    load_scenario(scenario)
    return resources.files(SCENARIOS[scenario].module).joinpath(name)


# Created once at import, because threads that build decoders of one type at the same time can crash msgspec.
_decode_header = msgspec.json.Decoder(Header).decode
_decode_task = msgspec.json.Decoder(Task).decode


def _read(scenario: str, read: Callable[[], bytes]) -> dict[str, Task]:
    damaged = f"the frozen file of {scenario} is damaged: "
    try:
        first, *lines = read().splitlines() or [b""]
        header = _decode_header(first)
        tasks = {task.id: task for task in map(_decode_task, lines)}
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{damaged}{error}; install the package again") from None
    if header.canary != CANARY:
        raise ScenarioError(f"the frozen file of {scenario} carries another canary: expected {CANARY!r}")
    if header.tasks != len(tasks):
        raise ScenarioError(f"{damaged}expected {header.tasks} tasks, got {len(tasks)}")
    known: dict[Any, Any] = {}
    for task in tasks.values():
        share(task.tables, known)
        for call in task.standard.calls:
            share(call.arguments, known)
    return tasks


def share(document: dict[str, Any] | list[Any], known: dict[Any, Any]) -> None:
    """Replace equal texts and integers in JSON documents by one shared object.

    Decoders create a new object for each value, but the records of many cases contain the same words and amounts.
    Shared objects take less memory and stay in the processor's caches.

    Args:
        document: document to change in place.
        known: shared values so far, empty at the start; new values are added.
    """
    places: Iterable[tuple[Any, Any]] = document.items() if isinstance(document, dict) else enumerate(document)
    for place, value in places:
        if value.__class__ is str or value.__class__ is int:  # excludes True and 1.0, which equal 1
            document[place] = known.setdefault(value, value)
        elif isinstance(value, dict | list):
            share(value, known)


@cache
def split_tasks(scenario: str, split: Split) -> tuple[Task, ...]:
    """Return the frozen tasks of one split, in the order of the file."""
    tasks = variant_tasks(scenario) if split in VARIANT_SPLITS else frozen_tasks(scenario)
    return tuple(task for task in tasks.values() if task.split == split)


@cache
def heldout_fingerprints(scenario: str) -> frozenset[str]:
    """Return the fingerprints of all held-out tasks, which generated tasks must not have."""
    held = (*split_tasks(scenario, Split.HELDOUT), *variant_tasks(scenario).values())
    return frozenset(task.fingerprint for task in held)


def generate_task(scenario: str, seed: int) -> Task:
    """Generate the task of a seed, which never equals a held-out task; raises ``OptionError`` for an invalid seed."""
    if not 0 <= seed <= LARGEST_SEED:
        raise OptionError(f"seed: expected 0 … {LARGEST_SEED}, got {seed}")
    return load_scenario(scenario).generate(seed, heldout_fingerprints(scenario))


def under_policy_shift(task: Task, stream: int) -> Task:
    """Generate a task again from its seed under a newly drawn policy.

    Args:
        task: the task; one that already has its own policy is returned unchanged.
        stream: 1 or more; each stream gives every task a different policy.

    Raises:
        ScenarioError: the scenario does not define a policy shift.
    """
    if task.policy:
        return task
    if task.split is Split.GENERATED:
        return _shift_policy(task, stream)
    return _frozen_under_policy_shift(task.scenario, task.id, stream)


@lru_cache(maxsize=1024)
def _frozen_under_policy_shift(scenario: str, task_id: str, stream: int) -> Task:
    return _shift_policy(find_task(scenario, task_id), stream)


def _shift_policy(task: Task, stream: int) -> Task:
    # A task that is trained on must not become a held-out case.
    exclude = frozenset() if task.split in EVALUATION_SPLITS else heldout_fingerprints(task.scenario)
    scenario = load_scenario(task.scenario)
    values = scenario.draw_policy(f"{stream}/{task.id}")
    if task.split is Split.HELDOUT_BRANCH:
        return _withheld(scenario, task, values)
    made = scenario.generate(task.seed, exclude, task_id=task.id, split=task.split, policy=values)
    return msgspec.structs.replace(made, schema=task.schema)


def _withheld(scenario: Scenario, task: Task, values: dict[str, Any]) -> Task:
    """Draw, from a held-out task's seed and under other policy values, a case that also takes withheld branches."""
    policy = scenario.policy_of(msgspec.structs.replace(task, policy=values))
    seed = task.seed
    while True:
        draft = scenario.draft(seed, policy)
        made = scenario.complete(draft, task_id=task.id, seed=seed, split=task.split, policy=values)
        if scenario.is_withheld(made.branches):
            return made
        seed += FAR_AWAY


def find_task(scenario: str, task_id: str) -> Task:
    """Return the task with an id such as ``loans-0042`` or ``loans-g-<seed>``; raises ``OptionError`` if unknown."""
    tasks = frozen_tasks(scenario)
    found = tasks.get(task_id) or variant_tasks(scenario).get(task_id)
    if found is not None:
        return found
    generated = _GENERATED_ID.fullmatch(task_id)
    if generated and generated[1] == scenario:
        return generate_task(scenario, int(generated[2]))
    ids = f"{next(iter(tasks))} … {next(reversed(tasks))}"
    raise OptionError(
        f"task_id: expected {ids}, an id of a held-out split, or {scenario}-g-<seed> with a seed of "
        f"0 … {LARGEST_SEED}, got {shown(task_id)}"
    )


def parse_split(split: str, among: Sequence[Split] = tuple(Split)) -> Split:
    """Return the split with the given name; raises ``OptionError`` if it is not one of ``among``."""
    for one in among:
        if one == as_text(split):
            return one
    hint = did_you_mean(as_text(split)[:80], [str(one) for one in among])
    raise OptionError(f"split: expected one of {', '.join(among)}, got {shown(split)}{hint}")


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Task]:
    """Return tasks of a scenario.

    Args:
        scenario: scenario name such as ``loans``.
        split: a frozen split (also heldout_policy, heldout_schema, heldout_branch) or generated.
        n: number of tasks: the first n of a frozen split (all if None); required for generated.
        seed: first seed of generated tasks, which have the seeds ``seed … seed + n - 1``; ignored for frozen splits.

    Raises:
        OptionError: the scenario or split is unknown, n is missing, or n or a seed is out of range.
    """
    load_scenario(scenario)
    chosen = parse_split(split, BANK_SPLITS)
    if n is not None and n < 0:
        raise OptionError(f"n: expected 0 or more, got {n}")
    if chosen is Split.GENERATED:
        if n is None:
            raise OptionError("n: the generated split has no end; say how many tasks, for example n=100")
        return [generate_task(scenario, seed + i) for i in range(n)]
    return list(split_tasks(scenario, chosen)[:n])
