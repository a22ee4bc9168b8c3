"""The core tools of Savings: repeated calls, activity by period, and amounts computed by hand."""

from typing import Any

import pytest

from teller_gym.tools.bank import Bank
from tests.scenarios.guards import call_of, run
from tests.scenarios.savings.bent import SAVINGS, account_of, chosen


def play_until(task: Any, tool: str) -> Bank:
    """Play the standard calls up to the first call of a tool, and return the bank."""
    bank = SAVINGS.bank(task)
    for call in task.standard.calls:
        if call.name == tool:
            break
        run(bank, SAVINGS.tools, call.name, call.arguments)
    return bank


def test_what_is_worked_out_again_replaces_the_first() -> None:
    task = chosen(1, kind="withdrawal", ending="in_part_charged")[0]
    bank = play_until(task, "send_savings_notice")
    before = bank.state_hash()
    for name in ("calculate_interest", "assess_withdrawal", "record_savings_decision"):
        run(bank, SAVINGS.tools, name, call_of(task, name).arguments)
    assert bank.state_hash() == before
    run(bank, SAVINGS.tools, "assess_withdrawal", {**call_of(task, "assess_withdrawal").arguments, "waiver": "death"})
    assert bank.state_hash() != before


def test_activity_shows_whole_months_and_movements_of_the_period_alone() -> None:
    task = chosen(1, kind="bonus_interest", bonus="earned")[0]
    arguments = call_of(task, "get_account_activity").arguments
    whole = run(SAVINGS.bank(task), SAVINGS.tools, "get_account_activity", arguments)
    second = whole["months"][1]["month"]
    later = {**arguments, "posted_from": f"{second}-02"}
    part = run(SAVINGS.bank(task), SAVINGS.tools, "get_account_activity", later)
    assert [month["month"] for month in part["months"]] == [month["month"] for month in whole["months"]][2:]
    assert part["movements"] == [row for row in whole["movements"] if row["posted_on"] >= f"{second}-02"]


def test_the_balance_with_which_a_period_opens_is_that_of_the_ledger() -> None:
    for task in chosen(10, kind="bonus_interest", bonus="earned"):
        arguments = call_of(task, "get_account_activity").arguments
        found = run(SAVINGS.bank(task), SAVINGS.tools, "get_account_activity", arguments)
        assert found["opening_balance"] * 100 == pytest.approx(account_of(task)["opening_balance"])


@pytest.mark.parametrize(
    ("balance", "rate", "days", "expected"),
    [(10_000.0, 1.1, 30, 9.04), (30_000.0, 1.1, 30, 22.60), (25_000.0, 1.6, 31, 33.97)],
)
def test_a_month_of_bonus_by_hand(balance: float, rate: float, days: int, expected: float) -> None:
    task = chosen(1, kind="bonus_interest", bonus="earned")[0]
    bank = SAVINGS.bank(task)
    account_id = next(key for key in task.owners if key.startswith("AC-"))
    month = {"month": "2026-01", "days": days, "average_balance": round(balance * 100), "lowest_balance": 1}
    bank.update("accounts", account_id, months=[month])
    # The second balance is above the cap of 25,000.
    found = run(bank, SAVINGS.tools, "assess_bonus_months", {
        "request_id": task.case_id, "account_id": account_id, "period_from": "2026-01-01", "period_to": "2026-01-31",
        "qualifying_months": ["2026-01"], "required_months": 1, "bonus_rate": rate,
    })  # fmt: skip
    assert found == {"bonus_status": "earned", "bonus_interest": expected}
