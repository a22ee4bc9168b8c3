"""Implausible cases that the generator of Savings does not draw."""

from datetime import date, timedelta

from teller_gym.tasks.store import generate_task
from tests.scenarios.savings.bent import SAVINGS, account_of


def test_what_a_banker_would_smile_at_is_not_drawn() -> None:
    for task in (generate_task("savings", seed) for seed in range(5_000_000, 5_000_250)):
        case, account = task.tables["requests"][task.case_id], account_of(task)
        if account["term_months"] is not None:
            until = min(task.today, date.fromisoformat(account["maturity_date"]))
            credited = date.fromisoformat(account["interest_paid_to"])
            assert until - credited <= timedelta(days=367), task.id
            assert account["balance"] >= SAVINGS.policy.products[account["product"]].minimum
        if case["purpose"] is not None:
            assert 300_00 <= case["requested_amount"] <= 1_800_00
        assert case["requested_amount"] <= account["balance"]
        for row in account["movements"]:
            assert row["kind"] not in ("cash_withdrawal", "cash_deposit") or row["amount"] <= 5_000_00, task.id
