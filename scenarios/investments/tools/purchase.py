"""Tools for purchases: risk profile, portfolio value, concentration, and cash (which payouts also use)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import percent, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId, Code
from teller_gym.scenarios.banking.lookup import check_code, created, existing, record, too_early
from teller_gym.scenarios.investments.tools.lookup import (
    account_of,
    opened_request,
    own_account,
    policy_of,
    price_of,
    require_linked,
)
from teller_gym.scenarios.investments.tools.types import (
    Points,
    ProductKind,
    ProfileName,
    QuestionnaireId,
    RequestId,
    Shares,
    Symbol,
)
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Percent, Result, tool

Months = Annotated[int, Meta(ge=0, le=60)]


class RiskProfile(Result):
    """Limits of the governing profile, and the order to which they apply."""

    total_points: int
    max_risk_class: int
    issuer_limit_percent: Percent
    fund_limit_percent: Percent
    reserve_months: Months
    ordered_symbol: Symbol
    ordered_quantity: Shares
    issuer: str
    product_kind: ProductKind


@tool(act=Act.REVISABLE)
def assess_risk_profile(
    bank: Bank,
    request_id: RequestId,
    questionnaire_id: QuestionnaireId,
    horizon_points: Points,
    loss_points: Points,
    experience_points: Points,
    income_points: Points,
    liquidity_points: Points,
    governing_profile: ProfileName,
) -> RiskProfile:
    """Record the points of a questionnaire and the risk profile that governs a purchase. It returns what the profile
    allows and what is ordered, with the kind of product, and does not judge whether the product is suitable.

    Args:
        request_id: The request.
        questionnaire_id: The questionnaire that counts.
        horizon_points: Points for the horizon.
        loss_points: Points for what the client would do in a loss.
        experience_points: Points for experience.
        income_points: Points for the outlook of the income.
        liquidity_points: Points for the liquid share of the net worth.
        governing_profile: The profile that governs.
    """
    case = opened_request(bank, request_id)
    if case["symbol"] is None or case["request_type"] != "purchase":
        raise invalid("request_id", f"{request_id} is no purchase; a profile is assessed for purchases")
    rows = account_of(bank, case["account_id"])["questionnaires"]
    if questionnaire_id not in [row["questionnaire_id"] for row in rows]:
        raise invalid("questionnaire_id", f"{questionnaire_id} is not in the account's file")
    profile = next(item for item in policy_of(bank).profiles if item.name == governing_profile)
    points = (horizon_points, loss_points, experience_points, income_points, liquidity_points)
    item = record(bank, "instruments", case["symbol"], "request_id")
    created(
        bank,
        "profiles",
        "RP",
        request_id,
        questionnaire=questionnaire_id,
        points=list(points),
        result=governing_profile,
    )
    bank.update("requests", request_id, risk_profile=governing_profile)
    return RiskProfile(
        total_points=sum(points),
        max_risk_class=profile.max_risk_class,
        issuer_limit_percent=profile.issuer_limit / 100,
        fund_limit_percent=profile.fund_limit / 100,
        reserve_months=profile.reserve_months,
        ordered_symbol=case["symbol"],
        ordered_quantity=case["quantity"],
        issuer=item["issuer"],
        product_kind=item["kind"],
    )


class Valuation(Result):
    """``accounts`` have account_id, account_type, owner_birth_date, cash_balance, cash_items (kind, amount,
    settles_on), margin_debit, accrued_interest, prior_year_end_value, rollover_in_transit, distributions_this_year,
    conversions_this_year; ``positions`` account_id, symbol, issuer, product_kind, quantity, price, value."""

    accounts: list[dict[str, Any]]
    positions: list[dict[str, Any]]
    quoted_price: Money | None


@tool(act=Act.REVISABLE)
def value_positions(
    bank: Bank,
    request_id: RequestId,
    account_ids: Annotated[list[AccountId], ONCE],
    valuation_date: date,
    price_basis: Code,
    quoted_symbol: Symbol | None,
) -> Valuation:
    """Value all positions of some linked accounts at a day's prices, and show their cash and what is booked on them.
    The working sheet stays with the request.

    Args:
        request_id: The request whose account file has been opened.
        account_ids: The accounts.
        valuation_date: Day of the prices.
        price_basis: Code of the price that is taken.
        quoted_symbol: A security whose price is quoted besides, held or not; null for none.
    """
    case = opened_request(bank, request_id)
    require_linked(bank, case, account_ids, "account_ids")
    check_code("price_basis", price_basis, policy_of(bank).price_bases.values())
    day = valuation_date.isoformat()
    rows = []
    for _, held in bank.rows("positions"):
        if held["account_id"] in account_ids:
            item = record(bank, "instruments", held["symbol"], "account_ids")
            price = price_of(bank, held["symbol"], day, price_basis)
            rows.append({
                "account_id": held["account_id"], "symbol": held["symbol"], "issuer": item["issuer"],
                "product_kind": item["kind"], "quantity": held["quantity"], "price": usd(price),
                "value": usd(price * held["quantity"]),
            })  # fmt: skip
    sheet = {"accounts": sorted(account_ids), "day": day, "basis": price_basis, "quoted": quoted_symbol}
    created(bank, "valuations", "VA", request_id, **sheet)
    quoted = None if quoted_symbol is None else usd(price_of(bank, quoted_symbol, day, price_basis))
    return Valuation(accounts=[_account(bank, key) for key in account_ids], positions=rows, quoted_price=quoted)


_AMOUNTS = (
    "margin_debit", "accrued_interest", "prior_year_end_value", "rollover_in_transit", "distributions_this_year",
    "conversions_this_year",
)  # fmt: skip


def _account(bank: Bank, account_id: str) -> Record:
    account = account_of(bank, account_id)
    return {
        "account_id": account_id,
        "account_type": account["account_type"],
        "owner_birth_date": account["owner_birth_date"],
        "cash_balance": usd(account["cash_balance"]),
        "cash_items": [{**row, "amount": usd(row["amount"])} for row in account["cash_items"]],
        **{name: usd(account[name]) for name in _AMOUNTS},
    }


class Concentration(Result):
    """Permitted shares, at most those ordered, and the position's share of the portfolio after the whole order."""

    permitted_quantity: Shares
    share_percent: Percent
    order_price: Money


