"""Frozen and generated days. ``days.yaml`` has a seed and a checksum of each frozen day, which is redrawn exactly."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources

import msgspec

from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.base.text import shown
from teller_gym.days.day import Day
from teller_gym.days.draw import draw_day, size_of
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import CANARY, LARGEST_SEED

_GENERATED_ID = re.compile("day-g-(0|[1-9][0-9]{0,17})")
_FILE = "days.yaml"

SIZES = {Split.TRAIN: 36, Split.VALIDATION: 9, Split.HELDOUT: 20}
"""Number of frozen days of each split, in the order of their ids."""
_FIRST_SEEDS = {Split.TRAIN: 7_000_000_000, Split.VALIDATION: 7_400_000_000, Split.HELDOUT: 7_500_000_000}


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One frozen day in ``days.yaml``."""

    id: str
    split: Split
    seed: int
    cases: int
    checksum: str
    """Checksum of the whole day."""
    fingerprints: dict[str, tuple[str, ...]] = {}
    """Fingerprints of a held-out day's cases by scenario; such cases must not occur in other days."""


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of ``days.yaml``."""

    canary: str
    scenarios: tuple[str, ...]
    """Scenarios from which the frozen days take their cases."""
    days: tuple[Entry, ...]


@cache
def frozen() -> Frozen:
    """Return the content of ``days.yaml``; raises ``ScenarioError`` if it is damaged or its canary is wrong."""
    try:
        found = msgspec.yaml.decode(resources.files("teller_gym.days").joinpath(_FILE).read_bytes(), type=Frozen)
    except (OSError, msgspec.DecodeError) as error:
        raise ScenarioError(f"the file of frozen days is damaged: {error}; install the package again") from None
    if found.canary != CANARY:
        raise ScenarioError(f"the file of frozen days carries another canary: expected {CANARY!r}")
    return found


def split_days(split: Split) -> tuple[Entry, ...]:
    """Return the frozen days of a split, in the order of their ids."""
    return tuple(entry for entry in frozen().days if entry.split is split)


@cache
def _held_out(scenario: str) -> frozenset[str]:
    """Return the fingerprints of a scenario's cases in held-out days."""
    return frozenset(one for entry in split_days(Split.HELDOUT) for one in entry.fingerprints.get(scenario, ()))


@lru_cache(maxsize=64)
def generate_day(seed: int, scenarios: tuple[str, ...]) -> Day:
    """Generate the day of a seed, without held-out cases; raises ``OptionError`` for an invalid seed."""
    if not 0 <= seed <= LARGEST_SEED:
        raise OptionError(f"seed: expected 0 … {LARGEST_SEED}, got {seed}")
    return draw_day(f"day-g-{seed}", seed, Split.GENERATED, scenarios, _held_out)


@lru_cache(maxsize=64)
def _frozen_day(day_id: str) -> Day:
    entry = next(entry for entry in frozen().days if entry.id == day_id)
    if entry.split is Split.HELDOUT:
        return draw_day(entry.id, entry.seed, entry.split, frozen().scenarios)
    return draw_day(entry.id, entry.seed, entry.split, frozen().scenarios, _held_out)


def find_day(day_id: str, scenarios: tuple[str, ...]) -> Day:
    """Return the day with the given id.

    Args:
        day_id: id such as ``day-0007``, or ``day-g-<seed>`` for a generated day.
        scenarios: scenarios from which a generated day takes its cases.

    Raises:
        OptionError: there is no such day.
    """
    if any(entry.id == day_id for entry in frozen().days):
        return _frozen_day(day_id)
    generated = _GENERATED_ID.fullmatch(day_id)
    if generated:
        return generate_day(int(generated[1]), scenarios)
    ids = f"{frozen().days[0].id} … {frozen().days[-1].id}"
    raise OptionError(
        f"task_id: expected {ids}, or day-g-<seed> with a seed of 0 … {LARGEST_SEED}, got {shown(day_id)}"
    )


def checksum(day: Day) -> str:
    """Return the checksum of a day's whole content."""
    return hashlib.sha256(msgspec.json.encode(day)).hexdigest()[:32]


def freeze_days(scenarios: Sequence[str], splits: Sequence[Split] = tuple(SIZES)) -> Frozen:
    """Draw the frozen days; held-out days come first because the others must not contain their cases."""
    held = list(_drawn(Split.HELDOUT, tuple(scenarios), {}))
    known: dict[str, set[str]] = {}
    for entry in held:
        for scenario, found in entry.fingerprints.items():
            known.setdefault(scenario, set()).update(found)
    others = [
        entry for split in splits if split is not Split.HELDOUT for entry in _drawn(split, tuple(scenarios), known)
    ]
    return Frozen(CANARY, tuple(scenarios), tuple(sorted((*others, *held), key=lambda entry: entry.id)))


def _drawn(split: Split, scenarios: tuple[str, ...], known: dict[str, set[str]]) -> Iterator[Entry]:
    first = 1 + sum(size for other, size in SIZES.items() if list(SIZES).index(other) < list(SIZES).index(split))
    for number in range(SIZES[split]):
        day_id, seed = f"day-{first + number:04d}", _FIRST_SEEDS[split] + number
        day = draw_day(day_id, seed, split, scenarios, lambda scenario: frozenset(known.get(scenario, ())))
        prints: dict[str, tuple[str, ...]] = {}
        if split is Split.HELDOUT:
            for case in day.cases:
                name = case.task.scenario
                prints[name] = (*prints.get(name, ()), case.task.fingerprint)
        yield Entry(day_id, split, seed, size_of(seed), checksum(day), prints)


def write_days(scenarios: Sequence[str]) -> str:
    """Draw the frozen days and write them to ``days.yaml`` in the package's folder; return the path of the file."""
    path = resources.files("teller_gym.days").joinpath(_FILE)
    found = msgspec.yaml.encode(freeze_days(scenarios))
    with open(str(path), "wb") as file:
        file.write(found)
    return str(path)
