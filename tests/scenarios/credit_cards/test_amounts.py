"""Amounts of the credit card scenario, to the cent: tools and solver against figures computed by hand."""

from datetime import date
from fractions import Fraction

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.credit_cards.generator.book import closing_days
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.solver_facts import burden_of, closing_after
from teller_gym.scenarios.credit_cards.tools.ability import assumed_payment

CARDS = load_scenario("credit_cards")
POLICY: CardPolicy = CARDS.policy


def test_2400_at_21_99_percent_cost_67_38_a_month() -> None:
    """30 days of interest are 43.38, and one percent of the balance is 24.00."""
    assert assumed_payment(POLICY, 240_000, Fraction("21.99")) == 6_738
    assert burden_of(POLICY, 2_199, 240_000) == 6_738


def test_a_small_limit_costs_the_floor() -> None:
    assert assumed_payment(POLICY, 50_000, Fraction("21.99")) == burden_of(POLICY, 2_199, 50_000) == 3_500


@pytest.mark.parametrize(
    ("day", "number", "closing"),
    [
        (date(2026, 3, 14), 15, date(2026, 3, 15)),
        (date(2026, 3, 15), 15, date(2026, 4, 15)),
        (date(2026, 12, 20), 15, date(2027, 1, 15)),
        (date(2026, 2, 1), 31, date(2026, 2, 28)),
        (date(2026, 2, 28), 31, date(2026, 3, 31)),
    ],
)
def test_the_closing_day_after_a_day(day: date, number: int, closing: date) -> None:
    assert closing_after(day, number) == closing


def test_closing_days_of_a_book_follow_month_by_month() -> None:
    assert closing_days(date(2026, 3, 20), 31, 2) == [date(2025, 12, 31), date(2026, 1, 31), date(2026, 2, 28)]
