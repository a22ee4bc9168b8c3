"""What the core tools of Credit cards refuse and allow, as data; see ``tests/scenarios/guards.py``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import ORDER, VALIDATION, Guard, call_of, days, refused


def _used_on_the_day_of_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": call_of(task, "block_card").arguments["reported_on"]}


def _used_after_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": task.today.isoformat()}


_LOST = {"kind": "lost_card"}

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
    Guard("submit_final_review", {}, ORDER, without="issue_card_decision"),
)  # fmt: skip
