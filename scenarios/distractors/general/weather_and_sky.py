"""Weather and sky: climate of towns, wind, dew, rain, sunburn, tides, snow on roofs, degree days and stars."""

from __future__ import annotations

from datetime import date
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general import _sky_rules as sky
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude
from teller_gym.scenarios.distractors.general._sky_rules import Degrees, Ground, Roof, SnowKind, Star
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Town = Annotated[str, Meta(min_length=2, max_length=30)]
GaugeName = Annotated[str, Meta(min_length=1, max_length=30)]


class MonthlyClimate(Result):
    """Means of the month; temperatures with one decimal. ``warmth_rank`` is 1 for the warmest month of the year."""

    mean_high: float
    mean_low: float
    rain_mm: int
    percent_of_yearly_rain: float
    warmth_rank: int


@tool(category=Category.GENERAL_DISTRACTOR)
def get_monthly_climate(bank: Bank, town: Town, month: sky.Month, unit: Degrees = "celsius") -> MonthlyClimate:
    """Look up the climate of a Teller Valley town in a month: mean high and low, rain, and its place in the year.

    Args:
        town: The town, such as Harborgate or Snowdrop.
        month: The month, 1 to 12.
        unit: Unit of the temperatures.
    """
    towns = shared.table("weather_and_sky")["towns"]
    row, index = towns[shared.known_name(town, towns, "town")], month - 1
    warmth = [high + low for high, low in zip(row["high"], row["low"], strict=True)]
    return MonthlyClimate(
        mean_high=sky.shown(row["high"][index], unit),
        mean_low=sky.shown(row["low"][index], unit),
        rain_mm=row["rain"][index],
        percent_of_yearly_rain=round(100 * row["rain"][index] / sum(row["rain"]), 1),
        warmth_rank=1 + sum(other > warmth[index] for other in warmth),
    )


class WindForce(Result):
    """Force of the Beaufort scale; speed with one decimal, probable wave height on the open sea in metres."""

    beaufort: int
    name: str
    metres_a_second: float
    wave_height_m: float


@tool(category=Category.GENERAL_DISTRACTOR)
def classify_wind_speed(bank: Bank, speed: sky.Speed, unit: Literal["m_s", "km_h", "mph", "knots"]) -> WindForce:
    """Tell the force of a wind on the Beaufort scale, its name, and how high waves get on the open sea.

    Args:
        speed: Mean speed of the wind.
        unit: Unit of the speed.
    """
    force, name, waves = sky.beaufort(metres := speed * sky.METRES_A_SECOND[unit])
    return WindForce(beaufort=force, name=name, metres_a_second=round(metres, 1), wave_height_m=waves)


class DewPoint(Result):
    """Dew point in the unit given and water in the air with one decimal; cloud base above ground in whole metres."""

    dew_point: float
    water_g_m3: float
    cloud_base_m: int
    feels: Literal["dry", "comfortable", "humid", "oppressive"]


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_dew_point(
    bank: Bank, temperature: sky.AirTemperature, relative_humidity_percent: sky.Humidity, unit: Degrees = "celsius"
) -> DewPoint:
    """Calculate the dew point of air, how much water it holds, about how high clouds form, and how it feels.

    Args:
        temperature: Air temperature, from -60 to 60 degrees Celsius.
        relative_humidity_percent: Relative humidity in percent.
        unit: Unit of the temperature and of the dew point.
    """
    celsius = temperature if unit == "celsius" else (temperature - 32) * 5 / 9
    if not -60 <= celsius <= 60:
        raise invalid("temperature", f"expected -60 to 60 degrees Celsius, got {celsius:.1f}; check the unit")
    dew = min(celsius, sky.dew_point_c(celsius, relative_humidity_percent))
    return DewPoint(
        dew_point=sky.shown(dew, unit),
        water_g_m3=round(sky.vapour_g_m3(celsius, relative_humidity_percent), 1),
        cloud_base_m=round(125 * (celsius - dew)),
        feels="dry" if dew < 10 else "comfortable" if dew < 16 else "humid" if dew < 21 else "oppressive",
    )


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


