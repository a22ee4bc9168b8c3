"""Closed-form solver of the accounts scenario: computes the outcome of a request directly from its records.

It follows ``sop.yaml`` clause by clause and shares only money, dates and policy with the tools and the expert, so that
a disagreement means that one of them misreads the SOP. Amounts are integer cents. Each step is a function that returns
the ending, or None if the case goes on.
"""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import usd
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.solver_facts import Case, Ending, by, days, years
from teller_gym.scenarios.accounts.solver_items import Items
from teller_gym.scenarios.accounts.solver_kinds import claim, dormancy, stop
from teller_gym.scenarios.banking.solving.intake import fold, matches, registered, screened
from teller_gym.tools.bank import Record


def solve(task: Task, policy: AccountPolicy) -> Solution:
    """Compute the outputs of a task, the outcome of every decision point and the applied rules.

    Raises:
        KeyError: A record lacks a field or contains a value that the SOP does not define.
    """
    case = Case(task, policy)
    kind = case.settle("kind", case.request["kind"])
    case.cite(
        "5.1.1", "D1", "D2", "D21", "D22", "D23", "5.8.1", "5.8.3", "T5", "T6", "5.9.1", "5.9.2", "5.9.3", "5.11.1"
    )
    ending = _account(case) or _identity(case) or _screening(case) or _settle(case, kind)
    action, final = _dates(case, ending)
    if ending.decision != "refer" and (kind, ending.decision) != ("dormancy_review", "decline"):
        case.cite("5.10.1", "T9")
    outputs = {
        "decision": ending.decision,
        "reason": ending.reason,
        "routing": _routing(case, ending),
        "amount": usd(ending.amount),
        "action_due_date": action.isoformat(),
        "final_date": final.isoformat(),
    }
    return Solution(outputs, case.branches, tuple(case.rules))


def _settle(case: Case, kind: str) -> Ending:
    """Decide the request by its kind (5.4 to 5.7)."""
    if kind in case.policy.powers and _authority(case) == "none":
        return _end(case, "decline", "not_authorized")
    match kind:
        case "open_account":
            return _opening(case)
        case "deposit_review":
            return _deposit(case)
        case "close_account":
            return _closing(case)
    case.cite(*_CITED[kind])
    return {"transfer_claim": claim, "stop_payment": stop, "dormancy_review": dormancy}[kind](case)


_CITED = {
    "transfer_claim": ("5.6.1", "5.6.2"), "stop_payment": ("5.7.1",), "dormancy_review": ("5.7.2", "D16", "D20", "T3"),
}  # fmt: skip


def _account(case: Case) -> Ending | None:
    """Check the account's restrictions and status (5.1.2 and 5.1.3)."""
    if not case.account:
        return None
    case.cite("5.1.2", "5.1.3")
    now = case.today.isoformat()
    forces = [r for r in case.account["restrictions"] if r["placed_on"] <= now < (r["lifted_on"] or "9999-12-31")]
    if forces:
        _, kind = min((row["placed_on"], row["kind"]) for row in forces)
        return _end(case, "refer", case.settle("account", kind))
    state = "closed" if case.account["status"] == "closed" else "lifted" if case.account["restrictions"] else "free"
    if case.settle("account", state) == "closed":
        return _end(case, "decline", "account_closed")
    return None


def _identity(case: Case) -> Ending | None:
    """Check the identities (5.2)."""
    people = case.request["persons"]
    if not people:
        case.cite("5.2.3")
        return None
    case.cite("5.2.1", "5.2.2", "T2", "D3")
    failed = any(registered(case.task.tables, person) == "failed" for person in people)
    if case.settle("identity", "failed" if failed else "verified") == "failed":
        return _end(case, "decline", "identity_not_verified")
    return None


