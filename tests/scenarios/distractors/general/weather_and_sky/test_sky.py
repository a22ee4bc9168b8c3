"""Tests of weather_and_sky/sky: expected values worked out by hand, or anew in another way."""

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.weather_and_sky.values import refused


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
