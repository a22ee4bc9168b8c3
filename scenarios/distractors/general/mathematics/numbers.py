"""Whole numbers, fractions and selections."""

from __future__ import annotations

from fractions import Fraction
from math import comb, gcd, lcm, perm
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Whole = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
Denominator = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class FactoredNumbers(Result):
    """Prime factors of each number in the order given, and what the numbers share."""

    factorizations: list[str]
    greatest_common_divisor: int
    least_common_multiple: str


@tool(category=Category.GENERAL_DISTRACTOR)
def factor_whole_numbers(
    bank: Bank,
    numbers: Annotated[list[Annotated[int, Meta(ge=2, le=10_000_000)]], Meta(min_length=1, max_length=8)],
) -> FactoredNumbers:
    """Split whole numbers into prime factors, and find their greatest common divisor and least common multiple.

    Args:
        numbers: The numbers.
    """
    written = [
        " x ".join(str(prime) if exponent == 1 else f"{prime}^{exponent}" for prime, exponent in prime_powers(number))
        for number in numbers
    ]
    return FactoredNumbers(
        factorizations=written, greatest_common_divisor=gcd(*numbers), least_common_multiple=str(lcm(*numbers))
    )


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


class FractionResult(Result):
    """A fraction in lowest terms, as a mixed number, and as a decimal to six significant figures."""

    numerator: int
    denominator: int
    mixed_number: str
    decimal: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_with_fractions(
    bank: Bank,
    numerator_a: Whole,
    denominator_a: Denominator,
    operation: Literal["add", "subtract", "multiply", "divide"],
    numerator_b: Whole,
    denominator_b: Denominator,
) -> FractionResult:
    """Add, subtract, multiply or divide two fractions and give the result in lowest terms.

    Args:
        numerator_a: Numerator of the first fraction, with its sign.
        denominator_a: Denominator of the first fraction.
        operation: What to do with the two.
        numerator_b: Numerator of the second fraction, with its sign.
        denominator_b: Denominator of the second fraction.
    """
    a, b = Fraction(numerator_a, denominator_a), Fraction(numerator_b, denominator_b)
    if operation == "divide" and b == 0:
        raise invalid("numerator_b", "expected a fraction other than 0 to divide by, got 0")
    if operation in ("add", "subtract"):
        value = a + b if operation == "add" else a - b
    else:
        value = a * b if operation == "multiply" else a / b
    whole, rest = divmod(abs(value.numerator), value.denominator)
    parts = [str(whole)] if whole or not rest else []
    parts += [f"{rest}/{value.denominator}"] if rest else []
    return FractionResult(
        numerator=value.numerator,
        denominator=value.denominator,
        mixed_number=("-" if value < 0 else "") + " ".join(parts),
        decimal=shown(float(value)),
    )


class SelectionCount(Result):
    """The exact count in digits, and rounded to six significant figures."""

    count: str
    rounded: float


@tool(category=Category.GENERAL_DISTRACTOR)
def count_possible_selections(
    bank: Bank,
    items: Annotated[int, Meta(ge=1, le=1000)],
    chosen: Annotated[int, Meta(ge=0, le=100)],
    order_matters: bool,
    repetition_allowed: bool,
) -> SelectionCount:
    """Count in how many ways some of several different items can be selected: combinations or permutations.

    Args:
        items: How many items there are.
        chosen: How many are selected.
        order_matters: Whether the same items in another order count as another selection.
        repetition_allowed: Whether an item can be selected more than once.
    """
    if chosen > items and not repetition_allowed:
        raise invalid("chosen", f"expected at most {items} without repetition, got {chosen}")
    if order_matters:
        count = items**chosen if repetition_allowed else perm(items, chosen)
    else:
        count = comb(items + chosen - 1, chosen) if repetition_allowed else comb(items, chosen)
    return SelectionCount(count=str(count), rounded=shown(float(count)))
