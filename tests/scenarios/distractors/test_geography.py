"""Geography; expected values from atlases, by hand, or by another formula."""

from math import acos, cos, degrees, radians, sin
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call

LATITUDES, LONGITUDES = st.floats(-89, 89), st.floats(-180, 180)


def refused(name: str, field: str, /, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message


def test_country_facts() -> None:
    assert call("get_country_facts", country="jpn") == {
        "name": "Japan",
        "capital": "Tokyo",
        "iso2": "JP",
        "iso3": "JPN",
        "calling_code": "+81",
        "currency": "JPY",
        "drives_on": "left",
        "countries_with_currency": 1,
    }
    euro = {
        "Austria",
        "Belgium",
        "Finland",
        "France",
        "Germany",
        "Greece",
        "Ireland",
        "Italy",
        "NL",
        "PT",
        "ES",
    }
    assert {call("get_country_facts", country=name)["countries_with_currency"] for name in euro} == {len(euro)}
    assert call("get_country_facts", country="Norway")["iso2"] == "NO"
    assert call("get_country_facts", country="Turkey")["name"] == "Türkiye"
    assert "Iceland" in refused("get_country_facts", "country", country="Atlantis")


def angle(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The law of cosines on the sphere, in degrees."""
    (a, b), (c, d) = one, other
    product = cos(radians(a)) * cos(radians(c)) * cos(radians(b - d))
    return degrees(acos(max(-1, min(1, sin(radians(a)) * sin(radians(c)) + product))))


def test_distances_of_capitals() -> None:
    found = call("measure_capital_distance", from_country="UK", to_country="France")
    assert (found["from_capital"], found["to_capital"]) == ("London", "Paris")
    assert found["distance"] == round(angle((51.51, -0.13), (48.86, 2.35)) * 111.195) == 343
    miles = call("measure_capital_distance", from_country="US", to_country="AU", unit="miles")["distance"]
    assert abs(miles - 9_920) < 30
    refused("measure_capital_distance", "to_country", from_country="UK", to_country="GB")


@given(*[st.sampled_from(["AR", "CA", "IN", "JP", "KE", "NZ", "SE"])] * 3)
def test_no_capital_is_nearer_by_a_detour(a: str, b: str, c: str) -> None:
    def way(start: str, end: str) -> int:
        if start == end:
            return 0
        found: int = call("measure_capital_distance", from_country=start, to_country=end)["distance"]
        return found

    assert way(a, b) == way(b, a)
    assert way(a, c) <= way(a, b) + way(b, c) + 2


@pytest.mark.parametrize(
    ("country", "number", "style", "text"),
    [
        ("Germany", "030 1234567", "international", "+49 301 234 567"),
        ("US", "(415) 555-2671", "international", "+1 415 555 2671"),
        ("US", "1-415-555-2671", "national", "415 555 2671"),
        ("IT", "06 698 2000", "international", "+39 066 982 000"),
        ("HU", "06 1 234 5678", "link", "tel:+3612345678"),
        ("GB", "+44 20 7946 0000", "national", "0207 946 0000"),
        ("IN", "+91 98765 43210", "link", "tel:+919876543210"),
    ],
)
def test_phone_numbers(country: str, number: str, style: str, text: str) -> None:
    assert call("format_phone_number", country=country, number=number, style=style)["text"] == text


def test_separators_extensions_and_wrong_numbers() -> None:
    asked: dict[str, Any] = {"country": "SE", "number": "08 123 456", "extension": "12"}
    assert call("format_phone_number", **asked, separator="hyphen")["text"] == "+46-812-3456 ext. 12"
    assert call("format_phone_number", **asked, style="link") == {"text": "tel:+468123456;ext=12", "digits": 7}
    for country, number in (("SE", "+47 22334455"), ("SE", "08"), ("US", "555-2671"), ("IN", "98765 43210")):
        refused("format_phone_number", "number", country=country, number=number)
    refused("format_phone_number", "style", country="BR", number="+55 11 91234 5678", style="national")


@given(st.from_regex(r"\A[1-9][0-9]{4,11}\Z"), st.sampled_from(["SE", "DK", "JP", "IE"]))
def test_numbers_survive_rewriting(digits: str, country: str) -> None:
    first = call("format_phone_number", country=country, number=digits)
    for style in ("international", "national"):
        again = call("format_phone_number", country=country, number=digits, style=style)["text"]
        assert call("format_phone_number", country=country, number=again) == first
    assert first["digits"] == len(digits)


@pytest.mark.parametrize(
    ("country", "code", "proper"),
    [
        ("GB", "sw1a1aa", "SW1A 1AA"),
        ("GB", "M1 1AE", "M1 1AE"),
        ("CA", "k1a-0b1", "K1A 0B1"),
        ("NL", "1012JS", "1012 JS"),
        ("US", "123456789", "12345-6789"),
        ("IE", "d6wxh92", "D6W XH92"),
        ("PL", "00 950", "00-950"),
        ("DE", "1011", None),
        ("SE", "ABC12", None),
        ("CH", "- -", None),
    ],
)
def test_postal_codes(country: str, code: str, proper: str | None) -> None:
    found = call("check_postal_code", country=country, postal_code=code)
    assert (found["valid"], found["proper_form"]) == (proper is not None, proper)
    if proper:
        assert call("check_postal_code", country=country, postal_code=proper)["proper_form"] == proper


def test_postal_codes_of_no_country() -> None:
    assert call("check_postal_code", country="US", postal_code="1")["formats"] == ["99999", "99999-9999"]
    refused("check_postal_code", "country", country="Ruritania", postal_code="1")
    refused("check_postal_code", "postal_code", country="US", postal_code="12_45")


def test_map_scales_by_hand() -> None:
    asked: dict[str, Any] = {"direction": "map_to_ground", "length": 4, "scale": 50_000}
    assert call("scale_map_distance", **asked) == {"length": 2, "unit": "km", "copy_scale": 50_000}
    assert call("scale_map_distance", **asked, copy_percent=200, detour_percent=50)["length"] == 1.5
    back = call("scale_map_distance", **asked | {"direction": "ground_to_map", "length": 1}, map_unit="inches")
    assert back["length"] == 0.787  # 2 cm
    refused("scale_map_distance", "scale", **asked | {"scale": 99})


@given(st.floats(0.1, 10_000), st.integers(100, 1_000_000), st.floats(50, 400))
def test_scales_there_and_back(length: float, scale: int, copy: float) -> None:
    asked: dict[str, Any] = {"scale": scale, "copy_percent": copy, "ground_unit": "m", "map_unit": "mm"}
    ground = call("scale_map_distance", direction="map_to_ground", length=length, **asked)["length"]
    if ground <= 1_000_000:
        again = call("scale_map_distance", direction="ground_to_map", length=ground, **asked)["length"]
        # Half a millimetre on the ground, at 1:100 and a copy of 400 %, and half a hundredth of rounding on the map.
        assert abs(again - length) <= 0.0005 * 1000 / 100 * 4 + 0.005 + 1e-9


def bearing(start: tuple[float, float], end: tuple[float, float], **other: Any) -> dict[str, Any]:
    names = ("from_latitude", "from_longitude", "to_latitude", "to_longitude")
    places: dict[str, Any] = dict(zip(names, (*start, *end), strict=True))
    return call("find_compass_bearing", **places, **other)


def test_bearings_by_hand() -> None:
    assert bearing((0, 0), (0, 10), declination_degrees=100) == {
        "true_degrees": 90,
        "magnetic_degrees": 350,
        "compass_point": "E",
        "distance_km": 1112.0,
    }
    assert bearing((10, 20), (-10, 20))["compass_point"] == "S"
    along = bearing((60, 0), (60, 10), way="rhumb_line")
    assert (along["true_degrees"], along["distance_km"]) == (90, 556.0)
    assert bearing((60, 0), (60, 10))["true_degrees"] < 90
    assert bearing((0, 179), (0, -179), way="rhumb_line")["distance_km"] == 222.4
    assert [bearing((0, 0), (1, 0.5), compass_points=points)["compass_point"] for points in (4, 8, 16)] == [
        "N",
        "NE",
        "NNE",
    ]
    for end in ((10, 20), (-10, -160)):
        with pytest.raises(ToolError, match="one shortest way"):
            bearing((10, 20), end)
    with pytest.raises(ToolError, match="pole"):
        bearing((0, 0), (90, 0), way="rhumb_line")


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_no_way_is_shorter_than_the_great_circle(a: float, b: float, c: float, d: float) -> None:
    if not 0.01 < angle((a, b), (c, d)) < 179.99:
        return
    short, steady = bearing((a, b), (c, d)), bearing((a, b), (c, d), way="rhumb_line")
    assert abs(short["distance_km"] - angle((a, b), (c, d)) * 111.195) < 1
    assert short["distance_km"] <= steady["distance_km"] + 0.1
    assert 0 <= short["true_degrees"] < 360


def test_air_pressure_of_the_standard_atmosphere() -> None:
    sea = call("estimate_air_pressure", altitude_m=0)
    assert sea["percent_of_sea_level"] == 100
    assert abs(sea["water_boils_at_c"] - 100) < 0.1
    assert abs(call("estimate_air_pressure", altitude_m=5_500, temperature_c=-20.75)["pressure_hpa"] - 505.1) < 0.5
    assert abs(call("estimate_air_pressure", altitude_m=1_000, temperature_c=8.5)["pressure_hpa"] - 898.8) < 0.3
    refused("estimate_air_pressure", "altitude_m", altitude_m=9_001)


@given(st.floats(-430, 9_000), st.floats(-430, 9_000), st.floats(-60, 50))
def test_air_gets_thinner_upwards(one: float, other: float, temperature: float) -> None:
    low, high = (
        call("estimate_air_pressure", altitude_m=height, temperature_c=temperature) for height in sorted((one, other))
    )
    assert low["pressure_hpa"] >= high["pressure_hpa"] > 200
    assert low["water_boils_at_c"] >= high["water_boils_at_c"]


def test_walks_by_hand() -> None:
    assert call("estimate_walking_time", distance_km=10, ascent_m=600) == {
        "walking_minutes": 180,
        "break_minutes": 0,
        "arrival_time": "11:00",
        "days_later": 0,
    }
    # 15 minutes a kilometre on rough ground at 5 km/h, 10 minutes for 300 m down, 10 of rest after each of 2 hours.
    rough: dict[str, Any] = {
        "distance_km": 10,
        "ascent_m": 0,
        "descent_m": 600,
        "terrain": "rough",
        "start_time": "22:00",
    }
    steep = call("estimate_walking_time", **rough, descent_kind="steep", break_minutes_an_hour=10)
    assert steep == {"walking_minutes": 170, "break_minutes": 20, "arrival_time": "01:10", "days_later": 1}
    assert call("estimate_walking_time", **rough, descent_kind="gentle")["walking_minutes"] == 130
    refused("estimate_walking_time", "distance_km", distance_km=1, ascent_m=600, descent_m=600)
    refused("estimate_walking_time", "descent_kind", distance_km=1, ascent_m=0, descent_m=300, descent_kind="gentle")


@given(st.floats(1, 100), st.floats(0, 500), st.floats(1, 8))
def test_climbing_takes_time(distance: float, ascent: float, speed: float) -> None:
    asked: dict[str, Any] = {"distance_km": distance, "flat_speed_kmh": speed}
    flat, up = (call("estimate_walking_time", **asked, ascent_m=height)["walking_minutes"] for height in (0, ascent))
    assert abs(up - flat - ascent / 10) <= 1
    assert abs(flat - 60 * distance / speed) <= 0.5


def test_boxes_by_hand() -> None:
    box = call("measure_bounding_area", latitudes=[0, 1, 0.5], longitudes=[179, -179, 180])
    assert (box["south"], box["north"], box["west"], box["east"]) == (0, 1, 179, -179)
    assert abs(box["area"] - 2 * 111.195**2) < 3
    point = call("measure_bounding_area", latitudes=[60], longitudes=[10], margin_km=11.1195)
    assert (point["south"], point["north"], point["area"] > 480) == (59.9, 60.1, True)
    assert abs(point["east"] - point["west"] - 0.4) < 0.01
    pole = call("measure_bounding_area", latitudes=[89.9], longitudes=[10], margin_km=50, area_unit="hectares")
    assert (pole["north"], pole["west"], pole["east"]) == (90, -180, 180)
    refused("measure_bounding_area", "longitudes", latitudes=[1, 2], longitudes=[1])


@given(st.lists(st.tuples(LATITUDES, LONGITUDES), min_size=1, max_size=10), st.floats(0, 500))
def test_a_margin_makes_a_box_larger(places: list[tuple[float, float]], margin: float) -> None:
    latitudes, longitudes = ([place[side] for place in places] for side in (0, 1))
    asked: dict[str, Any] = {"latitudes": latitudes, "longitudes": longitudes}
    plain, wide = (call("measure_bounding_area", **asked, margin_km=km) for km in (0, margin))
    assert 0 <= plain["area"] <= wide["area"] + 0.01 <= 510_070_000
    assert wide["south"] <= plain["south"] <= plain["north"] <= wide["north"]


def test_locators_of_known_places() -> None:
    # The station of the American Radio Relay League, and Munich.
    assert call("convert_grid_locator", latitude=41.7147, longitude=-72.7272)["locator"] == "FN31pr"
    munich = call("convert_grid_locator", latitude=48.14666, longitude=11.60833, pairs=2)
    assert munich["locator"] == "JN58"
    assert (munich["latitude"], munich["longitude"], munich["height_km"]) == (48.5, 11, 111.2)
    assert call("convert_grid_locator", locator="jn58TD")["locator"] == "JN58td"
    assert call("convert_grid_locator", latitude=90, longitude=180, pairs=4)["locator"] == "RR99xx99"
    refused("convert_grid_locator", "locator")
    refused("convert_grid_locator", "locator", locator="FN31", latitude=1)
    refused("convert_grid_locator", "locator", locator="ZZ99")


@given(LATITUDES, LONGITUDES, st.sampled_from([2, 3, 4]))
def test_the_centre_of_a_locator_lies_in_it(latitude: float, longitude: float, pairs: int) -> None:
    found = call("convert_grid_locator", latitude=latitude, longitude=longitude, pairs=pairs)
    assert call("convert_grid_locator", locator=found["locator"]) == found
    centre: dict[str, Any] = {"latitude": found["latitude"], "longitude": found["longitude"]}
    assert call("convert_grid_locator", **centre, pairs=pairs)["locator"] == found["locator"]
    assert abs(found["latitude"] - latitude) * 111.2 <= found["height_km"] / 2 * 1.02 + 0.01
