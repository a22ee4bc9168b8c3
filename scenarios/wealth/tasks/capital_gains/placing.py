"""Places the facts for capital gains: a table of trades and a fee schedule."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.dates import DateStyle, date_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.delivered import told
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.capital_gains.facts import Facts, Terms, Trade

_TRADES = (
    "Trade ID", "Trade Date", "Settlement Date", "Action", "Security", "Quantity", "Price", "Gross Amount",
    "Split Ratio",
)  # fmt: skip
_MILLION = 100_000_000


def place(plan: Plan, case: Case) -> None:
    """Place a table and a text in the client's folder."""
    facts: Facts = case.facts
    plan.table(case.client, "trades.csv", TextTable(_TRADES, tuple(map(_row, facts.trades))), ("Gross Amount",))
    plan.text(case.client, "fees.txt", list(_lines(facts)))


def _row(one: Trade) -> tuple[str, ...]:
    days = (one.key, one.day.isoformat(), one.settled.isoformat(), one.action, one.security)
    if not one.quantity:
        return (*days, "", "", "", f"{one.ratio}:1")
    return (*days, str(one.quantity), str(Decimal(one.price).scaleb(-4)), money_text(one.gross), "")


def _lines(facts: Facts) -> Iterator[str]:
    yield f"{facts.custodian}: fees for trades in securities"
    yield ""
    yield "Commission, on purchases and on sales:"
    yield from map(_words, facts.terms)
    yield ""
    yield "Regulatory fee, on sales only, whatever their date:"
    yield f"${told(facts.levy)} for each ${told(_MILLION)} of the gross amount, and in proportion for less."
    yield ""
    yield "Each of the two is rounded to the cent by itself. Splits are free of charge."
    yield "Safekeeping is charged each quarter and is no part of the cost of a trade."


def _words(one: Terms) -> str:
    when = f"{'from' if one.is_from else 'until'} {date_text(one.day, DateStyle.LONG)}"
    rate = Decimal(one.rate).scaleb(-2)
    return f"Trades {when}: {rate}% of the gross amount, at least ${told(one.least)}, at most ${told(one.most)}."
