"""Number theory, linear equations and statistics of the catalogue."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import Any

from teller_gym.base.money import exact


def prime_powers(number: int) -> list[list[int]]:
    """Factorise a number into pairs of prime and exponent, smallest prime first."""
    found = []
    candidate = 2
    while candidate * candidate <= number:
        exponent = 0
        while number % candidate == 0:
            number //= candidate
            exponent += 1
        if exponent:
            found.append([candidate, exponent])
        candidate += 1
    return [*found, [number, 1]] if number > 1 else found


def solve_linear(coefficients: list[list[Any]], constants: list[Any]) -> dict[str, Any]:
    """Solve a square system of linear equations; return outcome, solution and determinant."""
    table = [[Fraction(value) for value in [*row, side]] for row, side in zip(coefficients, constants, strict=True)]
    size, rank, determinant = len(table), 0, Fraction(1)
    for column in range(size):
        pivot = next((row for row in range(rank, size) if table[row][column]), None)
        if pivot is None:
            determinant = Fraction(0)
            continue
        if pivot != rank:
            table[rank], table[pivot], determinant = table[pivot], table[rank], -determinant
        lead = table[rank][column]
        determinant *= lead
        table[rank] = [value / lead for value in table[rank]]
        for row in range(size):
            if row != rank:
                factor = table[row][column]
                table[row] = [value - factor * top for value, top in zip(table[row], table[rank], strict=True)]
        rank += 1
    if rank == size:
        return {"outcome": "one_solution", "solution": [row[-1] for row in table], "determinant": determinant}
    contradicts = any(row[-1] for row in table[rank:])
    return {"outcome": "no_solution" if contradicts else "many_solutions", "solution": None, "determinant": 0}


def normal_quantile(share: Fraction) -> Fraction:
    """Return the quantile of the standard normal distribution for a share."""
    return exact(NormalDist().inv_cdf(float(share)))
