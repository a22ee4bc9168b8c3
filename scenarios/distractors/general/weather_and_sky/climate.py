"""Climate, wind and dew."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.weather_and_sky import _sky_rules as sky
from teller_gym.scenarios.distractors.general.weather_and_sky._sky_rules import Degrees
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Town = Annotated[str, Meta(min_length=2, max_length=30)]


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
