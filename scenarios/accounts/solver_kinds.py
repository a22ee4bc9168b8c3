"""The solver for transfer claims, stop orders and dormancy (5.6, 5.7.1, 5.7.2)."""

from __future__ import annotations

from datetime import date
from itertools import count

from teller_gym.scenarios.accounts.solver_facts import Case, Ending, by, days, later
from teller_gym.tools.bank import Record

_LIFE = {"owner_deposit", "owner_withdrawal", "sign_in", "owner_call", "owner_letter"}


def claim(case: Case) -> Ending:
    """Decide a transfer claim (5.6)."""
    rows = {row["transfer_id"]: row for row in case.account["activity"]}
    pairs = [(item, rows[item["item_id"]]) for item in by("item_id", case.request["items"])]
    findings = [_finding(case, item, row) for item, row in pairs]
    case.cite("5.6.3")
    covered = [pair for pair, finding in zip(pairs, findings, strict=True) if finding == "covered"]
    case.settle("findings", "mixed" if len(set(findings)) > 1 else findings[0])
    if not covered:
        case.cite("D4")
        return Ending("decline", findings[0])
    young = any(
        days(case.account["first_deposit_on"], r["posted_on"]) <= case.policy.new_account_days for _, r in covered
    )
    long = young or any(row["kind"] == "pos_debit" or row["country"] != "US" for _, row in covered)
    final = case.clock("investigation_long" if long else "investigation", case.received)
    case.settle("final_clock", "long" if long else "short")
    if _unconfirmed(case):
        case.cite("D4")
        case.settle("liability", "unconfirmed")
        return Ending("pend", "confirmation_missing", final=final)
    bear = _liability(case, covered)
    amount = sum(_disputed(item, row) for item, row in covered) - bear
    case.settle("liability", "some" if bear else "none")
    if not amount:
        case.cite("D4")
        return Ending("decline", "customer_liability")
    reason = next((finding for finding in findings if finding != "covered"), "customer_liability" if bear else "none")
    action = case.clock("credit_new_account" if young else "credit", case.received)
    return Ending("carry_out" if reason == "none" else "in_part", reason, amount, action, final)


def _finding(case: Case, item: Record, row: Record) -> str:
    if row["kind"] in ("check", "wire_transfer"):
        return "not_covered"
    if days(row["statement_sent_on"] or case.received, case.received) > case.policy.claim_notice_days:
        return "late_notice"
    return "authorized" if row["access_given"] and item["item_kind"] != "wrong_amount" else "covered"


def _disputed(item: Record, row: Record) -> int:
    right: int = item["amount"] if item["item_kind"] == "wrong_amount" else 0
    amount: int = row["amount"]
    return amount - right


def _unconfirmed(case: Case) -> bool:
    limit = case.business(case.received, case.policy.confirmation_business_days)
    if case.request["channel"] != "phone" or case.today <= limit:
        return False
    return (case.request["confirmed_date"] or "9999-12-31") > limit.isoformat()


def _liability(case: Case, covered: list[tuple[Record, Record]]) -> int:
    """Return the amount that the customer bears, in cents (D19)."""
    case.cite("D19")
    missed, policy = case.request["card_missed_date"], case.policy
    if missed is None:
        return 0
    limit = case.business(date.fromisoformat(missed), policy.loss_business_days).isoformat()
    told = case.request["received_date"]
    borne = [
        (row["posted_on"], row["amount"])
        for item, row in covered
        if item["item_kind"] == "unauthorized"
        and row["kind"] in ("pos_debit", "atm_withdrawal")
        and row["posted_on"] <= told
    ]
    before: int = sum(amount for day, amount in borne if day <= limit)
    after: int = sum(amount for day, amount in borne if day > limit)
    if told <= limit:
        return min(before + after, policy.liability_low)
    return min(min(before, policy.liability_low) + after, policy.liability_high)


