"""Simulates the course of a day under an officer's habits. No tool is run: a case that is handled correctly takes as
many calls as its standard result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from teller_gym.days.day import DayCase
from teller_gym.days.law import LAW, Habits, Waiting, queue_policy, ranked


class Turn(NamedTuple):
    """One action of an officer: waiting, or handling a case."""

    reference: str
    """Reference of the case; empty when waiting."""
    read: int
    """Minute in which the queue was read."""
    ended: int
    """Minute in which the case was closed, or the next one arrived."""
    waiting: tuple[Waiting, ...]
    """Cases that the queue showed."""


def wait_from(now: int, arrives: int) -> int:
    """Return the minute in which a wait that begins now ends, given the minute of the next arrival (Q1)."""
    return arrives if arrives > now else now + queue_policy().minutes_per_call


def turns(cases: Sequence[DayCase], habits: Habits = LAW, extra: int = 0) -> list[Turn]:
    """Return the turns of an officer, in order.

    Args:
        cases: cases of the day.
        habits: rules that the officer follows.
        extra: number of useless calls for every four useful ones.
    """
    policy = queue_policy()
    now, left, found = policy.opening, list(cases), list[Turn]()
    while left:
        waiting = tuple(case.waiting for case in left if case.arrived <= now)
        if not waiting:
            arrives = min(case.arrived for case in left)
            found.append(Turn("", now, wait_from(now + policy.minutes_per_call, arrives), ()))
            now = found[-1].ended
            continue
        first = ranked(waiting, now, habits)[0].reference
        case = next(case for case in left if case.reference == first)
        calls = 2 + len(case.task.standard.calls)
        ended = now + (calls + extra * (calls // 4)) * policy.minutes_per_call
        found.append(Turn(first, now, ended, waiting))
        left.remove(case)
        now = ended
    return found


def late(cases: Sequence[DayCase], worked: Sequence[Turn]) -> list[str]:
    """Return the references of the cases that were closed after their due time."""
    due = {case.reference: case.due for case in cases}
    return [turn.reference for turn in worked if turn.reference and turn.ended > due[turn.reference]]


def out_of_turn(worked: Sequence[Turn]) -> list[str]:
    """Return the references of the cases that were not first in rank when they were opened."""
    opened = [turn for turn in worked if turn.reference]
    return [turn.reference for turn in opened if ranked(turn.waiting, turn.read)[0].reference != turn.reference]
