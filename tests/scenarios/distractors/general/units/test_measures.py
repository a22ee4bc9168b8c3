"""Tests of units/measures: expected values worked out by hand, or anew in another way."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.general.units import _scales
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.units.values import refusal


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
