"""Transfers, running pace and fuel economy."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._numbers import clock, shown
from teller_gym.scenarios.distractors.general.units import _scales as scales
from teller_gym.scenarios.distractors.general.units._scales import Economy, FuelUnit, PaceUnit
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class TransferTime(Result):
    """How long a transfer takes; ``duration`` is the time in days and h:mm:ss, rounded up to a second."""

    seconds: float
    duration: str
    total_gigabytes: float
    effective_mbit_per_second: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_transfer_time(
    bank: Bank,
    file_size: Annotated[float, Meta(ge=0.001, le=1_000_000)],
    size_unit: Literal["kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"],
    link_speed: Annotated[float, Meta(ge=0.001, le=1_000_000)],
    speed_unit: Literal["kbit/s", "Mbit/s", "Gbit/s", "MB/s", "MiB/s"],
    file_count: Annotated[int, Meta(ge=1, le=1_000_000)] = 1,
    overhead_percent: Annotated[float, Meta(ge=0, le=200)] = 0,
    pause_per_file_s: Annotated[float, Meta(ge=0, le=3600)] = 0,
    parallel_links: Annotated[int, Meta(ge=1, le=64)] = 1,
) -> TransferTime:
    """Estimate how long files take over a network. Whole files are shared out over the links; numbers are rounded to
    six significant figures.

    Args:
        file_size: Size of one file.
        size_unit: Its unit; kB is 1000 bytes, KiB 1024.
        link_speed: Speed of one link.
        speed_unit: Its unit, in bits or bytes a second.
        file_count: How many files of that size are sent.
        overhead_percent: What the protocol adds to the data, in percent.
        pause_per_file_s: Seconds lost at each file.
        parallel_links: How many links send at the same time, each at the full speed.
    """
    size = file_size * scales.BYTES[size_unit]
    one_file = 8 * size * (1 + overhead_percent / 100) / (link_speed * scales.BITS_PER_SECOND[speed_unit])
    seconds = -(-file_count // parallel_links) * (one_file + pause_per_file_s)
    whole = ceil(shown(seconds, 12))
    return TransferTime(
        seconds=shown(seconds),
        duration=f"{whole // 86_400} d {clock(whole % 86_400)}",
        total_gigabytes=shown(size * file_count / 10**9),
        effective_mbit_per_second=shown(8 * size * file_count / seconds / 10**6),
    )


class ConvertedPace(Result):
    """The speed or pace in the new unit; ``finish_time`` is h:mm:ss for the distance, if one was given."""

    value: float
    finish_time: str | None


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_running_pace(
    bank: Bank,
    value: Annotated[float, Meta(ge=0.1, le=1000)],
    from_unit: PaceUnit,
    to_unit: PaceUnit,
    distance: Annotated[float, Meta(ge=0.1, le=1000)] | None = None,
    distance_unit: Literal["km", "miles"] = "km",
) -> ConvertedPace:
    """Convert between speed and pace, and work out the finish time over a distance. Rounded to six significant figures
    and to whole seconds.

    Args:
        value: The speed, or the pace in minutes (5.5 is five minutes and a half).
        from_unit: What the value is.
        to_unit: What is wanted.
        distance: A distance to cover at this speed.
        distance_unit: Unit of the distance.
    """
    speed = value * scales.SPEEDS[from_unit] if from_unit in scales.SPEEDS else scales.PACES[from_unit] / (60 * value)
    converted = speed / scales.SPEEDS[to_unit] if to_unit in scales.SPEEDS else scales.PACES[to_unit] / (60 * speed)
    seconds = None if distance is None else 1000 * distance * scales.KM[distance_unit] / speed
    return ConvertedPace(value=shown(converted), finish_time=None if seconds is None else clock(seconds))


class FuelComparison(Result):
    """Fuel that two vehicles burn over the distance, in the volume unit asked for."""

    fuel_a: float
    fuel_b: float
    fuel_saved: float
    thriftier: Literal["a", "b", "equal"]


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_fuel_economy(
    bank: Bank,
    economy_a: Economy,
    unit_a: FuelUnit,
    economy_b: Economy,
    unit_b: FuelUnit,
    distance: Annotated[float, Meta(ge=0.1, le=1_000_000)],
    distance_unit: Literal["km", "miles"],
    volume_unit: Literal["litre", "us_gallon", "imperial_gallon"] = "litre",
) -> FuelComparison:
    """Compare the fuel two vehicles burn over a distance, whatever unit their economy is stated in; rounded to four
    significant figures.

    Args:
        economy_a: Fuel economy of the first vehicle.
        unit_a: Its unit.
        economy_b: Fuel economy of the second vehicle.
        unit_b: Its unit.
        distance: Distance driven.
        distance_unit: Unit of the distance.
        volume_unit: Unit in which the fuel is reported.
    """
    km = distance * scales.KM[distance_unit]
    litres = [
        km * economy / 100 if unit == "litres_per_100_km" else km / (economy * scales.KM_PER_LITRE[unit])
        for economy, unit in ((economy_a, unit_a), (economy_b, unit_b))
    ]
    a, b = (shown(volume / scales.LITRES[volume_unit], 4) for volume in litres)
    thriftier: Literal["a", "b", "equal"] = "equal" if a == b else "a" if a < b else "b"
    return FuelComparison(fuel_a=a, fuel_b=b, fuel_saved=shown(abs(a - b), 4), thriftier=thriftier)
