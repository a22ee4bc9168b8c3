"""Draws arrival and due times of a day's cases, tight enough that ignoring any rule of the queue is costly."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.days.day import DayCase
from teller_gym.days.law import Habits, queue_policy, ranked
from teller_gym.days.schedule import Turn, late, out_of_turn, turns

_TRIES = 400
_OVERNIGHT = 0.45
_PATIENCE = {"A": (40, 110), "B": (80, 240), "C": (150, 420)}
"""Minutes from the arrival, or from the opening, to the due time, by class."""
_PRESSING = 0.3
"""Probability that a case is due as soon as one of class A, whatever its class."""
_LEEWAY = (6, 16)
"""Range of the minimum leeway in minutes: the time from the end of a case that is handled by the rules to its due time,
less a twelfth of the time since the opening. A few unnecessary calls do not make a case late."""
_TOGETHER = 8
"""Maximum number of minutes between the arrivals of a pair's cases, so that both wait at the same time."""


class NoTimesError(Exception):
    """No suitable times were found for a set of cases."""


def timed(cases: Sequence[DayCase], draw: Draw) -> tuple[tuple[DayCase, ...], int]:
    """Return the cases with channel, arrival and due time, in the order of arrival, and the closing time.

    Raises:
        NoTimesError: no suitable times were found.
    """
    for _ in range(_TRIES):
        drawn = _feasible(_drawn(cases, draw), draw.integer(*_LEEWAY))
        if drawn is not None and _asks_for_the_law(drawn):
            return drawn, _closing(drawn, draw)
    raise NoTimesError


def _drawn(cases: Sequence[DayCase], draw: Draw) -> list[DayCase]:
    policy = queue_policy()
    work = sum(2 + len(case.task.standard.calls) for case in cases) * policy.minutes_per_call
    arrivals: dict[str, int] = {}
    found: list[DayCase] = []
    for case in cases:  # the first case of a pair precedes the second
        if case.after:
            arrived = arrivals[case.after] + draw.integer(0, _TOGETHER)
            channel = draw.choice(("counter", "phone", "branch_visit"))
        else:
            overnight = not found or draw.chance(_OVERNIGHT)
            early, latest = (-60, 0) if overnight else (0, work * 3 // 4)
            arrived = policy.opening + draw.integer(early, latest)
            channel = draw.choice(tuple(policy.channels))
            if any(other.after == case.reference for other in cases):
                channel = draw.choice(("online", "mail"))
        arrivals[case.reference] = arrived
        patience = draw.integer(*_PATIENCE["A" if draw.chance(_PRESSING) else policy.channels[channel]])
        due = -(-(max(arrived, policy.opening) + patience) // 5) * 5
        found.append(msgspec.structs.replace(case, channel=channel, arrived=arrived, due=due))
    return found


def _feasible(cases: list[DayCase], leeway: int) -> tuple[DayCase, ...] | None:
    """Postpone due times until an officer who follows the rules meets them all with leeway; None if that fails.

    The cases are numbered by arrival, which determines their references.
    """
    ordered = _numbered(cases)
    for _ in range(4 * len(ordered)):
        least = {turn.reference: _with_leeway(turn.ended, leeway) for turn in turns(ordered)}
        if all(case.due >= least[case.reference] for case in ordered):
            return tuple(ordered)
        ordered = [msgspec.structs.replace(case, due=max(case.due, least[case.reference])) for case in ordered]
    return None


def _with_leeway(ended: int, leeway: int) -> int:
    return -(-(ended + leeway + (ended - queue_policy().opening) // 12) // 5) * 5


def _numbered(cases: list[DayCase]) -> list[DayCase]:
    places = sorted(range(len(cases)), key=lambda place: (cases[place].arrived, place))
    names = {cases[place].reference: f"Q-{101 + number}" for number, place in enumerate(places)}
    return [
        msgspec.structs.replace(
            cases[place], reference=names[cases[place].reference], after=names.get(cases[place].after, "")
        )
        for place in places
    ]


def _asks_for_the_law(cases: Sequence[DayCase]) -> bool:
    """Return True if every rule of the queue matters in this day: an officer goes wrong by ignoring due times, classes
    or a customer's earlier case, or by making unnecessary calls."""
    worked = turns(cases)
    return (
        all(_is_tempting(case, cases, worked) for case in cases if case.after)
        and bool(out_of_turn(turns(cases, Habits(by_due=False))))
        and bool(out_of_turn(turns(cases, Habits(by_due=False, by_class=False))))
        and bool(late(cases, turns(cases, extra=1)))
    )


def _is_tempting(case: DayCase, cases: Sequence[DayCase], worked: Sequence[Turn]) -> bool:
    """Return True if, when a pair's first case is to be opened, the second also waits and only Q6 ranks it lower."""
    turn = next(turn for turn in worked if turn.reference == case.after)
    pair = [waiting for waiting in turn.waiting if waiting.reference in (case.after, case.reference)]
    return len(pair) == 2 and ranked(pair, turn.read, Habits(by_customer=False))[0].reference == case.reference


def _closing(cases: Sequence[DayCase], draw: Draw) -> int:
    """Draw a closing time after all due times, on a quarter of an hour."""
    last = max(*(case.due for case in cases), turns(cases)[-1].ended)
    return -(-(last + draw.integer(10, 40)) // 15) * 15
