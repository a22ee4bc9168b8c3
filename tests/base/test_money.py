"""Money: published test vectors, and every function compared with an independent computation."""

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.money import (
    annual_percentage_rate,
    divide_half_up,
    fmt_usd,
    level_payment,
    payment_per_thousand,
    percent,
    round_half_up,
    to_cents,
    usd,
)

CENTS = st.integers(0, 10_000_000_000)


@pytest.mark.parametrize(
    ("dollars", "rate", "months", "payment"),
    [
        (300_000, 6.5, 360, "1896.20"),
        (450_000, 6.25, 180, "3858.40"),
        (30_000, 7.2, 60, "596.87"),
        (15_000, 9.99, 72, "277.81"),
        (10_000, 11.5, 36, "329.76"),
        (50_000, 14.25, 60, "1169.90"),
        (12_000, 0.0, 24, "500.00"),
    ],
)
def test_level_payments(dollars: int, rate: float, months: int, payment: str) -> None:
    assert level_payment(dollars * 100, rate, months) == Decimal(payment) * 100


@pytest.mark.parametrize(
    ("principal", "rate", "months", "last"),
    [
        (30_000_000, 6.5, 360, 190_091),
        (45_000_000, 6.25, 180, 385_931),
        (3_000_000, 7.2, 60, 59_690),
        (1_500_000, 9.99, 72, 27_804),
        (1_000_000, 11.5, 36, 32_978),
        (5_000_000, 14.25, 60, 117_020),
    ],
)
def test_the_schedule_of_a_payment_ends_as_published(principal: int, rate: float, months: int, last: int) -> None:
    payment, balance = level_payment(principal, rate, months), principal
    monthly = Fraction(str(rate)) / 1200
    for _ in range(months - 1):
        balance -= payment - round_half_up(balance * monthly)
    assert balance + round_half_up(balance * monthly) == last


@given(st.integers(10_000, 100_000_000), st.integers(0, 30_000), st.integers(1, 480))
@settings(max_examples=100, deadline=None)
def test_a_payment_is_the_exact_one_to_half_a_cent(principal: int, rate: int, months: int) -> None:
    payment = level_payment(principal, rate / 1000, months)
    r = Fraction(rate, 1_200_000)
    growth = (1 + r) ** months
    exact = principal * r * growth / (growth - 1) if rate else Fraction(principal, months)
    assert abs(payment - exact) <= Fraction(1, 2)


@pytest.mark.parametrize(
    ("financed", "dollars", "rate", "months", "apr"),
    [(29_400_000, 300_000, 6.5, 360, 6.695), (970_000, 10_000, 11.5, 36, 13.625)],
)
def test_published_annual_percentage_rates(financed: int, dollars: int, rate: float, months: int, apr: float) -> None:
    assert annual_percentage_rate(financed, level_payment(dollars * 100, rate, months), months) == apr


@given(st.integers(100_000, 80_000_000), st.integers(100, 20_000), st.integers(2, 360), st.integers(0, 600))
@settings(max_examples=100, deadline=None)
def test_the_annual_percentage_rate_discounts_to_the_amount_financed(
    principal: int, rate: int, months: int, fee: int
) -> None:
    financed = principal - principal * fee // 10_000
    payment = level_payment(principal, rate / 1000, months)
    apr = annual_percentage_rate(financed, payment, months)
    low, high = (payment * _annuity(apr + shift, months) for shift in (0.00051, -0.00051))
    assert low <= financed <= high or (apr == 0 and payment * months <= financed)


def _annuity(apr: float, months: int) -> float:
    r = apr / 1200
    return months if abs(r) < 1e-12 else -math.expm1(-months * math.log1p(r)) / r


def test_the_annual_percentage_rate_is_never_negative() -> None:
    assert annual_percentage_rate(1_200_000, 50_000, 24) == 0.0
    assert annual_percentage_rate(1_200_000, 40_000, 24) == 0.0


