"""Calls that the core tools of Credit cards refuse or allow; see ``tests/scenarios/guards.py``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import ORDER, VALIDATION, Guard, call_of, days, refused


def _used_on_the_day_of_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": call_of(task, "block_card").arguments["reported_on"]}


def _used_after_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": task.today.isoformat()}


def _another_account(task: Task) -> Mapping[str, Any]:
    return {"account_id": next(key for key in task.tables["card_accounts"] if key not in task.owners)}


def _a_payment(task: Task) -> Mapping[str, Any]:
    account = task.tables["card_accounts"][task.tables["requests"][task.case_id]["account_id"]]
    lines = (text.split("|") for text in account["lines"])
    return {"excluded_line_ids": [line[0] for line in lines if line[3] == "payment"][:1]}


_LOST = {"kind": "lost_card"}
_REVIEW = {"kind": "interest_review", "identity": "verified"}
_GRANTED = {"kind": "new_card", "authority": "within", "ability": "within", "bound": "asked"}

GUARDS: tuple[Guard, ...] = (
    *(
        refused(tool, "request_id", "CC-000000")
        for tool in (
            "get_application_data", "block_card", "verify_identity", "screen_watch_list", "pull_credit_report",
            "get_card_activity", "assess_ability_to_pay", "calculate_finance_charge", "open_dispute",
            "issue_card_decision", "submit_final_review",
        )
    ),
    # Cards
    Guard("block_card", _used_on_the_day_of_the_report, result={"blocked_on": "=today"}),
    Guard("block_card", days("reported_on", 0), result={"blocked_on": "=today"}),
    Guard("block_card", days("reported_on", 1), VALIDATION, "reported_on"),
    Guard("block_card", _used_after_the_report, VALIDATION, "reported_on"),
    Guard("get_card_activity", {}, ORDER, branches=_LOST, without="block_card"),
    # Reports and ability
    Guard("pull_credit_report", days("consent_date", 0), result={"report_date": "=today"}),
    Guard("pull_credit_report", days("consent_date", 1), VALIDATION, "consent_date"),
    refused("assess_ability_to_pay", "monthly_income", 0.0),
    # Disputes and the decision
    refused("open_dispute", "credited_amount", 0.0),
    refused("open_dispute", "credited_amount", 999_999.0),
    Guard("open_dispute", days("resolve_by", 0), result={"resolve_by": "=today"}),
    Guard("open_dispute", days("resolve_by", -1), VALIDATION, "resolve_by"),
    Guard("issue_card_decision", days("due_date", 0), result={"due_date": "=today"}),
    Guard("issue_card_decision", days("due_date", -1), VALIDATION, "due_date"),
    *(
        Guard("issue_card_decision", {field: value}, VALIDATION, field, branches=_GRANTED)
        for field, value in (
            ("amount", 0.0), ("letter_code", "ZZ-99"), ("due_date", "2020-01-02"), ("principal_reason", "charges_due"),
        )
    ),
    Guard("submit_final_review", {}, ORDER, without="issue_card_decision"),
    # Other accounts and lines
    Guard("get_card_activity", _another_account, VALIDATION, "account_id", branches=_REVIEW),
    Guard("calculate_finance_charge", _a_payment, VALIDATION, "excluded_line_ids", branches=_REVIEW),
)  # fmt: skip