def _screening(case: Case) -> Ending | None:
    """Check watch lists and reports of other banks (5.3)."""
    opening = case.request["kind"] == "open_account"
    people = [person for person in by("customer_id", case.request["persons"]) if opening or person["role"] == "agent"]
    if not people:
        return None
    case.cite("5.3.1", "5.3.3", "T2")
    listed = [matches(case.task.tables, person) for person in people]
    if any(listed):
        case.cite("5.3.2", "D6")
    outcomes = [screened(entries) for entries in listed]
    true = [outcome for outcome in outcomes if outcome not in ("clear", "false_positive")]
    outcome = "true_match" if true else "false_positive" if "false_positive" in outcomes else "clear"
    if case.settle("watch_list", outcome) == "true_match":
        return _end(case, "refer", f"{true[0]}_match")
    if opening:
        found = any(_misused(case, person) for person in people)
        if case.settle("misuse", "counts" if found else "none") == "counts":
            return _end(case, "decline", "account_misuse")
    return None


def _misused(case: Case, person: Record) -> bool:
    """Return True if other banks' reports show misuse (5.3.3)."""
    reports = case.record("bureau_files", person["customer_id"]).get("reports", [])
    return any(
        not report["settled_on"]
        and days(report["reported_on"], case.today) <= case.policy.misuse_lookback_days
        and (report["report_kind"] == "suspected_fraud" or report["amount"] >= case.policy.misuse_minimum)
        for report in reports
    )


def _opening(case: Case) -> Ending:
    """Decide an opening (5.4.1)."""
    case.cite("5.4.1", "T2")
    policy, request = case.policy, case.request
    least = {"owner": policy.adult_age, "joint_owner": policy.adult_age, "custodian": policy.custodian_age, "minor": 0}
    outcome = "in_order"
    if request["opening_deposit"] < policy.minimum_deposits[request["product"]]:
        outcome = "deposit_below_minimum"
    if any(_is_post_box(person["street_address"]) for person in request["persons"]):
        outcome = "address_missing"
    for person in request["persons"]:
        age = years(case.record("id_registry", person["customer_id"])["date_of_birth"], case.today)
        if age < least[person["role"]] or (person["role"] == "minor" and age >= policy.adult_age):
            outcome = "age_not_met"
    case.settle("opening", outcome)
    if outcome == "in_order":
        return Ending("carry_out", "none", request["opening_deposit"])
    return _end(case, "decline" if outcome == "age_not_met" else "pend", outcome)


def _is_post_box(address: str) -> bool:
    words = fold(address).replace(".", "").replace(",", " ")
    return ("po box" in words or "post office box" in words) and not {"apo", "fpo", "dpo"} & set(words.split())


def _authority(case: Case) -> str:
    """Determine the requesters' authority (5.4.2, D7 and D8)."""
    case.cite("5.4.2", "D7")
    account, asking = case.account, {person["customer_id"] for person in case.request["persons"]}
    holders, basis = [owner["customer_id"] for owner in account["owners"]], "owners"
    if account["product"] == "custodial":
        (minor,) = (owner for owner in account["owners"] if owner["role"] == "minor")
        grown = years(minor["date_of_birth"], case.today) >= case.policy.custodial_end_age
        basis = "former_minor" if grown else "custodian"
        wanted = "minor" if grown else "custodian"
        holders = [owner["customer_id"] for owner in account["owners"] if owner["role"] == wanted]
    needed = 1
    if case.request["kind"] == "close_account" and account["signing_rule"] != "any_one":
        needed = len(holders) if account["signing_rule"] == "all" else min(2, len(holders))
    own = [holder for holder in holders if holder in asking]
    lent = [holder for holder in holders if holder not in asking and _is_represented(case, holder, asking)]
    if len(own) + len(lent) < needed:
        basis = "none"
    elif len(own) < needed and basis == "owners":
        basis = "agent"
    return case.settle("authority", basis)


def _is_represented(case: Case, holder: str, asking: set[str]) -> bool:
    """Return True if an agent acts for an owner under a valid mandate (D8)."""
    for mandate in case.account["mandates"]:
        if mandate["owner_id"] == holder and mandate["agent_id"] in asking:
            case.cite("D8")
            over = mandate["revoked_on"] is not None and mandate["revoked_on"] <= case.today.isoformat()
            old = days(mandate["dated"], case.today) > case.policy.mandate_max_age_days
            if case.policy.powers[case.request["kind"]] in mandate["powers"] and not over and not old:
                return True
    return False


