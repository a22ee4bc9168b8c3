"""Tool that reads the record of a deposit account."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.accounts.tools.lookup import account, service_request
from teller_gym.scenarios.accounts.tools.types import RequestId
from teller_gym.scenarios.banking.amounts import in_dollars
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.lookup import day, optional_day
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Money, Result, tool


class AccountRecord(Result):
    """Record of a deposit account. The lists contain rows with these fields:

    ``owners`` have customer_id, role, date_of_birth; ``restrictions`` kind, placed_on, lifted_on; ``mandates``
    agent_id, owner_id, powers, dated, revoked_on; ``overdrawn_days`` day, overdrawn_by; ``pending_items`` item_id,
    item_kind, amount, payee_id, check_date, endorsed, returned_before, deposited_on, deposited_at, channel;
    ``activity`` transfer_id, kind, posted_on, amount, reference, country, statement_sent_on, access_given;
    ``scheduled_debits`` series, payee, amount, next_on; ``services`` kind, status, balance, detail; ``letters`` kind,
    sent_on; ``related_accounts`` account_id, owner_id, opened_on, status.
    """

    account_id: AccountId
    account_product: Literal["checking", "savings", "custodial"]
    account_status: Literal["open", "closed"]
    signing_rule: Literal["any_one", "two", "all"]
    owners: list[dict[str, Any]]
    opened_on: date
    first_deposit_on: date
    ledger_balance: Money
    accrued_interest: Money
    fees_due: Money
    mailing_state: str
    address_changed_on: date | None
    restrictions: list[dict[str, Any]]
    mandates: list[dict[str, Any]]
    overdrawn_days: list[dict[str, Any]]
    pending_items: list[dict[str, Any]]
    activity: list[dict[str, Any]]
    scheduled_debits: list[dict[str, Any]]
    services: list[dict[str, Any]]
    letters: list[dict[str, Any]]
    related_accounts: list[dict[str, Any]]
    remark: str | None


@tool()
def get_account_record(bank: Bank, request_id: RequestId, account_id: AccountId) -> AccountRecord:
    """Read an account: owners and who signs, balances, restrictions, mandates, items not collected yet, activity,
    services and letters. Amounts are in US dollars. Of the owners' other accounts with this bank it shows ids and
    dates alone.

    Args:
        request_id: The request for which it is read.
        account_id: The account.
    """
    service_request(bank, request_id)
    item = account(bank, account_id)
    return AccountRecord(
        account_id=account_id,
        account_product=item["product"],
        account_status=item["status"],
        signing_rule=item["signing_rule"],
        owners=item["owners"],
        opened_on=day(item["opened"]),
        first_deposit_on=day(item["first_deposit_on"]),
        ledger_balance=usd(item["balance"]),
        accrued_interest=usd(item["accrued_interest"]),
        fees_due=usd(item["fees_due"]),
        mailing_state=item["mailing_state"],
        address_changed_on=optional_day(item["address_changed_on"]),
        restrictions=item["restrictions"],
        mandates=item["mandates"],
        overdrawn_days=[in_dollars(row, "overdrawn_by") for row in item["overdrawn_days"]],
        pending_items=[in_dollars(row, "amount") for row in item["pending_items"]],
        activity=[in_dollars(row, "amount") for row in item["activity"]],
        scheduled_debits=[in_dollars(row, "amount") for row in item["scheduled_debits"]],
        services=[in_dollars(row, "balance") for row in item["services"]],
        letters=item["letters"],
        related_accounts=_related(bank, account_id, item),
        remark=item["remark"],
    )


def _related(bank: Bank, account_id: str, item: Record) -> list[dict[str, Any]]:
    """Return the owners' other deposit accounts, with a row for each owner they share with this one."""
    owners = [row["customer_id"] for row in item["owners"]]
    return [
        {"account_id": key, "owner_id": row["customer_id"], "opened_on": other["opened"], "status": other["status"]}
        for key, other in bank.rows("accounts")
        if key != account_id and "owners" in other
        for row in other["owners"]
        if row["customer_id"] in owners
    ]
