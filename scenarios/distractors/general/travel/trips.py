"""Jet lag, and the order of sights."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude
from teller_gym.scenarios.distractors.general.travel import _travel_rules as rules
from teller_gym.scenarios.distractors.general.travel._types import Place
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Direction = Literal["east", "west"]
Zones = Annotated[int, Meta(ge=1, le=12)]
Nights = Annotated[int, Meta(ge=0, le=7)]


class JetLagPlan(Result):
    """Nights until the body keeps local time, and when it gets tired on each of them, in local time."""

    nights_to_adjust: int
    natural_bedtimes: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_jet_lag(
    bank: Bank,
    zones_crossed: Zones,
    direction: Direction,
    usual_bedtime: ClockTime = "23:00",
    nights_before: Nights = 0,
) -> JetLagPlan:
    """Estimate how many nights jet lag lasts, at 60 minutes a night after flying east and 90 after flying west.

    Args:
        zones_crossed: Hours between the two local times.
        direction: Which way the flight goes.
        usual_bedtime: When the traveller goes to bed at home.
        nights_before: Nights before the flight on which bedtime is already moved at that pace.
    """
    pace, way = (60, 1) if direction == "east" else (90, -1)
    nights = ceil((left := max(0, zones_crossed * 60 - nights_before * pace)) / pace)
    bedtimes = [
        shared.clock_of(shared.minutes_of(usual_bedtime) + way * (left - night * pace)) for night in range(nights)
    ]
    return JetLagPlan(nights_to_adjust=nights, natural_bedtimes=bedtimes)


class Itinerary(Result):
    """Kilometres as the crow flies and hours, with one decimal; ``leg_km`` follows the order."""

    order: list[str]
    leg_km: list[float]
    total_km: float
    hours_on_the_way: float


@tool(category=Category.GENERAL_DISTRACTOR)
def order_sightseeing_stops(
    bank: Bank,
    stops: Annotated[list[Place], Meta(min_length=2, max_length=15)],
    latitudes: Annotated[list[Latitude], Meta(max_length=15)],
    longitudes: Annotated[list[Longitude], Meta(max_length=15)],
    return_to_start: bool = False,
    speed_kmh: Annotated[float, Meta(ge=1, le=900)] = 50,
) -> Itinerary:
    """Put the stops of a round in order: from the first one always on to the nearest that is left.

    Args:
        stops: Names of the stops; the round begins at the first.
        latitudes: Degrees north of every stop, in the same order.
        longitudes: Degrees east of every stop, in the same order.
        return_to_start: Whether the round ends where it began.
        speed_kmh: Average speed in kilometres an hour.
    """
    for field, given in (("latitudes", latitudes), ("longitudes", longitudes)):
        if len(given) != len(stops):
            raise invalid(field, f"expected {len(stops)} numbers, one a stop, got {len(given)}")
    places = list(zip(latitudes, longitudes, strict=True))
    order = rules.nearest_first(places) + [0] * return_to_start
    legs = rules.leg_lengths(places, order)
    return Itinerary(
        order=[stops[index] for index in order],
        leg_km=[round(leg, 1) for leg in legs],
        total_km=round(sum(legs), 1),
        hours_on_the_way=round(sum(legs) / speed_kmh, 1),
    )
