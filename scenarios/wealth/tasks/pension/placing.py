"""Places a projection's facts: a plans table, a text with assumptions, and fields of the client's Contact."""

from __future__ import annotations

from collections.abc import Iterator

from teller_gym.office.crm.descriptions import Field
from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.dates import DateStyle, date_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.pension.facts import Edition, Facts, Valuation

_COLUMNS = (
    "Plan", "Provider", "Status", "Valuation Date", "Balance", "Employee Contribution", "Frequency", "Match %",
    "Match Cap",
)  # fmt: skip
_MONEY = ("Balance", "Employee Contribution", "Match Cap")


def place(plan: Plan, case: Case) -> None:
    """Place a table and a text, and set fields of the Contact."""
    facts: Facts = case.facts
    profiles = tuple(case.rules[name] for name in ("cautious", "balanced", "adventurous"))
    plan.fields["Contact"]["cRetirementAge"] = Field(type="int")
    plan.fields["Contact"]["cRiskProfile"] = Field(type="enum", options=("", *profiles))
    plan.contact(case.client, cRetirementAge=facts.retirement_age, cRiskProfile=facts.profile)
    plan.table(case.client, "pension.csv", TextTable(_COLUMNS, tuple(map(_cells, facts.valuations))), _MONEY)
    lines = ["PLANNING ASSUMPTIONS FOR PENSIONS", *(line for one in facts.editions for line in _lines(one))]
    plan.text(case.client, "assumptions.txt", lines)


def _cells(one: Valuation) -> tuple[str, ...]:
    return (
        one.plan,
        one.provider,
        one.status,
        one.on.isoformat(),
        money_text(one.balance),
        money_text(one.contribution),
        one.frequency,
        "" if one.match is None else str(one.match),
        "" if one.cap is None else money_text(one.cap),
    )


def _lines(edition: Edition) -> Iterator[str]:
    yield ""
    yield f"Edition in force from {date_text(edition.since, DateStyle.LONG)}"
    for one in edition.scenarios:
        growth, rise = money_text(one.growth), money_text(one.rise)
        yield f"{one.name} case: growth {growth}% a year, contributions rise by {rise}% a year."
    yield f"Fee: {money_text(edition.fee)}% a year."
    yield f"Contributions are paid {edition.timing}."
