"""The branch office's own general ledger: entries are posted and listed."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Label
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

LedgerAccount = Annotated[str, Meta(pattern="^[1-9][0-9]{3}$", max_length=4)]


class PostedEntry(Result):
    """The posted entry; the effect on profit is in dollars, a cost is negative."""

    entry_id: str
    profit_effect: float


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def post_journal_entry(
    bank: Bank,
    entry_date: date,
    debit_account: LedgerAccount,
    credit_account: LedgerAccount,
    amount: Money,
    voucher_number: Annotated[str, Meta(pattern="^[A-Z]{1,3}-[0-9]{1,6}$", max_length=10)],
    memo: Annotated[str, Meta(pattern="^[ -~]+$", max_length=60)],
    cost_center: Label | None = None,
) -> PostedEntry:
    """Post an entry with one debit and one credit to the branch office's own general ledger. Accounts of classes 1 to 3
    belong to the balance sheet, 4 to 9 to profit and loss. Posting the same entry again changes nothing.

    Args:
        entry_date: Day of the entry, in the current year and not after today.
        debit_account: Ledger account debited, four digits.
        credit_account: Ledger account credited, four digits.
        amount: Amount in dollars, above 0.
        voucher_number: Number of the voucher, such as PC-118.
        memo: What the entry is for.
        cost_center: Cost center, needed when an account of profit and loss takes part.
    """
    return post_entry(
        bank,
        entry_date,
        debit_account,
        credit_account,
        amount,
        voucher_number,
        memo,
        cost_center,
    )


_JOURNAL = "misc_journal_entries"


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_journal_entries(
    bank: Bank,
    ledger_account: LedgerAccount | None = None,
    from_date: date | None = None,
    to_date: date | None = None,
) -> JournalList:
    """List entries of the branch office's general ledger by day, with what was debited and credited.

    Args:
        ledger_account: Only entries with this account, and sums for it alone.
        from_date: First day to include.
        to_date: Last day to include.
    """
    return list_entries(
        bank,
        ledger_account,
        from_date,
        to_date,
    )


_SHOWN = 10


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
