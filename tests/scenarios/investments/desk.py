"""A small brokerage desk with one client, account and security, for tests of single tools."""

from datetime import date
from typing import Any

from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.bank import Bank
from tests.scenarios.guards import run

INVESTMENTS = load_scenario("investments")
TODAY = date(2026, 3, 4)
REQUEST, ACCOUNT, CLIENT = "IR-100001", "AC-100001", "CU-100001"


def lot(acquired: str, quantity: int, cost: int, **fields: Any) -> dict[str, Any]:
    """Return a lot of the account, which was bought and is not pledged by default."""
    usual = {"account_id": ACCOUNT, "symbol": "ABCD", "pledged": False, "source": "purchase", "holding_from": acquired}
    return {**usual, "acquired": acquired, "quantity": quantity, "cost": cost, **fields}


def desk(request_type: str = "sale", lots: dict[str, Any] | None = None, **account: Any) -> Bank:
    """Return a bank in which the account file has been opened."""
    prices = {TODAY.isoformat(): {"ask": 5001, "bid": 4999, "last": 5000}}
    record = {
        "owner_ids": [CLIENT], "title": "Dana Whitfield", "account_type": "individual", "tax_id_last4": "4821",
        "standing_method": "fifo", "status": "open", "opened": "2020-01-06", "restrictions": [],
        "authorities": {CLIENT: {"authority": "owner", "until": None}},
        "linked": [{"account_id": ACCOUNT, "relation": "self"}], "questionnaires": [], "remark": None,
        "cash_balance": 0, "margin_debit": 0, "accrued_interest": 0, "cash_items": [], "prior_year_end_value": 0,
        "rollover_in_transit": 0, "distributions_this_year": 0, "conversions_this_year": 0,
        "owner_birth_date": "1950-07-01", **account,
    }  # fmt: skip
    case = {
        "request_type": request_type, "account_id": ACCOUNT, "symbol": "ABCD", "quantity": 150, "amount": 0,
        "signers": [{"customer_id": CLIENT}], "instructed_at": "2026-03-04 10:00", "lot_method": "standing",
        "named_lots": [], "payment_method": "ach", "delivery_preference": "mail",
    }  # fmt: skip
    tables = {
        "requests": {REQUEST: case},
        "brokerage_accounts": {ACCOUNT: record},
        "instruments": {"ABCD": {"name": "Abcd common", "issuer": "Abcd", "kind": "stock", "prices": prices}},
        "lots": lots or {},
        "positions": {},
    }
    bank = Bank(tables, TODAY, INVESTMENTS.policy, REQUEST, "requests")
    bank.put("account_files", bank.reference("AF", REQUEST), {"owner": REQUEST})
    return bank


def call(bank: Bank, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool with the request's id."""
    return run(bank, INVESTMENTS.tools, tool, {"request_id": REQUEST, **arguments})
