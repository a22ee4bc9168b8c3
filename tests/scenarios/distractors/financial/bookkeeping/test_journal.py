"""Tests of bookkeeping/journal: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest

from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.financial.bookkeeping.values import refused

STAMPS: dict[str, Any] = {
    "entry_date": "2026-02-10",
    "debit_account": "6300",
    "credit_account": "1010",
    "amount": 42.5,
    "voucher_number": "PC-118",
    "memo": "Stamps",
    "cost_center": "Front desk",
}


def test_entries_are_posted_and_listed() -> None:
    bank = empty_bank()
    assert call("list_journal_entries", bank)["matching_entries"] == 0
    stamps = call("post_journal_entry", bank, **STAMPS)
    assert stamps["profit_effect"] == -42.5
    assert call("post_journal_entry", bank, **STAMPS) == stamps
    fee = STAMPS | {"entry_date": "2026-01-05", "debit_account": "1010", "credit_account": "4100", "amount": 10}
    assert call("post_journal_entry", bank, **fee)["profit_effect"] == 10
    chair: dict[str, Any] = {
        "debit_account": "1500",
        "credit_account": "2000",
        "cost_center": None,
        "entry_date": "2026-03-04",
    }
    assert call("post_journal_entry", bank, **STAMPS | chair)["profit_effect"] == 0

    everything = call("list_journal_entries", bank)
    assert [line["entry_date"] for line in everything["entries"]] == ["2026-01-05", "2026-02-10", "2026-03-04"]
    assert (everything["total_debited"], everything["total_credited"]) == (95, 95)
    assert everything["entries"][1] == {
        "entry_id": stamps["entry_id"],
        **{name: STAMPS[name] for name in ("entry_date", "debit_account", "credit_account", "amount", "memo")},
    }
    cash = call("list_journal_entries", bank, ledger_account="1010", from_date="2026-01-05", to_date="2026-02-10")
    assert (cash["matching_entries"], cash["total_debited"], cash["total_credited"]) == (2, 10, 42.5)
    assert call("list_journal_entries", bank, ledger_account="1010", from_date="2026-01-06")["matching_entries"] == 1
    assert call("list_journal_entries", bank, ledger_account="9999")["entries"] == []
    assert {(change.table, change.after["owner"]) for change in bank.diff()} == {("misc_journal_entries", "misc")}


def test_ids_of_entries_do_not_depend_on_order() -> None:
    there, back = empty_bank(), empty_bank()
    entries = [STAMPS | {"amount": amount} for amount in range(1, 13)]
    for bank, order in ((there, entries), (back, entries[::-1])):
        for entry in order:
            call("post_journal_entry", bank, **entry)
    assert there.state_hash() == back.state_hash()
    listed = call("list_journal_entries", there)
    assert (len(listed["entries"]), listed["matching_entries"], listed["total_debited"]) == (10, 12, 78)
    assert listed == call("list_journal_entries", back)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entry_date", "2026-03-05"),
        ("entry_date", "2025-12-31"),
        ("credit_account", "6300"),
        ("amount", 0),
        ("amount", 1.001),
        ("cost_center", None),
        ("debit_account", "0300"),
        ("voucher_number", "118"),
    ],
)
def test_entries_that_cannot_be_posted(field: str, value: Any) -> None:
    refused("post_journal_entry", field, **STAMPS | {field: value})


def test_a_span_of_days_must_not_end_before_it_begins() -> None:
    refused("list_journal_entries", "to_date", from_date="2026-02-01", to_date="2026-01-31")
