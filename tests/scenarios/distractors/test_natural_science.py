"""Natural science; expected values are worked out by hand or come from published tables."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.general._elements import elements
from tests.scenarios.distractors.desk import call, empty_bank


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


def test_elements() -> None:
    iron = {"symbol": "Fe", "name": "iron", "number": 26, "weight": 55.845, "period": 4, "group": 8, "state": "solid"}
    for text in ("Fe", "fe", "IRON", "26"):
        assert call("look_up_element", element=text) == iron
    # fmt: off
    places = {
        "H": (1, 1, "gas"), "He": (1, 18, "gas"), "C": (2, 14, "solid"), "Mg": (3, 2, "solid"), "Br": (4, 17, "liquid"),
        "Sc": (4, 3, "solid"), "Xe": (5, 18, "gas"), "Ba": (6, 2, "solid"), "La": (6, None, "solid"),
        "Lu": (6, None, "solid"), "Hf": (6, 4, "solid"), "Hg": (6, 12, "liquid"), "Pb": (6, 14, "solid"),
        "Ra": (7, 2, "solid"), "U": (7, None, "solid"), "At": (6, 17, "unknown"),
    }
    # fmt: on
    for symbol, place in places.items():
        found = call("look_up_element", element=symbol)
        assert (found["period"], found["group"], found["state"]) == place
    assert call("look_up_element", element="technetium")["weight"] is None
    for wrong in ("93", "Xx", "0"):
        assert refusal("look_up_element", element=wrong) == "element"


def test_the_table_of_elements() -> None:
    table = list(elements().values())
    assert len(table) == 92
    assert (table[0].symbol, table[49].symbol, table[78].symbol, table[91].symbol) == ("H", "Sn", "Au", "U")
    weights = [(e.symbol, e.weight) for e in table if e.weight is not None]
    heavier_first = [a for (a, one), (_, next_one) in pairwise(weights) if one > next_one]
    # The known pairs out of order, beside Th and Pa.
    assert heavier_first == ["Ar", "Co", "Te", "Th"]


def test_molar_masses() -> None:
    assert call("calculate_molar_mass", formula="H2O", amount=36.03, amount_unit="grams") == {
        "molar_mass": 18.015,
        "grams": 36.03,
        "moles": 2,
        "mass_percent": {"H": 11.19, "O": 88.81},
    }
    for formula, mass in (("Ca(OH)2", 74.092), ("CuSO4.5H2O", 249.677), ("(NH4)2SO4", 132.134), ("C12H22O11", 342.297)):
        assert call("calculate_molar_mass", formula=formula)["molar_mass"] == mass
    for wrong in ("Tc", "H2O)", "(H2O", "Xx2", "...", "2", "()2", "h2o", "H0", "((((H999)999)999)999)999"):
        assert refusal("calculate_molar_mass", formula=wrong) == "formula"


@given(st.dictionaries(st.sampled_from(["C", "H", "O", "Na", "Cl", "Fe"]), st.integers(1, 50), min_size=1))
def test_formulas_add_up(counts: dict[str, int]) -> None:
    found = call("calculate_molar_mass", formula="".join(f"{symbol}{count}" for symbol, count in counts.items()))
    one_by_one = [call("calculate_molar_mass", formula=symbol)["molar_mass"] * n for symbol, n in counts.items()]
    assert found["molar_mass"] == pytest.approx(sum(one_by_one), rel=1e-5)
    assert sum(found["mass_percent"].values()) == pytest.approx(100, abs=0.05)


def test_acids_and_bases() -> None:
    strong = call("calculate_solution_ph", solute="strong_acid", concentration_mol_l=0.01)
    assert strong == {"ph": 2, "poh": 12, "ionised_percent": 100}
    lime = call("calculate_solution_ph", solute="strong_base", concentration_mol_l=0.005, ions_per_molecule=2)
    assert (lime["ph"], lime["poh"]) == (12, 2)
    # x^2 / (0.1 - x) = 10^-4.76 gives x = 0.00131
    vinegar = call("calculate_solution_ph", solute="weak_acid", concentration_mol_l=0.1, constant=4.76)
    assert (vinegar["ph"], vinegar["ionised_percent"]) == (2.88, 1.31)
    ammonia = call("calculate_solution_ph", solute="weak_base", concentration_mol_l=0.1, constant=4.76)
    assert (ammonia["ph"], ammonia["ionised_percent"]) == (11.12, 1.31)
    trace: dict[str, Any] = {"solute": "strong_acid", "concentration_mol_l": 0.000000001}
    assert call("calculate_solution_ph", **trace)["ph"] == 7
    assert refusal("calculate_solution_ph", **trace, constant=3) == "constant"
    assert refusal("calculate_solution_ph", solute="weak_acid", concentration_mol_l=1) == "constant"
    weak: dict[str, Any] = {"solute": "weak_acid", "concentration_mol_l": 1, "constant": 4, "ions_per_molecule": 2}
    assert refusal("calculate_solution_ph", **weak) == "ions_per_molecule"


@given(st.floats(-9, 1), st.floats(0, 14))
def test_acids_are_sour_and_bases_mirror_them(exponent: float, constant: float) -> None:
    weak: dict[str, Any] = {"concentration_mol_l": 10**exponent * 0.9999999, "constant": constant}
    if weak["concentration_mol_l"] < 1e-9:
        return
    acid = call("calculate_solution_ph", solute="weak_acid", **weak)
    base = call("calculate_solution_ph", solute="weak_base", **weak)
    assert acid["ph"] <= 7 <= base["ph"]
    assert acid["ph"] == pytest.approx(base["poh"], abs=0.011)
    strong = call("calculate_solution_ph", solute="strong_acid", concentration_mol_l=weak["concentration_mol_l"])
    assert strong["ph"] <= acid["ph"]


def test_decay() -> None:
    carbon: dict[str, Any] = {"amount": 80, "half_life": 5730, "half_life_unit": "years"}
    assert call("calculate_radioactive_decay", **carbon, elapsed=11_460, elapsed_unit="years") == {
        "remaining": 20,
        "remaining_percent": 25,
        "half_lives": 2,
    }
    iodine: dict[str, Any] = {
        "amount": 10,
        "half_life": 8,
        "half_life_unit": "days",
        "elapsed": 96,
        "elapsed_unit": "hours",
    }
    assert call("calculate_radioactive_decay", **iodine)["remaining"] == 7.07107
    assert refusal("calculate_radioactive_decay", **iodine | {"half_life": 0}) == "half_life"


@given(st.floats(0, 1000), st.floats(0, 1000))
def test_decay_goes_on(first: float, second: float) -> None:
    def left(amount: float, days: float) -> float:
        fixed: dict[str, Any] = {"half_life": 100, "half_life_unit": "days", "elapsed_unit": "days"}
        found: float = call("calculate_radioactive_decay", amount=amount, elapsed=days, **fixed)["remaining"]
        return found

    assert left(left(1000, first), second) == pytest.approx(left(1000, first + second), rel=1e-4)


def felt(temperature: float, unit: str, wind: float, wind_unit: str, humidity: float = 50) -> tuple[float, str]:
    found = call(
        "calculate_felt_temperature",
        temperature=temperature,
        temperature_unit=unit,
        wind_speed=wind,
        wind_unit=wind_unit,
        humidity_percent=humidity,
    )
    return found["felt_temperature"], found["felt_by"]


def test_felt_temperatures() -> None:
    # The charts of the US weather service: 30 F in a wind of 10 mph, 90 F at 70 %, 100 F at 40 %.
    assert round(felt(30, "fahrenheit", 10, "mph")[0]) == 21
    assert round(felt(90, "fahrenheit", 5, "mph", 70)[0]) == 106
    assert round(felt(100, "fahrenheit", 5, "mph", 40)[0]) == 109
    assert felt(-10, "celsius", 30, "km_per_h") == (-19.5, "wind_chill")
    assert felt(20, "celsius", 30, "km_per_h") == (20, "air_temperature")
    assert felt(5, "celsius", 1, "m_per_s") == (5, "air_temperature")
    with pytest.raises(ToolError, match="temperature: expected weather"):
        felt(125, "celsius", 0, "mph")
    with pytest.raises(ToolError, match="temperature: expected weather"):
        felt(48, "celsius", 0, "mph", 100)


@given(st.integers(-40, 5), st.integers(6, 90))
def test_more_wind_feels_colder(celsius: int, wind: int) -> None:
    assert felt(celsius, "celsius", wind + 10, "km_per_h")[0] <= felt(celsius, "celsius", wind, "km_per_h")[0]


def test_dilutions() -> None:
    bank = empty_bank()
    salt: dict[str, Any] = {
        "solute": "NaCl",
        "stock_concentration": 1,
        "stock_unit": "mol_per_l",
        "final_volume_ml": 250,
    }
    made = call("prepare_dilution", bank, batch="B1", **salt, target_concentration=100, target_unit="mmol_per_l")
    assert (made["stock_ml"], made["solvent_ml"], made["dilution_factor"]) == (25, 225, 10)
    # A mole of NaCl is 58.44 g: 2.922 percent are half a mole in a litre.
    half: dict[str, Any] = {"target_concentration": 2.922, "target_unit": "percent_w_v"}
    other = call("prepare_dilution", bank, batch="B2", **salt, **half, spare_percent=20)
    assert (other["stock_ml"], other["solvent_ml"]) == (150, 150)
    sugar: dict[str, Any] = {
        "stock_concentration": 30,
        "stock_unit": "g_per_l",
        "target_concentration": 10,
        "target_unit": "g_per_l",
    }
    call("prepare_dilution", bank, batch="B2", solute="C12H22O11", final_volume_ml=30, **sugar)
    assert call("list_dilutions", bank)["total_stock_ml"] == 185
    assert call("list_dilutions", bank, solute="NaCl", batch="B1") == {
        "entries": [f"{made['dilution_id']}: B1, NaCl, 25 ml of stock"],
        "batch_count": 1,
        "total_stock_ml": 25,
    }
    assert call("list_dilutions", bank, batch="B2")["batch_count"] == 2
    call("prepare_dilution", bank, batch="B2", **salt | {"final_volume_ml": 100}, **half)
    assert call("list_dilutions", bank, solute="NaCl")["total_stock_ml"] == 75
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}
    strong: dict[str, Any] = {"target_concentration": 1001, "target_unit": "mmol_per_l"}
    assert refusal("prepare_dilution", batch="B3", **salt, **strong) == "target_concentration"
    assert refusal("prepare_dilution", batch="B3", **salt | {"solute": "Qq"}, **half) == "solute"
    assert call("list_dilutions")["entries"] == []


UNITS = st.sampled_from(["mol_per_l", "mmol_per_l", "g_per_l", "percent_w_v"])


@given(st.floats(0.001, 1000), UNITS, st.floats(0.01, 1), st.floats(1, 1000))
def test_diluting_keeps_what_is_dissolved(stock: float, unit: str, part: float, volume: float) -> None:
    made = call(
        "prepare_dilution",
        batch="B",
        solute="KCl",
        stock_concentration=stock,
        stock_unit=unit,
        target_concentration=stock * part,
        target_unit=unit,
        final_volume_ml=volume,
    )
    assert made["stock_ml"] == pytest.approx(volume * part, rel=1e-3)
    assert made["stock_ml"] + made["solvent_ml"] == pytest.approx(volume, rel=1e-3)


def test_throws() -> None:
    ball: dict[str, Any] = {"launch_speed": 20, "speed_unit": "m_per_s", "elevation_degrees": 30}
    # 10 m/s upward: 2 x 10 / 9.80665 s in the air, 17.3205 m/s forward, up to 100 / 19.6133 m.
    assert call("calculate_projectile_flight", **ball, obstacle_distance_m=17.66, obstacle_height_m=5) == {
        "flight_time_s": 2.039,
        "range_m": 35.324,
        "highest_point_m": 5.099,
        "impact_speed_m_s": 20,
        "clearance_m": 0.099,
    }
    # Level from 81 m on the moon: 10 s of falling at 1.62 m/s^2, 16.2 m/s at the end.
    flat: dict[str, Any] = {"launch_speed": 36, "speed_unit": "km_per_h", "elevation_degrees": 0, "launch_height_m": 81}
    moon = call("calculate_projectile_flight", **flat, place="moon")
    assert (moon["flight_time_s"], moon["range_m"], moon["impact_speed_m_s"]) == (10, 100, 19.038)
    assert moon["clearance_m"] is None
    assert refusal("calculate_projectile_flight", **ball, obstacle_distance_m=36) == "obstacle_distance_m"


@given(st.integers(1, 44), st.floats(1, 100))
def test_steep_and_flat_throws_go_as_far(angle: int, speed: float) -> None:
    low, high = (
        call("calculate_projectile_flight", launch_speed=speed, speed_unit="m_per_s", elevation_degrees=degrees)
        for degrees in (angle, 90 - angle)
    )
    assert low["range_m"] == pytest.approx(high["range_m"], abs=0.002)
    assert low["highest_point_m"] <= high["highest_point_m"]


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
