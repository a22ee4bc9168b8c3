"""Tests of units/notation: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.units.values import refusal


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
