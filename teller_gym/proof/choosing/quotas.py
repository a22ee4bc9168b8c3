"""Contents of ``endings.yaml``: the number of instances with each ending in a split, and the seeds of its pool."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.base.text import did_you_mean
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.sizes import stated_sizes
from teller_gym.tasks.freezing.instances import FIRST_SEED
from teller_gym.tasks.freezing.variants import FIRST_SEEDS

DOCUMENT = "endings.yaml"
TAG = "ending:"
"""Prefix of the tag that names the ending of a drawn case."""

SEEDS = range(FIRST_SEED, min(FIRST_SEEDS.values()))
"""Seeds allowed in pools: above those of ``generated`` tasks and below those of the held-out variants."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Quotas for a split: the number of instances to choose for each ending, from ``pool`` consecutive seeds."""

    first_seed: int
    pool: Annotated[int, msgspec.Meta(ge=1)]
    endings: dict[str, Annotated[int, msgspec.Meta(ge=0)]]

    @property
    def seeds(self) -> range:
        """Seeds of the pool."""
        return range(self.first_seed, self.first_seed + self.pool)

    @property
    def size(self) -> int:
        """Number of instances to choose."""
        return sum(self.endings.values())


class Quotas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``endings.yaml``."""

    heldout: Choice
    validation: Choice
    train: Choice

    def of(self) -> dict[Split, Choice]:
        """Return the quotas by split, in the order in which the splits are chosen."""
        return {Split.HELDOUT: self.heldout, Split.VALIDATION: self.validation, Split.TRAIN: self.train}

    @property
    def size(self) -> int:
        """Number of instances to choose over all splits."""
        return sum(choice.size for choice in self.of().values())


def quotas_of(scenario: Scenario) -> Quotas:
    """Read and validate a scenario's ``endings.yaml``.

    Raises:
        ScenarioError: the file is missing or invalid, the sums are not the benchmark's sizes, or pools overlap.
    """
    text = scenario.optional_document(DOCUMENT)
    if text is None:
        raise ScenarioError(f"{scenario.name}: expected {DOCUMENT} in the scenario's folder: {_LOOKS_LIKE}")
    try:
        found = msgspec.yaml.decode(text, type=Quotas)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"{DOCUMENT}: {error}; expected {_LOOKS_LIKE}") from None
    for split, choice in found.of().items():
        if choice.seeds[0] not in SEEDS or choice.seeds[-1] not in SEEDS:
            raise ScenarioError(
                f"{DOCUMENT}: {split}: expected seeds of {SEEDS[0]} … {SEEDS[-1]}, "
                f"got {choice.seeds[0]} … {choice.seeds[-1]}"
            )
    for (one, mine), (other, theirs) in combinations(found.of().items(), 2):
        if mine.first_seed in theirs.seeds or theirs.first_seed in mine.seeds:
            raise ScenarioError(f"{DOCUMENT}: {one} and {other}: expected pools without a common seed")
    _check_sizes(scenario.name, found)
    return found


_LOOKS_LIKE = "heldout, validation and train, each {first_seed: 7500000000, pool: 1500, endings: {approve: 6, …}}"


def _check_sizes(name: str, found: Quotas) -> None:
    stated = stated_sizes(name)
    if not stated:
        return
    sizes = {"heldout": stated["heldout"], "validation": stated["validation"]}
    sizes["train"] = stated["instances"] - sum(sizes.values())
    for split, choice in found.of().items():
        if choice.size != sizes[split]:
            raise ScenarioError(
                f"{DOCUMENT}: {split}: expected endings that sum to {sizes[split]}, the benchmark's size of {name}, "
                f"got {choice.size}"
            )


def check_endings(split: Split, choice: Choice, drawn: dict[str, int]) -> None:
    """Check that a pool has enough cases with each requested ending.

    Raises:
        ScenarioError: an ending does not occur in the pool, or in too few cases.
    """
    for name, quota in choice.endings.items():
        if quota and name not in drawn:
            hint = did_you_mean(name, drawn)
            raise ScenarioError(
                f"{DOCUMENT}: {split}: no case of {choice.pool} ends with {name}{hint}; the pool has "
                f"{', '.join(sorted(drawn))}"
            )
    few = [f"{name} {drawn[name]} of {quota}" for name, quota in choice.endings.items() if drawn.get(name, 0) < quota]
    if few:
        raise ScenarioError(f"{DOCUMENT}: {split}: the pool has too few of {', '.join(few)}; look at more seeds")