def _deposit(case: Case) -> Ending:
    """Decide a deposit review (5.5)."""
    items = Items(case)
    if items.unendorsed():
        case.settle("items", "unendorsed")
        return _end(case, "pend", "endorsement_missing")
    if not items.taken:
        case.settle("items", "none_taken")
        return _end(case, "decline", "item_not_payable")
    items.work_out()
    case.cite("5.5.5")
    whole = len(items.taken) == len(items.rows)
    case.settle("items", "all_taken" if whole else "some_taken")
    held = next((reason for reason in items.reasons if reason != "none"), "none")
    case.settle("hold", held)
    request, clock = case.request, "availability_notice"
    if held != "none":
        clock = "hold_notice_in_person" if request["channel"] == "branch" else "hold_notice_otherwise"
    action = case.clock(clock, case.banking_day(request, "received_date", "received_time"))
    reason = held if whole else "item_not_payable"
    decision = "carry_out" if reason == "none" else "in_part"
    return Ending(decision, reason, items.available(request["asked_date"]), action, items.last())


def _closing(case: Case) -> Ending:
    """Decide a closing (5.7.3 and 5.7.4)."""
    case.cite("5.7.3")
    account, policy = case.account, case.policy
    services = account["services"]
    if any((s["kind"], s["status"]) == ("transfer_claim", "open") for s in services):
        return _end(case, "pend", case.settle("closing", "open_claim"))
    if any(
        (s["kind"] == "overdraft_line" and s["balance"] > 0) or (s["kind"], s["status"]) == ("loan_autopay", "open")
        for s in services
    ):
        return _end(case, "pend", case.settle("closing", "linked_debt"))
    items = Items(case)
    items.work_out()
    if items.portions and items.last() > case.today:
        case.settle("closing", "items_pending")
        return _end(case, "pend", "items_pending")._replace(final=items.last())
    changed = account["address_changed_on"]
    if changed and days(changed, case.today) < policy.clocks["address_wait"].counted:
        case.settle("closing", "address_recent")
        return _end(case, "pend", "address_recent")._replace(
            final=case.clock("address_wait", date.fromisoformat(changed))
        )
    case.cite("5.7.4")
    payout = account["balance"] + account["accrued_interest"] - account["fees_due"]
    if days(account["opened"], case.today) <= policy.early_closing_days:
        payout -= policy.early_closing_fee
    case.settle("closing", "balance_short" if payout < 0 else "free")
    return _end(case, "pend", "balance_short", -payout) if payout < 0 else Ending("carry_out", "none", payout)


def _routing(case: Case, ending: Ending) -> str:
    """Return the desk that reviews the case (5.9.2)."""
    if ending.decision == "refer":
        return "compliance"
    if ending.amount >= case.policy.senior_amount:
        return "senior_operations"
    reviews = ("deposit_review", "transfer_claim", "dormancy_review")
    return "operations" if case.request["kind"] in reviews else "branch"


def _dates(case: Case, ending: Ending) -> tuple[date, date]:
    """Return the action and final dates: the ending's own, or those of the general clocks (5.8, T6)."""
    kind, today = case.request["kind"], case.today
    if ending.decision == "refer":
        case.cite("T8")
        length = case.policy.escalation_business_days[ending.reason]
        action, final = case.clock("escalation", today, length), case.clock("desk_review", today)
    elif ending.decision == "decline" and kind == "open_account":
        action, final = case.clock("adverse_action", case.received), case.clock("objection", today)
    elif ending.decision == "decline":
        action, final = case.clock("refusal", today), case.clock("objection", today)
    elif ending.decision == "pend":
        action, final = case.clock("inquiry", today), case.clock("answer", today)
    elif kind == "open_account":
        name = "terms_at_the_branch" if case.request["channel"] == "branch" else "terms_by_letter"
        action, final = case.clock(name, today), case.clock("new_account", today)
    else:
        action, final = case.clock("payout", today), case.clock("late_items", today)
    return ending.action or action, ending.final or final


def _end(case: Case, decision: str, reason: str, amount: int = 0) -> Ending:
    """Return the ending of a case that ends before its last step (D4)."""
    case.cite("D4")
    return Ending(decision, reason, amount)