class StarSighting(Result):
    """Degrees with one decimal; azimuth is counted from north over east."""

    altitude: float
    azimuth: float
    highest_altitude: float
    course: Literal["rises_and_sets", "always_up", "never_up"]
    high_enough: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def find_star_position(
    bank: Bank,
    star: Star,
    latitude: Latitude,
    longitude: Longitude,
    day: date,
    utc_time: ClockTime,
    lowest_degrees: Annotated[float, Meta(ge=0, le=89)] = 10,
) -> StarSighting:
    """Tell where a bright star stands in the sky, how high it gets at that latitude, and whether it ever sets.
    Daylight, refraction and precession are left out.

    Args:
        star: The star.
        latitude: Degrees north of the place.
        longitude: Degrees east of the place.
        day: The day in UTC.
        utc_time: The time in UTC.
        lowest_degrees: From which altitude on the star can be seen over houses and haze.
    """
    place = sky.star_place(star, latitude, longitude, day, shared.minutes_of(utc_time))
    return StarSighting(
        altitude=shared.rounded(place.altitude, 1),
        azimuth=round(place.azimuth, 1) % 360,
        highest_altitude=shared.rounded(place.highest, 1),
        course="never_up" if place.highest <= 0 else "always_up" if place.lowest > 0 else "rises_and_sets",
        high_enough=round(place.altitude, 1) >= lowest_degrees,
    )


class SunAdvice(Result):
    """Index with one decimal; minutes are null if skin does not redden within a day."""

    effective_uv_index: float
    level: sky.UvLevel
    minutes_until_red: int | None
    safe: bool
    factor_needed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def advise_uv_protection(
    bank: Bank,
    uv_index: Annotated[float, Meta(ge=0, le=20)],
    skin_type: Annotated[int, Meta(ge=1, le=6)],
    minutes_outdoors: Annotated[int, Meta(ge=1, le=720)],
    sun_cream_factor: Annotated[int, Meta(ge=1, le=100)] = 1,
    ground: Ground = "grass",
    altitude_m: Annotated[float, Meta(ge=0, le=6000)] = 0,
    in_shade: bool = False,
) -> SunAdvice:
    """Estimate by a rule of thumb how soon skin reddens in the sun, and which sun cream a stay outdoors needs.

    Args:
        uv_index: UV index of the forecast, for sea level.
        skin_type: Fitzpatrick skin type, from 1 (very fair) to 6 (very dark).
        minutes_outdoors: How long to stay outdoors.
        sun_cream_factor: Protection factor of the cream; 1 for none.
        ground: What lies around and reflects.
        altitude_m: Height above the sea; 10 % more for every 1000 m.
        in_shade: Whether one stays in the shade, which halves the index.
    """
    index = uv_index * (1 + sky.REFLECTED[ground]) * (1 + altitude_m / 10_000) * (0.5 if in_shade else 1)
    covered = (bare := sky.minutes_until_red(index, skin_type)) * sun_cream_factor
    return SunAdvice(
        effective_uv_index=round(index, 1),
        level=sky.uv_level(index),
        minutes_until_red=None if covered > shared.DAY_MINUTES else int(covered),
        safe=covered >= minutes_outdoors,
        factor_needed=max(1, ceil(minutes_outdoors / bare)),
    )


class TideHeight(Result):
    """Height in metres with two decimals; share of the tide's range in percent with one."""

    height_m: float
    direction: Literal["rising", "falling"]
    percent_of_range: float
    minutes_left: int


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_tide_height(
    bank: Bank, from_time: ClockTime, from_height_m: sky.Tide, to_time: ClockTime, to_height_m: sky.Tide, at: ClockTime
) -> TideHeight:
    """Estimate the height of the tide between low and high water, or high and low, by the rule of twelfths.

    Args:
        from_time: Time of the low or high water before.
        from_height_m: Its height in metres.
        to_time: Time of the following high or low water, 4 to 9 hours later, if need be after midnight.
        to_height_m: Its height in metres.
        at: The time for which to tell the height, between the two.
    """
    start = shared.minutes_of(from_time)
    span, passed = ((shared.minutes_of(time) - start) % shared.DAY_MINUTES for time in (to_time, at))
    if not 240 <= span <= 540:
        raise invalid("to_time", f"expected 4 to 9 hours after {from_time}, got {to_time}")
    if passed > span:
        raise invalid("at", f"expected a time from {from_time} to {to_time}, got {at}")
    if from_height_m == to_height_m:
        raise invalid("to_height_m", f"expected another height than {from_height_m}, got the same")
    share = sky.tide_share(passed, span)
    return TideHeight(
        height_m=shared.rounded(from_height_m + share * (to_height_m - from_height_m), 2),
        direction="rising" if to_height_m > from_height_m else "falling",
        percent_of_range=round(100 * share, 1),
        minutes_left=span - passed,
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
