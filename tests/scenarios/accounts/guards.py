"""Calls that the core tools refuse or allow; see ``tests/scenarios/guards.py``."""

from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import ORDER, VALIDATION, Guard, days, refused

_HELD = {"hold": "large_deposit"}
_FREE: dict[str, Any] = {"item_amount": 100.0, "next_day_amount": 0.0, "held_amount": 0.0, "hold_reason": "none"}


def _received(task: Task) -> str:
    received: str = task.tables["requests"][task.case_id]["received_date"]
    return received


GUARDS: tuple[Guard, ...] = (
    *(
        refused(tool, "request_id", "SR-000000")
        for tool in (
            "get_application_data", "get_account_record", "calculate_availability", "assess_transfer_claim",
            "set_deadline", "record_account_decision", "send_customer_notice", "submit_final_review",
        )
    ),
    *(
        refused(tool, "customer_id", "CU-000000")
        for tool in ("verify_identity", "screen_person", "send_customer_notice")
    ),
    refused("get_account_record", "account_id", "AC-000000"),
    # Screening
    refused("screen_person", "list_scope", "no_lists"),
    Guard("screen_person", {}, ORDER, without="verify_identity"),
    Guard("screen_person", days("history_from", 1), VALIDATION, "history_from"),
    Guard("screen_person", days("history_from", 0)),
    Guard("screen_person", {"verified_name": "Nobody Atall"},
          result={"screening_result": "clear", "list_entry_id": None}, branches={"watch_list": "false_positive"}),
    # Availability
    refused("calculate_availability", "item_id", "IT-000000"),
    refused("calculate_availability", "schedule_class", "FA-00"),
    refused("calculate_availability", "banking_day", "2026-03-07"),
    refused("calculate_availability", "banking_day", "2026-05-25"),
    Guard("calculate_availability", {**_FREE, "held_amount": 1.0}, VALIDATION, "hold_reason"),
    Guard("calculate_availability", {**_FREE, "hold_reason": "large_deposit"}, VALIDATION, "hold_reason"),
    Guard("calculate_availability",
          {**_FREE, "next_day_amount": 60.0, "held_amount": 40.01, "hold_reason": "large_deposit"}, VALIDATION,
          "held_amount"),
    Guard(
        "calculate_availability",
        {"item_amount": 100.0, "next_day_amount": 60.0, "held_amount": 40.0, "hold_reason": "large_deposit",
         "schedule_class": "FA-50", "banking_day": "2026-03-02"},
        result={"regular_amount": 0.0, "regular_on": None, "next_day_on": "2026-03-03", "held_until": "2026-03-11"},
    ),
    Guard("calculate_availability", {**_FREE, "schedule_class": "FA-32", "banking_day": "2026-03-02"},
          result={"regular_on": "2026-03-03", "next_day_on": None, "held_until": None}),
    Guard(
        "calculate_availability",
        {**_FREE, "held_amount": 100.0, "hold_reason": "redeposited", "schedule_class": "FA-32",
         "banking_day": "2026-03-02"},
        result={"held_until": "2026-03-04"},
    ),
    Guard(
        "calculate_availability",
        {**_FREE, "held_amount": 100.0, "hold_reason": "new_account", "schedule_class": "FA-32",
         "banking_day": "2026-03-02"},
        result={"held_until": "2026-03-13"},
    ),
    # Claims
    refused("assess_transfer_claim", "transfer_id", "IT-000000"),
    Guard("assess_transfer_claim", {"posted_on": "2026-03-05", "statement_sent_on": "2026-03-04"}, VALIDATION,
          "statement_sent_on"),
    Guard("assess_transfer_claim",
          {"posted_on": "2026-03-05", "statement_sent_on": "2026-03-05", "finding": "covered", "disputed_amount": 12.5},
          result={"counted_amount": 12.5}),
    Guard("assess_transfer_claim",
          {"posted_on": "2026-03-05", "statement_sent_on": None, "finding": "late_notice", "disputed_amount": 12.5},
          result={"counted_amount": 0.0}),
    # Deadlines
    refused("set_deadline", "clock", "CK-00"),
    refused("set_deadline", "start_date", "1989-12-31"),
    refused("set_deadline", "start_date", "2041-01-01"),
    *(
        Guard("set_deadline",
              {"start_date": day, "direction": "after", "length": 0, "unit": "calendar_days", "roll": "none"},
              result={"deadline_date": day})
        for day in ("1990-01-01", "2040-12-31")
    ),
    *(
        Guard("set_deadline",
              {"start_date": "2026-03-31", "direction": direction, "length": 1, "unit": unit, "roll": roll},
              result={"deadline_date": found})
        for direction, unit, roll, found in (
            ("after", "months", "none", "2026-04-30"), ("before", "months", "none", "2026-02-28"),
            ("before", "months", "previous", "2026-02-27"), ("before", "calendar_days", "none", "2026-03-30"),
            ("after", "business_days", "none", "2026-04-01"), ("before", "business_days", "none", "2026-03-30"),
        )
    ),
    # Decision, notice, review
    Guard("record_account_decision", {"decision": "carry_out", "reason": "too_late"}, VALIDATION, "reason"),
    Guard("record_account_decision", {"decision": "in_part", "reason": "none"}, VALIDATION, "reason"),
    Guard("record_account_decision", lambda task: {"action_due_date": _received(task)}),
    Guard("record_account_decision", days("action_due_date", -60), VALIDATION, "action_due_date"),
    Guard("send_customer_notice", {}, ORDER, without="record_account_decision"),
    refused("send_customer_notice", "decision_id", "DC-000000"),
    Guard("send_customer_notice", {"notice_type": "dormancy_warning"}, VALIDATION, "notice_type",
          branches={"kind": "close_account"}),
    refused("send_customer_notice", "reason", "not_authorized", decision="carry_out"),
    refused("submit_final_review", "decision", "refer", decision="pend"),
    Guard("submit_final_review", {}, ORDER, without="record_account_decision", branches={"decision": "refer"}),
    Guard("submit_final_review", {}, ORDER, without="send_customer_notice", branches={"decision": "pend"}),
)  # fmt: skip
"""Questions to the core tools."""
