"""Closed-form solver of the loans scenario: applies the SOP directly to a case's records.

It follows ``sop.yaml`` clause by clause and shares only money, dates and policy with the tools and the expert, so a
difference between solver and expert means that one of them misreads the SOP. Amounts are integer cents, policy values
have the units of ``policy.yaml``, and ratios are compared as integers or exact fractions.

A step is a function that returns the case's ending, or None if the case goes on. Every function cites the clauses that
it applies where it applies them; ``solver_facts.py`` derives the facts that the steps judge.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.money import usd
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import fold, matches, registered, screened
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.solver_facts import (
    Case,
    collateral_record,
    collateral_value,
    considered_amount,
    installments,
    is_current,
    largest_affordable,
    monthly_debts,
    monthly_income,
    price,
    report_of,
    reports,
    room_by_limit,
    total_exposure,
)
from teller_gym.tools.bank import Record

_REASONS = {"dti": "excessive_obligations", "pti": "payment_to_income_high"}


class Ending(NamedTuple):
    """A row of T5, the step that found it, and the granted amount and payment in cents."""

    found_in: str
    decision: str
    reason: str
    amount: int = 0
    payment: int = 0


def solve(task: Task, policy: LoanPolicy) -> Solution:
    """Solve a task: derive its outputs, the outcome of every decision point and the rules applied.

    Raises:
        KeyError: a record lacks a field, or has a product, term, pay type or alert type that is not in the SOP.
    """
    case = Case(task, policy)
    ending = next(filter(None, (step(case) for step in _STEPS)))
    case.cite("5.10.1", "T5", "5.10.2", "5.10.3")
    outputs = {
        "decision": ending.decision,
        "routing": _routing(case, ending),
        "principal_reason": ending.reason,
        "approved_amount": usd(ending.amount),
        "monthly_payment": usd(ending.payment),
        "action_due_date": _due_date(case, ending).isoformat(),
    }
    case.cite("5.12.1")
    return Solution(outputs, case.branches, tuple(case.rules))


def _intake(case: Case) -> Ending | None:
    """Check that the request is in range, and the file complete and in date (5.1, T1 and T2)."""
    application, product = case.application, case.product
    case.cite("5.1.1", "D17", "D18")  # rules about final actions and order, which apply to every case
    if application.get("note"):
        case.cite("D15")
    case.settle("product", application["product"])
    case.settle("applicants", "joint" if len(case.applicants) > 1 else "single")
    case.cite("5.1.2", "T1")
    request = "in_range"
    if application["term_months"] not in product.terms:
        request = "term_not_offered"
    if case.asked < product.min_amount:
        request = "amount_below_minimum"
    if case.asked > product.max_amount:
        request = "amount_above_maximum"
    case.cite("5.1.3")
    if case.settle("request", request) != "in_range":
        return _end(case, "5.1", "deny", request)
    case.cite("T2")
    documents = "complete"
    if any(case.age(applicant["document_expiry"]) > 0 for applicant in case.applicants):
        documents = "expired"
    if not set(product.documents) <= set(application["documents"]):
        documents = "missing"
    if case.settle("documents", documents) != "complete":
        return _end(case, "5.1", "incomplete", f"document_{documents}")
    return None


def _identity(case: Case) -> Ending | None:
    """Check that every applicant's identity is registered as the application states it (5.2)."""
    case.cite("5.2.1", "5.2.2")
    failed = any(registered(case.task.tables, applicant) == "failed" for applicant in case.applicants)
    if case.settle("identity", "failed" if failed else "verified") == "failed":
        return _end(case, "5.2", "deny", "identity_not_verified")
    return None


def _watch_lists(case: Case) -> Ending | None:
    """Check the applicants against the watch lists (5.3)."""
    case.cite("5.3.1")
    found = [matches(case.task.tables, applicant) for applicant in case.applicants]
    if any(found):
        case.cite("5.3.2", "D7")
    outcomes = [screened(entries) for entries in found]
    true = [outcome for outcome in outcomes if outcome not in ("clear", "false_positive")]
    outcome = "true_match" if true else "false_positive" if "false_positive" in outcomes else "clear"
    if case.settle("watch_list", outcome) == "true_match":
        case.cite("5.3.3")
        return _end(case, "5.3", "refer", f"{true[0]}_match")
    return None


def _exposure(case: Case) -> None:
    """Check if the exposure needs the senior credit desk (5.4)."""
    case.cite("5.4.1")
    case.settle("exposure", "escalated" if total_exposure(case) > case.policy.escalation_exposure else "standard")


def _credit(case: Case) -> Ending | None:
    """Check the reports, fraud alerts and the qualifying score (5.5)."""
    reused = [is_current(case, applicant) for applicant in case.applicants]
    case.settle("report", "mixed" if len(set(reused)) > 1 else "reused" if reused[0] else "new")
    alerts = [_alert(case, applicant) for applicant in case.applicants]
    outcome = next((found for found in ("not_confirmed", "confirmed") if found in alerts), "none")
    if case.settle("fraud_alert", outcome) == "not_confirmed":
        return _end(case, "5.5", "deny", "identity_not_verified")
    case.cite("5.5.3", "D6")
    lowest = min(reports(case), key=lambda report: int(report["score"]))
    if case.settle("score", "pass" if lowest["score"] >= case.policy.min_credit_score else "fail") == "fail":
        return _end(case, "5.5", "deny", lowest["main_factor"])
    return None


