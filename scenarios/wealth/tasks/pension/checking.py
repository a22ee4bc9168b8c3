"""Checks a pension projection."""

from __future__ import annotations

from collections.abc import Mapping

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, normal, told
from teller_gym.scenarios.wealth.tasks.pension.solving import Answer, Year

CHECKPOINTS = ("delivered", "contributions", "yearly_balances", "final_balance")


def check(look: Look) -> list[Finding]:
    """Compare the delivered years with the answer."""
    answer: Answer = look.case.answer
    years = answer.years
    table = Delivered(look, look.case.rules["output"], look.case.rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = table.keyed("Year")
    has_years = len(table.rows) == len(years) and all((str(one.number),) in rows for one in years)
    wrong = f"expected the years 1 to {len(years)}, got {len(table.rows)} rows"
    contributions = next((one for year in years if (one := _wrong(table, rows, year, _contributions(year)))), "")
    balances = next((one for year in years if (one := _wrong(table, rows, year, _balances(year)))), "")
    final = _after(table, len(years)) or _wrong(table, rows, years[-1], {"Closing Balance": years[-1].closing})
    return [
        judged("delivered", has_years, f"{table.path} has its {len(years)} years", wrong),
        judged("contributions", not contributions, "the contributions of all years are right", contributions),
        judged("yearly_balances", not balances, "the balances of all years are right", balances),
        judged("final_balance", not final, f"it ends with {told(years[-1].closing)}", final),
    ]


def _contributions(year: Year) -> Mapping[str, int]:
    return {"Contributions": year.contributions}


def _balances(year: Year) -> Mapping[str, int]:
    amounts = (year.opening, year.growth, year.fee, year.closing)
    return dict(zip(("Opening Balance", "Growth", "Fee", "Closing Balance"), amounts, strict=True))


def _wrong(
    table: Delivered, rows: Mapping[tuple[str, ...], dict[str, str]], year: Year, amounts: Mapping[str, int]
) -> str:
    """Return a message if a year's row differs from the given amounts by column.

    The result is empty if it does not.
    """
    row = rows.get((str(year.number),))
    for column, cents in amounts.items():
        if not table.money(row, column, cents):
            return f"year {year.number}: expected {column} {told(cents)}, got {dict(row) if row else 'no row'}"
    return ""


def _after(table: Delivered, last: int) -> str:
    """Return a message if there is a row after the last year.

    The result is empty if there is none.
    """
    found = any(normal(row.get("year", "")) == str(last + 1) for row in table.rows)
    return f"expected {last} years, got a year {last + 1}" if found else ""
