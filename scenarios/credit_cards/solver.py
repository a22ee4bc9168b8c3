"""Closed-form solver of the credit card scenario: computes the outcome of a request directly from its records.

It follows ``sop.yaml`` clause by clause and shares only money, dates and policy with the tools and the expert, so that
a disagreement means that one of them misreads the SOP. Each step is a function that returns the ending, or None if the
case goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from teller_gym.base.dates import add_business_days
from teller_gym.base.money import divide_half_up, usd
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import matches, registered
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.solver_account import amount_at_issue, complaints, lost_card, review
from teller_gym.scenarios.credit_cards.solver_facts import (
    Case,
    Ending,
    burden,
    closing_after,
    obligations,
    yearly_incomes,
)
from teller_gym.tools.bank import Record


def solve(task: Task, policy: CardPolicy) -> Solution:
    """Compute the outputs of a task, the outcome of every decision point and the applied rules.

    Raises:
        KeyError: A record lacks a field or contains a value that the SOP does not define.
    """
    case = Case(task, policy)
    case.cite("5.1.1", "D1", "D22", "D24", "D25", "5.11.1", "5.11.2", "5.11.3", "5.12.1", "T3", "T6", "T8")
    case.settle("kind", case.kind)
    case.settle("people", "joint" if len(case.people) > 1 else "single")
    ending = next(filter(None, (step(case) for step in _STEPS[case.kind])))
    beyond = ending.amount > policy.authority[case.kind]
    if ending.amount:
        case.cite("5.10.1")
        case.settle("authority", "above" if beyond else "within")
    if beyond:
        ending = Ending("refer", "above_authority", ending.amount)
    elif ending.decision not in ("approve", "partial"):
        case.cite("D26")
        ending = ending._replace(amount=_at_issue(case))
    outputs = {
        "decision": ending.decision,
        "amount": usd(ending.amount),
        "due_date": _due_date(case, ending).isoformat(),
    }
    return Solution(outputs, case.branches, tuple(case.rules))


# -- 5.2 to 5.5 -------------------------------------------------------------------------------------------------------


def _block(case: Case) -> Ending | None:
    """Settle the block, which never ends a case (5.2)."""
    case.cite("5.2.1", "T4")
    changed = case.request["address_changed_on"]
    held = changed and (case.today - date.fromisoformat(changed)).days <= case.policy.address_hold_days
    case.settle("block", "replacement_held" if held else "replaced")
    return None


def _identity(case: Case) -> Ending | None:
    """Compare every person with the registry (5.2)."""
    case.cite("5.2.2", "D3", "5.2.3")
    found = {registered(case.tables, person) for person in case.people}
    outcome = "failed" if "failed" in found else "former_name" if "former_name" in found else "verified"
    case.settle("identity", outcome)
    return Ending("refer", "identity_not_verified") if outcome == "failed" else None


def _watch_list(case: Case) -> Ending | None:
    """Check every person against the lists searched for them (5.3)."""
    case.cite("5.3.1", "5.3.2", "D5")
    found = [match for person in case.people for match in matches(case.tables, person)]
    true = any(match.is_true for match in found)
    case.settle("watch_list", "true_match" if true else "false_positive" if found else "clear")
    return Ending("refer", "watch_list_match") if true else None


def _standing(case: Case) -> Ending | None:
    """Check that the account's age and its last statements allow an increase (5.4.2)."""
    case.cite("5.4.1", "5.4.2")
    recent = case.statements[-case.policy.clean_statements :]
    wait = timedelta(days=case.policy.increase_wait_days)
    fees = [row["late_fee"] for row in recent if row["late_fee"]]
    taken_back = {entry.cents for entry in case.ledger if entry.kind == "fee_reversal"}
    raised = case.account["last_increase"]
    outcome = "good"
    if any(row["closing_balance"] > case.account["credit_limit"] for row in recent):
        outcome = "over_limit"
    if [fee for fee in fees if fee not in taken_back]:
        outcome = "late_payment"
    if raised is not None and date.fromisoformat(raised) > case.received - wait:
        outcome = "recent_increase"
    if date.fromisoformat(case.account["opened"]) > case.received - wait:
        outcome = "account_too_new"
    case.settle("account", outcome)
    return None if outcome == "good" else Ending("deny", outcome)


def _credit(case: Case) -> Ending | None:
    """Check the documents, then the alerts on the credit reports (5.5)."""
    case.cite("5.5.1")
    missing = set(case.policy.documents[case.kind]) - set(case.request["documents"])
    case.settle("papers", "missing" if missing else "complete")
    if missing:
        return Ending("incomplete", "document_missing")
    case.cite("5.5.2", "5.5.3", "T1")
    alerts = {case.tables["bureau_files"][person["customer_id"]]["alert_type"] for person in case.people} - {"none"}
    if case.request["channel"] == "branch" and alerts == {"initial"}:
        case.settle("alert", "met_in_branch")
        return None
    case.settle("alert", "stopped" if alerts else "none")
    return Ending("refer", "fraud_alert") if alerts else None


