"""Whole numbers, linear systems and samples: the mathematics behind the tools."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return (prime, exponent) of a number of 2 or more, small primes first."""
    found = []
    candidate = 2
    while candidate * candidate <= number:
        exponent = 0
        while number % candidate == 0:
            number //= candidate
            exponent += 1
        if exponent:
            found.append((candidate, exponent))
        candidate += 1 if candidate == 2 else 2
    return [*found, (number, 1)] if number > 1 else found


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


def real_roots(a: float, b: float, c: float, discriminant: float) -> tuple[float, float]:
    """Return the real roots of a quadratic equation, the smaller one first, without cancellation."""
    half = -(b + (sqrt(discriminant) if b >= 0 else -sqrt(discriminant))) / 2
    first, second = half / a, c / half if half else 0.0
    return min(first, second), max(first, second)


def fit_line(xs: Sequence[float], ys: Sequence[float], through_origin: bool) -> tuple[float, float, float, float]:
    """Return slope, intercept, residual sum of squares and total sum of squares of the least-squares line.

    The spread of ``xs`` (around 0 for a line through the origin) must not be nothing.
    """
    centre_x = 0.0 if through_origin else sum(xs) / len(xs)
    centre_y = 0.0 if through_origin else sum(ys) / len(ys)
    products = sum((x - centre_x) * (y - centre_y) for x, y in zip(xs, ys, strict=True))
    slope = products / sum((x - centre_x) ** 2 for x in xs)
    intercept = centre_y - slope * centre_x
    residual = sum((y - centre_y - slope * (x - centre_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    return slope, intercept, residual, sum((y - centre_y) ** 2 for y in ys)
