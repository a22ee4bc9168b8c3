"""Tests of natural_science/solutions: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.natural_science.values import refusal


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
