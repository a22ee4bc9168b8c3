"""The core tools of the accounts scenario: related accounts, and calls that replace earlier ones."""

from teller_gym.procedure.scenario import load_scenario
from tests.scenarios.bank_scenarios import tasks_of
from tests.scenarios.guards import call_of, run

ACCOUNTS = load_scenario("accounts")
TASKS = tasks_of(ACCOUNTS)


def test_other_accounts_of_the_owners_are_shown_with_ids_and_dates_alone() -> None:
    shown = 0
    for task in TASKS[:60]:
        account_id = task.tables["requests"][task.case_id]["account_id"]
        if account_id is None:
            continue
        rows = run(ACCOUNTS.bank(task), ACCOUNTS.tools, "get_account_record",
                   {"request_id": task.case_id, "account_id": account_id})["related_accounts"]  # fmt: skip
        assert all(row.keys() == {"account_id", "owner_id", "opened_on", "status"} for row in rows)
        assert account_id not in [row["account_id"] for row in rows]
        shown += len(rows)
    assert shown


def test_a_deadline_or_decision_that_is_made_again_replaces_the_first() -> None:
    task = TASKS[0]
    bank = ACCOUNTS.bank(task)
    for call in task.standard.calls:
        if call.name == "send_customer_notice":
            break
        run(bank, ACCOUNTS.tools, call.name, call.arguments)
    before = bank.state_hash()
    for name in ("set_deadline", "record_account_decision"):
        again = [call for call in task.standard.calls if call.name == name]
        for call in again:
            run(bank, ACCOUNTS.tools, name, call.arguments)
    assert bank.state_hash() == before
    first = call_of(task, "set_deadline").arguments
    run(bank, ACCOUNTS.tools, "set_deadline", {**first, "length": first["length"] + 1})
    assert bank.state_hash() != before