@given(CENTS)
def test_cents_survive_the_way_through_dollars(cents: int) -> None:
    assert to_cents(usd(cents)) == cents
    assert round(usd(cents), 2) == usd(cents)


@given(CENTS, st.integers(1, 9))
def test_a_tenth_of_a_cent_is_refused(cents: int, tenths: int) -> None:
    with pytest.raises(ValueError, match="two decimals"):
        to_cents(float(f"{cents // 100}.{cents % 100:02d}{tenths}"))


@pytest.mark.parametrize("dollars", [0.005, 1.005, 0.001, 99_999_999.999, 0.285])
def test_a_third_decimal_is_refused(dollars: float) -> None:
    with pytest.raises(ValueError, match="two decimals"):
        to_cents(dollars)


@pytest.mark.parametrize("dollars", [0.29, 1.1, 4.35, 1.15, 8.2, 1e8, 99_999_999.99, 70_368_744.17, 5, -3.7])
def test_binary_fractions_do_not_disturb_cents(dollars: float) -> None:
    assert to_cents(dollars) == Decimal(str(dollars)) * 100


@pytest.mark.parametrize(
    ("cents", "text"),
    [(189_620, "1,896.20"), (65_000_000, "650,000"), (5, "0.05"), (0, "0"), (-189_601, "-1,896.01"), (-100, "-1")],
)
def test_money_as_people_write_it(cents: int, text: str) -> None:
    assert fmt_usd(cents) == text


@pytest.mark.parametrize(
    ("value", "rounded"),
    [("0.5", 1), ("1.5", 2), ("2.5", 3), ("2.4999999999999999999999", 2), ("-0.5", -1), ("-2.5", -3), ("-2.4", -2)],
)
def test_halves_go_away_from_zero(value: str, rounded: int) -> None:
    assert round_half_up(Fraction(value)) == rounded
    assert round_half_up(Decimal(value)) == rounded


@given(st.fractions(-(10**9), 10**9, max_denominator=10**6))
def test_rounding_against_decimal(value: Fraction) -> None:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(exact) == value:  # Decimal can hold it
        assert round_half_up(value) == int(exact.quantize(Decimal(1), ROUND_HALF_UP))
    assert abs(round_half_up(value) - value) <= Fraction(1, 2)


@given(st.integers(0, 10**14), st.integers(1, 10**9))
def test_division_rounds_like_fractions(numerator: int, denominator: int) -> None:
    assert divide_half_up(numerator, denominator) == round_half_up(Fraction(numerator, denominator))


@pytest.mark.parametrize(
    ("part", "whole", "is_percent"),
    [(258_000, 600_000, 43.0), (374_620, 900_000, 41.62), (30_000_000, 37_500_000, 80.0), (1, 3, 33.33), (2, 3, 66.67),
     (1, 800, 0.13), (0, 7, 0.0)],
)  # fmt: skip
def test_percentages(part: int, whole: int, is_percent: float) -> None:
    assert percent(part, whole) == is_percent


@given(st.integers(0, 30_000), st.integers(1, 480), st.integers(0, 2_000), st.integers(100, 800_000))
@settings(max_examples=100, deadline=None)
def test_the_payment_factor_never_understates(rate: int, months: int, insurance: int, dollars: int) -> None:
    factor = Fraction(str(payment_per_thousand(rate / 1000, months, insurance / 1000)))
    r = Fraction(rate, 1_200_000)
    growth = (1 + r) ** months
    payment = 1000 * r * growth / (growth - 1) if rate else Fraction(1000, months)
    exact = payment + Fraction(insurance, 1200)
    assert 0 <= factor - exact <= Fraction(1, 10_000)
    # An amount computed from the factor with a reserve of one cent (two roundings of half a cent) costs no more.
    cost = level_payment(dollars * 100, rate / 1000, months) + round_half_up(Fraction(dollars * insurance, 12_000))
    assert cost <= factor * dollars / 10 + 1
