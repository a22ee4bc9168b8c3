"""The work behind the tools beside it: columns of a CSV table summed up, and values sorted into buckets."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import refuse
from teller_gym.scenarios.distractors.general.data_tables._table_work import number

BucketMethod = Literal["equal_width", "equal_count"]


def numbers(cells: Iterable[str]) -> list[Decimal]:
    """Return the numbers among some cells."""
    return [found for cell in cells if (found := number(cell)) is not None]


def shown(value: Fraction | Decimal) -> float:
    """Return a number rounded to four decimals; adding 0 turns a negative zero into zero."""
    return round(float(value), 4) + 0.0


def median(ordered: Sequence[Decimal]) -> Decimal:
    """Return the middle of sorted numbers."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class Bucket(msgspec.Struct):
    """A range of values and how many lie in it."""

    low: float
    high: float
    count: int


def bucket_edges(
    values: list[float], count: int, method: BucketMethod, lower: float | None, upper: float | None
) -> tuple[list[Fraction], list[Fraction]]:
    """Return the values between the outermost edges, and the ``count + 1`` edges, as exact numbers."""
    exact = [Fraction(repr(value)) for value in values]
    low = min(exact) if lower is None else Fraction(repr(lower))
    high = max(exact) if upper is None else Fraction(repr(upper))
    if low >= high:
        raise refuse("upper", f"expected more than the lowest edge {float(low)}, got {float(high)}; give both edges")
    inside = sorted(value for value in exact if low <= value <= high)
    if method == "equal_width":
        return inside, [low + (high - low) * place / count for place in range(count + 1)]
    distinct = len(set(inside))
    if distinct < count:
        raise refuse("bucket_count", f"expected at most {distinct}, one for each distinct value, got {count}")
    return inside, [low, *(inside[len(inside) * place // count] for place in range(1, count)), high]


def fill_buckets(values: list[Fraction], limits: list[Fraction], decimals: int) -> list[Bucket]:
    """Return the buckets; a value on an inner edge belongs above it, one on the highest edge to the last bucket."""
    last = len(limits) - 2
    counts = Counter(min(bisect_right(limits, value) - 1, last) for value in values)
    edges = [round(float(limit), decimals) + 0.0 for limit in limits]
    return [Bucket(low=edges[place], high=edges[place + 1], count=counts[place]) for place in range(last + 1)]
