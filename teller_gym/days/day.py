"""Frozen data of a working day: its cases, their arrival and due times, and the cases that change other cases."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from teller_gym.days.law import Waiting, clock
from teller_gym.procedure.task import Split, StandardResult, Task
from teller_gym.tools.bank import Record

FEWEST, MOST = 4, 12
"""Smallest and largest number of cases in a day."""

NAME = "day"
"""Name that a day has where a case has the name of its scenario."""


def level_of_size(cases: int) -> float:
    """Return the difficulty of a day from 0 to 1, by its number of cases."""
    return (cases - FEWEST) / (MOST - FEWEST)


class DayCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case of a day.

    Attributes:
        reference: name in the queue, such as ``Q-103``.
        task: the task; its bank includes the changes made by the case in ``after``, closed correctly.
        customers: ids of the customers concerned.
        channel: channel through which it arrived; determines its class.
        arrived, due: minutes since midnight.
        after: reference of the case that changes this one's bank when it is closed; empty if none.
        link: name of that change; see :mod:`teller_gym.procedure.links`.
        before: the bank's tables before that change; None if no case changes them.
    """

    reference: str
    task: Task
    customers: tuple[str, ...]
    channel: str
    arrived: int
    due: int
    after: str = ""
    link: str = ""
    before: dict[str, dict[str, Record]] | None = None

    @property
    def waiting(self) -> Waiting:
        """The case's entry in the queue."""
        return Waiting(self.reference, self.customers, self.channel, self.arrived, self.due)


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One working day.

    Attributes:
        id: id such as ``day-0007``; generated ones are ``day-g-<seed>``.
        seed: seed of the draw.
        today: the business date of all its cases.
        closing: minute since midnight at which the day ends.
        cases: the cases, in the order of their references.
        standard: the calls of an officer who follows the SOPs.
    """

    id: str
    seed: int
    split: Split
    today: date
    closing: int
    cases: tuple[DayCase, ...]
    standard: StandardResult
    scenario: str = NAME
    branches: dict[str, str] = {}

    @property
    def request(self) -> str:
        return (
            f"Please work the queue of {self.today.isoformat()}, {len(self.cases)} cases in all, by its SOP. "
            f"The desk closes at {clock(self.closing)}."
        )

    @property
    def level(self) -> float:
        """Difficulty from 0 to 1, by the number of its cases."""
        return level_of_size(len(self.cases))

    def case(self, reference: str) -> DayCase:
        """Return the case with this reference; raises ``KeyError`` if there is none."""
        for case in self.cases:
            if case.reference == reference:
                return case
        raise KeyError(reference)

    @property
    def desks(self) -> tuple[str, ...]:
        """The distinct scenarios of its cases."""
        return tuple(dict.fromkeys(case.task.scenario for case in self.cases))

    def facts(self) -> dict[str, Any]:
        """Return the whole day as plain data, for its fingerprint."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found
