"""The branch office's journal: posting entries with one debit and one credit, and listing them; no tools."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Result

_JOURNAL = "misc_journal_entries"
_SHOWN = 10


class PostedEntry(Result):
    """The posted entry; the effect on profit is in dollars, a cost is negative."""

    entry_id: str
    profit_effect: float


def post_entry(
    bank: Bank,
    entry_date: date,
    debit_account: str,
    credit_account: str,
    amount: float,
    voucher_number: str,
    memo: str,
    cost_center: str | None,
) -> PostedEntry:
    """Check an entry and write it down; see the tool ``post_journal_entry``."""
    if not date(bank.today.year, 1, 1) <= entry_date <= bank.today:
        raise invalid("entry_date", f"expected a day of {bank.today.year} up to {bank.today}, got {entry_date}")
    if debit_account == credit_account:
        raise invalid("credit_account", f"expected another account than the one debited, got {credit_account}")
    if to_cents(amount) == 0:
        raise invalid("amount", "expected an amount above 0, got 0")
    cost, income = debit_account[0] > "3", credit_account[0] > "3"
    if (cost or income) and cost_center is None:
        raise invalid("cost_center", "expected a cost center for an account of class 4 to 9, got none")
    entry = {
        "owner": "misc",
        "entry_date": entry_date.isoformat(),
        "debit_account": debit_account,
        "credit_account": credit_account,
        "cents": to_cents(amount),
        "voucher_number": voucher_number,
        "memo": memo,
        "cost_center": cost_center,
    }
    entry_id = bank.reference("JE", msgspec.json.encode(entry).decode())
    bank.put(_JOURNAL, entry_id, entry)
    return PostedEntry(entry_id=entry_id, profit_effect=usd(to_cents(amount) * (income - cost)))


class JournalLine(Result):
    """An entry of the journal; the amount is in dollars."""

    entry_id: str
    entry_date: str
    debit_account: str
    credit_account: str
    amount: float
    memo: str


class JournalList(Result):
    """The first ten entries by day, with count and sums in dollars of all that match."""

    entries: list[JournalLine]
    matching_entries: int
    total_debited: float
    total_credited: float


def list_entries(
    bank: Bank,
    ledger_account: str | None,
    from_date: date | None,
    to_date: date | None,
) -> JournalList:
    """List posted entries; see the tool ``list_journal_entries``."""
    if from_date is not None and to_date is not None and from_date > to_date:
        raise invalid("to_date", f"expected {from_date} or later, got {to_date}")
    first, last = (from_date or date.min).isoformat(), (to_date or date.max).isoformat()
    found: list[tuple[str, str, dict[str, Any]]] = sorted(
        (entry["entry_date"], entry_id, entry)
        for entry_id, entry in bank.rows(_JOURNAL)
        if first <= entry["entry_date"] <= last
        and ledger_account in (None, entry["debit_account"], entry["credit_account"])
    )
    debited, credited = (
        sum(entry["cents"] for _, _, entry in found if ledger_account in (None, entry[side]))
        for side in ("debit_account", "credit_account")
    )
    lines = [
        JournalLine(
            entry_id=entry_id,
            entry_date=day,
            debit_account=entry["debit_account"],
            credit_account=entry["credit_account"],
            amount=usd(entry["cents"]),
            memo=entry["memo"],
        )
        for day, entry_id, entry in found[:_SHOWN]
    ]
    return JournalList(
        entries=lines, matching_entries=len(found), total_debited=usd(debited), total_credited=usd(credited)
    )
