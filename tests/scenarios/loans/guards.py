"""What the core tools refuse and allow, as data: a standard call with some arguments changed, and what then happens.

Kept apart from the tests, so that mutants of the tools can be put to the same questions.
"""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ToolSet

LOANS = load_scenario("loans")
TASKS = list(frozen_tasks("loans").values())
Changes = Mapping[str, Any] | Callable[[Task], Mapping[str, Any]]
ORDER, VALIDATION = ErrorKind.ORDER, ErrorKind.VALIDATION


class Guard(NamedTuple):
    """One question: the tool, changed arguments, and the error that is expected, or parts of the result."""

    tool: str
    changes: Changes
    kind: ErrorKind | None = None
    field: str | None = None
    result: Mapping[str, Any] = {}
    branches: Mapping[str, str] = {}
    """Outcomes and output fields of the frozen case that the question is put in; the first that calls the tool."""
    without: str = ""
    """A tool whose calls are left out before."""


def days(field: str, count: int) -> Callable[[Task], Mapping[str, Any]]:
    """Set a date so many days after the business date."""
    return lambda task: {field: (task.today + timedelta(days=count)).isoformat()}


def refused(tool: str, field: str, value: Any, kind: ErrorKind = VALIDATION, **branches: str) -> Guard:
    """A value that the tool refuses, naming the field."""
    return Guard(tool, {field: value}, kind, field, branches=branches)


def _call_of(task: Task, tool: str) -> Any:
    return next(call for call in task.standard.calls if call.name == tool)


def _of_the_other(tool: str, field: str, prefix: str, task: Task) -> dict[str, str]:
    """Give the id that an earlier tool gave for the other applicant."""
    own = _call_of(task, tool).arguments["customer_id"]
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
          result={"report_date": "today"}),
    Guard("pull_credit_report", {}, branches={"report": "reused"}, result={"report_date": "report_on_file_date"}),
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
    Guard("calculate_payment", lambda task: {"loan_amount": _call_of(task, "price_loan").arguments["loan_amount"] + 1},
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
    Guard("issue_loan_disclosure", days("due_date", 0), result={"sent_on": "today"}),
    refused("send_adverse_action_notice", "decision_id", "DE-000000"),
    refused("send_adverse_action_notice", "notice_type", "counter_offer", identity="failed"),
    refused("send_adverse_action_notice", "notice_type", "denial", documents="missing"),
    refused("send_adverse_action_notice", "principal_reason", "vehicle_too_old", identity="failed"),
    refused("send_adverse_action_notice", "offered_amount", 1000, identity="failed"),
    refused("send_adverse_action_notice", "offered_amount", 0, affordability="dti_reduced"),
    Guard("send_adverse_action_notice", days("due_date", -1), VALIDATION, "due_date"),
    Guard("send_adverse_action_notice", days("due_date", 0), result={"sent_on": "today"}),
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
    used = _call_of(task, "resolve_fraud_alert").arguments["alert_type"]
    return "extended" if used == "initial" else "initial"


def _other_phone(task: Task) -> str:
    used = int(_call_of(task, "resolve_fraud_alert").arguments["contact_phone_last4"])
    return f"{(used + 1) % 10_000:04d}"


def _other_code(task: Task, tool: str, field: str, codes: Mapping[str, str]) -> dict[str, str]:
    return {field: next(code for code in codes.values() if code != _call_of(task, tool).arguments[field])}


def _other_method(task: Task) -> str:
    used = _call_of(task, "verify_employment").arguments["verification_method"]
    return "award_letter" if used == "employer_call" else "employer_call"


def task_for(guard: Guard) -> Task:
    """Return the frozen case in which the question is put."""
    for task in TASKS:
        names = {call.name for call in task.standard.calls}
        known = task.branches | task.standard.outputs
        fits = all(known[point] == outcome for point, outcome in guard.branches.items())
        if guard.tool in names and (not guard.without or guard.without in names) and fits:
            return task
    raise LookupError(f"no frozen case for {guard}")


def run(bank: Bank, tools: ToolSet, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Call a tool and return its result as plain data."""
    call = parse_action(json.dumps({"name": name, "arguments": dict(arguments)}), tools)
    assert isinstance(call, ToolCall)
    result: dict[str, Any] = msgspec.to_builtins(call.tool.call(bank, call.arguments))
    return result


def ask(guard: Guard, tools: ToolSet) -> str | None:
    """Put a question to a set of tools; return a complaint if the answer is not the one expected."""
    task = task_for(guard)
    bank = LOANS.bank(task)
    for call in task.standard.calls:
        if call.name == guard.tool:
            break
        if call.name != guard.without:
            run(bank, tools, call.name, call.arguments)
    changes = guard.changes(task) if callable(guard.changes) else guard.changes
    arguments = {**call.arguments, **changes}
    try:
        result = run(bank, tools, guard.tool, arguments)
    except ToolError as error:
        if error.kind is not guard.kind or (guard.field and error.field != guard.field):
            return f"expected {guard.kind} about {guard.field}, got {error.to_dict()}"
        if guard.without and guard.without not in error.message:
            return f"expected {guard.without} to be named, got {error.message}"
        return None
    if guard.kind is not None:
        return f"expected {guard.kind}, but the call was accepted: {result}"
    names = {"today": task.today.isoformat(), "report_on_file_date": arguments.get("report_on_file_date")}
    for key, expected in guard.result.items():
        expected = names.get(expected, expected) if isinstance(expected, str) else expected
        if result[key] != expected:
            return f"{key}: expected {expected!r}, got {result[key]!r}"
    return None
