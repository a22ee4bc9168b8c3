"""Choosing a scenario's instances from its generator: seeds in order, splits with the outcomes in equal shares.

The outcome is the first output field. Sizes are ``SIZES``, unless the scenario says otherwise in ``frozen.yaml``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.base.text import canonical_json
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task

FIRST_SEED = 7_000_000_000
"""Above every seed that ``generated`` draws (they have 32 bits)."""

MOST_ALIKE = 0.015
"""Share of the instances that one answer may have; the proof allows less than 2 %."""

_SEEDS_EACH = 100
"""Seeds that are tried for each instance before the scenario is said to have too few cases."""


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of instances and of held-out ones among them; a tenth of the others is for validation.

    Raises:
        ScenarioError: fewer than one, or none is left to train on.
    """

    instances: int = 200
    heldout: int = 50

    def __post_init__(self) -> None:
        if not 0 < self.heldout < self.instances:
            raise ScenarioError(f"frozen.yaml: expected 0 < heldout < instances, got {self}")

    @property
    def validation(self) -> int:
        """A tenth of those that are not held out, halves rounded up."""
        return (self.instances - self.heldout + 5) // 10


SIZES = Sizes()


def sizes_of(scenario: Scenario) -> Sizes:
    """Return the sizes of ``frozen.yaml``, or the usual ones.

    Raises:
        ScenarioError: the document is none.
    """
    text = scenario.optional_document("frozen.yaml")
    try:
        return SIZES if text is None else msgspec.yaml.decode(text, type=Sizes)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"frozen.yaml: {error}") from None


def choose(scenario: Scenario) -> list[Task]:
    """Return a scenario's instances: no case twice, none of a withheld combination of branches, no answer too often.

    Raises:
        ScenarioError: the generator does not make enough of them.
    """
    sizes = sizes_of(scenario)
    most = max(1, int(MOST_ALIKE * sizes.instances))
    found: list[Task] = []
    fingerprints: set[str] = set()
    answers: Counter[bytes] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + _SEEDS_EACH * sizes.instances):
        task = scenario.complete(scenario.draft(seed), task_id="", seed=seed, split=Split.TRAIN)
        answer = canonical_json(task.standard.outputs)
        if task.fingerprint in fingerprints or scenario.is_withheld(task.branches) or answers[answer] == most:
            continue
        fingerprints.add(task.fingerprint)
        answers[answer] += 1
        found.append(task)
        if len(found) == sizes.instances:
            return with_splits(scenario, found, sizes)
    raise ScenarioError(
        f"{scenario.name}: expected {sizes.instances} different cases, got {len(found)} from "
        f"{_SEEDS_EACH * sizes.instances} seeds; give the generator more room, or frozen.yaml smaller sizes"
    )


def with_splits(scenario: Scenario, tasks: Sequence[Task], sizes: Sizes) -> list[Task]:
    """Return tasks with ids and splits: of each outcome the same share is held out and kept for validation."""
    draw = random.Random(f"freeze/{scenario.name}").random
    outcome = outcome_of(scenario)
    order = sorted(range(len(tasks)), key=lambda place: (outcome(tasks[place]), draw()))
    splits = dict.fromkeys(order, Split.TRAIN)
    splits |= dict.fromkeys(_every(order, sizes.heldout), Split.HELDOUT)
    rest = [place for place in order if splits[place] is Split.TRAIN]
    splits |= dict.fromkeys(_every(rest, sizes.validation), Split.VALIDATION)
    return [
        msgspec.structs.replace(task, id=f"{scenario.name}-{place + 1:04d}", split=splits[place])
        for place, task in enumerate(tasks)
    ]


def _every(places: Sequence[int], count: int) -> list[int]:
    """Return so many of the places, evenly spread."""
    steps = range(len(places))
    return [places[i] for i in steps if (i + 1) * count // len(places) > i * count // len(places)]


def outcome_of(scenario: Scenario) -> Callable[[Task], str]:
    """Return the function that gives the outcome of a task."""
    field = scenario.output_fields[0]
    return lambda task: str(task.standard.outputs[field])
