"""Tools for sales: tax lots, the gain or loss of those sold, and wash sales."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId, Code
from teller_gym.scenarios.banking.lookup import check_code, created, existing, record, too_early
from teller_gym.scenarios.investments.tools.lookup import (
    opened_request,
    own_account,
    policy_of,
    price_of,
    require_linked,
)
from teller_gym.scenarios.investments.tools.types import LotId, LotSale, RequestId, Shares, SignedMoney, Symbol
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool


class TaxLots(Result):
    """``lots`` have lot_id, symbol, acquired, holding_from, quantity, cost_per_share, pledged, source."""

    lots: list[dict[str, Any]]
    reference_price: Money
    listed_to: date


@tool(act=Act.REVISABLE)
def list_tax_lots(
    bank: Bank,
    request_id: RequestId,
    lot_account_id: AccountId,
    symbol: Symbol,
    acquired_from: date | None,
    acquired_to: date,
    price_date: date,
    price_basis: Code,
) -> TaxLots:
    """List the open tax lots of a security in a linked account, pledged ones included, with a reference price. The list
    stays with the request as a working sheet.

    Args:
        request_id: The request whose account file has been opened.
        lot_account_id: The account in which lots are looked for.
        symbol: The security.
        acquired_from: Only lots acquired on this day or later; null for all.
        acquired_to: Only lots acquired on this day or earlier.
        price_date: Day of the reference price.
        price_basis: Code of the price that is taken.
    """
    case = opened_request(bank, request_id)
    require_linked(bank, case, [lot_account_id], "lot_account_id")
    check_code("price_basis", price_basis, policy_of(bank).price_bases.values())
    if acquired_from is not None and acquired_from > acquired_to:
        raise invalid("acquired_to", f"expected {acquired_from} or later, got {acquired_to}")
    price = price_of(bank, symbol, price_date.isoformat(), price_basis)
    first = "" if acquired_from is None else acquired_from.isoformat()
    rows = [
        _shown(key, lot)
        for key, lot in bank.rows("lots")
        if lot["account_id"] == lot_account_id and lot["symbol"] == symbol
        and first <= lot["acquired"] <= acquired_to.isoformat()
    ]  # fmt: skip
    sheet = {"account": lot_account_id, "symbol": symbol, "from": first, "to": acquired_to.isoformat()}
    key = bank.reference("LL", request_id, lot_account_id)
    bank.put("lot_lists", key, {"owner": request_id, **sheet, "day": price_date.isoformat(), "basis": price_basis})
    return TaxLots(lots=rows, reference_price=usd(price), listed_to=acquired_to)


def _shown(key: str, lot: Record) -> Record:
    names = ("symbol", "acquired", "holding_from", "quantity", "pledged", "source")
    return {"lot_id": key, **{name: lot[name] for name in names}, "cost_per_share": usd(lot["cost"])}


class RealizedGain(Result):
    """Results by holding period, negative for a loss; ``lot_results`` have lot_id, quantity, result."""

    sold_quantity: Shares
    short_term_result: SignedMoney
    long_term_result: SignedMoney
    lot_results: list[dict[str, Any]]


@tool(act=Act.REVISABLE)
def calculate_realized_gain(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    symbol: Symbol,
    sale_price: Money,
    sold_on: date,
    lot_sales: Annotated[list[LotSale], ONCE],
    long_term_lot_ids: Annotated[list[LotId], ONCE],
) -> RealizedGain:
    """Work out the gain or loss of the lots sold, lot by lot. Wash sales are not looked at.

    Args:
        request_id: The request.
        account_id: The account that sells.
        symbol: The security sold.
        sale_price: Price of a share, in dollars.
        sold_on: The trade date.
        lot_sales: Each lot sold and the shares sold of it, as LT-204817:40.
        long_term_lot_ids: Those of these lots that are long-term.
    """
    case = opened_request(bank, request_id)
    own_account(bank, case, account_id)
    price = to_cents(sale_price)
    rows = []
    for entry in lot_sales:
        key, _, count = entry.partition(":")
        lot = record(bank, "lots", key, "lot_sales")
        if (lot["account_id"], lot["symbol"]) != (account_id, symbol) or int(count) > lot["quantity"]:
            raise invalid("lot_sales", f"{entry} is not in {account_id}, or there are fewer shares of {symbol} in it")
        rows.append({"lot_id": key, "quantity": int(count), "result": int(count) * (price - lot["cost"])})
    keys = [row["lot_id"] for row in rows]
    if not rows or len(set(keys)) != len(keys):
        raise invalid("lot_sales", "expected at least one lot, and each once")
    if unknown := [key for key in long_term_lot_ids if key not in keys]:
        raise invalid("long_term_lot_ids", f"expected lots that are sold, got {unknown[0]}")
    long_term = sum(row["result"] for row in rows if row["lot_id"] in long_term_lot_ids)
    total = sum(row["result"] for row in rows)
    sold = sum(row["quantity"] for row in rows)
    figures = {"rows": rows, "long_term": long_term, "price": price, "sold_on": sold_on.isoformat(), "sold": sold}
    created(bank, "gains", "RG", request_id, symbol=symbol, **figures)
    bank.update("requests", request_id, realized_result=total)
    return RealizedGain(
        sold_quantity=sold,
        short_term_result=usd(total - long_term),
        long_term_result=usd(long_term),
        lot_results=[{**row, "result": usd(row["result"])} for row in rows],
    )


class WashSale(Result):
    """The disallowed loss, the sale's result without it, and the number of shares sold."""

    disallowed_loss: Money
    reportable_result: SignedMoney
    checked_quantity: Shares


