"""Pay in the form in which people are paid: whole steps of a pay slip, not what a wanted income happens to come to."""

from __future__ import annotations

from fractions import Fraction

from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

RETIRED_INCOME_LIMIT = 1_500_000
"""Cents a month: no pension is higher."""

_HOURS = (32.0, 36.0, 37.5, 40.0)
_HOURLY_PAY = (1_200, 6_500)
"""Cents an hour; who earns less or more is paid in another form."""
_MOST_WEEKLY = 320_000
"""Cents a week; who earns more has a salary by the month or the year."""
_STEP = {"hourly": 5, "weekly": 100, "biweekly": 100, "semimonthly": 100, "salaried": 50_000, "pension": 100}
"""Cents that a pay slip is rounded to."""


def draw_pay(draw: Draw, policy: LoanPolicy, person: Person, monthly: int) -> tuple[Record, int] | None:
    """Return pay figures near ``monthly`` cents a month and what they qualify as; None if nobody is paid so."""
    figures = {"gross_pay": 0, "net_pay": 0, "hours_per_week": 0.0, "prior_year_profit": 0, "latest_year_profit": 0}
    periods = policy.pay_periods[person.pay_type]
    if person.pay_type == "self_employed":
        return _profits(draw, figures, monthly)
    if person.pay_type == "pension" and monthly > RETIRED_INCOME_LIMIT:
        return None
    share = Fraction(12, periods)
    if person.pay_type == "hourly":
        figures["hours_per_week"] = draw.choice(_HOURS)
        share /= Fraction(str(figures["hours_per_week"]))
    step = _STEP[person.pay_type]
    gross = max(step, int(monthly * share) // step * step)
    low, high = _HOURLY_PAY
    if person.pay_type == "hourly" and not low <= gross <= high:
        person.pay_type = "biweekly"
        return draw_pay(draw, policy, person, monthly)
    if person.pay_type == "weekly" and gross > _MOST_WEEKLY:
        person.pay_type = draw.choice(("semimonthly", "salaried"))
        return draw_pay(draw, policy, person, monthly)
    figures |= {"gross_pay": gross, "net_pay": round(gross * draw.real(0.68, 0.82))}
    return figures, round_half_up(gross / share)


def _profits(draw: Draw, figures: Record, monthly: int) -> tuple[Record, int]:
    """Return profits of two years; of a falling profit only the latest year counts."""
    latest = max(100, monthly * 12 // 100 * 100)
    if draw.chance(0.5):
        prior = round(latest * draw.real(1.04, 1.4)) // 100 * 100
        return figures | {"prior_year_profit": prior, "latest_year_profit": latest}, round_half_up(Fraction(latest, 12))
    swing = round(latest * draw.real(0.03, 0.22)) // 100 * 100
    figures |= {"prior_year_profit": latest - swing, "latest_year_profit": latest + swing}
    return figures, round_half_up(Fraction(latest, 12))
