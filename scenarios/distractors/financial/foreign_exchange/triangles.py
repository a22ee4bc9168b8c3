"""Three rates against each other, and purchasing power."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import (
    find_pair,
    rate_between,
    rounded,
    significant,
)
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Amount, Code, Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Prices = Annotated[list[Annotated[float, Meta(ge=0.001, le=1_000_000)]], Meta(min_length=1, max_length=20)]


class Triangle(Result):
    """``gap_basis_points`` is the implied rate over the quoted one; ``end_amount`` is what the better loop returns."""

    implied_rate: float
    gap_basis_points: float
    within_tolerance: bool
    better_loop: Literal["a_b_c_a", "a_c_b_a"]
    end_amount: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_rate_triangle(
    bank: Bank,
    rate_a_to_b: Rate,
    rate_b_to_c: Rate,
    rate_a_to_c: Rate,
    tolerance_basis_points: Annotated[float, Meta(ge=0, le=1000)],
    start_amount: Amount,
    leg_cost_percent: Annotated[float, Meta(ge=0, le=20)] = 0,
) -> Triangle:
    """Check three exchange rates against each other: whether the direct rate agrees with the way over a third currency,
    and what an amount becomes that is exchanged once around. Rates to eight digits, points and amounts to two decimals.

    Args:
        rate_a_to_b: Units of currency B for one A.
        rate_b_to_c: Units of currency C for one B.
        rate_a_to_c: Units of currency C for one A, as quoted directly.
        tolerance_basis_points: Largest gap that still counts as agreement, in hundredths of a percent.
        start_amount: Amount of currency A that goes around.
        leg_cost_percent: What each of the three exchanges costs, in percent.
    """
    implied, quoted = exact(rate_a_to_b) * exact(rate_b_to_c), exact(rate_a_to_c)
    gap = (implied / quoted - 1) * 10_000
    gain = max(implied / quoted, quoted / implied)
    return Triangle(
        implied_rate=significant(implied, 8),
        gap_basis_points=rounded(gap, 2),
        within_tolerance=abs(gap) <= exact(tolerance_basis_points),
        better_loop="a_b_c_a" if implied >= quoted else "a_c_b_a",
        end_amount=rounded(exact(start_amount) * gain * (1 - exact(leg_cost_percent) / 100) ** 3, 2),
    )


class PurchasingPower(Result):
    """``parity_rate`` is away money for one of home money at which both baskets cost the same."""

    home_basket: float
    away_basket: float
    parity_rate: float
    market_rate: float
    away_price_level_percent: float
    cheapest_away: str
    dearest_away: str


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_purchasing_power(
    bank: Bank,
    home_currency: Code,
    away_currency: Code,
    items: Annotated[list[Annotated[str, Meta(min_length=1, max_length=40)]], Meta(min_length=1, max_length=20)],
    quantities: Annotated[list[Annotated[float, Meta(ge=0.001, le=10_000)]], Meta(min_length=1, max_length=20)],
    home_prices: Prices,
    away_prices: Prices,
    market_rate: Rate | None = None,
) -> PurchasingPower:
    """Compare what a basket of goods costs in two countries: parity rate (six digits), price level abroad (100 is the
    level at home, two decimals), and the goods that are relatively cheapest and dearest there.

    Args:
        home_currency: ISO 4217 code at home.
        away_currency: ISO 4217 code abroad.
        items: Names of the goods.
        quantities: How much of each good is in the basket.
        home_prices: Price of each good at home.
        away_prices: Price of each good abroad.
        market_rate: Away money for one of home money; by default the mid rate of the house rate card.
    """
    home, away = find_pair(home_currency, away_currency, "home_currency", "away_currency")
    for field, values in (("quantities", quantities), ("home_prices", home_prices), ("away_prices", away_prices)):
        if len(values) != len(items):
            raise invalid(field, f"expected one entry for each of the {len(items)} items, got {len(values)}")
    market = exact(market_rate) if market_rate is not None else rate_between(home, away)
    basket_home = weighted_sum(quantities, home_prices)
    basket_away = weighted_sum(quantities, away_prices)
    ratios = [exact(there) / exact(here) for there, here in zip(away_prices, home_prices, strict=True)]
    return PurchasingPower(
        home_basket=home.rounded(basket_home),
        away_basket=away.rounded(basket_away),
        parity_rate=significant(basket_away / basket_home, 6),
        market_rate=significant(market, 6),
        away_price_level_percent=rounded(100 * basket_away / basket_home / market, 2),
        cheapest_away=items[ratios.index(min(ratios))],
        dearest_away=items[ratios.index(max(ratios))],
    )


def weighted_sum(weights: Iterable[float], values: Iterable[float]) -> Fraction:
    """Return the exact sum of the products of two lists of equal length."""
    return sum((exact(weight) * exact(value) for weight, value in zip(weights, values, strict=True)), Fraction(0))
