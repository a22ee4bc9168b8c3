"""Energy of lifts and devices."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Floor = Annotated[int, Meta(ge=-3, le=40)]
Seconds = Annotated[float, Meta(ge=0, le=600)]
Watts = Annotated[float, Meta(ge=0, le=5000)]


class StairsOrLift(Result):
    """Seconds with one decimal; ``lift_from_floors``: from how many floors on the lift is quicker, null if never."""

    stairs_seconds: float
    lift_seconds: float
    quicker: Literal["stairs", "lift", "same"]
    lift_from_floors: int | None


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_stairs_and_lift(
    bank: Bank,
    from_floor: Floor,
    to_floor: Floor,
    lift_wait_seconds: Seconds,
    lift_seconds_per_floor: Seconds = 2,
    stops_on_the_way: Annotated[int, Meta(ge=0, le=42)] = 0,
    seconds_per_stop: Seconds = 12,
    stair_seconds_per_floor: Annotated[float, Meta(ge=1, le=600)] = 16,
) -> StairsOrLift:
    """Compare how long the stairs and the lift take between two floors; stairs down take three quarters of the time.

    Args:
        from_floor: Floor from which to go; the ground floor is 0.
        to_floor: Floor to which to go.
        lift_wait_seconds: How long the lift takes to come.
        lift_seconds_per_floor: Travel time of the lift a floor.
        stops_on_the_way: How often it stops in between.
        seconds_per_stop: How long a stop takes.
        stair_seconds_per_floor: How long a floor takes upstairs.
    """
    floors = abs(to_floor - from_floor)
    if stops_on_the_way > max(0, floors - 1):
        expected = f"expected at most one at each of {max(0, floors - 1)} floors in between"
        raise invalid("stops_on_the_way", f"{expected}, got {stops_on_the_way}")
    stair = stair_seconds_per_floor * (0.75 if to_floor < from_floor else 1)
    fixed = lift_wait_seconds + stops_on_the_way * seconds_per_stop
    stairs, lift = round(floors * stair, 1), round(fixed + floors * lift_seconds_per_floor, 1)
    gain = stair - lift_seconds_per_floor
    return StairsOrLift(
        stairs_seconds=stairs,
        lift_seconds=lift,
        quicker="same" if stairs == lift else "stairs" if stairs < lift else "lift",
        lift_from_floors=int(fixed / gain) + 1 if gain > 1e-6 else None,
    )


class DeviceEnergy(Result):
    """Energy in kWh with two decimals; standby's share in percent with one."""

    active_kwh: float
    standby_kwh: float
    total_kwh: float
    standby_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_device_energy(
    bank: Bank,
    devices: Annotated[int, Meta(ge=1, le=10_000)],
    active_watts: Watts,
    standby_watts: Watts,
    active_hours_a_day: Annotated[float, Meta(ge=0, le=24)],
    days_a_week: Annotated[int, Meta(ge=1, le=7)] = 5,
    weeks: Annotated[int, Meta(ge=1, le=520)] = 52,
    switched_off: bool = False,
) -> DeviceEnergy:
    """Estimate the electricity that office devices use, active and on standby.

    Args:
        devices: How many devices.
        active_watts: Power of one in use.
        standby_watts: Power of one on standby, at most active_watts.
        active_hours_a_day: Hours in use on a day of use.
        days_a_week: Days of use a week.
        weeks: How many weeks.
        switched_off: Whether they are cut off from the mains when not in use.
    """
    if standby_watts > active_watts:
        raise invalid("standby_watts", f"expected at most active_watts, {active_watts}, got {standby_watts}")
    hours = active_hours_a_day * days_a_week * weeks
    active = devices * active_watts * hours / 1000
    standby = 0 if switched_off else devices * standby_watts * (168 * weeks - hours) / 1000
    total = active + standby
    return DeviceEnergy(
        active_kwh=round(active, 2),
        standby_kwh=round(standby, 2),
        total_kwh=round(total, 2),
        standby_percent=round(100 * standby / total, 1) if total else 0.0,
    )