@tool(act=Act.REVISABLE)
def check_wash_sale(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    symbol: Symbol,
    window_start: date,
    loss_lot_ids: Annotated[list[LotId], ONCE],
    replacement_lot_ids: Annotated[list[LotId], ONCE],
    replacement_quantity: Shares,
) -> WashSale:
    """Work out how much of a sale's loss is disallowed because shares were replaced, lots acquired earlier first.

    Args:
        request_id: The request.
        account_id: The account that sells.
        symbol: The security sold.
        window_start: First day of the window before the sale.
        loss_lot_ids: The lots sold under their cost.
        replacement_lot_ids: The lots that replace them, of all accounts that count.
        replacement_quantity: Shares of these lots that are left after the sale.
    """
    case = opened_request(bank, request_id)
    own_account(bank, case, account_id)
    gain = existing(bank, "gains", "RG", request_id)
    if gain is None:
        raise too_early(f"no gain or loss of {request_id} is worked out; calculate_realized_gain comes first")
    losses = {row["lot_id"]: row for row in gain["rows"] if row["result"] < 0}
    if unknown := [key for key in loss_lot_ids if key not in losses]:
        raise invalid("loss_lot_ids", f"expected lots sold at a loss, got {unknown[0]}")
    for key in replacement_lot_ids:
        if record(bank, "lots", key, "replacement_lot_ids")["symbol"] != symbol:
            raise invalid("replacement_lot_ids", f"{key} is a lot of another security")
    if bool(replacement_quantity) != bool(replacement_lot_ids):
        raise invalid("replacement_quantity", "expected 0 if and only if there is no replacement lot")
    disallowed, left = 0, replacement_quantity
    for key in sorted(loss_lot_ids, key=lambda lot: (record(bank, "lots", lot, "loss_lot_ids")["acquired"], lot)):
        matched = min(left, losses[key]["quantity"])
        disallowed += divide_half_up(-losses[key]["result"] * matched, losses[key]["quantity"])
        left -= matched
    result = sum(row["result"] for row in gain["rows"]) + disallowed
    lists = {"losses": sorted(loss_lot_ids), "replacements": sorted(replacement_lot_ids)}
    created(bank, "wash_checks", "WS", request_id, start=window_start.isoformat(), shares=replacement_quantity, **lists)
    bank.update("requests", request_id, disallowed_loss=disallowed)
    return WashSale(disallowed_loss=usd(disallowed), reportable_result=usd(result), checked_quantity=gain["sold"])
