"""Argument changes that ``guards.yaml`` names."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from tests.scenarios.guards import call_of, load_guards

LOANS = load_scenario("loans")


def _used(task: Task, tool: str, field: str) -> Any:
    return call_of(task, tool).arguments[field]


def _of_the_other(tool: str, field: str, prefix: str, task: Task) -> Mapping[str, Any]:
    """Return the id that an earlier tool returned for the other applicant."""
    own = _used(task, tool, "customer_id")
    (other,) = {call.arguments["customer_id"] for call in task.standard.calls if call.name == tool} - {own}
    return {field: LOANS.bank(task).reference(prefix, other)}


def _another(tool: str, field: str, codes: Mapping[str, str], task: Task) -> Mapping[str, Any]:
    """Return a valid code other than the correct one."""
    return {field: next(code for code in codes.values() if code != _used(task, tool, field))}


def another_alert(task: Task) -> Mapping[str, Any]:
    return {"alert_type": "extended" if _used(task, "resolve_fraud_alert", "alert_type") == "initial" else "initial"}


def another_phone(task: Task) -> Mapping[str, Any]:
    digits = (int(_used(task, "resolve_fraud_alert", "contact_phone_last4")) + 1) % 10_000
    return {"contact_phone_last4": f"{digits:04d}"}


def another_method(task: Task) -> Mapping[str, Any]:
    is_call = _used(task, "verify_employment", "verification_method") == "employer_call"
    return {"verification_method": "award_letter" if is_call else "employer_call"}


def a_dollar_more(task: Task) -> Mapping[str, Any]:
    return {"loan_amount": _used(task, "price_loan", "loan_amount") + 1}


another_registry = partial(_another, "verify_identity", "registry", LOANS.policy.registries)
another_contact_method = partial(_another, "resolve_fraud_alert", "contact_method", LOANS.policy.contact_methods)
another_cover = partial(_another, "verify_insurance", "required_cover", LOANS.policy.required_covers)
verification_of_the_other = partial(_of_the_other, "screen_watch_list", "verification_id", "ID")
screening_of_the_other = partial(_of_the_other, "pull_credit_report", "screening_id", "SC")
employment_of_the_other = partial(_of_the_other, "calculate_qualifying_income", "employment_id", "EM")


GUARDS = load_guards(__file__, globals())