@tool(act=Act.REVISABLE)
def check_concentration(
    bank: Bank,
    request_id: RequestId,
    ordered_symbol: Symbol,
    ordered_quantity: Shares,
    unit_price: Money,
    held_value: Money,
    portfolio_value: Money,
    limit_percent: Percent,
) -> Concentration:
    """Find how many of the shares ordered keep the concentration within a limit. The share of the portfolio that it
    shows is that of the whole order.

    Args:
        request_id: The request.
        ordered_symbol: The security ordered.
        ordered_quantity: The shares ordered.
        unit_price: Price of a share, in dollars.
        held_value: Value already held that the limit counts, in dollars.
        portfolio_value: Value of the portfolio, in dollars.
        limit_percent: The limit, in percent of the portfolio.
    """
    opened_request(bank, request_id)
    if existing(bank, "profiles", "RP", request_id) is None:
        raise too_early(f"there is no risk profile for {request_id} yet; assess_risk_profile comes first")
    price, held, portfolio = to_cents(unit_price), to_cents(held_value), to_cents(portfolio_value)
    if price == 0 or portfolio == 0:
        raise invalid("unit_price" if price == 0 else "portfolio_value", "expected an amount above 0")
    room = round(limit_percent * 1000) * portfolio - held * 100_000
    permitted = min(ordered_quantity, max(0, room // (price * 100_000)))
    figures = {
        "price": price,
        "held": held,
        "portfolio": portfolio,
        "limit": limit_percent,
        "ordered": ordered_quantity,
    }
    created(bank, "concentrations", "CC", request_id, symbol=ordered_symbol, **figures)
    bank.update("requests", request_id, permitted_quantity=permitted)
    share = percent(held + ordered_quantity * price, portfolio)
    return Concentration(permitted_quantity=permitted, share_percent=min(share, 1000.0), order_price=unit_price)


class AvailableCash(Result):
    """Available cash, and the quantity and amount that it covers; the quantity is 0 for a payout."""

    available_cash: Money
    covered_quantity: Shares
    covered_amount: Money


@tool(act=Act.REVISABLE)
def check_available_cash(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    cash_balance: Money,
    counted_credits: Money,
    reserved_debits: Money,
    cash_reserve: Money,
    amount_needed: Money,
    unit_price: Money,
    order_fee: Money,
) -> AvailableCash:
    """Find what an account's available cash covers: whole shares with the fee, which the amount covered includes, or a
    payout as far as it goes.

    Args:
        request_id: The request.
        account_id: The account that pays.
        cash_balance: Its cash balance, in dollars.
        counted_credits: Items not yet settled that count, together.
        reserved_debits: Items that are reserved, together.
        cash_reserve: What must stay.
        amount_needed: What a payout needs, or what the permitted shares cost with the fee.
        unit_price: Price of a share; 0 for a payout.
        order_fee: Fee of an order; 0 for a payout.
    """
    case = opened_request(bank, request_id)
    own_account(bank, case, account_id)
    needed, price, fee = to_cents(amount_needed), to_cents(unit_price), to_cents(order_fee)
    debits = to_cents(reserved_debits) + to_cents(cash_reserve)
    available = max(0, to_cents(cash_balance) + to_cents(counted_credits) - debits)
    if price == 0:
        quantity, covered = 0, min(needed, available)
    else:
        if existing(bank, "concentrations", "CC", request_id) is None:
            raise too_early(f"no shares are permitted for {request_id} yet; check_concentration comes first")
        if needed <= fee or (needed - fee) % price:
            raise invalid("amount_needed", "expected whole shares at the unit price plus the fee")
        quantity = min((needed - fee) // price, max(0, available - fee) // price)
        covered = quantity * price + fee if quantity else 0
    figures = {"available": available, "needed": needed, "price": price, "fee": fee, "debits": debits}
    created(bank, "cash_checks", "CA", request_id, quantity=quantity, **figures)
    bank.update("requests", request_id, covered_amount=covered)
    return AvailableCash(available_cash=usd(available), covered_quantity=quantity, covered_amount=usd(covered))
