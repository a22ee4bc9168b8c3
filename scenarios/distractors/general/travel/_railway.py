"""The house railway: all trains of a day, and the connection that arrives first."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from teller_gym.scenarios.distractors.general._places_and_times import clock_of, minutes_of, table
from teller_gym.tools.tool import Result


class Train(NamedTuple):
    """One train: its stops in order, each with minutes since midnight."""

    line: str
    stops: tuple[tuple[str, int], ...]
    weekend: bool
    bicycles: bool


class Leg(Result):
    """A ride on one train; the last trains arrive before midnight."""

    line: str
    from_station: str
    departs: str
    to_station: str
    arrives: str


Trip = tuple[Leg, ...]


@cache
def stations() -> tuple[str, ...]:
    """Return all stations, in the order of the timetable."""
    return tuple(dict.fromkeys(name for line in table("travel")["railway"] for name in line["stations"]))


@cache
def trains() -> tuple[Train, ...]:
    """Return every train of a day."""
    found = []
    for row in table("travel")["railway"]:
        there = list(row["stations"].items())
        whole = there[-1][1]
        back = [(name, whole - minutes) for name, minutes in reversed(there)]
        for start in range(minutes_of(row["first"]), minutes_of(row["last"]) + 1, row["every"]):
            for way in (there, back):
                stops = tuple((name, start + minutes) for name, minutes in way)
                found.append(Train(row["line"], stops, row["weekend"], row["bicycles"]))
    return tuple(found)


def first_to_arrive(
    origin: str, goal: str, start: str, changes: int, change_minutes: int, weekend: bool, bicycle: bool
) -> Trip | None:
    """Return the legs of the connection that arrives first, the one with the fewest changes among equals."""
    running = [train for train in trains() if (train.weekend or not weekend) and (train.bicycles or not bicycle)]
    best: dict[str, tuple[int, Trip]] = {origin: (minutes_of(start), ())}
    fresh = dict(best)
    for _ in range(changes + 1):
        reached: dict[str, tuple[int, Trip]] = {}
        for train in running:
            _ride(train, fresh, best, reached, change_minutes)
        best |= reached
        fresh = reached
    return best[goal][1] if goal in best else None


def _ride(
    train: Train,
    fresh: dict[str, tuple[int, Trip]],
    best: dict[str, tuple[int, Trip]],
    reached: dict[str, tuple[int, Trip]],
    change_minutes: int,
) -> None:
    """Board where a trip of the last round allows it first, and note every station reached earlier than before."""
    boarded: tuple[str, int, Trip] | None = None
    for name, minute in train.stops:
        if boarded is None:
            if name in fresh and fresh[name][0] + (change_minutes if fresh[name][1] else 0) <= minute:
                boarded = (name, minute, fresh[name][1])
        elif all(name not in known or minute < known[name][0] for known in (best, reached)):
            reached[name] = (minute, (*boarded[2], _leg(train, boarded[0], boarded[1], name, minute)))


def _leg(train: Train, origin: str, departs: int, goal: str, arrives: int) -> Leg:
    times = {"departs": clock_of(departs), "arrives": clock_of(arrives)}
    return Leg(line=train.line, from_station=origin, to_station=goal, **times)
