"""The solver for card accounts: complaints, use of a lost card, and charges of statements (5.7 to 5.10)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.dates import add_business_days
from teller_gym.scenarios.credit_cards.solver_facts import (
    Case,
    Ending,
    Entry,
    closing_after,
    first_statement,
    interest_due,
    paid_by,
    paid_in_full,
)
from teller_gym.tools.bank import Record


class Judged(NamedTuple):
    """A complaint with its track, its finding (T7) and the accepted amount."""

    claim: bool
    finding: str
    amount: int


def complaints(case: Case) -> Ending:
    """Decide a dispute (5.7 and 5.10.2)."""
    case.cite("5.4.1", "5.7.1", "5.7.2", "T5")
    rows: list[Record] = sorted(case.request["complaints"], key=lambda row: str(row["line_id"]))
    claims = [_is_claim(row) for row in rows]
    case.settle("tracks", "both" if len(set(claims)) > 1 else "claim" if claims[0] else "billing_error")
    written = case.request["channel"] in ("letter", "secure_message")
    case.settle("notice", "written" if written else "oral")
    if not (written or all(claims)):
        return Ending("incomplete", "written_notice_missing")
    case.cite("5.7.3", "5.7.4", "5.10.2", "T7", "D11", "D12", "D13")
    judged = [_judged(case, row, claim) for row, claim in zip(rows, claims, strict=True)]
    flawed = [item.finding for item in judged if item.finding != "none"]
    case.settle("findings", flawed[0] if flawed else "all_accepted")
    total = sum(item.amount for item in judged)
    if not total:
        return Ending("deny", flawed[0])
    due = min(_claim_due(case) if item.claim else _error_due(case) for item in judged if item.amount)
    return Ending("partial", flawed[0], total, due) if flawed else Ending("approve", "none", total, due)


def _is_claim(row: Record) -> bool:
    """Return True if a complaint is a claim rather than a billing error (T5)."""
    late = row["complaint"] == "not_delivered" and row["goods"] == "accepted"
    return bool(late or (row["complaint"] == "faulty" and row["goods"] != "refused"))


def _judged(case: Case, row: Record, claim: bool) -> Judged:
    """Assess a complaint (T7, D12 and D13)."""
    line = next(entry for entry in case.ledger if entry.key == row["line_id"])
    amount = line.cents
    if row["complaint"] == "wrong_amount":
        amount -= row["agreed_amount"]
    if row["complaint"] == "credit_missing":
        amount = row["agreed_amount"]
    amount -= sum(
        e.cents for e in case.ledger if (e.kind, e.merchant) == ("credit", line.merchant) and e.posted >= line.posted
    )
    if amount <= 0:
        return Judged(claim, "already_credited", 0)
    finding = _claim_flaw(case, row, line, amount) if claim else _error_flaw(case, row, line)
    if finding != "none":
        return Judged(claim, finding, 0)
    if not claim:
        return Judged(claim, "none", amount)
    came_in = sum(
        e.cents
        for e in case.ledger
        if e.kind in ("payment", "credit") and e.posted > line.posted and e.posted <= case.received
    )
    left = line.balance - came_in
    if left <= 0:
        return Judged(claim, "paid_off", 0)
    return Judged(claim, "partly_paid_off", left) if left < amount else Judged(claim, "none", amount)


def _error_flaw(case: Case, row: Record, line: Entry) -> str:
    same = [(e.merchant, e.cents, e.made) for e in case.ledger if e.kind == "purchase"]
    if row["complaint"] == "charged_twice" and same.count((line.merchant, line.cents, line.made)) < 2:
        return "no_error_found"
    known = any((e.kind, e.merchant) == ("purchase", line.merchant) and e.posted < line.posted for e in case.ledger)
    if row["complaint"] == "not_mine" and (line.entry == "chip" or known):
        return "no_error_found"
    shown = first_statement(case, line)
    if shown is not None and case.received > shown + timedelta(days=case.policy.notice_window_days):
        return "notice_too_late"
    return "none"


def _claim_flaw(case: Case, row: Record, line: Entry, amount: int) -> str:
    if amount <= case.policy.claim_over:
        return "claim_too_small"
    near = line.miles != "" and int(line.miles) <= case.policy.claim_miles
    if line.state != case.account["home_state"] and not near:
        return "merchant_too_far"
    tried = row["merchant_contacted_on"]
    if tried is None or date.fromisoformat(tried) > case.received:
        return "no_attempt_to_settle"
    return "none"


def _error_due(case: Case) -> date:
    """Return the day by which a billing error must be resolved (T8)."""
    number = case.account["closing_day"]
    end = closing_after(case.received - timedelta(days=1), number)
    for _ in range(case.policy.resolution_cycles):
        end = closing_after(end, number)
    return case.back(min(end, case.received + timedelta(days=case.policy.resolution_cap_days)))


def _claim_due(case: Case) -> date:
    """Return the day by which a claim must be resolved (T8)."""
    return case.back(case.received + timedelta(days=case.policy.claim_days))


def lost_card(case: Case) -> Ending:
    """Decide a report of loss (5.8 and 5.10.2)."""
    case.cite("5.4.1", "5.8.1", "5.8.2", "D14", "D15", "D16")
    lines = _unauthorized(case)
    early = [e for e in lines if e.made <= case.received]
    lent = case.request["card_lent_to"] != "nobody"
    case.settle("unauthorized", "none" if not lines else "lent" if lent and early else "some")
    if not lines:
        return Ending("deny", "no_unauthorized_use")
    risk = 0 if lent else sum(e.cents for e in early if e.entry in ("chip", "contactless", "swipe"))
    borne = min(risk, case.product.liability)
    case.settle("liability", "none" if not borne else "capped" if borne < risk else "whole")
    total = sum(e.cents for e in lines) - (sum(e.cents for e in early) if lent else borne)
    reason = "card_lent" if lent and early else "cardholder_liability" if borne else "none"
    if not total:
        return Ending("deny", reason)
    case.cite("5.10.2")
    due = add_business_days(case.received, case.policy.unauthorized_business_days, case.policy.holidays)
    return Ending("approve" if reason == "none" else "partial", reason, total, due)


def amount_at_issue(case: Case) -> int:
    """Return the amount at issue on an account that was read, in cents (D26)."""
    if case.kind == "charge_dispute":
        named = {row["line_id"] for row in case.request["complaints"]}
        return sum(e.cents for e in case.ledger if e.key in named)
    if case.kind == "lost_card":
        return sum(e.cents for e in _unauthorized(case))
    asked = [row for row in case.statements if row["closing_date"] in case.request["statements_asked"]]
    return sum(row["interest_charged"] + row["late_fee"] for row in asked)


def _unauthorized(case: Case) -> list[Entry]:
    """Return the unauthorized lines (D14)."""
    reported = {c["card_last4"] for c in case.request["cards"] if c["reported"] != "no" and c["status"] == "active"}
    used = date.fromisoformat(case.request["last_own_use_date"])
    return [
        e
        for e in case.ledger
        if e.kind in ("purchase", "cash_advance") and e.card in reported and e.made > used and e.entry != "recurring"
    ]


def review(case: Case) -> Ending:
    """Decide an interest review (5.9)."""
    case.cite("5.4.1", "5.9.1", "5.9.2", "5.9.3", "5.9.4", "5.9.5", "D17", "D18", "D19", "D20", "D21")
    charged = back = 0
    outcomes: dict[str, set[str]] = {"basis": set(), "exclusions": set(), "rate": set(), "late_fee": set()}
    for asked in case.request["statements_asked"]:
        place = case.closings.index(date.fromisoformat(asked))
        row = case.statements[place]
        basis, excluded, (rate_name, rate) = _basis(case, place), _excluded(case, place), _rate(case, place)
        fee_name, fee = _late_fee(case, place)
        interest = interest_due(case, place, basis, excluded, rate)
        charged += row["interest_charged"] + row["late_fee"]
        back += max(0, row["interest_charged"] - interest) + max(0, row["late_fee"] - fee)
        for point, outcome in zip(outcomes, (basis, "some" if excluded else "none", rate_name, fee_name), strict=True):
            outcomes[point].add(outcome)
    for point, found in outcomes.items():
        case.settle(point, "_and_".join(sorted(found)))
    if not back:
        return Ending("deny", "charges_due")
    return Ending("approve", "none", back) if back == charged else Ending("partial", "charges_partly_due", back)


def _basis(case: Case, place: int) -> str:
    """Return the basis on which a statement bears interest (D18)."""
    last, last_but_one = (paid_in_full(case, case.statements[place - step]) for step in (1, 2))
    return ("none" if last_but_one else "carried") if last else "full"


def _excluded(case: Case, place: int) -> set[str]:
    """Return the IDs of purchases that bear no interest on a statement (D19)."""
    closing = case.closings[place]
    found = set()
    for e in case.ledger:
        if e.kind == "purchase" and e.posted <= closing:
            free, _, until = e.mark.partition(":")
            if free == "disputed" or (free == "promo" and date.fromisoformat(until) >= closing):
                found.add(e.key)
    return found


def _rate(case: Case, place: int) -> tuple[str, int]:
    """Return how the purchase rate was determined, and the rate (D20)."""
    account, first = case.account, date.fromisoformat(case.statements[place]["first_day"])
    if account["rate_effective"] is None:
        return "never_raised", account["purchase_rate"]
    waits = (
        (account["rate_effective"], 0),
        (account["rate_notice"], case.policy.rate_notice_days),
        (account["opened"], case.policy.first_year_days),
    )
    if all(first >= date.fromisoformat(day) + timedelta(days=days) for day, days in waits):
        return "raised", account["purchase_rate"]
    return "raise_not_in_force", account["previous_rate"]


def _late_fee(case: Case, place: int) -> tuple[str, int]:
    """Return how the late fee was determined, and the fee in cents (D21)."""
    before = case.statements[place - 1]
    if paid_by(case, before, ("payment",)) >= before["minimum_due"]:
        return "not_due", 0
    earlier = case.statements[max(0, place - case.policy.fee_lookback) : place]
    again = any(row["late_fee"] for row in earlier)
    fee = case.policy.fee_repeat if again else case.policy.fee_first
    return ("repeated" if again else "first"), min(fee, before["minimum_due"])
