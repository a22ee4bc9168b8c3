"""Assets of a small firm: what a machine is still worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, fmt_usd, round_half_up, to_cents, usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class Depreciation(Result):
    """One year's write-off and where it leaves the asset, in dollars."""

    depreciation: float
    accumulated_depreciation: float
    book_value: float
    fully_depreciated: bool


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compute_depreciation(
    bank: Bank,
    method: Literal["straight_line", "declining_balance", "units_of_production"],
    asset_cost: Money,
    salvage_value: Money,
    show_year: Annotated[int, Meta(ge=1, le=51)],
    useful_life_years: Annotated[int, Meta(ge=1, le=50)] | None = None,
    first_year_months: Annotated[int, Meta(ge=1, le=12)] = 12,
    declining_factor: Annotated[float, Meta(ge=1, le=3, extra={"unit": "factor"})] = 2,
    lifetime_units: Annotated[int, Meta(ge=1, le=100_000_000)] | None = None,
    units_by_year: Annotated[list[Annotated[int, Meta(ge=0, le=100_000_000)]], Meta(max_length=50)] | None = None,
) -> Depreciation:
    """Compute the depreciation of a machine or other fixed asset in one year of its life, and its book value after it.
    Amounts are rounded to cents, halves up.

    Args:
        method: How the cost is spread; declining balance never goes below the salvage value.
        asset_cost: Cost of the asset in dollars.
        salvage_value: What it is worth at the end, in dollars.
        show_year: Which year since the purchase, counting from 1.
        useful_life_years: Years of use, for the two methods by time.
        first_year_months: Months of use in the first year; the rest of a life falls into one more year.
        declining_factor: Multiple of the straight-line rate, for declining balance.
        lifetime_units: Units the asset can produce in all, for units of production.
        units_by_year: Units produced in each year so far, for units of production.
    """
    return depreciate(
        method,
        asset_cost,
        salvage_value,
        show_year,
        useful_life_years,
        first_year_months,
        declining_factor,
        lifetime_units,
        units_by_year,
    )


def depreciate(
    method: str,
    asset_cost: float,
    salvage_value: float,
    show_year: int,
    useful_life_years: int | None,
    first_year_months: int,
    declining_factor: float,
    lifetime_units: int | None,
    units_by_year: list[int] | None,
) -> Depreciation:
    """Return the write-off of one year; see the tool ``compute_depreciation``."""
    cost, base = to_cents(asset_cost), to_cents(asset_cost) - to_cents(salvage_value)
    if base < 0:
        raise invalid("salvage_value", f"expected at most the cost, {fmt_usd(cost)}, got {salvage_value}")
    if method == "units_of_production":
        before, after = _written_off_by_units(base, show_year, lifetime_units, units_by_year)
    else:
        if useful_life_years is None:
            raise invalid("useful_life_years", f"expected a number of years for {method}, got none")
        last = useful_life_years + (first_year_months < 12)
        if show_year > last:
            raise invalid("show_year", f"expected one of the {last} years in which the asset is used, got {show_year}")
        if method == "straight_line":
            before, after = (
                round_half_up(Fraction(base * months, 12 * useful_life_years))
                for months in _months_used(show_year, first_year_months, useful_life_years)
            )
        else:
            rate = exact(declining_factor) / useful_life_years
            before = after = 0
            for year in range(1, show_year + 1):
                start, end = _months_used(year, first_year_months, useful_life_years)
                before = after
                after += min(round_half_up((cost - after) * rate * (end - start) / 12), base - after)
    return Depreciation(
        depreciation=usd(after - before),
        accumulated_depreciation=usd(after),
        book_value=usd(cost - after),
        fully_depreciated=after == base,
    )


def _months_used(year: int, first_year_months: int, life: int) -> tuple[int, int]:
    """Months of use before and after the given year."""
    end = first_year_months + 12 * (year - 1)
    return max(end - 12, 0), min(end, 12 * life)


def _written_off_by_units(base: int, year: int, lifetime: int | None, by_year: list[int] | None) -> tuple[int, int]:
    if lifetime is None:
        raise invalid("lifetime_units", "expected a number of units for units_of_production, got none")
    if by_year is None or len(by_year) < year:
        raise invalid("units_by_year", f"expected units for {year} years, got {len(by_year or ())}")
    before, after = (
        round_half_up(Fraction(base * min(sum(by_year[:count]), lifetime), lifetime)) for count in (year - 1, year)
    )
    return before, after
