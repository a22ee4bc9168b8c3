"""The queue of an episode: the clock, the waiting cases, the open case, and the queue's tools."""

from __future__ import annotations

from typing import Any

from teller_gym.base.errors import ErrorKind, ToolError, invalid
from teller_gym.days.day import Day
from teller_gym.days.law import Waiting, clock, queue_policy, ranked
from teller_gym.days.schedule import wait_from
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.tool import Result, ToolSet, tool


class Desk:
    """The state of a day's queue, which the queue's tools read and change.

    Attributes:
        day: the day that the queue belongs to.
        rendering: rendering of the desks' SOPs.
        now: current time, in minutes since midnight.
        shown: cases that ``list_queue`` last returned, and the minute; None once a case was opened.
        opened: references in the order in which cases were first opened.
        closed: minute in which each case was closed.
        in_turn: references of cases that were first in rank when they were first opened.
        current: reference of the open case; empty if no case is open.
    """

    __slots__ = ("closed", "current", "day", "in_turn", "now", "opened", "rendering", "shown")

    def __init__(self, day: Day, rendering: str) -> None:
        self.day = day
        self.rendering = rendering
        self.now = queue_policy().opening
        self.shown: tuple[tuple[Waiting, ...], int] | None = None
        self.opened: tuple[str, ...] = ()
        self.closed: dict[str, int] = {}
        self.in_turn: tuple[str, ...] = ()
        self.current = ""

    def copy(self) -> Desk:
        """Return an independent copy."""
        new = object.__new__(Desk)
        for name in Desk.__slots__:
            value = getattr(self, name)
            setattr(new, name, value.copy() if isinstance(value, dict) else value)
        return new

    def waiting(self) -> tuple[Waiting, ...]:
        """Return the cases that have arrived and were never opened, ordered by reference."""
        cases = (case for case in self.day.cases if case.arrived <= self.now and case.reference not in self.opened)
        return tuple(case.waiting for case in cases)

    def next_arrival(self) -> int | None:
        """Return the minute in which the next case arrives; None if all have arrived."""
        return min((case.arrived for case in self.day.cases if case.arrived > self.now), default=None)

    def first_in_rank(self, reference: str) -> bool:
        """Return True if a case about to be opened for the first time is the one whose turn it is (4.1, 4.2)."""
        if self.shown is None or len(self.closed) < len(self.opened):
            return False
        waiting, read = self.shown
        order = ranked(waiting, read)
        return bool(order) and order[0].reference == reference

    def close(self) -> None:
        """Record that the open case is closed now."""
        self.closed[self.current] = self.now
        self.current, self.shown = "", None

    def facts(self) -> list[Any]:
        """Return the state as plain data, for a fingerprint."""
        return [self.now, self.shown, self.opened, self.closed, self.in_turn, self.current]


class Queue(Result):
    """The waiting cases, by reference; ``to_come`` counts the cases of the day that have not arrived."""

    time: str
    closing: str
    waiting: list[dict[str, Any]]
    open_case: str | None
    to_come: int


class Opened(Result):
    """The case; ``procedure`` is the SOP of its desk, given with the desk's first case."""

    reference: str
    desk: str
    time: str
    request: str
    procedure: str | None


class Waited(Result):
    """The time at which the wait ended."""

    time: str


@tool()
def list_queue(desk: Desk) -> Queue:
    """Read the queue: the time, and every case that has arrived and was not opened yet."""
    desk.shown = desk.waiting(), desk.now
    scenarios = {case.reference: case.task.scenario for case in desk.day.cases}
    return Queue(
        time=clock(desk.now),
        closing=clock(desk.day.closing),
        waiting=[
            {
                "reference": one.reference,
                "desk": scenarios[one.reference],
                "customers": list(one.customers),
                "channel": one.channel,
                "arrived": clock(one.arrived),
                "due": clock(one.due),
            }
            for one in desk.shown[0]
        ],
        open_case=desk.current or None,
        to_come=sum(case.arrived > desk.now for case in desk.day.cases),
    )


@tool()
def open_case(desk: Desk, reference: str) -> Opened:
    """Open a case, or go back to one that was opened before. The tools of its desk are then the ones in play.

    Args:
        reference: The case's reference in the queue, such as Q-101.
    """
    case = next((case for case in desk.day.cases if case.reference == reference and case.arrived <= desk.now), None)
    if case is None:
        raise invalid("reference", f"there is no case {reference[:80]} here; list_queue shows those that wait")
    if reference in desk.closed:
        raise ToolError(ErrorKind.ORDER, f"{reference} was closed and cannot be opened again")
    name = case.task.scenario
    known = {desk.day.case(one).task.scenario for one in desk.opened}
    if reference not in desk.opened:
        if desk.first_in_rank(reference):
            desk.in_turn = (*desk.in_turn, reference)
        desk.opened, desk.shown = (*desk.opened, reference), None
    desk.current = reference
    return Opened(
        reference=reference,
        desk=name,
        time=clock(desk.now),
        request=case.task.request,
        procedure=None if name in known else load_scenario(name).sop(desk.rendering),
    )


@tool()
def wait_until_next(desk: Desk) -> Waited:
    """Wait until the next case arrives."""
    arrives = None if desk.waiting() else desk.next_arrival()
    if arrives is None and not desk.waiting():
        raise ToolError(ErrorKind.ORDER, "no case is left to arrive; nothing is to be waited for")
    # The minutes of the call itself are added by the clock.
    ended = wait_from(desk.now, desk.now if arrives is None else arrives)
    desk.now = ended - queue_policy().minutes_per_call
    return Waited(time=clock(ended))


QUEUE_TOOLS = ToolSet((list_queue, open_case, wait_until_next))
"""The tools that are available throughout the day."""
