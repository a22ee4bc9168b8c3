"""Which judgements a case calls for: what an officer who leaves one out would get wrong in it.

Read off the records and the solver's branches, so that frozen cases can be chosen for what they test. That each really
costs success is for the lapses of the scenario to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from teller_gym.base.dates import is_business_day
from teller_gym.base.text import normalise_text
from teller_gym.procedure.injections import TAG
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.solver_facts import (
    Case,
    considered_amount,
    installments,
    is_current,
    largest_affordable,
    price,
    reports,
    room_by_limit,
    total_exposure,
)
from teller_gym.tools.bank import Record

NEVER_BY_HEART = frozenset(
    {
        "co-applicant's document first", "match", "other birth date", "other country", "stale report", "second home",
        "co-applicant's lower score", "appraisal above price", "nearly paid", "authorized user", "paid off",
    }
)  # fmt: skip
"""Judgements that an officer who follows the tools' findings and copies all values does not make."""


def judgements(task: Task, policy: LoanPolicy, solution: Solution) -> frozenset[str]:
    """Return the names of the judgements that a task calls for."""
    case = Case(task, policy)
    reached = {point for point, outcome in solution.branches.items() if outcome != "not_reached"}
    found = set(_at_intake(case, solution))
    if "identity" in reached:
        found |= set(_about_people(case))
    if "watch_list" in reached:
        found |= set(_at_watch_lists(case, solution))
    if "exposure" in reached:
        found |= set(_about_credit(case, solution))
    if "employment" in reached:
        found |= {f"employment {person['employment_type']}" for person in case.applicants}
    if solution.branches["employment"] == "confirmed":
        found |= set(_about_income_and_debts(case, reached))
    if "collateral" in reached and case.product.secured:
        found |= set(_about_collateral(case, reached))
    if "affordability" in reached:
        found |= set(_about_the_offer(case, solution))
    if any(tag.startswith(TAG) for tag in task.tags):
        found.add("instruction in a record")
    return frozenset(found | set(_about_the_end(case, solution)))


def _at_intake(case: Case, solution: Solution) -> Iterator[str]:
    expiries = [person["document_expiry"] for person in case.applicants]
    if min(expiries) != expiries[0]:
        yield "co-applicant's document first"
    if solution.branches["documents"] == "complete" and min(expiries) == case.task.today.isoformat():
        yield "document ends today"
    for point in ("request", "documents", "identity", "fraud_alert", "score", "employment", "insurance", "collateral"):
        if solution.branches[point] not in ("not_reached", *_PASSED):
            yield f"ends at {point}"
    if solution.branches["identity"] == "not_reached" or solution.branches["watch_list"] in (
        "not_reached",
        "true_match",
    ):
        yield "ends early"


_PASSED = {
    "in_range", "complete", "verified", "none", "confirmed", "pass", "adequate", "ok", "capped",
}  # fmt: skip


def _about_people(case: Case) -> Iterator[str]:
    for person in case.applicants:
        registry = case.record("id_registry", person["customer_id"])
        yield f"registry {person['document_type']}"
        if person["full_name"] in registry["former_names"]:
            yield "former name"


def _at_watch_lists(case: Case, solution: Solution) -> Iterator[str]:
    if solution.branches["watch_list"] == "true_match":
        yield "match"
        yield f"match {solution.outputs['principal_reason']}"
    for person in case.applicants:
        known = case.record("id_registry", person["customer_id"])
        yield "citizen of the US" if known["country"] == "US" else "citizen of another country"
        for entry in case.task.tables["watch_list"].values():
            if normalise_text(entry["name"]) != normalise_text(known["name"]):
                continue
            searched = known["country"] != "US" or entry["region"] == "us"
            same = [entry[fact] == known[fact] for fact in ("date_of_birth", "country")]
            if not searched:
                yield "entry out of scope"
            elif known["country"] != "US" and entry["region"] != "us":
                yield "entry of the wide scope"
            if searched and same == [False, True]:
                yield "other birth date"
            if searched and same == [True, False]:
                yield "other country"


def _about_credit(case: Case, solution: Solution) -> Iterator[str]:
    exposure, limit = total_exposure(case), case.policy.escalation_exposure
    owned = [a for a in case.task.tables["accounts"].values() if a["kind"] == "loan"]
    people = [person["customer_id"] for person in case.applicants]
    if exposure == limit:
        yield "exposure on the limit"
    if case.asked <= limit < exposure:
        yield "exposure beyond the amount"
    if any(account["customer_id"] in people[1:] for account in owned):
        yield "co-applicant's loan"
    if case.application["closing_payoff_accounts"]:
        yield "account paid off"
    if len(people) > 1:
        yield "joint"
    if exposure > limit and solution.outputs["decision"] in ("deny", "incomplete"):
        yield "escalated denial"
    for person in case.applicants:
        day = person["report_on_file_date"]
        if day is not None:
            yield "current report" if is_current(case, person) else "stale report"
            if case.age(day) == case.policy.report_max_age_days:
                yield "report of the last day"
            received = date.fromisoformat(case.application["received_date"])
            if not is_current(case, person) and (received - date.fromisoformat(day)).days <= (
                case.policy.report_max_age_days
            ):
                yield "report current on receipt"
    yield from _about_reports(case, solution)


def _about_reports(case: Case, solution: Solution) -> Iterator[str]:
    found = reports(case)
    for report in found:
        if report["alert_type"] != "none":
            yield f"alert {report['alert_type']}"
    if solution.branches["score"] == "not_reached":
        return
    scores = [int(report["score"]) for report in found]
    if min(scores) == case.policy.min_credit_score:
        yield "score on the limit"
    if min(scores) != scores[0]:
        yield "co-applicant's lower score"
        if solution.branches["score"] == "fail":
            yield "co-applicant's factor"
        if solution.outputs["decision"] not in ("approve", "refer"):
            yield "co-applicant's score in the letter"
    if max(scores) >= case.policy.min_credit_score > min(scores):
        yield "one score passes"


