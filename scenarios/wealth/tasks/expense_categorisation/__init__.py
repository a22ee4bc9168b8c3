"""Expense Categorisation: a household's spending in a quarter, by category."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(
    __name__,
    "Expense Categorisation",
    2,
    ("categorised.csv", "summary.csv"),
    words=lambda case: {"quarter": case.facts.period, "first_day": case.facts.start, "last_day": case.facts.end},
)
