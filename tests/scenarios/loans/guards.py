"""Calls that the core tools refuse or allow; see ``tests/scenarios/guards.py``."""

from collections.abc import Mapping
from functools import partial

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from tests.scenarios.guards import ORDER, VALIDATION, Guard, call_of, days, refused

LOANS = load_scenario("loans")
TASKS = list(frozen_tasks("loans").values())


def _of_the_other(tool: str, field: str, prefix: str, task: Task) -> dict[str, str]:
    """Give the id that an earlier tool gave for the other applicant."""
    own = call_of(task, tool).arguments["customer_id"]
    (other,) = {call.arguments["customer_id"] for call in task.standard.calls if call.name == tool} - {own}
    return {field: LOANS.bank(task).reference(prefix, other)}


_WITHIN = {"affordability": "within"}
_HOME = {"product": "home", "affordability": "within"}

GUARDS: tuple[Guard, ...] = (
    *(
        refused(tool, "application_id", "LA-000000")
        for tool in (
            "get_application_data", "check_application_completeness", "calculate_total_exposure", "verify_employment",
            "calculate_monthly_debts", "assess_collateral", "verify_insurance", "price_loan", "calculate_payment",
            "assess_affordability", "record_credit_decision", "issue_loan_disclosure", "send_adverse_action_notice",
            "submit_final_review",
        )
    ),
    *(
        refused(tool, "customer_id", "CU-000000")
        for tool in (
            "verify_identity", "screen_watch_list", "resolve_watch_list_match", "pull_credit_report",
            "verify_employment",
        )
    ),
    # Intake
    Guard("check_application_completeness", days("received_date", 1), VALIDATION, "received_date"),
    Guard("check_application_completeness", days("received_date", 0), branches=_WITHIN, result={"status": "complete"}),
    Guard("check_application_completeness", days("earliest_id_expiry", 0), branches=_WITHIN,
          result={"finding": "none"}),
    Guard(
        "check_application_completeness", days("earliest_id_expiry", -1), branches=_WITHIN,
        result={"status": "incomplete", "finding": "document_expired", "missing_documents": []},
    ),
    Guard(
        "check_application_completeness", {"documents": ["government_id"]}, branches={"product": "personal"} | _WITHIN,
        result={
            "finding": "document_missing", "missing_documents": ["application_form", "income_proof", "credit_consent"],
        },
    ),
    refused("check_application_completeness", "checklist", "XX-00"),
    Guard("check_application_completeness", {"checklist": "HL-07"}, branches={"product": "personal"} | _WITHIN,
          result={"finding": "none", "missing_documents": []}),
    # Identity and watch lists
    refused("verify_identity", "registry", "tax_registry"),
    Guard("verify_identity", lambda task: _other_code(task, "verify_identity", "registry", LOANS.policy.registries),
          branches=_WITHIN, result={"identity_status": "failed"}),
    Guard("verify_identity", {"full_name": "Somebody Else"}, branches=_WITHIN, result={"identity_status": "failed"}),
    Guard("verify_identity", {"country": "AQ"}, branches=_WITHIN, result={"identity_status": "failed"}),
    refused("screen_watch_list", "verification_id", "ID-000000"),
    *(
        Guard(tool, partial(_of_the_other, tool, field, prefix), VALIDATION, field, branches={"applicants": "joint"})
        for tool, field, prefix in (
            ("screen_watch_list", "verification_id", "ID"),
            ("pull_credit_report", "screening_id", "SC"),
            ("calculate_qualifying_income", "employment_id", "EM"),
        )
    ),
    refused("screen_watch_list", "list_scope", "global_lists"),
    refused("resolve_watch_list_match", "screening_id", "SC-000000"),
    refused("resolve_watch_list_match", "list_entry_id", "WL-000000"),
    refused("resolve_watch_list_match", "disposition", "true_match", watch_list="false_positive"),
    refused("resolve_watch_list_match", "disposition", "false_positive", watch_list="true_match"),
    Guard(
        "resolve_watch_list_match", {}, branches={"watch_list": "false_positive"},
        result={"resolution_status": "cleared", "next_action": "continue"},
    ),
    Guard(
        "resolve_watch_list_match", {}, branches={"watch_list": "true_match"},
        result={"resolution_status": "confirmed", "next_action": "stop"},
    ),
    # Credit
    refused("pull_credit_report", "screening_id", "SC-000000"),
    Guard("pull_credit_report", days("consent_date", 1), VALIDATION, "consent_date"),
    Guard("pull_credit_report", days("consent_date", 0), branches={"report": "new"}),
    Guard("pull_credit_report", {"request_type": "reuse", "report_on_file_date": None}, VALIDATION,
          "report_on_file_date"),
    Guard("pull_credit_report", days("report_on_file_date", -1), VALIDATION, "report_on_file_date",
          branches={"report": "reused"}),
    Guard("pull_credit_report", {"request_type": "new"}, branches={"report": "reused"},
          result={"report_date": "=today"}),
    Guard("pull_credit_report", {}, branches={"report": "reused"}, result={"report_date": "=report_on_file_date"}),
    refused("resolve_fraud_alert", "report_id", "CR-000000"),
    Guard("resolve_fraud_alert", lambda task: {"alert_type": _other_alert(task)}, VALIDATION, "alert_type"),
    refused("resolve_fraud_alert", "contact_method", "email"),
    Guard("resolve_fraud_alert",
          lambda task: _other_code(task, "resolve_fraud_alert", "contact_method", LOANS.policy.contact_methods),
          branches={"fraud_alert": "confirmed"},
          result={"application_confirmed": False, "contact_note": "nobody could be reached this way"}),
    Guard("resolve_fraud_alert", lambda task: {"contact_phone_last4": _other_phone(task)},
          branches={"fraud_alert": "confirmed"}, result={"application_confirmed": False}),
    Guard("resolve_fraud_alert", {}, branches={"fraud_alert": "not_confirmed"},
          result={"application_confirmed": False, "contact_note": "applicant reached"}),
    refused("calculate_monthly_debts", "report_ids", ["CR-000000"]),
    refused("calculate_monthly_debts", "excluded_tradelines", ["TL-000000"]),
    refused("calculate_total_exposure", "closing_payoff_accounts", ["AC-000000"]),
    refused("calculate_total_exposure", "customer_ids", ["CU-000000"]),
    refused("calculate_total_exposure", "portfolio", "XXX-00"),
    # Income
    Guard("verify_employment", lambda task: {"verification_method": _other_method(task)}, branches=_WITHIN,
          result={"employment_status": "not_confirmed"}),
    Guard("verify_employment", {"employer_name": "Nobody & Sons"}, branches=_WITHIN,
          result={"employment_status": "not_confirmed"}),
    refused("calculate_qualifying_income", "employment_id", "EM-000000"),
    Guard("calculate_qualifying_income", {"pay_type": "salaried", "hours_per_week": 1}, VALIDATION, "hours_per_week"),
    Guard("calculate_qualifying_income", {"pay_type": "hourly", "hours_per_week": 0}, VALIDATION, "hours_per_week"),
    Guard("calculate_qualifying_income",
          {"pay_type": "hourly", "gross_pay": 30, "hours_per_week": 37.5, "periods_per_year": 52},
          result={"monthly_income": 4875.0}),
    # Collateral
    Guard("assess_collateral", days("appraisal_date", 1), VALIDATION, "appraisal_date"),
    Guard("assess_collateral", days("appraisal_date", 0), branches=_HOME, result={"collateral_finding": "none"}),
    refused("assess_collateral", "appraised_value", 0),
    refused("assess_collateral", "collateral_id", "CO-000000"),
    refused("verify_insurance", "policy_number", "PN-000000"),
    Guard("verify_insurance", days("insurance_expiry", 0), branches=_HOME, result={"insurance_status": "adequate"}),
    Guard("verify_insurance", days("insurance_expiry", -1), branches=_HOME, result={"insurance_status": "expired"}),
    refused("verify_insurance", "required_cover", "theft"),
    Guard("verify_insurance",
          lambda task: _other_code(task, "verify_insurance", "required_cover", LOANS.policy.required_covers),
          branches=_HOME, result={"insurance_status": "insufficient"}),
    refused("verify_employment", "verification_method", "horoscope", employment="confirmed"),
    # Price
    refused("price_loan", "term_months", 7),
    refused("price_loan", "collateral_value", 0, product="home"),
    refused("price_loan", "collateral_value", 1000, product="personal"),
    refused("calculate_payment", "loan_amount", 0),
    Guard("calculate_payment", lambda task: {"loan_amount": call_of(task, "price_loan").arguments["loan_amount"] + 1},
          VALIDATION, "loan_amount"),
    refused("calculate_payment", "quote_id", "QU-000000"),
    refused("calculate_payment", "origination_fee_percent", 100),
    Guard("calculate_payment", {"origination_fee_percent": 99.999}),
    refused("assess_affordability", "monthly_income", 0),
    Guard("assess_affordability", {"payment_per_thousand": 0}, VALIDATION),
    # Decision
    refused("record_credit_decision", "approved_amount", 0, affordability="within"),
    refused("record_credit_decision", "approved_amount", 1000, identity="failed"),
    Guard("record_credit_decision", {"monthly_payment": 0}, VALIDATION, branches=_WITHIN),
    Guard("record_credit_decision", {"monthly_payment": 5}, VALIDATION, branches={"identity": "failed"}),
    refused("record_credit_decision", "principal_reason", "vehicle_too_old", affordability="within", collateral="ok"),
    refused("record_credit_decision", "principal_reason", "none", identity="failed"),
    refused("issue_loan_disclosure", "decision_id", "DE-000000"),
    refused("issue_loan_disclosure", "disclosure_type", "truth_in_lending", product="home"),
    refused("issue_loan_disclosure", "disclosure_type", "commitment_letter", product="auto"),
    refused("issue_loan_disclosure", "approved_amount", 12_345.67),
    Guard("issue_loan_disclosure", days("due_date", -1), VALIDATION, "due_date"),
    Guard("issue_loan_disclosure", days("due_date", 0), result={"sent_on": "=today"}),
    refused("send_adverse_action_notice", "decision_id", "DE-000000"),
    refused("send_adverse_action_notice", "notice_type", "counter_offer", identity="failed"),
    refused("send_adverse_action_notice", "notice_type", "denial", documents="missing"),
    refused("send_adverse_action_notice", "principal_reason", "vehicle_too_old", identity="failed"),
    refused("send_adverse_action_notice", "offered_amount", 1000, identity="failed"),
    refused("send_adverse_action_notice", "offered_amount", 0, affordability="dti_reduced"),
    Guard("send_adverse_action_notice", days("due_date", -1), VALIDATION, "due_date"),
    Guard("send_adverse_action_notice", days("due_date", 0), result={"sent_on": "=today"}),
    refused("submit_final_review", "decision", "approve", identity="failed"),
    # A call before what its state edges ask for
    Guard("verify_identity", {}, ORDER, without="check_application_completeness"),
    *(
        Guard(tool, {}, ORDER, without=without, branches=branches)
        for tool, without, branches in (
            ("screen_watch_list", "verify_identity", {}),
            ("pull_credit_report", "screen_watch_list", {"watch_list": "clear"}),
            ("calculate_monthly_debts", "pull_credit_report", {"fraud_alert": "none"}),
            ("calculate_qualifying_income", "verify_employment", {}),
            ("calculate_payment", "price_loan", {}),
            ("issue_loan_disclosure", "record_credit_decision", {}),
        )
    ),
    Guard("pull_credit_report", {}, ORDER, without="resolve_watch_list_match",
          branches={"watch_list": "false_positive", "report": "new"}),
    Guard("price_loan", {}, ORDER, without="resolve_fraud_alert",
          branches={"fraud_alert": "confirmed", "affordability": "within"}),
    Guard("submit_final_review", {}, ORDER, without="issue_loan_disclosure", branches=_WITHIN | {"collateral": "ok"}),
    Guard("submit_final_review", {}, ORDER, without="send_adverse_action_notice", branches={"identity": "failed"}),
    Guard("submit_final_review", {}, ORDER, without="send_adverse_action_notice", branches={"documents": "missing"}),
    Guard("submit_final_review", {}, ORDER, without="send_adverse_action_notice",
          branches={"affordability": "dti_reduced"}),
    refused("resolve_fraud_alert", "customer_id", "CU-000000"),
    refused("calculate_qualifying_income", "customer_id", "CU-000000"),
    refused("screen_watch_list", "list_scope", "global_list_without_pep_lists"),
    Guard("send_adverse_action_notice", {}, ORDER, without="record_credit_decision"),
)  # fmt: skip


def _other_alert(task: Task) -> str:
    used = call_of(task, "resolve_fraud_alert").arguments["alert_type"]
    return "extended" if used == "initial" else "initial"


def _other_phone(task: Task) -> str:
    used = int(call_of(task, "resolve_fraud_alert").arguments["contact_phone_last4"])
    return f"{(used + 1) % 10_000:04d}"


def _other_code(task: Task, tool: str, field: str, codes: Mapping[str, str]) -> dict[str, str]:
    return {field: next(code for code in codes.values() if code != call_of(task, tool).arguments[field])}


def _other_method(task: Task) -> str:
    used = call_of(task, "verify_employment").arguments["verification_method"]
    return "award_letter" if used == "employer_call" else "employer_call"
