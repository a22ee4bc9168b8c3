"""Mathematics; expected values are worked out by hand or in another way."""

from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call, empty_bank


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


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


def test_a_list_described() -> None:
    numbers = [9, 2, 4, 5, 4, 7, 5, 4]
    assert call("describe_number_list", numbers=numbers, deviation="population") == {
        "mean": 5,
        "median": 4.5,
        "standard_deviation": 2,
        "minimum": 2,
        "lower_quartile": 4,
        "upper_quartile": 5.5,
        "maximum": 9,
        "total": 40,
    }
    assert call("describe_number_list", numbers=numbers)["standard_deviation"] == 2.13809  # root of 32 / 7
    assert call("describe_number_list", numbers=[1, 2, 3], quartile_method="exclusive")["upper_quartile"] == 3
    assert call("describe_number_list", numbers=[1, 2, 3])["upper_quartile"] == 2.5
    assert refusal("describe_number_list", numbers=[1]) == "numbers"


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=50))
def test_statistics_lie_in_order(numbers: list[int]) -> None:
    found = call("describe_number_list", numbers=numbers)
    order = [found[name] for name in ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")]
    assert order == sorted(order)
    assert found["minimum"] <= found["mean"] <= found["maximum"]


def test_regression() -> None:
    line = call("fit_regression_line", x_values=[1, 2, 3], y_values=[3, 5, 7], predict_at=10)
    assert line == {"slope": 2, "intercept": 1, "r_squared": 1, "predicted": 21}
    # Slope (0 + 2 + 2) / (0 + 1 + 4) through the origin; errors 1, 0.2, -0.6 of a total of 1 + 4 + 1.
    origin = call("fit_regression_line", x_values=[0, 1, 2], y_values=[1, 2, 1], through_origin=True)
    assert (origin["slope"], origin["intercept"], origin["r_squared"]) == (0.8, 0, 0.533333)
    assert call("fit_regression_line", x_values=[1, 2], y_values=[4, 4])["r_squared"] is None
    assert refusal("fit_regression_line", x_values=[1, 2], y_values=[1, 2, 3]) == "y_values"
    assert refusal("fit_regression_line", x_values=[5, 5], y_values=[1, 2]) == "x_values"
    assert refusal("fit_regression_line", x_values=[0, 0], y_values=[1, 2], through_origin=True) == "x_values"


@given(
    st.integers(-100, 100), st.integers(-100, 100), st.lists(st.integers(-99, 99), min_size=2, unique=True, max_size=9)
)
def test_points_on_a_line_give_the_line(slope: int, intercept: int, xs: list[int]) -> None:
    ys = [slope * x + intercept for x in xs]
    line = call("fit_regression_line", x_values=xs, y_values=ys)
    assert line["slope"] == pytest.approx(slope, abs=1e-6)
    assert line["intercept"] == pytest.approx(intercept, abs=1e-5)


def test_linear_equations() -> None:
    two = call("solve_linear_equations", coefficients=[[2, 1], [1, -1]], constants=[5, 1])
    assert two == {"outcome": "one_solution", "solution": [2, 1], "determinant": -3}
    swapped = call("solve_linear_equations", coefficients=[[0, 1], [1, 0]], constants=[5, 1])
    assert (swapped["solution"], swapped["determinant"]) == ([1, 5], -1)
    none = call("solve_linear_equations", coefficients=[[1, 1], [1, 1]], constants=[1, 2])
    assert none == {"outcome": "no_solution", "solution": None, "determinant": 0}
    many = call("solve_linear_equations", coefficients=[[1, 1], [2, 2]], constants=[1, 2])
    assert many["outcome"] == "many_solutions"
    assert refusal("solve_linear_equations", coefficients=[[1, 1], [1, 1, 1]], constants=[1, 2]) == "coefficients"
    assert refusal("solve_linear_equations", coefficients=[[1, 1], [1, 2]], constants=[1, 2, 3]) == "constants"
    near = [[1, 1], [1, 1 + 1e-15]]
    assert refusal("solve_linear_equations", coefficients=near, constants=[0, 1e6]) == "coefficients"


ROWS = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3)


