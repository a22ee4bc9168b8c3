"""Chooses a scenario's instances from its generator in the order of seeds, and splits them evenly by outcome.

The outcome is the first output field. Sizes are ``SIZES``, unless the scenario has a ``frozen.yaml``.
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
"""First seed that is tried; above every seed that ``generated`` draws (they have 32 bits)."""

MOST_ALIKE = 0.015
"""Maximum share of the instances with the same answer; the proof allows less than 2 %."""

_SEEDS_EACH = 100
"""Maximum number of seeds that are tried, for each instance."""


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Number of instances, and of those held out; a tenth of the others is for validation."""

    instances: int = 200
    heldout: int = 50

    def __post_init__(self) -> None:
        if not 0 < self.heldout < self.instances:
            raise ScenarioError(f"frozen.yaml: expected 0 < heldout < instances, got {self}")

    @property
    def validation(self) -> int:
        """A tenth of the instances that are not held out, rounded half up."""
        return (self.instances - self.heldout + 5) // 10


SIZES = Sizes()


def sizes_of(scenario: Scenario) -> Sizes:
    """Return the sizes from ``frozen.yaml``, or the default ones; raises ``ScenarioError`` if they are invalid."""
    text = scenario.optional_document("frozen.yaml")
    try:
        return SIZES if text is None else msgspec.yaml.decode(text, type=Sizes)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"frozen.yaml: {error}") from None


def choose(scenario: Scenario) -> list[Task]:
    """Choose a scenario's instances: no case occurs twice, none takes withheld branches, no answer is too frequent.

    Raises ``ScenarioError`` if the generator does not produce enough of them.
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
    """Return the tasks with ids and splits; each outcome has about the same share in every split."""
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
    """Return ``count`` of the places, evenly spread."""
    steps = range(len(places))
    return [places[i] for i in steps if (i + 1) * count // len(places) > i * count // len(places)]


def outcome_of(scenario: Scenario) -> Callable[[Task], str]:
    """Return a function that returns a task's outcome: the value of the first output field."""
    field = scenario.output_fields[0]
    return lambda task: str(task.standard.outputs[field])
