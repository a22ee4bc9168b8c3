"""Formal cues, which should not predict the outcome.

They are properties of a value's form rather than its meaning.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from teller_gym.agents.schemas import is_date
from teller_gym.procedure.injections import texts
from teller_gym.procedure.task import Task

Cues = dict[str, Hashable]
"""Values of a task's cues, by names such as ``tool.field: roundness``."""

_MOST_ROWS = 4
"""Number of list rows that are examined individually."""

_LONGEST_LIMIT = 400
"""Maximum whole number in a policy that may be a limit in days."""


class Limits(NamedTuple):
    """Numbers in a policy that a value may equal or be close to."""

    amounts: frozenset[float]
    days: frozenset[int]


def limits_of(policy: Any) -> Limits:
    """Return a policy's numbers as amounts (unchanged and converted from cents) and as days."""
    numbers = set(_numbers(msgspec.to_builtins(policy)))
    amounts = frozenset(number / 100 for number in numbers) | frozenset(numbers)
    days = frozenset(int(number) for number in numbers if 1 < number <= _LONGEST_LIMIT and number == int(number))
    return Limits(amounts, days)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def drawn_values(task: Task, but: Sequence[str] = ()) -> frozenset[Hashable]:
    """Return the texts and numbers in the bank's initial state, without texts that contain one of ``but``.

    All other values that tools return are computed.
    """
    found: set[Hashable] = {text for text in texts(task.tables) if not any(one in text for one in but)}
    found.update(_numbers(task.tables))
    return frozenset(found)


def cues(tool: str, result: Mapping[str, Any], task: Task, limits: Limits, drawn: frozenset[Hashable]) -> Cues:
    """Return the formal cues for the drawn values in a tool's result."""
    found: Cues = {}
    for path, value in _flat(tool, result):
        if isinstance(value, list):
            found |= _order(path, value)
            continue
        if value is None or isinstance(value, bool) or not _is_drawn(value, drawn):
            continue
        if isinstance(value, str):
            found |= _written(path, value, task.today, limits)
        else:
            found |= _number(path, float(value), limits)
    return found


def missing(tool: str, result: Mapping[str, Any]) -> Cues:
    """Return a cue for each field in a tool's result, which is True if the field is null."""
    return {
        f"{path}: missing": value is None for path, value in _flat(tool, result) if not isinstance(value, list | dict)
    }


def _is_drawn(value: Any, drawn: frozenset[Hashable]) -> bool:
    return value in drawn if isinstance(value, str) else float(value) in drawn or round(float(value) * 100, 6) in drawn


def _flat(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield fields with their paths.

    A list is yielded as a whole, and then its first records field by field.
    """
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _flat(f"{path}.{name}", item)
    elif isinstance(value, list):
        yield path, value
        for place, row in enumerate(value[:_MOST_ROWS]):
            if isinstance(row, dict):
                yield from _flat(f"{path}[{place}]", row)
    else:
        yield path, value


def _written(path: str, text: str, today: date, limits: Limits) -> Cues:
    if is_date(text):
        age = (today - date.fromisoformat(text)).days
        return {
            f"{path}: about a limit": any(abs(age - limit) <= 1 for limit in limits.days),
            f"{path}: weekday": date.fromisoformat(text).weekday(),
            f"{path}: day of the month": date.fromisoformat(text).day,
        }
    found: Cues = {
        f"{path}: case": (text.isupper(), text.islower(), text.istitle()),
        f"{path}: accents": not text.isascii(),
    }
    if text[-1:].isdigit():
        found[f"{path}: last digit"] = text[-1]
    if " " in text:
        found[f"{path}: length"] = len(text) // 4
        found[f"{path}: words"] = len(text.split())
    return found


def _number(path: str, number: float, limits: Limits) -> Cues:
    if number == 0:
        return {}
    cents = round(number * 100)
    rounded = next((zeros for zeros in range(8, -1, -1) if cents % 10**zeros == 0), 0)
    return {
        f"{path}: roundness": rounded,
        f"{path}: last digit": cents % 10,
        f"{path}: last digit of the dollars": cents // 100 % 10,
        f"{path}: on a limit": number in limits.amounts,
    }


def _order(path: str, rows: Sequence[Any]) -> Cues:
    """Return cues for the order of a list.

    A cue is a pair (ascending, descending); a list of records has one for each column.
    """
    if len(rows) < 2:
        return {}
    if not all(isinstance(row, dict) for row in rows):
        plain = [str(row) for row in rows]
        return {f"{path}: order": (plain == sorted(plain), plain == sorted(plain, reverse=True))}
    found: Cues = {}
    for name in rows[0]:
        column = [row.get(name) for row in rows]
        if all(isinstance(value, str) for value in column) or all(type(value) in (int, float) for value in column):
            found[f"{path}.{name}: order"] = (column == sorted(column), column == sorted(column, reverse=True))
    return found


class Information(NamedTuple):
    """Predictive power of a cue.

    Attributes:
        cases: number of cases that show the cue.
        gain: additional cases predicted correctly by the most frequent label of each value, compared with the most
            frequent label overall, minus the mean gain for shuffled labels.
        chance: largest gain that counts as chance.
    """

    cases: int
    gain: float
    chance: float


_SHUFFLES = 100
_SPREADS = 6
"""Number of standard deviations from the mean for shuffled labels within which a gain counts as chance."""


def information(values: Sequence[Hashable], labels: Sequence[str]) -> Information:
    """Measure how much better a cue predicts labels than the most frequent label."""
    ways = {value: place for place, value in enumerate(dict.fromkeys(values))}
    kinds = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    rows = np.array([ways[value] for value in values]) * len(kinds)
    columns = np.array([kinds[label] for label in labels])
    usual = int(np.bincount(columns).max())

    def gained(order: npt.NDArray[np.intp]) -> int:
        counts = np.bincount(rows + columns[order], minlength=len(ways) * len(kinds))
        return int(counts.reshape(len(ways), len(kinds)).max(axis=1).sum()) - usual

    shuffled = np.array([gained(order) for order in _orders(len(labels))])
    mean = float(shuffled.mean())
    chance = max(float(shuffled.max()), mean + _SPREADS * float(shuffled.std()))
    return Information(len(labels), gained(np.arange(len(labels))) - mean, chance - mean)


@lru_cache(maxsize=256)
def _orders(count: int) -> tuple[npt.NDArray[np.intp], ...]:
    """Return reproducible random permutations of a number of cases."""
    rng = random.Random(count)
    order = list(range(count))
    found = []
    for _ in range(_SHUFFLES):
        rng.shuffle(order)
        found.append(np.array(order))
    return tuple(found)
