"""Tests of mathematics/equations: expected values worked out by hand, or anew in another way."""

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.mathematics.values import refusal


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
