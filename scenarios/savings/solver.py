"""Closed-form solver of the savings scenario: computes the outcome of a request directly from its records.

It follows ``sop.yaml`` clause by clause and shares only money, dates and policy with the tools and the expert, so that
a disagreement means that one of them misreads the SOP. Amounts are integer cents.
"""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.money import usd
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import matches, registered
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.scenarios.savings.solver_facts import Case, Ending
from teller_gym.scenarios.savings.solver_kinds import bonus, coverage, custodial, maturity, withdrawal

_KINDS = {
    "withdrawal": withdrawal,
    "maturity": maturity,
    "bonus_interest": bonus,
    "custodial_payout": custodial,
    "coverage_review": coverage,
}


def solve(task: Task, policy: SavingsPolicy) -> Solution:
    """Compute the outputs of a task, the outcome of every decision point and the applied rules.

    Raises:
        KeyError: A record lacks a field or contains a value that the SOP does not define.
    """
    case = Case(task, policy)
    kind = case.settle("kind", case.request["kind"])
    case.cite("5.1.1", "5.2.1", "5.2.2", "5.9.1", "5.9.2", "5.9.3", "5.9.4", "5.10.2", "T7", "T8", "T10")
    ending = _identity(case) or _screening(case) or _restrictions(case) or _KINDS[kind](case)
    case.settle("ending", f"{ending.decision}_{ending.reason}")
    large = ending.amount > policy.senior_amount
    case.settle("desk", "compliance" if ending.decision == "refer" else "senior_savings" if large else "branch")
    if ending.decision != "refer":
        case.cite("5.10.1", "T9")
    outputs = {
        "decision": ending.decision,
        "amount": usd(ending.amount),
        "value_date": _value_date(case, ending).isoformat(),
    }
    return Solution(outputs, case.branches, tuple(case.rules))


def _identity(case: Case) -> Ending | None:
    """Check the identities (5.2.1 and 5.2.2)."""
    failed = any(registered(case.task.tables, person) == "failed" for person in case.request["persons"])
    if case.settle("identity", "failed" if failed else "verified") == "failed":
        return Ending("decline", "identity_not_verified", 0, "answer")
    return None


def _screening(case: Case) -> Ending | None:
    """Check the watch lists (5.2.3 and 5.2.4)."""
    case.cite("5.2.3", "5.2.4", "D5")
    found = [match for person in case.request["persons"] for match in matches(case.task.tables, person)]
    lists = {match.list for match in found if match.is_true}
    true = min(lists, key=("sanctions", "pep", "enforcement").index, default="")
    case.settle("watch_list", true or ("false_positive" if found else "clear"))
    return Ending("refer", f"{true}_match", 0, "refer") if true else None


def _restrictions(case: Case) -> Ending | None:
    """Check the account's restrictions (5.3)."""
    case.cite("5.3.1", "5.3.2", "D6")
    kind, now = case.request["kind"], case.today.isoformat()
    rows = case.record["restrictions"]
    forces = {row["kind"] for row in rows if row["placed_on"] <= now < (row["lifted_on"] or "9999")}
    case.settle("restrictions", "in_force" if forces else "lifted" if rows else "none")
    if "legal_hold" in forces and kind != "coverage_review":
        return Ending("refer", "legal_hold", 0, "refer")
    if "pledge" in forces and kind in {"withdrawal", "custodial_payout"}:
        return Ending("decline", "pledged", case.wanted, "answer")
    return None


def _value_date(case: Case, ending: Ending) -> date:
    """Return the value date of an ending (T8)."""
    policy = case.policy
    if ending.value == "answer":
        received = date.fromisoformat(case.request["received_date"])
        return on_or_before_business_day(received + timedelta(days=policy.answer_days), policy.holidays)
    counts = {"credit": policy.credit_days, "pend": policy.pend_days, "refer": policy.refer_days.get(ending.reason, 0)}
    counts["payout"] = policy.payout_days[case.request["payout_method"]]
    if ending.value in counts:
        return add_business_days(case.today, counts[ending.value], policy.holidays)
    return date.fromisoformat(ending.value)