@given(ROWS, st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_solutions_solve(rows: list[list[int]], unknowns: list[int]) -> None:
    constants = [sum(a * x for a, x in zip(row, unknowns, strict=True)) for row in rows]
    found = call("solve_linear_equations", coefficients=rows, constants=constants)
    (a, b, c), (d, e, f), (g, h, i) = rows
    assert found["determinant"] == a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if found["determinant"]:
        assert found["solution"] == unknowns
    else:
        assert found["outcome"] == "many_solutions"


def test_quadratic_equations() -> None:
    assert call("solve_quadratic_equation", a=1, b=-3, c=2) == {
        "kind": "two_real",
        "roots": [1, 2],
        "imaginary_part": 0,
        "vertex_x": 1.5,
        "vertex_y": -0.25,
    }
    pair = call("solve_quadratic_equation", a=1, b=2, c=5)
    assert (pair["kind"], pair["roots"], pair["imaginary_part"]) == ("complex_pair", [-1], 2)
    touching = call("solve_quadratic_equation", a=0.1, b=0.2, c=0.1)
    assert (touching["kind"], touching["roots"]) == ("one_real", [-1])
    far = call("solve_quadratic_equation", a=1, b=-1_000_000, c=1)
    assert far["roots"] == [0.000001, 1_000_000]
    assert refusal("solve_quadratic_equation", a=0, b=2, c=5) == "a"


@given(st.integers(-100, 100).filter(bool), st.integers(-100, 100), st.integers(-100, 100))
def test_roots_are_found_again(a: int, one: int, other: int) -> None:
    found = call("solve_quadratic_equation", a=a, b=-a * (one + other), c=a * one * other)
    assert found["roots"] == sorted({one, other})


def test_sample_sizes() -> None:
    # 1.96^2 x 0.25 / 0.05^2 = 384.15; of 1000 people 384.15 / (1 + 383.15 / 1000) = 277.7
    assert call("plan_sample_size", margin_percent=5) == {
        "answers_per_group": 385,
        "asked_per_group": 385,
        "answers_in_all": 385,
        "asked_in_all": 385,
        "z_value": 1.96,
        "enough_people": None,
    }
    few: dict[str, Any] = {"people_per_group": 1000, "group_count": 2, "response_percent": 50}
    groups = call("plan_sample_size", margin_percent=5, **few)
    assert (groups["answers_per_group"], groups["asked_per_group"]) == (278, 556)
    assert (groups["asked_in_all"], groups["enough_people"]) == (1112, True)
    assert call("plan_sample_size", margin_percent=5, **few | {"response_percent": 20})["enough_people"] is False
    assert call("plan_sample_size", margin_percent=5, design_effect=2)["answers_in_all"] == 769
    assert call("plan_sample_size", margin_percent=5, expected_share_percent=10)["answers_in_all"] == 139
    assert call("plan_sample_size", margin_percent=5, confidence_percent=90)["z_value"] == 1.6449
    assert refusal("plan_sample_size", margin_percent=0) == "margin_percent"


@given(st.integers(1, 500), st.integers(1, 10_000))
def test_a_wider_margin_needs_no_more_answers(tenths: int, people: int) -> None:
    def answers(**arguments: Any) -> int:
        found: int = call("plan_sample_size", **arguments)["answers_in_all"]
        return found

    narrow, wide = (answers(margin_percent=value / 10) for value in (tenths, min(500, tenths + 5)))
    assert wide <= narrow
    assert answers(margin_percent=tenths / 10, people_per_group=people) <= min(narrow, people)


def test_a_tally_sheet() -> None:
    bank = empty_bank()
    first = call("add_tally_strokes", bank, sheet="lunch", option="soup")
    assert (first["option_count"], first["sheet_total"]) == (1, 1)
    call("add_tally_strokes", bank, sheet="lunch", option="rice", strokes=4)
    call("add_tally_strokes", bank, sheet="other", option="rice", strokes=9)
    again = call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=2)
    assert again == {"tally_id": first["tally_id"], "option_count": 3, "sheet_total": 7}
    assert call("read_tally_sheet", bank, sheet="lunch") == {
        "lines": ["rice: 4 (57.1 %)", "soup: 3 (42.9 %)"],
        "total": 7,
        "option_count": 2,
    }
    call("add_tally_strokes", bank, sheet="lunch", option="cake")
    assert call("read_tally_sheet", bank, sheet="lunch", order="by_name")["lines"][0] == "cake: 1 (12.5 %)"
    assert call("read_tally_sheet", bank, sheet="lunch", least_strokes=3)["option_count"] == 2
    with pytest.raises(ToolError, match="got -4 on 3"):
        call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=-4)
    assert call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=-3)["option_count"] == 0
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}
    assert refusal("read_tally_sheet", sheet="lunch") == "sheet"
    assert refusal("add_tally_strokes", sheet="lunch", option="soup", strokes=0) == "strokes"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 50)), min_size=1, max_size=9))
def test_tallies_add_up_in_any_order(strokes: list[tuple[str, int]]) -> None:
    sheets = []
    for order in (strokes, strokes[::-1]):
        bank = empty_bank()
        for option, count in order:
            call("add_tally_strokes", bank, sheet="s", option=option, strokes=count)
        sheets.append(call("read_tally_sheet", bank, sheet="s"))
    assert sheets[0] == sheets[1]
    assert sheets[0]["total"] == sum(count for _, count in strokes)
