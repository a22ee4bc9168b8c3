"""Money as integer cents, ratios and rates as exact fractions; nothing here rounds silently.

Agents read and write amounts as JSON numbers of US dollars with at most two decimals; internally they are integer
cents. Rounding is half up, as is usual in banking.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

_PRECISE = Context(prec=40)


def to_cents(dollars: float) -> int:
    """Convert a dollar amount to integer cents; raises ``ValueError`` for more than two decimals."""
    cents = round(dollars * 100)
    if cents / 100 != dollars:
        raise ValueError(f"an amount of money has at most two decimals, got {dollars!r}")
    return cents


@lru_cache(maxsize=4096)
def exact(number: float) -> Fraction:
    """Return a JSON number as the exact decimal that was written: 0.1 becomes a tenth."""
    return Fraction(repr(number))


def usd(cents: int) -> float:
    """Convert integer cents to dollars (a JSON number with at most two decimals)."""
    return cents / 100


def fmt_usd(cents: int) -> str:
    """Format cents as dollars for people: ``1,896.20``; whole dollars without decimals: ``650,000``."""
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    whole, rest = divmod(cents, 100)
    return f"{sign}{whole:,}.{rest:02d}" if rest else f"{sign}{whole:,}"


def round_half_up(value: Fraction | Decimal | int) -> int:
    """Round to the nearest integer, halves away from zero."""
    fraction = Fraction(value)
    magnitude = (2 * abs(fraction.numerator) + fraction.denominator) // (2 * fraction.denominator)
    return magnitude if fraction >= 0 else -magnitude


def divide_half_up(numerator: int, denominator: int) -> int:
    """Divide and round half up; the numerator must not be negative, and the denominator must be positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def percent(part: int, whole: int) -> float:
    """Return ``100 * part / whole`` rounded half up to two decimals (a JSON number)."""
    return divide_half_up(10_000 * part, whole) / 100


def level_payment(principal: int, annual_rate_percent: float, months: int) -> int:
    """Return the level monthly payment in cents that repays ``principal`` cents in ``months`` months.

    ``M = P r / (1 - (1 + r) ** -n)`` with ``r`` a twelfth of the annual rate; ``P / n`` at a rate of zero.
    """
    exact = _PRECISE.multiply(Decimal(principal), _payment_factor(annual_rate_percent, months))
    return int(exact.to_integral_value(ROUND_HALF_UP))


@lru_cache(maxsize=4096)
def _payment_factor(annual_rate_percent: float, months: int) -> Decimal:
    """Return the monthly payment for each unit borrowed, to 40 digits."""
    with localcontext(_PRECISE):
        rate = Decimal(repr(annual_rate_percent)) / 1200
        repaid = 1 - (1 + rate) ** -months  # 0 for a rate of zero, or one too small for 40 digits
        return rate / repaid if repaid else Decimal(1) / months


@lru_cache(maxsize=4096)
def payment_per_thousand(annual_rate_percent: float, months: int, extra_annual_percent: float = 0.0) -> float:
    """Return the monthly payment for each 1,000 dollars borrowed, in dollars rounded up to four decimals.

    ``extra_annual_percent`` is a yearly charge on the amount borrowed (mortgage insurance), paid monthly. The factor is
    rounded up so that an amount computed from it never exceeds a limit.
    """
    with localcontext(_PRECISE):
        factor = _payment_factor(annual_rate_percent, months) * 1000 + Decimal(repr(extra_annual_percent)) * 10 / 12
        return float(factor.quantize(Decimal("0.0001"), rounding=ROUND_CEILING))


@lru_cache(maxsize=4096)
def annual_percentage_rate(amount_financed: int, payment: int, months: int) -> float:
    """Return the APR in percent, three decimals: the yearly rate at which the payments discount to the amount financed.

    Newton's method starts from the flat rate and stops at 1e-10 of a monthly rate, far below the rounding.
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
