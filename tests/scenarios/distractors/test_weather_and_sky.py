"""Weather and sky; expected values from tables, by hand, or by another formula."""

from datetime import date
from math import log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call, empty_bank


def refused(name: str, field: str, /, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message


def test_climate_by_hand() -> None:
    # Harborgate has 818 mm a year, 80 in January; January and February share the last rank.
    assert call("get_monthly_climate", town="harborgate", month=1, unit="fahrenheit") == {
        "mean_high": 46.4,
        "mean_low": 32,
        "rain_mm": 80,
        "percent_of_yearly_rain": 9.8,
        "warmth_rank": 11,
    }
    assert "Snowdrop" in refused("get_monthly_climate", "town", town="Atlantis", month=1)


def test_every_town_has_a_whole_year() -> None:
    names = refused("get_monthly_climate", "town", town="?!", month=1).partition("known are ")[2].split(", ")
    assert len(names) == 15
    for town in names:
        months = [call("get_monthly_climate", town=town, month=month) for month in range(1, 13)]
        assert abs(sum(month["percent_of_yearly_rain"] for month in months) - 100) < 0.7
        assert min(month["warmth_rank"] for month in months) == 1
        assert all(month["mean_low"] < month["mean_high"] for month in months)


@pytest.mark.parametrize(
    ("speed", "unit", "force", "name"),
    [
        (0.2, "m_s", 0, "calm"),
        (0.3, "m_s", 1, "light air"),
        (50, "km_h", 7, "near gale"),
        (10, "knots", 3, "gentle breeze"),
        (64, "knots", 12, "hurricane force"),
        (63, "knots", 11, "violent storm"),
    ],
)
def test_winds(speed: float, unit: str, force: int, name: str) -> None:
    found = call("classify_wind_speed", speed=speed, unit=unit)
    assert (found["beaufort"], found["name"]) == (force, name)


@given(st.floats(0, 60), st.floats(0, 60))
def test_more_wind_is_no_lower_force(one: float, other: float) -> None:
    weak, strong = (call("classify_wind_speed", speed=speed, unit="m_s") for speed in sorted((one, other)))
    assert 0 <= weak["beaufort"] <= strong["beaufort"] <= 12
    assert weak["wave_height_m"] <= strong["wave_height_m"]
    refused("classify_wind_speed", "speed", speed=-1, unit="m_s")


def test_dew_points_by_hand() -> None:
    # Air of 20 degrees holds 17.3 g a cubic metre when it is full.
    assert call("calculate_dew_point", temperature=20, relative_humidity_percent=50) == {
        "dew_point": 9.3,
        "water_g_m3": 8.6,
        "cloud_base_m": 1343,
        "feels": "dry",
    }
    warm = call("calculate_dew_point", temperature=86, relative_humidity_percent=80, unit="fahrenheit")
    assert (warm["dew_point"], warm["feels"]) == (79.1, "oppressive")
    refused("calculate_dew_point", "temperature", temperature=61, relative_humidity_percent=50)


@given(st.floats(-60, 60), st.floats(1, 100), st.floats(1, 100))
def test_damper_air_has_a_higher_dew_point(temperature: float, one: float, other: float) -> None:
    dry, damp = (
        call("calculate_dew_point", temperature=temperature, relative_humidity_percent=humidity)
        for humidity in sorted((one, other))
    )
    assert dry["dew_point"] <= damp["dew_point"] <= round(temperature, 1)
    assert dry["cloud_base_m"] >= damp["cloud_base_m"] >= 0
    # Another way: relative humidity is the ratio of saturation pressures at dew point and temperature.
    dew, air = (17.62 * value / (243.12 + value) for value in (damp["dew_point"], temperature))
    assert abs(dew - air - log(max(one, other) / 100)) < 0.01


def test_a_rain_gauge_feeds_the_roof() -> None:
    bank = empty_bank()  # on 2026-03-04
    first = call("log_rain_gauge", bank, gauge="Roof  garden", day="2026-02-28", depth_mm=4)
    assert first["month_total_mm"] == 4
    call("log_rain_gauge", bank, gauge="roof garden", day="2026-03-01", depth_mm=60, kind="fresh_snow")
    again = call("log_rain_gauge", bank, gauge="roof garden", day="2026-03-01", depth_mm=6)
    assert (again["rain_mm"], again["month_total_mm"], again["replaced"]) == (6, 6, True)
    call("log_rain_gauge", bank, gauge="yard", day="2026-03-02", depth_mm=50)
    roof: dict[str, Any] = {"roof_area_m2": 100, "roof": "metal", "tank_litres": 1000, "gauge": "Roof garden"}
    assert call("estimate_roof_rain", bank, **roof, first_flush_mm=1, tank_filled_litres=300) == {
        "rain_mm": 10,
        "collected_litres": 855,
        "overflow_litres": 155,
        "tank_litres_after": 1000,
        "tank_percent": 100,
    }
    assert call("estimate_roof_rain", bank, **roof, since="2026-03-01")["collected_litres"] == 570
    with pytest.raises(ToolError, match="log one first"):
        call("estimate_roof_rain", bank, **roof, since="2026-03-02")
    assert {record["owner"] for _, record in bank.rows("misc_rain_gauges")} == {"misc"}


def test_rain_that_cannot_be() -> None:
    refused("log_rain_gauge", "day", gauge="yard", day="2026-03-05", depth_mm=1)
    refused("log_rain_gauge", "gauge", gauge="  ", day="2026-03-04", depth_mm=1)
    roof: dict[str, Any] = {"roof_area_m2": 100, "roof": "tiles", "tank_litres": 1000}
    refused("estimate_roof_rain", "rain_mm", **roof)
    refused("estimate_roof_rain", "rain_mm", **roof, rain_mm=1, gauge="yard")
    refused("estimate_roof_rain", "rain_mm", **roof, rain_mm=1, since="2026-03-01")
    refused("estimate_roof_rain", "tank_filled_litres", **roof, rain_mm=1, tank_filled_litres=1001)


@given(st.floats(0, 500), st.floats(1, 500), st.floats(0, 1), st.sampled_from(["metal", "tiles", "gravel", "green"]))
def test_no_water_is_lost(rain: float, area: float, filled: float, roof: str) -> None:
    before = filled * 5000
    asked: dict[str, Any] = {
        "roof_area_m2": area,
        "roof": roof,
        "tank_litres": 5000,
        "tank_filled_litres": before,
        "rain_mm": rain,
    }
    found = call("estimate_roof_rain", **asked)
    kept = found["tank_litres_after"] + found["overflow_litres"]
    assert abs(before + found["collected_litres"] - kept) <= 1.5
    assert found["collected_litres"] <= rain * area + 0.5
    assert 0 <= found["tank_percent"] <= 100


def star(name: str, latitude: float, longitude: float, day: str = "2000-01-01", time: str = "12:00") -> dict[str, Any]:
    return call("find_star_position", star=name, latitude=latitude, longitude=longitude, day=day, utc_time=time)


def test_stars_where_they_must_stand() -> None:
    # Sidereal time at Greenwich was 18.697 hours then, 0.081 hours after Vega's culmination.
    vega = star("Vega", 38.784, 0)
    assert abs(vega["altitude"] - 89.05) < 0.1
    assert vega["highest_altitude"] == 90
    polaris = star("Polaris", 50, 10)
    assert abs(polaris["altitude"] - 50) < 0.8
    assert (polaris["course"], polaris["high_enough"]) == ("always_up", True)
    assert min(polaris["azimuth"], 360 - polaris["azimuth"]) < 1.5
    assert star("Acrux", 51.5, 0)["course"] == "never_up"
    assert star("Sirius", 51.5, 0)["highest_altitude"] == 21.8
    # At a star's culmination in the south, seen from the north: Sirius (6.752 h) 11.945 sidereal hours later.
    sirius = star("Sirius", 51.5, 0, time="23:59")
    assert abs(sirius["altitude"] - 21.8) < 0.2
    assert 178 < sirius["azimuth"] < 184
    refused("find_star_position", "star", star="Sol", latitude=0, longitude=0, day="2000-01-01", utc_time="00:00")


STARS = st.sampled_from(["Achernar", "Altair", "Capella", "Deneb", "Rigel"])


@given(STARS, st.floats(-90, 90), st.floats(-180, 180), st.dates(), st.times())
def test_stars_stay_within_their_bounds(name: str, latitude: float, longitude: float, day: date, time: Any) -> None:
    found = star(name, latitude, longitude, f"{day}", f"{time:%H:%M}")
    assert -90 <= found["altitude"] <= found["highest_altitude"] + 0.1
    assert 0 <= found["azimuth"] < 360
    assert found["course"] != "never_up" or found["altitude"] <= 0.1
    assert found["course"] != "always_up" or found["altitude"] >= -0.1


def test_sunburn_by_hand() -> None:
    # 250 J of type 2 at 6 x 1.03 x 25 mW: 1618 seconds.
    asked: dict[str, Any] = {"uv_index": 6, "skin_type": 2, "minutes_outdoors": 60}
    assert call("advise_uv_protection", **asked) == {
        "effective_uv_index": 6.2,
        "level": "high",
        "minutes_until_red": 26,
        "safe": False,
        "factor_needed": 3,
    }
    snow = call("advise_uv_protection", **asked, ground="snow", altitude_m=3000)
    assert (snow["effective_uv_index"], snow["level"]) == (14.0, "extreme")
    assert call("advise_uv_protection", **asked, sun_cream_factor=3)["safe"]
    night = call("advise_uv_protection", **asked | {"uv_index": 0})
    assert (night["minutes_until_red"], night["factor_needed"]) == (None, 1)
    refused("advise_uv_protection", "skin_type", **asked | {"skin_type": 7})


@given(st.floats(0.1, 20), st.integers(1, 6), st.integers(1, 720), st.booleans())
def test_the_factor_needed_is_enough(index: float, skin: int, minutes: int, shade: bool) -> None:
    asked: dict[str, Any] = {"uv_index": index, "skin_type": skin, "minutes_outdoors": minutes, "in_shade": shade}
    factor = call("advise_uv_protection", **asked)["factor_needed"]
    if factor <= 100:
        assert call("advise_uv_protection", **asked, sun_cream_factor=factor)["safe"]
    if 1 < factor <= 101:
        assert not call("advise_uv_protection", **asked, sun_cream_factor=factor - 1)["safe"]


TIDE: dict[str, Any] = {"from_time": "22:00", "from_height_m": 0, "to_time": "04:00", "to_height_m": 12}


def test_twelfths_by_hand() -> None:
    heights = [call("estimate_tide_height", **TIDE, at=f"{hour:02}:00")["height_m"] for hour in (22, 23, 0, 1, 2, 3, 4)]
    assert heights == [0, 1, 3, 6, 9, 11, 12]
    half = call("estimate_tide_height", **TIDE, at="02:30")
    assert half == {"height_m": 10, "direction": "rising", "percent_of_range": 83.3, "minutes_left": 90}
    refused("estimate_tide_height", "at", **TIDE, at="04:01")
    refused("estimate_tide_height", "to_time", **TIDE | {"to_time": "01:59"}, at="22:00")
    refused("estimate_tide_height", "to_height_m", **TIDE | {"to_height_m": 0}, at="22:00")


@given(st.floats(-5, 20), st.floats(-5, 20), st.integers(0, 23 * 60), st.integers(240, 540), st.integers(0, 240))
def test_tides_stay_between_low_and_high(one: float, other: float, start: int, span: int, passed: int) -> None:
    def clock(minute: int) -> str:
        return f"{minute // 60 % 24:02}:{minute % 60:02}"

    if one == other:
        return
    asked: dict[str, Any] = {"from_time": clock(start), "to_time": clock(start + span), "at": clock(start + passed)}
    found = call("estimate_tide_height", **asked, from_height_m=one, to_height_m=other)
    back = call("estimate_tide_height", **asked, from_height_m=other, to_height_m=one)
    assert round(min(one, other), 2) <= found["height_m"] <= round(max(one, other), 2)
    assert abs(found["height_m"] + back["height_m"] - one - other) < 0.011
    assert {found["direction"], back["direction"]} == {"rising", "falling"}


ROOF: dict[str, Any] = {
    "ground_depth_cm": 50,
    "snow": "settled",
    "roof_area_m2": 40,
    "roof_slope_degrees": 30,
    "rated_load_kg_m2": 100,
}


def test_snow_by_hand() -> None:
    assert call("estimate_snow_load", **ROOF) == {
        "load_kg_m2": 80,
        "total_kg": 3200,
        "percent_of_rated": 80,
        "advice": "watch",
    }
    assert call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 45})["load_kg_m2"] == 40
    assert call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 60})["advice"] == "fine"
    guarded = call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 60}, snow_guards=True, rain_on_snow_mm=25)
    assert (guarded["load_kg_m2"], guarded["advice"]) == (100, "clear_the_roof")
    refused("estimate_snow_load", "rain_on_snow_mm", **ROOF | {"ground_depth_cm": 0}, rain_on_snow_mm=1)