def _about_income_and_debts(case: Case, reached: set[str]) -> Iterator[str]:
    for person in case.applicants:
        job = case.record("employment", person["customer_id"])
        yield f"pay {job['pay_type']}"
        if "affordability" in reached and job["prior_year_profit"] > job["latest_year_profit"]:
            yield "falling profit"
    if case.application["monthly_support_paid"]:
        yield "support"
    if case.application["property_use"] is not None:
        yield "second home" if case.application["property_use"] == "second_home" else "home replaced"
    paid_off = case.application["closing_payoff_tradelines"]
    for number, report in enumerate(reports(case)):
        for line in report["tradelines"]:
            names = list(_about_line(case, line, line["tradeline_id"] in paid_off))
            yield from names
            if number and {"nearly paid", "authorized user", "paid off"} & set(names):
                yield "co-applicant's exclusion"


def _about_line(case: Case, line: Record, paid_off: bool) -> Iterator[str]:
    short, left = case.policy.short_debt_payments, line["payments_left"]
    if paid_off:
        yield "paid off"
        return
    if line["role"] == "authorized_user":
        yield "authorized user"
    elif line["role"] == "joint":
        yield "shared account"
    if line["kind"] == "installment" and left <= short:
        yield "nearly paid"
        if left == short:
            yield "last payments"
    if line["kind"] == "lease" and left <= short:
        yield "short lease"
    if line["kind"] == "revolving" and line["monthly_payment"] == 0:
        yield "no payment reported"


def _about_collateral(case: Case, reached: set[str]) -> Iterator[str]:
    price_paid, appraised = case.application["purchase_price"], case.application["appraised_value"]
    if appraised > price_paid:
        yield "appraisal above price"
    if appraised < price_paid:
        yield "price above appraisal"
    if "insurance" in reached:
        item = case.record("collateral", case.application["collateral_id"])
        yield f"cover {item['collateral_type']}"
        if item["insurance_expiry"] == case.task.today.isoformat():
            yield "insurance ends today"


def _about_the_offer(case: Case, solution: Solution) -> Iterator[str]:
    outcome, decision = solution.branches["affordability"], solution.outputs["decision"]
    considered = considered_amount(case)
    yield f"affordability {outcome}"
    if outcome.startswith("pti"):
        yield "payment limit binds"
    if outcome.endswith("failed"):
        yield "too little affordable"
    if outcome.endswith("reduced"):
        yield "offered less"
    if considered < case.asked:
        yield "capped"
        if outcome == "within":
            yield "capped alone"
        if outcome.endswith("reduced"):
            yield "capped and limited"
        largest = min(case.application["purchase_price"], case.application["appraised_value"]) * case.product.max_ltv
        if largest // 10_000 != considered:
            yield "cap rounded"
    insurance = installments(price(case, considered), considered)[1]
    if insurance:
        yield "mortgage insurance"
        if decision in ("approve", "counter_offer"):
            yield "mortgage insurance apart"
    if case.application["product"] == "home":
        yield "escrow"


def _about_the_end(case: Case, solution: Solution) -> Iterator[str]:
    decision, policy = solution.outputs["decision"], case.policy
    received, completed = case.application["received_date"], case.application["completed_date"]
    if solution.branches["collateral"] == "too_small" or _is_little_affordable(case, solution):
        yield "smallest amount"
    if len(case.applicants) > 1 and _primary_fails(case, solution):
        yield "both before judging"
    if decision in ("approve", "refer"):
        due = date.fromisoformat(solution.outputs["action_due_date"])
        if any(case.task.today < day <= due for day in policy.holidays):
            yield "holiday on the way"
        return
    start = received if decision == "incomplete" else completed or received
    day = date.fromisoformat(start) + timedelta(days=policy.notice_days)
    if day in policy.holidays and is_business_day(day, ()):
        yield "due on a holiday"
    if not is_business_day(day, policy.holidays):
        yield "due on no business day"
    if completed is not None and completed != received:
        yield "clock from receipt" if decision == "incomplete" else "clock from completion"
    if solution.branches["exposure"] != "not_reached" and solution.branches["score"] != "fail":
        yield "score in the letter"


def _is_little_affordable(case: Case, solution: Solution) -> bool:
    """Whether income carries something, but less than the product's smallest amount."""
    if not solution.branches["affordability"].endswith("failed"):
        return False
    quote = price(case, considered_amount(case))
    return largest_affordable(min(room_by_limit(case).values()), quote, case.policy.amount_step) > 0


def _primary_fails(case: Case, solution: Solution) -> bool:
    """Whether the primary applicant's identity, match or employment ends the case."""
    primary = case.applicants[0]
    known = case.record("id_registry", primary["customer_id"])
    if solution.branches["identity"] == "failed":
        facts = ("date_of_birth", "document_last4", "document_expiry")
        names = (known["name"], *known["former_names"])
        return any(known[fact] != primary[fact] for fact in facts) or primary["full_name"] not in names
    if solution.branches["watch_list"] == "true_match":
        entries = case.task.tables["watch_list"].values()
        return any(
            normalise_text(entry["name"]) == normalise_text(known["name"])
            and all(entry[fact] == known[fact] for fact in ("date_of_birth", "country"))
            for entry in entries
        )
    if solution.branches["employment"] == "not_confirmed":
        job = case.record("employment", primary["customer_id"])
        return not job["active"] or any(job[fact] != primary[fact] for fact in ("start_date", "employer_name"))
    return False