def _alert(case: Case, applicant: Record) -> str:
    """Check if the applicant confirms the application when contacted as the fraud alert requires (5.5.2, T7)."""
    report = report_of(case, applicant)
    if report["alert_type"] in (None, "none"):
        return "none"
    case.cite("5.5.2", "T7")
    contact = case.record("alert_contacts", applicant["customer_id"])
    asked = (report["alert_phone_last4"], case.policy.contact_methods[report["alert_type"]], True)
    reached = (contact.get("phone_last4"), contact.get("method"), contact.get("confirms"))
    return "confirmed" if asked == reached else "not_confirmed"


def _employment(case: Case) -> Ending | None:
    """Check that the employment of every applicant is confirmed (5.6.1 and 5.6.2)."""
    case.cite("5.6.1", "T7", "5.6.2")
    confirmed = [_is_confirmed(case, applicant) for applicant in case.applicants]
    if case.settle("employment", "confirmed" if all(confirmed) else "not_confirmed") == "not_confirmed":
        return _end(case, "5.6", "deny", "employment_not_verified")
    return None


def _is_confirmed(case: Case, applicant: Record) -> bool:
    """Return True if an employment is active and matches the application (5.6.1)."""
    job = case.record("employment", applicant["customer_id"])
    if not job or not job["active"]:
        return False
    facts = ("employment_type", "start_date", "pay_type")
    same_name = fold(job["employer_name"]) == fold(applicant["employer_name"])
    return same_name and all(job[fact] == applicant[fact] for fact in facts)


def _income_and_debts(case: Case) -> None:
    """Cite the clauses for income and debts, which the offer uses later (5.6.3 and 5.7, 5.9)."""
    monthly_income(case)
    monthly_debts(case)


def _collateral(case: Case) -> Ending | None:
    """Check that the appraisal is recent and the collateral sufficiently insured (5.8)."""
    if not case.product.secured:
        case.settle("collateral", "none")
        case.settle("insurance", "none")
        return None
    case.cite("5.8.1")
    appraised, year = case.application["appraisal_date"], collateral_record(case)["model_year"]
    outcome = "capped" if considered_amount(case) < case.asked else "ok"
    if year is not None and case.task.today.year - year > case.policy.vehicle_max_age_years:
        outcome = "vehicle_too_old"
    if case.age(appraised) > case.policy.appraisal_max_age_days:
        outcome = "appraisal_expired"
    if case.settle("collateral", outcome) in ("appraisal_expired", "vehicle_too_old"):
        return _end(case, "5.8", "deny" if outcome == "vehicle_too_old" else "incomplete", outcome)
    case.cite("5.8.2")
    if case.settle("insurance", _insurance(case)) != "adequate":
        return _end(case, "5.8", "incomplete", "insurance_insufficient")
    return None


def _insurance(case: Case) -> str:
    """Grade the insurance by its expiry date, then its cover, then its amount (5.8.2, T7)."""
    item = collateral_record(case)
    if case.age(item["insurance_expiry"]) > 0:
        return "expired"
    case.cite("T7")
    right_cover = item["cover"] == case.policy.required_covers[case.application["collateral_type"]]
    insured = right_cover and item["coverage_amount"] >= collateral_value(case)
    return "adequate" if insured else "insufficient"


def _offer(case: Case) -> Ending:
    """Return the ending by the amount that collateral and income support, with its payment (5.9)."""
    case.cite("5.9.1")
    considered = considered_amount(case)
    if considered < case.product.min_amount:
        case.settle("collateral", "too_small")
        return _end(case, "5.9", "deny", "collateral_insufficient")
    quote = price(case, considered)
    case.cite("5.9.2", "5.9.3")
    room = room_by_limit(case)
    binding = min(room, key=lambda limit: room[limit])
    payment, insurance = installments(quote, considered)
    if payment + insurance <= room[binding]:
        case.settle("affordability", "within")
        if considered < case.asked:
            return Ending("5.9", "counter_offer", "collateral_insufficient", considered, payment)
        return Ending("5.9", "approve", "none", considered, payment)
    case.cite("5.9.4", "D13")
    amount = largest_affordable(room[binding], quote, case.policy.amount_step)
    if amount < case.product.min_amount:
        case.settle("affordability", f"{binding}_failed")
        return _end(case, "5.9", "deny", _REASONS[binding])
    case.settle("affordability", f"{binding}_reduced")
    return Ending("5.9", "counter_offer", _REASONS[binding], amount, installments(quote, amount)[0])


def _routing(case: Case, ending: Ending) -> str:
    """Return the desk that reviews the case (5.10.2)."""
    if ending.decision == "refer":
        return "compliance"
    if ending.found_in in ("5.1", "5.2", "5.3"):
        return "intake"
    return "senior_credit" if total_exposure(case) > case.policy.escalation_exposure else "branch"


def _due_date(case: Case, ending: Ending) -> date:
    """Return the date by which the letter, or the report to compliance, is due (5.11, T6)."""
    application, policy, today, decision = case.application, case.policy, case.task.today, ending.decision
    case.cite("5.11.1" if decision == "approve" else "5.11.2", "5.11.3", "T6", "D2")
    if decision == "approve":
        return add_business_days(today, policy.disclosure_business_days, policy.holidays)
    if decision == "refer":
        return add_business_days(today, policy.compliance_business_days[ending.reason], policy.holidays)
    start = application["received_date"]
    if decision != "incomplete":
        start = application["completed_date"] or start
    return on_or_before_business_day(date.fromisoformat(start) + timedelta(days=policy.notice_days), policy.holidays)


def _end(case: Case, step: str, decision: str, reason: str) -> Ending:
    """Return an ending before the last step (D4)."""
    case.cite("D4")
    return Ending(step, decision, reason)


_STEPS: tuple[Callable[[Case], Ending | None], ...] = (
    _intake, _identity, _watch_lists, _exposure, _credit, _employment, _income_and_debts, _collateral, _offer,
)  # fmt: skip
