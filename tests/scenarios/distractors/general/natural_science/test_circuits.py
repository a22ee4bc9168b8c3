"""Tests of natural_science/circuits: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.natural_science.values import refusal


def test_circuits() -> None:
    chain: dict[str, Any] = {"resistances_ohm": [100, 200, 300], "arrangement": "series"}
    assert call("solve_resistor_circuit", **chain, supply="source_voltage", supply_value=12) == {
        "total_ohm": 600,
        "current_a": 0.02,
        "voltage_v": 12,
        "power_w": 0.24,
        "hottest_resistor_w": 0.12,
        "energy_wh": 0.24,
        "within_rating": None,
    }
    pair: dict[str, Any] = {
        "resistances_ohm": [6, 3],
        "arrangement": "parallel",
        "supply": "source_voltage",
        "supply_value": 12,
    }
    weak = call("solve_resistor_circuit", **pair, internal_resistance_ohm=2, rating_w=10, minutes_on=90)
    assert (weak["total_ohm"], weak["current_a"], weak["voltage_v"], weak["energy_wh"]) == (2, 3, 6, 27)
    assert (weak["hottest_resistor_w"], weak["within_rating"]) == (12, False)
    driven = call("solve_resistor_circuit", **pair | {"supply": "current", "supply_value": 2}, rating_w=10)
    assert (driven["voltage_v"], driven["within_rating"]) == (4, True)
    assert refusal("solve_resistor_circuit", **pair | {"resistances_ohm": []}) == "resistances_ohm"


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=20))
def test_parallel_resistors_are_less_than_the_least(ohms: list[float]) -> None:
    supply: dict[str, Any] = {"resistances_ohm": ohms, "supply": "current", "supply_value": 1}
    parallel = call("solve_resistor_circuit", **supply, arrangement="parallel")["total_ohm"]
    series = call("solve_resistor_circuit", **supply, arrangement="series")["total_ohm"]
    assert parallel <= min(ohms) * 1.00001
    assert series >= max(ohms) * 0.99999


def test_resistor_bands() -> None:
    four: dict[str, Any] = {"first_digit": "yellow", "second_digit": "violet", "multiplier": "red", "tolerance": "gold"}
    assert call("read_resistor_bands", **four, measured_ohms=4900) == {
        "ohms": 4700,
        "tolerance_percent": 5,
        "lowest_ohms": 4465,
        "highest_ohms": 4935,
        "ppm_per_kelvin": None,
        "in_tolerance": True,
    }
    assert call("read_resistor_bands", **four, measured_ohms=4400)["in_tolerance"] is False
    small = call("read_resistor_bands", **four | {"multiplier": "silver", "tolerance": "none"})
    assert (small["ohms"], small["lowest_ohms"]) == (0.47, 0.376)
    six: dict[str, Any] = {"first_digit": "brown", "second_digit": "black", "third_digit": "green", "multiplier": "red"}
    found = call("read_resistor_bands", **six, tolerance="brown", temperature_coefficient="red")
    assert (found["ohms"], found["tolerance_percent"], found["ppm_per_kelvin"]) == (10_500, 1, 50)
    assert refusal("read_resistor_bands", **four | {"first_digit": "black"}) == "first_digit"
    assert refusal("read_resistor_bands", **four, temperature_coefficient="red") == "temperature_coefficient"


COLOURS = ["black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white"]


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_bands_read_as_digits(first: int, second: int, power: int) -> None:
    bands: dict[str, Any] = {
        "first_digit": COLOURS[first],
        "second_digit": COLOURS[second],
        "multiplier": COLOURS[power],
    }
    found = call("read_resistor_bands", **bands, tolerance="silver")
    assert found["ohms"] == int(f"{first}{second}") * 10**power
    assert found["lowest_ohms"] < found["ohms"] < found["highest_ohms"]
