"""Money as integer cents, ratios and rates as exact fractions; nothing here rounds silently.

Amounts cross the agent's interface as JSON numbers of US dollars with at most two decimals; inside they are
integer cents. Rounding is half up, as banks do it.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

_PRECISE = Context(prec=40)


def to_cents(dollars: float) -> int:
    """Return integer cents for a dollar amount with at most two decimals.

    Raises:
        ValueError: the amount has more than two decimals.
    """
    cents = round(dollars * 100)
    if cents / 100 != dollars:
        raise ValueError(f"an amount of money has at most two decimals, got {dollars!r}")
    return cents


@lru_cache(maxsize=4096)
def exact(number: float) -> Fraction:
    """Return a JSON number as the decimal that was written, so that 0.1 is a tenth."""
    return Fraction(repr(number))


def usd(cents: int) -> float:
    """Return the dollar amount (JSON number, two decimals at most) for integer cents."""
    return cents / 100


def fmt_usd(cents: int) -> str:
    """Return cents as people write dollars: ``1,896.20``; whole dollars without decimals: ``650,000``."""
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    whole, rest = divmod(cents, 100)
    return f"{sign}{whole:,}.{rest:02d}" if rest else f"{sign}{whole:,}"


def round_half_up(value: Fraction | Decimal | int) -> int:
    """Round to the nearest integer, halves away from zero."""
    fraction = Fraction(value)
    magnitude = (2 * abs(fraction.numerator) + fraction.denominator) // (2 * fraction.denominator)
    return magnitude if fraction >= 0 else -magnitude


def divide_half_up(numerator: int, denominator: int) -> int:
    """Return ``numerator / denominator`` rounded half up, for a numerator of 0 or more and a positive denominator."""
    return (2 * numerator + denominator) // (2 * denominator)


def percent(part: int, whole: int) -> float:
    """Return ``100 * part / whole`` rounded half up to two decimals (a JSON number)."""
    return divide_half_up(10_000 * part, whole) / 100


def level_payment(principal: int, annual_rate_percent: float, months: int) -> int:
    """Return the level monthly payment in cents that repays ``principal`` cents in ``months`` months.

    ``M = P r / (1 - (1 + r) ** -n)`` with ``r`` the annual rate over twelve; ``P / n`` at a rate of zero.
    """
    exact = _PRECISE.multiply(Decimal(principal), _payment_factor(annual_rate_percent, months))
    return int(exact.to_integral_value(ROUND_HALF_UP))


@lru_cache(maxsize=4096)
def _payment_factor(annual_rate_percent: float, months: int) -> Decimal:
    """Payment for each unit borrowed, to 40 digits; banks keep a table of these, too."""
    with localcontext(_PRECISE):
        rate = Decimal(repr(annual_rate_percent)) / 1200
        repaid = 1 - (1 + rate) ** -months  # of a rate below all digits nothing is left, as of none at all
        return rate / repaid if repaid else Decimal(1) / months


@lru_cache(maxsize=4096)
def payment_per_thousand(annual_rate_percent: float, months: int, extra_annual_percent: float = 0.0) -> float:
    """Return the monthly payment for each 1,000 dollars borrowed, in dollars rounded up to four decimals.

    ``extra_annual_percent`` is a yearly charge on the amount borrowed (mortgage insurance), paid monthly. Rounding up
    keeps an amount that was worked out from the factor on the safe side of a limit.
    """
    with localcontext(_PRECISE):
        factor = _payment_factor(annual_rate_percent, months) * 1000 + Decimal(repr(extra_annual_percent)) * 10 / 12
        return float(factor.quantize(Decimal("0.0001"), rounding=ROUND_CEILING))


@lru_cache(maxsize=4096)
def annual_percentage_rate(amount_financed: int, payment: int, months: int) -> float:
    """Return the APR in percent, three decimals: the yearly rate at which the payments discount to the amount financed.

    Solved by Newton's method from the flat rate, in floating point to 1e-10 of a monthly rate, far below the rounding.
    """
    if payment * months <= amount_financed:
        return 0.0
    rate = 2 * (payment * months / amount_financed - 1) / (months + 1)
    for _ in range(50):
        discount = (1 + rate) ** -months
        value = payment * (1 - discount) / rate - amount_financed
        slope = payment * (months * discount / ((1 + rate) * rate) - (1 - discount) / rate**2)
        step = value / slope
        rate -= step
        if abs(step) < 1e-10:
            break
    return float(Decimal(repr(rate * 1200)).quantize(Decimal("0.001"), rounding=ROUND_HALF_UP))
