"""Fuel and tolls of a drive."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.travel import _travel_rules as rules
from teller_gym.scenarios.distractors.general.travel._types import Place
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Litres = Annotated[float, Meta(ge=0, le=1500)]


class FuelPlan(Result):
    """Litres and dollars have two decimals, kilometres one; the first stop is null if none is needed."""

    litres_needed: float
    fuel_stops: int
    first_stop_after_km: float | None
    fuel_cost: float
    litres_left: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_trip_fuel(
    bank: Bank,
    distance_km: Annotated[float, Meta(ge=0.1, le=20_000)],
    litres_per_100_km: Annotated[float, Meta(ge=1, le=60)],
    tank_litres: Annotated[float, Meta(ge=5, le=1500)],
    start_litres: Litres,
    price_per_litre: Annotated[float, Meta(ge=0, le=20)],
    reserve_litres: Litres = 5,
    roof_load: Literal["none", "bicycles", "roof_box"] = "none",
    air_conditioning: bool = False,
) -> FuelPlan:
    """Plan fuel stops of a drive: how much it burns, how often to fill up, where first, and what it costs.
    The tank is filled up at every stop but the last, where only what is missing is bought.

    Args:
        distance_km: Length of the drive in kilometres.
        litres_per_100_km: Consumption with an empty roof.
        tank_litres: What the tank holds.
        start_litres: What is in it at the start.
        price_per_litre: Price of a litre in dollars.
        reserve_litres: What must always stay in the tank.
        roof_load: Bicycles on the roof cost 10 % more fuel, a roof box 18 %.
        air_conditioning: Whether it runs; 5 % more.
    """
    if start_litres > tank_litres:
        raise invalid("start_litres", f"expected at most the tank's {tank_litres} litres, got {start_litres}")
    if reserve_litres > (most := min(tank_litres / 2, start_litres)):
        raise invalid(
            "reserve_litres", f"expected at most {most}, half the tank or what is in it, got {reserve_litres}"
        )
    per_km = litres_per_100_km / 100 * (1 + (rules.ROOF_LOADS[roof_load] + 5 * air_conditioning) / 100)
    needed, usable = distance_km * per_km, start_litres - reserve_litres
    stops = max(0, ceil(round((needed - usable) / (tank_litres - reserve_litres), 9)))
    return FuelPlan(
        litres_needed=round(needed, 2),
        fuel_stops=stops,
        first_stop_after_km=round(usable / per_km, 1) if stops else None,
        fuel_cost=round(needed * price_per_litre, 2),
        litres_left=round(reserve_litres if stops else start_litres - needed, 2),
    )


class TollEstimate(Result):
    """Dollars with two decimals."""

    toll: float
    kilometres: int
    crosses_bridge: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_road_toll(
    bank: Bank,
    entry: Place,
    leave_at: Place,
    vehicle: Literal["motorcycle", "car", "van", "bus", "truck"],
    axles: Annotated[int, Meta(ge=2, le=9)] = 2,
    at_night: bool = False,
    toll_tag: bool = False,
) -> TollEstimate:
    """Estimate the toll on the Valley Turnpike: by kilometre and vehicle, with a bridge at Otterford.

    Args:
        entry: Exit at which the turnpike is entered, such as Harborgate.
        leave_at: Exit at which it is left.
        vehicle: Kind of vehicle.
        axles: Axles with any trailer; each above two costs more.
        at_night: Whether the night tariff holds.
        toll_tag: Whether the toll is paid by tag, which is cheaper; the bridge is not reduced.
    """
    exits: dict[str, int] = shared.table("travel")["tolls"]["exits"]
    start = exits[shared.known_name(entry, exits, "entry")]
    end = exits[shared.known_name(leave_at, exits, "leave_at")]
    if start == end:
        raise invalid("leave_at", f"expected another exit than {entry}")
    if vehicle == "motorcycle" and axles > 3:
        raise invalid("axles", f"expected 2 or 3 for a motorcycle, got {axles}")
    cents, bridge = rules.toll_cents((start, end), vehicle, axles, at_night, toll_tag)
    return TollEstimate(toll=cents / 100, kilometres=abs(end - start), crosses_bridge=bridge)
