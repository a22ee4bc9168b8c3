"""Tests of mathematics/statistics: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.mathematics.values import refusal


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
