"""Values that the procedure has seen before each call, and those that it must compute.

The former are used as a distractor's arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from teller_gym.agents.schemas import is_date
from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.run import action_text, run_action

NEAR_SHARE = 0.01
"""Maximum relative difference between two numbers considered near."""
NEAR_DAYS = 3
"""Maximum difference in days between two dates considered near."""
_SMALLEST = 1.0
"""Minimum size of a number, since smaller ones may match by chance; for whole numbers see _SMALLEST_WHOLE."""
_SMALLEST_WHOLE = 1000

_DURATION = re.compile(r"\b(\d{1,3}) (?:business |calendar )?(?:days|weeks|months|years)\b")
_NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])")


class Source(msgspec.Struct, frozen=True):
    """Value that an agent can pass on, with the index of the call that revealed it (-1 if known from the start)."""

    value: Any
    time: int


class Needed(msgspec.Struct, frozen=True):
    """Value that must be computed for a required call, with the index of the first call that has it."""

    value: float | str
    time: int


class SeenValues(msgspec.Struct, frozen=True):
    """Values of one task as seen by the procedure.

    Attributes:
        sources: values that can be passed on, by place: ``price_loan.annual_rate``, with ``, later`` if a second call
            returned another value; ``pull_credit_report.tradelines.balance[]`` for a column of records; ``sop 30`` for
            a duration in the SOP.
        needed: values that must be computed, by ``call.argument``.
    """

    sources: dict[str, Source]
    needed: dict[str, Needed]


def seen_values(scenario: Scenario, task: Task) -> SeenValues:
    """Run a task's standard calls, and collect the values that become known and those that must be computed."""
    bank = scenario.bank(task)
    document = scenario.sop_of(task, "explicit")
    sources = {f"sop {days}": Source(int(days), -1) for days in _DURATION.findall(document)}
    sources["today"] = Source(task.today.isoformat(), -1)
    given = _given(task, f"{task.request} {document}")
    needed: dict[str, Needed] = {}
    first: dict[float | str, int] = {}
    for time, call in enumerate(task.standard.calls):
        result = run_action(bank, scenario.tools, action_text(call))
        for value in _plain_values([call.arguments, result]):
            first.setdefault(value, time)
        for name, value in call.arguments.items():
            if (
                _is_distinctive(value)
                and value not in given
                and value not in {other.value for other in needed.values()}
            ):
                needed[f"{call.name}.{name}"] = Needed(value, first[value])
        inputs = scenario.graph.nodes[call.name].inputs
        worked_out = {name: value for name, value in call.arguments.items() if inputs[name].how is not How.COPY}
        for name, value in _named({call.name: {**worked_out, **result}}):
            if sources.setdefault(name, Source(value, time)).value != value:
                sources[f"{name}, later"] = Source(value, time)
    return SeenValues(sources, needed)


def _is_distinctive(value: Any) -> bool:
    """Return True if a value is a date, or a number that is unlikely to match by chance."""
    if isinstance(value, float):
        return abs(value) >= _SMALLEST and (value != int(value) or abs(value) >= _SMALLEST_WHOLE)
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) >= _SMALLEST_WHOLE
    return isinstance(value, str) and is_date(value)


def _given(task: Task, text: str) -> frozenset[float | str]:
    """Return the numbers and dates that need no computation.

    They are in the bank's records, the request or the SOP.
    """
    found: set[float | str] = {task.today.isoformat()}
    for value in _plain_values(msgspec.to_builtins(task.tables)):
        found |= {value} if isinstance(value, str) else {value, value / 100}
    found.update(float(number.replace(",", "")) for number in _NUMBER.findall(text))
    return frozenset(found)


def _plain_values(value: Any) -> Iterator[float | str]:
    """Yield the numbers and dates in a JSON value."""
    for _, found in numbers_and_dates(value):
        yield found


def _named(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the scalars and lists in a JSON value with their paths.

    A list of records is represented by its first row and its columns.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _named(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        yield from _named(value[0], path)
        for key in value[0]:
            column = [row.get(key) for row in value]
            if all(isinstance(item, int | float | str) for item in column):
                yield f"{path}.{key}[]", column
    elif value is not None:
        yield path, value


def numbers_and_dates(value: Any, path: str = "") -> Iterator[tuple[str, float | str]]:
    """Yield the numbers and dates in a JSON value with their paths, such as ``roots[0]``."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from numbers_and_dates(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from numbers_and_dates(item, f"{path}[{place}]")
    elif (isinstance(value, int | float) and not isinstance(value, bool)) or (
        isinstance(value, str) and is_date(value)
    ):
        yield path, value


def is_near(value: float | str, wanted: float | str) -> bool:
    """Return True if two numbers differ by at most NEAR_SHARE, or two dates by at most NEAR_DAYS."""
    if isinstance(value, str) or isinstance(wanted, str):
        if not (isinstance(value, str) and isinstance(wanted, str)):
            return False
        return abs((date.fromisoformat(value) - date.fromisoformat(wanted)).days) <= NEAR_DAYS
    return abs(value - wanted) <= NEAR_SHARE * abs(wanted)
