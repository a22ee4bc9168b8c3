"""Units and notations; expected values are worked out by hand or from the definitions."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.general import _scales
from tests.scenarios.distractors.desk import call


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


@pytest.mark.parametrize(
    ("value", "quantity", "from_unit", "to_unit", "expected"),
    [
        (1, "length", "mile", "kilometre", 1.60934),
        (1, "volume", "ounce", "millilitre", 29.5735),
        (1, "mass", "ounce", "gram", 28.3495),
        (1, "area", "acre", "square_foot", 43_560),
        (-180, "angle", "degree", "radian", -3.14159),
        (2, "volume", "imperial_gallon", "imperial_pint", 16),
    ],
)
def test_measures(value: float, quantity: str, from_unit: str, to_unit: str, expected: float) -> None:
    found = call("convert_measure", value=value, quantity=quantity, from_unit=from_unit, to_unit=to_unit)
    assert found["value"] == expected


def test_measures_have_the_figures_asked_for_and_the_unit_of_their_quantity() -> None:
    mile: dict[str, Any] = {"value": 2, "quantity": "length", "from_unit": "mile", "to_unit": "kilometre"}
    assert call("convert_measure", **mile, significant_figures=2) == {"value": 3.2, "factor": 1.6}
    assert refusal("convert_measure", **mile | {"from_unit": "litre"}) == "from_unit"
    assert refusal("convert_measure", **mile | {"to_unit": "gram"}) == "to_unit"
    assert refusal("convert_measure", **mile | {"value": -1}) == "value"
    in_table = [unit for units in _scales.unit_table().values() for unit in units]
    assert set(in_table) == set(get_args(_scales.UnitName))


PAIRS = [(quantity, one, other) for quantity, units in _scales.unit_table().items() for one in units for other in units]


@given(st.sampled_from(PAIRS), st.floats(0.001, 1_000_000))
def test_measures_come_back(pair: tuple[str, str, str], value: float) -> None:
    quantity, one, other = pair
    there = call(
        "convert_measure", value=value, quantity=quantity, from_unit=one, to_unit=other, significant_figures=12
    )
    if there["value"] > 1e12:
        return
    back = call("convert_measure", quantity=quantity, from_unit=other, to_unit=one, value=there["value"])
    assert back["value"] == pytest.approx(value, rel=1e-5)


def test_temperatures() -> None:
    fever = call("convert_temperature", temperature=98.6, from_scale="fahrenheit", to_scale="celsius")
    assert fever == {"temperature": 37, "kelvins": 310.15}
    both = call("convert_temperature", temperature=-40, from_scale="celsius", to_scale="fahrenheit")
    assert both["temperature"] == -40
    rise = call("convert_temperature", temperature=9, from_scale="fahrenheit", to_scale="celsius", is_difference=True)
    assert rise == {"temperature": 5, "kelvins": 5}
    zero = call("convert_temperature", temperature=-459.67, from_scale="fahrenheit", to_scale="rankine")
    assert zero == {"temperature": 0, "kelvins": 0}
    below: dict[str, Any] = {"temperature": -273.16, "from_scale": "celsius", "to_scale": "kelvin"}
    assert refusal("convert_temperature", **below) == "temperature"
    assert call("convert_temperature", **below, is_difference=True)["temperature"] == -273.16


SCALES = st.sampled_from(["celsius", "fahrenheit", "kelvin", "rankine"])


@given(SCALES, SCALES, st.integers(500, 100_000), st.booleans())
def test_temperatures_come_back(one: str, other: str, tenths: int, difference: bool) -> None:
    def convert(degrees: float, old: str, new: str) -> float:
        found: float = call(
            "convert_temperature", temperature=degrees, from_scale=old, to_scale=new, is_difference=difference
        )["temperature"]
        return found

    assert convert(convert(tenths / 10, one, other), other, one) == pytest.approx(tenths / 10, abs=2e-4)


def test_transfer_times() -> None:
    plain: dict[str, Any] = {"file_size": 1, "size_unit": "GB", "link_speed": 100, "speed_unit": "Mbit/s"}
    assert call("estimate_transfer_time", **plain) == {
        "seconds": 80,
        "duration": "0 d 0:01:20",
        "total_gigabytes": 1,
        "effective_mbit_per_second": 100,
    }
    # 125 MB take 125 s, a quarter more with overhead and a pause of 3.75 s: 160 s, three times on each of four links.
    many: dict[str, Any] = {"file_count": 10, "overhead_percent": 25, "pause_per_file_s": 3.75, "parallel_links": 4}
    batch = call("estimate_transfer_time", file_size=125, size_unit="MB", link_speed=8, speed_unit="Mbit/s", **many)
    assert (batch["seconds"], batch["effective_mbit_per_second"]) == (480, 20.8333)
    disk = call("estimate_transfer_time", file_size=1, size_unit="TB", link_speed=1, speed_unit="MB/s")
    assert disk["duration"] == "11 d 13:46:40"
    binary = call("estimate_transfer_time", file_size=3, size_unit="MiB", link_speed=1, speed_unit="MiB/s")
    assert binary["seconds"] == 3
    assert refusal("estimate_transfer_time", **plain | {"file_size": 0}) == "file_size"


@given(st.integers(1, 10_000), st.integers(1, 64), st.integers(0, 200))
def test_transfers_take_longer_with_more_to_send(files: int, links: int, overhead: int) -> None:
    def seconds(**more: Any) -> float:
        base: dict[str, Any] = {"file_count": files, "parallel_links": links, "overhead_percent": overhead}
        fixed: dict[str, Any] = {"file_size": 5, "size_unit": "MB", "link_speed": 7, "speed_unit": "Mbit/s"}
        found: float = call("estimate_transfer_time", **fixed, **base | more)["seconds"]
        return found

    assert seconds() <= seconds(file_count=files + 1) <= 2.0001 * seconds()
    assert seconds() < seconds(pause_per_file_s=1)
    assert seconds(parallel_links=1) >= seconds()


def test_paces() -> None:
    pace = call("convert_running_pace", value=12, from_unit="km_per_hour", to_unit="minutes_per_km", distance=10)
    assert pace == {"value": 5, "finish_time": "0:50:00"}
    speed = call("convert_running_pace", value=8, from_unit="minutes_per_mile", to_unit="km_per_hour")
    assert speed == {"value": 12.0701, "finish_time": None}  # 7.5 miles an hour
    walk: dict[str, Any] = {"value": 6, "from_unit": "miles_per_hour", "distance": 10, "distance_unit": "miles"}
    assert call("convert_running_pace", **walk, to_unit="knots") == {"value": 5.21386, "finish_time": "1:40:00"}
    assert refusal("convert_running_pace", **walk | {"value": 0}, to_unit="knots") == "value"


PACES = st.sampled_from(get_args(_scales.PaceUnit))


@given(PACES, PACES, st.floats(1, 100))
def test_paces_come_back(one: str, other: str, value: float) -> None:
    there = call("convert_running_pace", value=value, from_unit=one, to_unit=other)["value"]
    if 0.1 <= there <= 1000:
        back = call("convert_running_pace", value=there, from_unit=other, to_unit=one)["value"]
        assert back == pytest.approx(value, rel=2e-5)


def test_fuel() -> None:
    cars: dict[str, Any] = {"economy_a": 10, "unit_a": "litres_per_100_km", "economy_b": 20, "unit_b": "km_per_litre"}
    result = call("compare_fuel_economy", **cars, distance=500, distance_unit="km")
    assert result == {"fuel_a": 50, "fuel_b": 25, "fuel_saved": 25, "thriftier": "b"}
    british: dict[str, Any] = {
        "economy_a": 50,
        "unit_a": "miles_per_imperial_gallon",
        "economy_b": 50,
        "unit_b": "miles_per_us_gallon",
    }
    gallons: dict[str, Any] = {"distance": 100, "distance_unit": "miles", "volume_unit": "imperial_gallon"}
    there = call("compare_fuel_economy", **british, **gallons)
    assert (there["fuel_a"], there["fuel_b"], there["thriftier"]) == (2, 1.665, "b")  # 2 x 3.785411784 / 4.54609
    same: dict[str, Any] = british | {"unit_b": "miles_per_imperial_gallon"}
    assert call("compare_fuel_economy", **same, **gallons)["thriftier"] == "equal"
    assert refusal("compare_fuel_economy", **cars | {"economy_a": 0}, **gallons) == "economy_a"


@given(st.floats(1, 100), st.floats(1, 100))
def test_fuel_compares_the_same_the_other_way_round(one: float, other: float) -> None:
    trip: dict[str, Any] = {"distance": 1000, "distance_unit": "km", "unit_a": "km_per_litre", "unit_b": "km_per_litre"}
    there = call("compare_fuel_economy", economy_a=one, economy_b=other, **trip)
    back = call("compare_fuel_economy", economy_a=other, economy_b=one, **trip)
    assert (there["fuel_a"], there["fuel_saved"]) == (back["fuel_b"], back["fuel_saved"])
    assert {there["thriftier"], back["thriftier"]} in ({"a", "b"}, {"equal"})


def test_shoes() -> None:
    # EU 42 is a last of 280 mm: 33.07 thirds of an inch.
    for system, size in (("japan_cm", 26.5), ("mondopoint_mm", 265), ("uk", 8), ("us_men", 9), ("us_women", 10.5)):
        found = call("convert_shoe_size", size=42, from_system="eu", to_system=system)
        assert found == {"size": size, "foot_length_mm": 265}
    fine: dict[str, Any] = {"size": 42, "from_system": "eu", "to_system": "uk", "round_to": "hundredth"}
    assert call("convert_shoe_size", **fine)["size"] == 8.07
    assert call("convert_shoe_size", **fine, last_allowance_mm=0) == {"size": 8.07, "foot_length_mm": 280}
    assert refusal("convert_shoe_size", size=30, from_system="eu", to_system="uk") == "size"


SHOES = st.sampled_from(get_args(_scales.ShoeSystem))


@given(SHOES, st.integers(230, 330))
def test_shoes_come_back(system: str, foot: int) -> None:
    fine: dict[str, Any] = {"round_to": "hundredth"}
    there = call("convert_shoe_size", size=foot, from_system="mondopoint_mm", to_system=system, **fine)["size"]
    back = call("convert_shoe_size", size=there, from_system=system, to_system="mondopoint_mm", **fine)
    assert back["foot_length_mm"] == pytest.approx(foot, abs=0.15)


# fmt: off
ISO = {
    "A": [(841, 1189), (594, 841), (420, 594), (297, 420), (210, 297), (148, 210), (105, 148), (74, 105), (52, 74),
          (37, 52), (26, 37)],
    "B": [(1000, 1414), (707, 1000), (500, 707), (353, 500), (250, 353), (176, 250), (125, 176), (88, 125), (62, 88),
          (44, 62), (31, 44)],
    "C": [(917, 1297), (648, 917), (458, 648), (324, 458), (229, 324), (162, 229), (114, 162), (81, 114), (57, 81),
          (40, 57), (28, 40)],
}
# fmt: on


@pytest.mark.parametrize("series", ISO)
def test_paper_has_the_sizes_of_the_standard(series: str) -> None:
    for number, size in enumerate(ISO[series]):
        sheet = call("lay_out_paper_sheet", series=series, number=number, margin_mm=0)
        assert (sheet["sheet_width_mm"], sheet["sheet_height_mm"]) == size


def test_a_page_by_hand() -> None:
    page = call("lay_out_paper_sheet", series="A", number=4, sheet_count=500)
    assert (page["text_width_mm"], page["text_height_mm"], page["column_width_mm"]) == (170, 257, 170)
    assert page["stack_weight_g"] == 2494.8
    wide: dict[str, Any] = {"series": "A", "number": 4, "orientation": "landscape"}
    columns = call("lay_out_paper_sheet", **wide, column_count=3, gutter_mm=6, grams_per_m2=160)
    assert (columns["text_width_mm"], columns["column_width_mm"]) == (257, 81.67)
    assert columns["stack_weight_g"] == 9.98
    assert refusal("lay_out_paper_sheet", series="A", number=10) == "margin_mm"
    assert refusal("lay_out_paper_sheet", series="A", number=8, column_count=12) == "column_count"


def test_roman_numerals() -> None:
    assert call("convert_roman_numeral", numeral="1984") == {"number": 1984, "roman": "MCMLXXXIV"}
    assert call("convert_roman_numeral", numeral="MMXXVI")["number"] == 2026
    for wrong in ("IIII", "VX", "4000", "0", "12X", "MMMM", "IC"):
        assert refusal("convert_roman_numeral", numeral=wrong) == "numeral"


@given(st.integers(1, 3999))
def test_roman_numerals_come_back(number: int) -> None:
    roman = call("convert_roman_numeral", numeral=str(number))["roman"]
    assert call("convert_roman_numeral", numeral=roman)["number"] == number


def test_significant_figures() -> None:
    measured = call("round_significant_figures", number="0.04050", figures=2)
    assert measured == {"rounded": "0.041", "scientific": "4.1e-2", "figures_given": 4}
    for rounding in ("half_even", "down"):
        assert call("round_significant_figures", number="0.04050", figures=2, rounding=rounding)["rounded"] == "0.040"
    assert call("round_significant_figures", number="9.99", figures=2)["rounded"] == "10"
    assert call("round_significant_figures", number="-1234567", figures=3)["rounded"] == "-1230000"
    for number, given_figures in (("1500", 2), ("1500.", 4), ("1.50e3", 3), ("0.007", 1), ("-20.0", 3)):
        assert call("round_significant_figures", number=number, figures=3)["figures_given"] == given_figures
    for wrong in (".", "1-2", "0.00", "1e31", "1e999999999"):
        assert refusal("round_significant_figures", number=wrong, figures=3) == "number"


@given(st.decimals(-1_000_000, 1_000_000, places=4).filter(bool), st.integers(1, 12))
def test_rounding_moves_a_number_by_half_a_place_at_most(number: Any, figures: int) -> None:
    rounded = float(call("round_significant_figures", number=str(number), figures=figures)["rounded"])
    assert rounded == pytest.approx(float(number), rel=0.51 * 10 ** (1 - figures))


def test_number_bases() -> None:
    byte = call("convert_number_base", digits="fF", from_base=16, to_base=2, group_every=4)
    assert byte == {"converted": "1111 1111", "decimal": "255", "bits_needed": 8}
    minus: dict[str, Any] = {"digits": "-1", "from_base": 10, "to_base": 16}
    assert call("convert_number_base", **minus, word_bits=8, upper_case=True)["converted"] == "FF"
    assert call("convert_number_base", **minus)["converted"] == "-1"
    five = call("convert_number_base", digits="5", from_base=10, to_base=2, pad_to=8, group_every=3)
    assert five["converted"] == "00 000 101"
    for wrong in ("2", "-", "1-1"):
        assert refusal("convert_number_base", digits=wrong, from_base=2, to_base=10) == "digits"
    assert refusal("convert_number_base", digits="0x1f", from_base=16, to_base=10) == "digits"
    assert refusal("convert_number_base", **minus | {"digits": "-129"}, word_bits=8) == "word_bits"


@given(st.integers(-(2**63), 2**64 - 1), st.integers(2, 36), st.integers(2, 36))
def test_numbers_come_back(number: int, one: int, other: int) -> None:
    there = call("convert_number_base", digits=str(number), from_base=10, to_base=36)
    back = call("convert_number_base", digits=there["converted"], from_base=36, to_base=10)
    assert back["converted"] == there["decimal"] == str(number)
    if abs(number) < 2**40:
        first = call("convert_number_base", digits=str(number), from_base=10, to_base=one)["converted"]
        second = call("convert_number_base", digits=first, from_base=one, to_base=other)
        assert int(second["converted"], other) == number
