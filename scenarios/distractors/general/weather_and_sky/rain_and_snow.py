"""Rain, snow and degree days."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.weather_and_sky import _sky_rules as sky
from teller_gym.scenarios.distractors.general.weather_and_sky._sky_rules import Roof, SnowKind
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

GaugeName = Annotated[str, Meta(min_length=1, max_length=30)]


class GaugeReading(Result):
    """The reading as it was logged; the month's total has one decimal."""

    reading_id: str
    rain_mm: float
    month_total_mm: float
    replaced: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def log_rain_gauge(
    bank: Bank, gauge: GaugeName, day: date, depth_mm: sky.Millimetres, kind: Literal["rain", "fresh_snow"] = "rain"
) -> GaugeReading:
    """Log what a rain gauge held on a day, and sum up its month so far. A second reading of a day replaces the first.

    Args:
        gauge: Name of the gauge, such as roof garden.
        day: The day of the reading, today at the latest.
        depth_mm: Depth in millimetres.
        kind: Rain or melted snow, or fresh snow, of which a tenth counts as rain.
    """
    name = shared.clean_name(gauge, "gauge")
    if day > bank.today:
        raise invalid("day", f"expected {bank.today} or earlier, got {day}")
    rain = round(depth_mm * (1.0 if kind == "rain" else 0.1), 1)
    key = bank.reference("RAIN", shared.folded(name), day.isoformat())
    replaced = bank.get(sky.GAUGES, key) is not None
    bank.put(sky.GAUGES, key, {"owner": "misc", "gauge": name, "day": day.isoformat(), "rain_mm": rain})
    month = sky.logged_mm(bank.rows(sky.GAUGES), name, day.replace(day=1), day)
    return GaugeReading(reading_id=key, rain_mm=rain, month_total_mm=round(sum(month), 1), replaced=replaced)


class RoofRain(Result):
    """Whole litres; the tank's filling in percent with one decimal."""

    rain_mm: float
    collected_litres: int
    overflow_litres: int
    tank_litres_after: int
    tank_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_roof_rain(
    bank: Bank,
    roof_area_m2: Annotated[float, Meta(ge=1, le=100_000)],
    roof: Roof,
    tank_litres: Annotated[float, Meta(ge=1, le=1_000_000)],
    tank_filled_litres: sky.Litres = 0,
    rain_mm: sky.Millimetres | None = None,
    gauge: GaugeName | None = None,
    since: date | None = None,
    first_flush_mm: Annotated[float, Meta(ge=0, le=10)] = 0,
) -> RoofRain:
    """Estimate the rain that a roof collects into a tank, from a depth of rain or from the log of a rain gauge.

    Args:
        roof_area_m2: Area of the roof as seen from above, in square metres.
        roof: Kind of roof; metal sheds nearly all rain, a green roof keeps most of it.
        tank_litres: What the tank holds.
        tank_filled_litres: What is in it already.
        rain_mm: Depth of rain in millimetres; leave out to take a gauge.
        gauge: Name of a logged rain gauge; leave out if the depth is given.
        since: First day of the gauge's log to count; all of it if left out.
        first_flush_mm: Rain that washes the roof first and is let go, in millimetres.
    """
    if tank_filled_litres > tank_litres:
        raise invalid("tank_filled_litres", f"expected at most the tank's {tank_litres}, got {tank_filled_litres}")
    if (rain_mm is None) == (gauge is None) or (since is not None and gauge is None):
        raise invalid("rain_mm", "expected either rain_mm, or a gauge with or without since; leave the others out")
    readings = [rain_mm or 0.0]
    if gauge is not None:
        readings = sky.logged_mm(bank.rows(sky.GAUGES), gauge, since or date.min, bank.today)
        if not readings:
            raise invalid("gauge", f"expected a gauge with readings since then, got {gauge!r}; log one first")
    water = max(0.0, sum(readings) - first_flush_mm) * roof_area_m2 * sky.RUNOFF[roof]
    after = min(tank_litres, tank_filled_litres + water)
    return RoofRain(
        rain_mm=round(sum(readings), 1),
        collected_litres=round(water),
        overflow_litres=round(tank_filled_litres + water - after),
        tank_litres_after=round(after),
        tank_percent=round(100 * after / tank_litres, 1),
    )


