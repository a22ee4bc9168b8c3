"""Generated pay in the form that people receive it, rounded as on a pay slip rather than to hit a wanted income."""

from __future__ import annotations

from fractions import Fraction

from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

RETIRED_INCOME_LIMIT = 1_500_000
"""Highest monthly pension, in cents."""

_HOURS = (32.0, 36.0, 37.5, 40.0)
_HOURLY_PAY = (1_200, 6_500)
"""Range of hourly pay, in cents; lower or higher earners are paid in another form."""
_MOST_WEEKLY = 320_000
"""Highest weekly pay, in cents; higher earners have a monthly or yearly salary."""
_STEP = {"hourly": 5, "weekly": 100, "biweekly": 100, "semimonthly": 100, "salaried": 50_000, "pension": 100}
"""Step, in cents, to which pay is rounded on a pay slip."""


def draw_pay(draw: Draw, policy: LoanPolicy, person: Person, monthly: int) -> tuple[Record, int] | None:
    """Draw pay near ``monthly`` cents a month; return it with its qualifying income, or None if it is unrealistic."""
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
    """Draw the profits of two years; if profit is falling, only the latest year counts."""
    latest = max(100, monthly * 12 // 100 * 100)
    if draw.chance(0.5):
        prior = round(latest * draw.real(1.04, 1.4)) // 100 * 100
        return figures | {"prior_year_profit": prior, "latest_year_profit": latest}, round_half_up(Fraction(latest, 12))
    swing = round(latest * draw.real(0.03, 0.22)) // 100 * 100
    figures |= {"prior_year_profit": latest - swing, "latest_year_profit": latest + swing}
    return figures, round_half_up(Fraction(latest, 12))
