"""Calls that the core tools of Savings refuse or allow; see ``tests/scenarios/guards.py``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import ORDER, VALIDATION, Guard, call_of, days, refused

_CHARGED = {"ending": "in_part_charged"}
_RENEWED = {"kind": "maturity", "ending": "carry_out_none"}
_NOTHING_LEFT: dict[str, Any] = {
    "withdrawn_amount": 0.01, "accrued_interest": 0.0, "annual_rate": 10.0, "waiver": "none",
}  # fmt: skip


def _one_day(task: Task) -> Mapping[str, Any]:
    arguments = call_of(task, "calculate_interest").arguments
    return {"to_date": arguments["from_date"]}


GUARDS: tuple[Guard, ...] = (
    *(
        refused(tool, "request_id", "SV-000000")
        for tool in (
            "get_application_data", "get_deposit_record", "get_account_activity", "calculate_interest",
            "assess_withdrawal", "schedule_maturity", "assess_bonus_months", "calculate_coverage",
            "record_savings_decision", "send_savings_notice", "submit_final_review",
        )
    ),
    *(
        refused(tool, "account_id", "AC-000000")
        for tool in (
            "get_deposit_record", "get_account_activity", "calculate_interest", "assess_withdrawal",
            "schedule_maturity", "assess_bonus_months",
        )
    ),
    *(
        refused(tool, "customer_id", "CU-000000")
        for tool in ("verify_identity", "screen_watch_list", "calculate_coverage", "send_savings_notice")
    ),
    # Screening
    refused("screen_watch_list", "list_scope", "no_lists"),
    Guard("screen_watch_list", {}, ORDER, without="verify_identity"),
    # Activity and interest
    Guard("get_account_activity", days("posted_to", -800), VALIDATION, branches={"kind": "bonus_interest"}),
    Guard("calculate_interest", _one_day, result={"days": 0, "interest": 0.0}),
    Guard("calculate_interest", {"to_date": "2019-01-01"}, VALIDATION),
    Guard("calculate_interest", {"method": "monthly", "day_count": "actual_365"}, VALIDATION, "day_count"),
    Guard("calculate_interest", {"method": "monthly", "day_count": "actual_360"}, VALIDATION, "day_count"),
    # Withdrawals
    Guard("assess_withdrawal", {}, ORDER, branches=_CHARGED, without="calculate_interest"),
    refused("assess_withdrawal", "interest_id", "IN-000000"),
    refused("assess_withdrawal", "withdrawn_amount", 0.0),
    refused("assess_withdrawal", "withdrawn_amount", 90_000_000.0),
    Guard("assess_withdrawal", {**_NOTHING_LEFT, "charge_days": 0}, result={"charge": 0.0, "payout": 0.01}),
    Guard("assess_withdrawal", {**_NOTHING_LEFT, "annual_rate": 50.0, "charge_days": 365},
          result={"charge": 0.01, "payout": 0.0}),
    Guard("assess_withdrawal", {"withdrawn_amount": 100.0, "accrued_interest": 0.0, "annual_rate": 50.0,
                                "charge_days": 731, "waiver": "none"}, VALIDATION, "charge_days"),
    Guard("assess_withdrawal", {"withdrawn_amount": 100.0, "accrued_interest": 0.0, "annual_rate": 50.0,
                                "charge_days": 731, "waiver": "death"}, result={"charge": 0.0, "payout": 100.0}),
    # Maturities
    Guard("schedule_maturity", {}, ORDER, branches=_RENEWED, without="calculate_interest"),
    refused("schedule_maturity", "interest_id", "IN-000000"),
    refused("schedule_maturity", "new_principal", 0.0),
    Guard("schedule_maturity", {"start_date": "2026-08-31", "term_months": 6, "anchor_day": 31},
          result={"maturity_date": "2027-02-28"}),
    # Bonus
    Guard("assess_bonus_months", {"qualifying_months": ["2019-01"]}, VALIDATION, "qualifying_months"),
    Guard("assess_bonus_months", {"qualifying_months": [], "required_months": 0},
          result={"bonus_status": "earned", "bonus_interest": 0.0}),
    Guard("assess_bonus_months", {"qualifying_months": [], "required_months": 1},
          result={"bonus_status": "missed", "bonus_interest": 0.0}),
    # Coverage
    Guard("calculate_coverage", {"trust_total": 0.0, "trust_beneficiaries": 0}),
    Guard("calculate_coverage", {"trust_total": 0.0, "trust_beneficiaries": 1}, VALIDATION, "trust_beneficiaries"),
    Guard("calculate_coverage", {"trust_total": 0.01, "trust_beneficiaries": 0}, VALIDATION, "trust_beneficiaries"),
    Guard("calculate_coverage", {"accounts_counted": ["AC-000000"]}, VALIDATION, "account_id"),
    # Decision, notice and review
    refused("record_savings_decision", "reason", "none", ending="in_part_charged"),
    refused("record_savings_decision", "file_code", "ZZ-00"),
    Guard("send_savings_notice", {}, ORDER, without="record_savings_decision"),
    refused("send_savings_notice", "notice_type", "denial_notice", ending="in_part_charged"),
    refused("send_savings_notice", "reason", "first_days", ending="in_part_charged"),
    refused("send_savings_notice", "decision_id", "DC-000000"),
    refused("submit_final_review", "decision", "carry_out", ending="in_part_charged"),
    Guard("submit_final_review", {}, ORDER, without="send_savings_notice"),
)  # fmt: skip
