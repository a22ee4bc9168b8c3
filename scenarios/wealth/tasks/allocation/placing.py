"""Places the facts for an asset allocation in tables of holdings, prices and asset classes."""

from __future__ import annotations

from decimal import Decimal

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.allocation.facts import Facts, Holding

_HOLDINGS = (
    "Account Number", "Symbol", "Security Name", "Kind", "Quantity", "Book Price", "Accrued Interest", "Cash Balance",
)  # fmt: skip
_PRICES = ("Symbol", "Price Date", "Price")
_CLASSES = ("Symbol", "Asset Class", "Share %")


def place(plan: Plan, case: Case) -> None:
    """Place three tables in the client's folder."""
    facts: Facts = case.facts
    holdings = tuple(_row(one, case.rules) for one in facts.holdings)
    plan.table(case.client, "holdings.csv", TextTable(_HOLDINGS, holdings), ("Accrued Interest", "Cash Balance"))
    prices = tuple((one.symbol, one.day.isoformat(), _decimals(one.price, 4)) for one in facts.prices)
    plan.table(case.client, "prices.csv", TextTable(_PRICES, prices))
    classes = tuple((one.symbol, one.asset_class, _decimals(one.tenths, 1)) for one in facts.shares)
    plan.table(case.client, "class_map.csv", TextTable(_CLASSES, classes))


def _row(one: Holding, rules: Rules) -> tuple[str, ...]:
    what = (one.account, one.symbol, one.name, one.kind)
    if one.kind == rules["cash"]:
        return (*what, "", "", "", money_text(one.cash))
    quantity = _decimals(one.quantity, 3) if one.quantity % 1000 else str(one.quantity // 1000)
    accrued = money_text(one.accrued) if one.kind == rules["bond"] else ""
    return (*what, quantity, _decimals(one.book, 4), accrued, "")


def _decimals(number: int, places: int) -> str:
    return str(Decimal(number).scaleb(-places))