@given(st.floats(0, 500), st.floats(0, 85), st.floats(0, 85))
def test_a_steeper_roof_carries_no_more(depth: float, one: float, other: float) -> None:
    flat, steep = (
        call("estimate_snow_load", **ROOF | {"ground_depth_cm": depth, "roof_slope_degrees": slope})["load_kg_m2"]
        for slope in sorted((one, other))
    )
    assert depth * 2 * 0.8 + 0.1 >= flat >= steep >= 0


DAYS: dict[str, Any] = {"daily_highs_c": [12, 20, 34], "daily_lows_c": [2, 10, 20]}


def test_degree_days_by_hand() -> None:
    # Means are 7, 15 and 27.
    assert call("sum_degree_days", **DAYS, kind="heating", base_c=18) == {
        "degree_days": 14,
        "mean_temperature_c": 16.3,
        "days_above_zero": 2,
        "largest_day": 1,
    }
    assert call("sum_degree_days", **DAYS, kind="cooling", base_c=18)["degree_days"] == 9
    assert call("sum_degree_days", **DAYS, kind="growing", base_c=10, upper_limit_c=30)["degree_days"] == 20
    refused("sum_degree_days", "daily_lows_c", **DAYS | {"daily_lows_c": [1]}, kind="heating", base_c=18)
    refused("sum_degree_days", "daily_lows_c", **DAYS | {"daily_lows_c": [13, 1, 1]}, kind="heating", base_c=18)
    refused("sum_degree_days", "upper_limit_c", **DAYS, kind="cooling", base_c=18, upper_limit_c=30)


TEMPERATURES = st.tuples(st.floats(-60, 60), st.floats(-60, 60))


@given(st.lists(TEMPERATURES, min_size=1, max_size=20), st.floats(-10, 40))
def test_heating_and_cooling_differ_by_the_means(days: list[tuple[float, float]], base: float) -> None:
    asked: dict[str, Any] = {
        "daily_highs_c": [max(day) for day in days],
        "daily_lows_c": [min(day) for day in days],
        "base_c": base,
    }
    heating, cooling = (call("sum_degree_days", **asked, kind=kind)["degree_days"] for kind in ("heating", "cooling"))
    assert heating >= 0
    assert cooling >= 0
    assert abs(cooling - heating - sum(sum(day) / 2 - base for day in days)) < 0.2