# -- 5.6 --------------------------------------------------------------------------------------------------------------


def _ability(case: Case) -> Ending | None:
    """Check score, income, proposed limit and debt-to-income ratio (5.6)."""
    policy, present = case.policy, case.account.get("credit_limit", 0)
    case.cite("5.6.1", "5.6.2", "D6", "D7", "T2", "T4")
    incomes = yearly_incomes(case)
    files = {key: case.tables["bureau_files"][key] for key in incomes}
    decisive = min(files, key=lambda key: (-incomes[key], files[key]["scores"][case.request["product"]]))
    score, factor = files[decisive]["scores"][case.request["product"]], files[decisive]["main_factor"]
    case.settle("income", "all" if _all_count(case) else "partly")
    passes = score >= policy.min_credit_score
    case.settle("score", "pass" if passes else "low" if score else "none")
    if not passes:
        return Ending("deny", factor)
    case.cite("5.6.3", "5.6.4", "D8", "D9")
    yearly = sum(incomes.values())
    band = next(band for band in policy.bands if score >= band.min_score)
    bounds = {
        "asked": case.request["requested_limit"],
        "income": yearly * band.share // 10_000,
        "band": band.cap,
        "product": case.product.max_limit,
    }
    if case.people[0]["student"]:
        bounds["student"] = policy.student_cap
    if present:
        bounds["present"] = present * policy.increase_factor // 10_000
    bound = min(bounds, key=lambda name: bounds[name])
    case.settle("bound", bound)
    limit = bounds[bound] // policy.limit_step * policy.limit_step
    if _too_low(case, limit, present):
        return Ending("deny", "income_insufficient")
    return _granted(case, limit, present, divide_half_up(yearly, 12))


def _granted(case: Case, limit: int, present: int, income: int) -> Ending:
    """Return the ending with the limit that the debt-to-income ratio allows (5.6.5)."""
    case.cite("5.6.5", "D10")
    fixed = case.request["monthly_housing_cost"] + obligations(case)
    case.settle("debts", "some" if fixed > case.request["monthly_housing_cost"] else "none")
    step, proposed = case.policy.limit_step, limit
    while limit > 0 and 10_000 * (fixed + burden(case, limit)) > case.policy.max_dti * income:
        limit -= step
    case.settle("ability", "within" if limit == proposed else "reduced")
    if _too_low(case, limit, present):
        case.settle("ability", "failed")
        return Ending("deny", "excessive_obligations")
    if limit >= case.request["requested_limit"]:
        return Ending("approve", "none", limit)
    return Ending("partial", "limit_by_policy" if limit == proposed else "excessive_obligations", limit)


def _all_count(case: Case) -> bool:
    rows: list[Record] = case.request["incomes"]
    stated = sum(row["gross_pay"] * case.policy.pay_periods[row["pay_period"]] for row in rows)
    return bool(stated == sum(yearly_incomes(case).values()))


def _too_low(case: Case, limit: int, present: int) -> bool:
    return limit <= present if present else limit < case.product.min_limit


# -- all steps, and 5.10 and 5.11 --------------------------------------------------------------------------------------


_STEPS: dict[str, tuple[Callable[[Case], Ending | None], ...]] = {
    "new_card": (_identity, _watch_list, _credit, _ability),
    "limit_increase": (_identity, _standing, _credit, _ability),
    "charge_dispute": (_identity, complaints),
    "lost_card": (_block, _identity, lost_card),
    "interest_review": (_identity, review),
}


def _at_issue(case: Case) -> int:
    """Return the amount at issue, in cents (D26)."""
    if case.kind in ("new_card", "limit_increase"):
        return int(case.request["requested_limit"])
    return 0 if case.branches["identity"] == "failed" else amount_at_issue(case)


def _due_date(case: Case, ending: Ending) -> date:
    """Return the due date of an ending (T8)."""
    policy = case.policy

    def business(days: int) -> date:
        return add_business_days(case.today, days, policy.holidays)

    if ending.decision == "refer":
        return business(policy.referral_business_days[ending.reason])
    if ending.decision == "incomplete":
        return business(policy.completion_business_days)
    if ending.decision == "deny":
        start = case.received
        if case.kind in ("new_card", "limit_increase") and case.request["completed_date"]:
            start = date.fromisoformat(case.request["completed_date"])
        return case.back(start + timedelta(days=policy.denial_days))
    if ending.resolve_by is not None:
        return ending.resolve_by
    if case.kind == "interest_review":
        return closing_after(case.today, case.account["closing_day"])
    return business(policy.setup_business_days[case.kind])
