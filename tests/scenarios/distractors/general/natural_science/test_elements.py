"""Tests of natural_science/elements: expected values worked out by hand, or anew in another way."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.general.natural_science._elements import elements
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.natural_science.values import refusal


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
