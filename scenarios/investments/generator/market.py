"""Generated securities and their prices."""

from __future__ import annotations

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.investments.generator.plan import Plan
from teller_gym.scenarios.investments.policy import InvestmentPolicy

_MOVES = {"money_market": 0.0, "bond_fund": 0.003, "index_fund": 0.011, "leveraged_fund": 0.028}
"""Largest daily price move as a share, by kind of security; ``_MOVE`` for other kinds."""
_MOVE = 0.018


def add_market(draw: Draw, policy: InvestmentPolicy, plan: Plan, tables: Tables) -> None:
    """Add every security, with its ask, bid and last price on each price day of the plan."""
    for symbol, name, issuer, kind, low, high in words_of(__package__)["securities"]:
        price = draw.integer(low, high)
        prices, move = {}, _MOVES.get(kind, _MOVE)
        for day in plan.price_days:
            price = max(100, round(price * draw.real(1 - move, 1 + move)))
            spread = 0 if kind == "money_market" else 1 + price // 4000
            prices[day] = {"ask": price + spread, "bid": price - spread, "last": price}
        tables["instruments"][symbol] = {"name": name, "issuer": issuer, "kind": kind, "prices": prices}


def price_of(policy: InvestmentPolicy, plan: Plan, tables: Tables, symbol: str) -> int:
    """Return the price that the SOP uses for the request, in cents."""
    prices: dict[str, dict[str, int]] = tables["instruments"][symbol]["prices"]
    return prices[plan.price_day][{"purchase": "ask", "sale": "bid"}.get(plan.kind, "last")]


def symbols(tables: Tables, *kinds: str) -> list[str]:
    """Return the symbols of the given kinds of security, or of all."""
    return [key for key, item in tables["instruments"].items() if not kinds or item["kind"] in kinds]


def hold(draw: Draw, tables: Tables, account_id: str, symbol: str, quantity: int) -> None:
    """Add a position to an account."""
    key = draw.identifier("PO")
    tables["positions"][key] = {"account_id": account_id, "symbol": symbol, "quantity": quantity}


def some_holdings(
    draw: Draw, policy: InvestmentPolicy, plan: Plan, tables: Tables, account_id: str, count: int
) -> None:
    """Add positions of typical size in different securities."""
    left = symbols(tables)
    for _ in range(count):
        symbol = draw.choice(left)
        left.remove(symbol)
        price = price_of(policy, plan, tables, symbol)
        value = draw.integer(250_000, 6_500_000 if plan.kind == "distribution" else 3_600_000)
        step = 100 if price < 1000 else 5
        hold(draw, tables, account_id, symbol, max(step, value // price // step * step))


def add_year_end(draw: Draw, policy: InvestmentPolicy, plan: Plan, tables: Tables, account_id: str) -> None:
    """Set a retirement account's balance at the end of last year, close to its present value."""
    account = tables["brokerage_accounts"][account_id]
    if account["account_type"] not in ("traditional_ira", "sep_ira", "inherited_ira") or account["status"] != "open":
        return
    rows = [row for row in tables["positions"].values() if row["account_id"] == account_id]
    worth = account["cash_balance"] + sum(
        row["quantity"] * tables["instruments"][row["symbol"]]["prices"][plan.price_day]["last"] for row in rows
    )
    account["prior_year_end_value"] = round(worth * draw.real(0.86, 1.12))
