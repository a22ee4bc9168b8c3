"""Tests of units/sizes: expected values worked out by hand, or anew in another way."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.general.units import _scales
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.units.values import refusal


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
