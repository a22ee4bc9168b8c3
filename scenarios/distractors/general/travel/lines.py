"""Trains and ferries."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime
from teller_gym.scenarios.distractors.general.travel import _railway as railway
from teller_gym.scenarios.distractors.general.travel._types import Place
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

FerryRoute = Literal["harborgate_gull_island", "lantern_bay_gull_island", "lantern_bay_cinder_point"]


class TrainConnection(Result):
    """The connection; without one, ``found`` is false and the rest empty."""

    found: bool
    minutes: int | None
    changes: int | None
    legs: list[railway.Leg]


@tool(category=Category.GENERAL_DISTRACTOR)
def find_train_connection(
    bank: Bank,
    from_station: Place,
    to_station: Place,
    depart_after: ClockTime,
    max_changes: Annotated[int, Meta(ge=0, le=3)] = 2,
    change_minutes: Annotated[int, Meta(ge=1, le=60)] = 5,
    weekend: bool = False,
    with_bicycle: bool = False,
) -> TrainConnection:
    """Find the connection that arrives first on the Teller Valley Railway, with the fewest changes among equals.

    Args:
        from_station: Where to start, such as Harborgate.
        to_station: Where to go, such as Snowdrop.
        depart_after: Earliest departure.
        max_changes: How often to change trains at most.
        change_minutes: Least time to change trains.
        weekend: Whether it is Saturday or Sunday, when the express rests.
        with_bicycle: Whether only trains that carry bicycles will do.
    """
    origin = shared.known_name(from_station, railway.stations(), "from_station")
    goal = shared.known_name(to_station, railway.stations(), "to_station")
    if origin == goal:
        raise invalid("to_station", f"expected another station than {origin}")
    trip = railway.first_to_arrive(origin, goal, depart_after, max_changes, change_minutes, weekend, with_bicycle)
    if trip is None:
        return TrainConnection(found=False, minutes=None, changes=None, legs=[])
    minutes = shared.minutes_of(trip[-1].arrives) - shared.minutes_of(trip[0].departs)
    return TrainConnection(found=True, minutes=minutes, changes=len(trip) - 1, legs=list(trip))


class FerrySailings(Result):
    """Sailings of the day that are still to come, earliest first."""

    season: Literal["summer", "winter"]
    departures: list[str]
    arrivals: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def list_ferry_sailings(bank: Bank, route: FerryRoute, day: date, depart_after: ClockTime = "00:00") -> FerrySailings:
    """List the sailings of a Teller Valley ferry on a day. May to September is summer; Sundays start later.

    Args:
        route: The crossing; ferries leave from both ends at the same times.
        day: The day of travel.
        depart_after: Earliest departure.
    """
    row = shared.table("travel")["ferries"][route]
    season: Literal["summer", "winter"] = "summer" if 5 <= day.month <= 9 else "winter"
    earliest = max(depart_after, row["sunday_first"]) if day.weekday() == shared.SUNDAY else depart_after
    departures = [time for time in row[season] if time >= earliest]
    arrivals = [shared.clock_of(shared.minutes_of(time) + row["minutes"]) for time in departures]
    return FerrySailings(season=season, departures=departures, arrivals=arrivals)
