"""Places the facts about an estate in two tables."""

from __future__ import annotations

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.tax_threshold.facts import Facts, Line, Schedule

_ESTATE = ("Kind", "Item", "Party", "Relation", "Date", "Amount", "Current Value")


def place(plan: Plan, case: Case) -> None:
    """Place the tables of the estate and the tax brackets in the client's folder."""
    facts: Facts = case.facts
    estate = TextTable(_ESTATE, tuple(_row(one, case.rules) for one in facts.lines))
    plan.table(case.client, "estate.csv", estate, ("Amount", "Current Value"))
    years = [str(one.year) for one in facts.schedules]
    columns = tuple(f"{name} {year}" for year in years for name in ("From", "To", "Rate %"))
    rows = [
        (case.rules["threshold"], *(cell for one in facts.schedules for cell in ("", money_text(one.threshold), "")))
    ]
    for number, band in enumerate(facts.schedules[0].bands):
        rows.append((band.name, *(cell for one in facts.schedules for cell in _band(one, number))))
    money = [column for column in columns if not column.startswith("Rate")]
    plan.table(case.client, "bands.csv", TextTable(("Band", *columns), tuple(rows)), money)


def _row(line: Line, rules: Rules) -> tuple[str, ...]:
    return (
        line.kind,
        line.item,
        line.party,
        line.relation,
        line.day.isoformat() if line.day else "",
        "" if line.kind == rules["decedent"] else money_text(line.amount),
        "" if line.current is None else money_text(line.current),
    )


def _band(schedule: Schedule, number: int) -> tuple[str, str, str]:
    band = schedule.bands[number]
    return money_text(band.begin), "" if band.end is None else money_text(band.end), money_text(band.rate)
