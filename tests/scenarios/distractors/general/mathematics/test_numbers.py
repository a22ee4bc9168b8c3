"""Tests of mathematics/numbers: expected values worked out by hand, or anew in another way."""

from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.mathematics.values import refusal


def test_factors() -> None:
    assert call("factor_whole_numbers", numbers=[360, 84]) == {
        "factorizations": ["2^3 x 3^2 x 5", "2^2 x 3 x 7"],
        "greatest_common_divisor": 12,
        "least_common_multiple": "2520",
    }
    assert call("factor_whole_numbers", numbers=[9_999_991])["factorizations"] == ["9999991"]  # a prime
    assert refusal("factor_whole_numbers", numbers=[1]) == "numbers"


@given(st.lists(st.integers(2, 10_000_000), min_size=2, max_size=2))
def test_factors_multiply_back(numbers: list[int]) -> None:
    found = call("factor_whole_numbers", numbers=numbers)
    for number, text in zip(numbers, found["factorizations"], strict=True):
        powers = [part.partition("^") for part in text.split(" x ")]
        assert prod(int(prime) ** int(exponent or 1) for prime, _, exponent in powers) == number
    assert int(found["least_common_multiple"]) * found["greatest_common_divisor"] == prod(numbers)


def fraction(a: tuple[int, int], operation: str, b: tuple[int, int]) -> dict[str, Any]:
    return call(
        "calculate_with_fractions",
        numerator_a=a[0],
        denominator_a=a[1],
        operation=operation,
        numerator_b=b[0],
        denominator_b=b[1],
    )


def test_fractions() -> None:
    half_and_third = fraction((1, 2), "add", (1, 3))
    assert half_and_third == {"numerator": 5, "denominator": 6, "mixed_number": "5/6", "decimal": 0.833333}
    assert fraction((-7, 2), "multiply", (2, 4))["mixed_number"] == "-1 3/4"
    assert fraction((3, 4), "subtract", (6, 8))["mixed_number"] == "0"
    assert fraction((3, 4), "divide", (-3, 8))["mixed_number"] == "-2"
    with pytest.raises(ToolError, match="numerator_b: expected a fraction other than 0"):
        fraction((1, 2), "divide", (0, 5))


FRACTIONS = st.tuples(st.integers(-(10**9), 10**9), st.integers(1, 10**9))


@given(FRACTIONS, FRACTIONS)
def test_fractions_are_undone(a: tuple[int, int], b: tuple[int, int]) -> None:
    total = fraction(a, "add", b)
    value = Fraction(total["numerator"], total["denominator"])
    assert (value.numerator, value.denominator) == (total["numerator"], total["denominator"])
    assert value - Fraction(*b) == Fraction(*a)


def test_selections() -> None:
    for order, repetition, count in ((True, True, 25), (True, False, 20), (False, True, 15), (False, False, 10)):
        arguments: dict[str, Any] = {"order_matters": order, "repetition_allowed": repetition}
        assert call("count_possible_selections", items=5, chosen=2, **arguments) == {
            "count": str(count),
            "rounded": count,
        }
    plain: dict[str, Any] = {"order_matters": False, "repetition_allowed": False}
    assert call("count_possible_selections", items=49, chosen=6, **plain)["count"] == "13983816"
    assert refusal("count_possible_selections", items=3, chosen=4, **plain) == "chosen"


@given(st.integers(2, 200), st.integers(1, 100))
def test_selections_follow_pascal(items: int, chosen: int) -> None:
    assume(chosen < items)

    def count(items: int, chosen: int) -> int:
        plain: dict[str, Any] = {"order_matters": False, "repetition_allowed": False}
        return int(call("count_possible_selections", items=items, chosen=chosen, **plain)["count"])

    assert count(items, chosen) == count(items - 1, chosen) + count(items - 1, chosen - 1)
