"""What the card tools refuse: calls before what they depend on, ids of others, values that contradict the record."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import generate_task
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action

CARDS = load_scenario("credit_cards")


def task_of(kind: str, **branches: str) -> Task:
    """Return a generated case of a kind in which decision points come out so."""
    for number in range(400):
        task = generate_task("credit_cards", 20_000 + number)
        if task.branches["kind"] == kind and branches.items() <= task.branches.items():
            return task
    raise AssertionError(f"no {kind} with {branches}")


def played(task: Task, *names: str) -> Bank:
    """Return a bank after the standard calls of some tools."""
    bank = CARDS.bank(task)
    for call in task.standard.calls:
        if call.name in names:
            run_action(bank, CARDS.tools, action_text(call))
    return bank


def call_of(task: Task, name: str, **changes: Any) -> Call:
    """Return the first standard call of a tool, with some arguments changed."""
    call = next(call for call in task.standard.calls if call.name == name)
    return Call(name, {**call.arguments, **changes})


def refusal(bank: Bank, call: Call) -> ToolError:
    """Return the error with which a call is refused."""
    with pytest.raises(ToolError) as caught:
        run_action(bank, CARDS.tools, action_text(call))
    return caught.value


def test_no_report_for_a_new_card_before_the_screening() -> None:
    task = task_of("new_card", score="pass")
    error = refusal(played(task, "verify_identity"), call_of(task, "pull_credit_report"))
    assert error.kind is ErrorKind.ORDER and "screen_watch_list" in error.message


def test_no_account_after_a_loss_before_the_block() -> None:
    task = task_of("lost_card", identity="verified")
    error = refusal(played(task, "verify_identity"), call_of(task, "get_card_activity"))
    assert error.kind is ErrorKind.ORDER and "block_card" in error.message


def test_no_comparison_before_the_report() -> None:
    task = task_of("limit_increase", ability="within")
    error = refusal(played(task, "verify_identity"), call_of(task, "assess_ability_to_pay"))
    assert error.kind is ErrorKind.ORDER and "pull_credit_report" in error.message


def test_no_review_before_the_decision() -> None:
    task = task_of("new_card")
    error = refusal(played(task), call_of(task, "submit_final_review"))
    assert error.kind is ErrorKind.ORDER and "issue_card_decision" in error.message


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": 0.0}, "amount"),
        ({"letter_code": "ZZ-99"}, "letter_code"),
        ({"due_date": "2020-01-02"}, "due_date"),
        ({"principal_reason": "charges_due"}, "principal_reason"),
    ],
)
def test_a_decision_that_contradicts_itself_is_refused(changes: dict[str, Any], field: str) -> None:
    task = task_of("new_card", authority="within", ability="within", bound="asked")
    error = refusal(played(task), call_of(task, "issue_card_decision", **changes))
    assert error.kind is ErrorKind.VALIDATION and error.message.startswith(field)


def test_another_account_is_refused() -> None:
    task = task_of("interest_review", identity="verified")
    other = next(key for key in task.tables["card_accounts"] if key not in task.owners)
    error = refusal(played(task), call_of(task, "get_card_activity", account_id=other))
    assert "not about card account" in error.message


def test_a_closed_card_is_not_blocked_again() -> None:
    task = task_of("lost_card")
    closed = [row["card_id"] for row in task.tables["requests"][task.case_id]["cards"] if row["status"] == "closed"]
    if closed:
        assert "closed already" in refusal(played(task), call_of(task, "block_card", card_ids=closed)).message


def test_a_dispute_of_more_than_its_lines_is_refused() -> None:
    task = task_of("charge_dispute", findings="all_accepted", authority="within")
    bank = played(task, "verify_identity", "get_card_activity")
    assert "credited_amount" in refusal(bank, call_of(task, "open_dispute", credited_amount=99_999.0)).message


def test_a_payment_is_no_line_to_dispute_or_exclude() -> None:
    task = task_of("interest_review", identity="verified")
    account = task.tables["card_accounts"][task.tables["requests"][task.case_id]["account_id"]]
    payment = next(text.split("|")[0] for text in account["lines"] if text.split("|")[3] == "payment")
    call = call_of(task, "calculate_finance_charge", excluded_line_ids=[payment])
    assert "no purchase" in refusal(played(task, "verify_identity"), call).message
