"""Linear and quadratic equations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Coefficient = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]


class LinearSolution(Result):
    """The values of the unknowns in order, null unless there is just one solution."""

    outcome: Literal["one_solution", "no_solution", "many_solutions"]
    solution: list[float] | None
    determinant: float


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_linear_equations(
    bank: Bank,
    coefficients: Annotated[
        list[Annotated[list[Coefficient], Meta(min_length=2, max_length=4)]], Meta(min_length=2, max_length=4)
    ],
    constants: Annotated[list[Coefficient], Meta(min_length=2, max_length=4)],
) -> LinearSolution:
    """Solve two to four linear equations with as many unknowns; rounded to six significant figures.

    Args:
        coefficients: For each equation the list of its coefficients, such as [[2, 1], [1, -1]].
        constants: The right side of each equation, such as [5, 1].
    """
    size = len(coefficients)
    for row in coefficients:
        if len(row) != size:
            raise invalid("coefficients", f"expected {size} coefficients in each of {size} equations, got {len(row)}")
    if len(constants) != size:
        raise invalid("constants", f"expected one for each of {size} equations, got {len(constants)}")
    sides = zip(coefficients, constants, strict=True)
    rank, determinant, values = solve_exactly([[exact(value) for value in (*row, side)] for row, side in sides])
    if rank < size:
        outcome: Literal["no_solution", "many_solutions"] = "no_solution" if values is None else "many_solutions"
        return LinearSolution(outcome=outcome, solution=None, determinant=0.0)
    solution = values or []
    if any(abs(value) > 10**15 for value in solution):
        raise invalid("coefficients", "expected a solution of at most 1e15, got nearly dependent equations")
    rounded = [shown(float(value)) for value in solution]
    return LinearSolution(outcome="one_solution", solution=rounded, determinant=shown(float(determinant)))


def solve_exactly(rows: Sequence[Sequence[Fraction]]) -> tuple[int, Fraction, list[Fraction] | None]:
    """Solve a square linear system by elimination.

    Args:
        rows: n rows of n coefficients and the constant.

    Returns:
        The rank of the coefficients, their determinant, and the solution: None if there is none, and meaningful only
        for the full rank if there is one.
    """
    table = [list(row) for row in rows]
    size, rank, determinant = len(table), 0, Fraction(1)
    for column in range(size):
        pivot = next((row for row in range(rank, size) if table[row][column] != 0), None)
        if pivot is None:
            determinant = Fraction(0)
            continue
        if pivot != rank:
            table[rank], table[pivot] = table[pivot], table[rank]
            determinant = -determinant
        lead = table[rank][column]
        determinant *= lead
        table[rank] = [value / lead for value in table[rank]]
        for row in range(size):
            if row != rank:
                factor = table[row][column]
                table[row] = [value - factor * top for value, top in zip(table[row], table[rank], strict=True)]
        rank += 1
    contradiction = any(row[-1] != 0 for row in table[rank:])
    return rank, determinant, None if contradiction else [row[-1] for row in table]


class QuadraticSolution(Result):
    """Real roots in ascending order, or the real and imaginary part of the pair of complex ones; and the vertex."""

    kind: Literal["two_real", "one_real", "complex_pair"]
    roots: list[float]
    imaginary_part: float
    vertex_x: float
    vertex_y: float


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_quadratic_equation(bank: Bank, a: Coefficient, b: Coefficient, c: Coefficient) -> QuadraticSolution:
    """Solve a x^2 + b x + c = 0 and find the vertex of the parabola; rounded to six significant figures.

    Args:
        a: Factor of x squared, not 0.
        b: Factor of x.
        c: The constant.
    """
    if abs(a) < 1e-9:
        raise invalid("a", f"expected a factor of 1e-9 or more, either sign, got {a}")
    discriminant = exact(b) ** 2 - 4 * exact(a) * exact(c)
    vertex = (shown(-b / (2 * a)), shown(float(-discriminant / (4 * exact(a)))))
    kind: Literal["two_real", "one_real", "complex_pair"] = "complex_pair"
    if discriminant < 0:
        roots, imaginary = [vertex[0]], shown(sqrt(-discriminant) / (2 * abs(a)))
    elif discriminant == 0:
        kind, roots, imaginary = "one_real", [vertex[0]], 0.0
    else:
        kind, imaginary = "two_real", 0.0
        roots = [shown(root) for root in real_roots(a, b, c, float(discriminant))]
    return QuadraticSolution(kind=kind, roots=roots, imaginary_part=imaginary, vertex_x=vertex[0], vertex_y=vertex[1])


def real_roots(a: float, b: float, c: float, discriminant: float) -> tuple[float, float]:
    """Return the real roots of a quadratic equation, the smaller one first, without cancellation."""
    half = -(b + (sqrt(discriminant) if b >= 0 else -sqrt(discriminant))) / 2
    first, second = half / a, c / half if half else 0.0
    return min(first, second), max(first, second)