class SnowLoad(Result):
    """Kilograms a square metre and percent with one decimal, kilograms in all in whole numbers."""

    load_kg_m2: float
    total_kg: int
    percent_of_rated: float
    advice: Literal["fine", "watch", "clear_the_roof"]


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_snow_load(
    bank: Bank,
    ground_depth_cm: Annotated[float, Meta(ge=0, le=500)],
    snow: SnowKind,
    roof_area_m2: Annotated[float, Meta(ge=1, le=100_000)],
    roof_slope_degrees: Annotated[float, Meta(ge=0, le=85)],
    rated_load_kg_m2: Annotated[float, Meta(ge=10, le=2000)],
    snow_guards: bool = False,
    rain_on_snow_mm: Annotated[float, Meta(ge=0, le=100)] = 0,
) -> SnowLoad:
    """Estimate the weight of snow on a roof from its depth on the ground, and compare it with what the roof can bear.

    Args:
        ground_depth_cm: Depth of snow on the ground in centimetres.
        snow: Kind of snow; a cubic metre weighs 100 kg fresh, 200 settled, 400 wet, and 900 as ice.
        roof_area_m2: Area of the roof as seen from above.
        roof_slope_degrees: Slope of the roof; above 30 degrees snow begins to slide off.
        rated_load_kg_m2: What the roof can bear a square metre.
        snow_guards: Whether snow is kept from sliding off.
        rain_on_snow_mm: Rain that soaked into the snow, in millimetres.
    """
    if rain_on_snow_mm and not ground_depth_cm:
        raise invalid("rain_on_snow_mm", "expected 0 without snow on the ground; give the depth of the snow")
    share = sky.roof_share(roof_slope_degrees, snow_guards)
    load = share * (ground_depth_cm / 100 * sky.SNOW_KG_M3[snow] + rain_on_snow_mm)
    percent = 100 * load / rated_load_kg_m2
    return SnowLoad(
        load_kg_m2=round(load, 1),
        total_kg=round(load * roof_area_m2),
        percent_of_rated=round(percent, 1),
        advice="fine" if percent < 70 else "watch" if percent < 100 else "clear_the_roof",
    )


class DegreeDays(Result):
    """All with one decimal; ``largest_day`` is the number of the day with most, the first among equals."""

    degree_days: float
    mean_temperature_c: float
    days_above_zero: int
    largest_day: int


@tool(category=Category.GENERAL_DISTRACTOR)
def sum_degree_days(
    bank: Bank,
    daily_highs_c: Annotated[list[sky.DayCelsius], Meta(min_length=1, max_length=50)],
    daily_lows_c: Annotated[list[sky.DayCelsius], Meta(min_length=1, max_length=50)],
    kind: Literal["heating", "cooling", "growing"],
    base_c: Annotated[float, Meta(ge=-10, le=40)],
    upper_limit_c: Annotated[float, Meta(ge=0, le=60)] | None = None,
) -> DegreeDays:
    """Sum up heating, cooling or growing degree days from daily highs and lows in degrees Celsius, to one decimal.

    Args:
        daily_highs_c: Highest temperature of every day.
        daily_lows_c: Lowest temperature of every day, in the same order.
        kind: Degrees below the base (heating) or above it (cooling, growing).
        base_c: Base temperature, such as 18 for heating and 10 for growing.
        upper_limit_c: Highs above it count as this much; for growing only.
    """
    if len(daily_highs_c) != len(daily_lows_c):
        raise invalid("daily_lows_c", f"expected {len(daily_highs_c)} numbers, one a day, got {len(daily_lows_c)}")
    if upper_limit_c is not None and (kind != "growing" or upper_limit_c <= base_c):
        raise invalid("upper_limit_c", "expected a limit above the base, for growing degree days; else leave it out")
    days = list(zip(daily_highs_c, daily_lows_c, strict=True))
    if any(low > high for high, low in days):
        raise invalid("daily_lows_c", "expected no low above the high of its day; check the order")
    counted = sky.degree_days(days, kind, base_c, 100 if upper_limit_c is None else upper_limit_c)
    return DegreeDays(
        degree_days=round(sum(counted), 1),
        mean_temperature_c=shared.rounded(sum(map(sum, days)) / len(days) / 2, 1),
        days_above_zero=sum(count > 0 for count in counted),
        largest_day=counted.index(max(counted)) + 1,
    )