def stop(case: Case) -> Ending:
    """Decide a request with stop orders (5.7.1)."""
    request = case.request
    day = case.banking_day(request, "received_date", "received_time")
    items = by("item_id", request["items"])
    findings = [_order(case, item, day) for item in items]
    stopped = [pair for pair in zip(items, findings, strict=True) if isinstance(pair[1], int)]
    case.settle("orders", "all" if len(stopped) == len(findings) else "some" if stopped else "none")
    if not stopped:
        case.cite("D4")
        return Ending("decline", str(findings[0]))
    reason = next((str(finding) for finding in findings if isinstance(finding, str)), "none")
    name = "check_stop" if any(item["item_kind"] == "check" for item, _ in stopped) else "debit_stop"
    if request["channel"] == "phone" and not request["confirmed_date"]:
        name = "oral_stop"
    case.settle("final_clock", name)
    amount = sum(int(cents) for _, cents in stopped)
    final = case.clock(name, day)
    action = case.clock("stop_confirmation", day)
    return Ending("carry_out" if reason == "none" else "in_part", reason, amount, action, final)


def _order(case: Case, item: Record, day: date) -> str | int:
    """Return the obstacle to an order, or else the amount to stop in cents."""
    if item["item_kind"] in ("cashiers_check", "certified_check"):
        return "bank_obligation"
    if item["item_kind"] == "check":
        paid = {row["reference"] for row in case.account["activity"] if row["kind"] == "check_paid"}
        amount: int = item["amount"]
        return "already_paid" if item["reference"] in paid else amount
    (debit,) = (row for row in case.account["scheduled_debits"] if row["series"] == item["reference"])
    first = case.business(day, case.policy.stop_notice_business_days).isoformat()
    cents: int = debit["amount"]
    return "too_late" if debit["next_on"] < first else cents


def dormancy(case: Case) -> Ending:
    """Decide a dormancy review (5.7.2, D16 to D18)."""
    account, policy, today = case.account, case.policy, case.today
    last = _last_life(case)
    rule = policy.states[account["mailing_state"]]
    abandoned = later(last, rule.months)
    final = case.clock("abandonment", last, rule.months)
    bounds = {
        "owner_active": policy.stage_months["inactive"],
        "inactive": policy.stage_months["dormant"],
        "dormant": rule.months,
    }
    for stage, months in bounds.items():
        if today < later(last, months):
            case.settle("stage", stage)
            return Ending("decline", stage, action=case.clock("next_stage", last, months), final=final)
    case.settle("stage", "abandoned")
    dormant = later(last, policy.stage_months["dormant"]).isoformat()
    amount = account["balance"] + account["accrued_interest"]
    amount += sum(
        r["amount"] for r in account["activity"] if r["kind"] == "maintenance_fee" and r["posted_on"] >= dormant
    )
    case.cite("D17", "D18")
    report = next(
        day
        for year in count(abandoned.year)
        if (day := date(year, rule.report_month, rule.report_day)) >= today
        and date(year, policy.year_end_month, policy.year_end_day) >= abandoned
    )
    latest = policy.clocks["letter_to_owner"].counted
    window = range(latest, policy.letter_earliest_days + 1)
    sent = any(
        row["kind"] == "letter_to_owner" and days(row["sent_on"], report) in window for row in account["letters"]
    )
    if amount < policy.letter_minimum or sent:
        case.settle("letter", "sent" if sent else "not_needed")
        return Ending("carry_out", "none", amount, case.clock("report", report), final)
    overdue = today > case.clock("letter_to_owner", report)
    case.settle("letter", "overdue" if overdue else "due")
    if overdue:
        report = report.replace(year=report.year + 1)
    case.cite("D4")
    return Ending("pend", "letter_due", action=case.clock("letter_to_owner", report), final=final)


def _last_life(case: Case) -> date:
    """Return the day of the last owner activity on any of the owners' accounts (D16)."""
    owners = {owner["customer_id"] for owner in case.account["owners"]}
    found = [case.account["opened"]]
    for other in case.task.tables["accounts"].values():
        if owners & {owner["customer_id"] for owner in other.get("owners", ())}:
            found += [row["posted_on"] for row in other["activity"] if row["kind"] in _LIFE]
    return date.fromisoformat(max(found))
