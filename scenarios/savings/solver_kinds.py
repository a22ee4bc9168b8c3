"""The solver by kind of request: withdrawals, maturities, bonus interest, custodial payouts and coverage."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from fractions import Fraction

from teller_gym.base.dates import is_business_day
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.savings.solver_facts import Case, Ending
from teller_gym.tools.bank import Record


def _grace_last(case: Case) -> date:
    """Return the last day of the grace period (D7)."""
    last = date.fromisoformat(case.record["maturity_date"])
    last += timedelta(days=case.policy.products[case.record["product"]].grace_days)
    while not is_business_day(last, case.policy.holidays):
        last += timedelta(days=1)
    return last


def withdrawal(case: Case) -> Ending:
    """Decide a withdrawal (5.4)."""
    record, request = case.record, case.request
    case.cite("5.4.1", "5.4.3", "5.4.4", "5.4.5", "D7", "D9", "D10", "D11", "T1", "T2")
    matures, received = date.fromisoformat(record["maturity_date"]), date.fromisoformat(request["received_date"])
    grace = matures <= received <= _grace_last(case)
    waiver = "grace_period" if grace else _waiver(case)
    case.settle("waiver", waiver)
    if waiver == "unproved":
        return Ending("pend", "document_missing", case.wanted, "pend")
    started = date.fromisoformat(record["term_started_on"])
    if waiver == "none" and case.today - started <= timedelta(days=case.policy.first_days):
        return Ending("decline", "first_days", case.wanted, "answer")
    principal, asked = record["balance"], request["requested_amount"]
    remains = principal - asked
    whole = asked == 0 or remains < case.policy.products[record["product"]].minimum
    case.settle("amount", "whole" if asked == 0 else "raised" if whole else "part")
    amount = principal if whole else asked
    interest = case.interest(record, amount, matures if grace else case.today)
    charge = 0
    if waiver == "none":
        days = min((row.months, row.days) for row in case.policy.charges if row.months >= record["term_months"])[1]
        charge = round_half_up(Fraction(amount * record["annual_rate"] * days, 3_650_000))
    reason = {"none": "charged", "grace_period": "grace_period"}.get(waiver, f"waived_{waiver}")
    decision = "in_part" if waiver == "none" else "carry_out"
    return Ending(decision, reason, amount + interest - charge, "payout")


def _waiver(case: Case) -> str:
    """Return the waiver for the claimed event: its name, ``unproved`` or ``none`` (D8)."""
    case.cite("5.4.2", "D8")
    event = case.request["event"]
    for row in case.record["owners"]:
        if event and row["role"] == "owner" and row["customer_id"] == case.request["event_customer_id"]:
            day = row["died_on"] if event == "death" else row["incapacitated_on"]
            if day and not day < case.record["term_started_on"]:
                proved = case.policy.waiver_documents[event] in case.request["documents"]
                return str(event) if proved else "unproved"
    return "none"


def maturity(case: Case) -> Ending:
    """Decide an instruction at maturity (5.5)."""
    record, request = case.record, case.request
    case.cite("5.5.1", "5.5.2", "5.5.3", "D7", "D10", "T1")
    matures = date.fromisoformat(record["maturity_date"])
    late = date.fromisoformat(request["received_date"]) > _grace_last(case)
    instruction = case.settle("instruction", "late" if late else request["instruction"])
    principal, interest = record["balance"], case.interest(record, record["balance"], matures)
    renewed = principal + (interest if record["interest_handling"] == "capitalise" else 0)
    if instruction == "close":
        return Ending("carry_out", "grace_period", principal + interest, "payout")
    if not late:
        renewed -= request["requested_amount"]
        if renewed < case.policy.products[record["product"]].minimum:
            case.settle("instruction", "too_small")
            return Ending("in_part", "below_minimum", principal + interest, "payout")
    case.cite("5.5.4", "D12", "D13", "T3")
    months = request["new_term_months"] if instruction == "change_term" else record["term_months"]
    count = matures.year * 12 + matures.month - 1 + months
    year, month = count // 12, count % 12 + 1
    anchor = int(record["opened"][8:])
    ends = date(year, month, min(anchor, monthrange(year, month)[1])).isoformat()
    return Ending("decline", "grace_over", renewed, ends) if late else Ending("carry_out", "none", renewed, ends)


def bonus(case: Case) -> Ending:
    """Decide a request for bonus interest (5.6)."""
    record, request, policy = case.record, case.request, case.policy
    case.cite("5.6.1", "5.6.2", "5.6.3", "D14", "D15", "T4")
    first, last = request["period_from"], request["period_to"]
    months = [row for row in record["months"] if first[:7] <= row["month"] <= last[:7]]
    good = [row for row in months if _qualifies(case, row)]
    required = len(months) - policy.bonus_missed_allowed
    case.settle("bonus", "all" if len(good) == len(months) else "earned" if len(good) >= required else "missed")
    opening = record["opening_balance"]
    rate = max(tier.rate for tier in policy.bonus_plans[record["bonus_plan"]] if opening >= tier.balance)
    amounts = [
        round_half_up(Fraction(min(row["average_balance"], policy.bonus_cap) * rate * row["days"], 3_650_000))
        for row in good
    ]
    if len(good) < required:
        return Ending("decline", "conditions_missed", sum(amounts), "answer")
    if len(good) < len(months):
        return Ending("in_part", "months_missed", sum(amounts), "credit")
    return Ending("carry_out", "none", sum(amounts), "credit")


def _qualifies(case: Case, month: Record) -> bool:
    """Return True if a month meets all conditions of the bonus (D14)."""
    policy, deposits, withdrawals = case.policy, 0, 0
    for row in case.record["movements"]:
        if not row["posted_on"].startswith(month["month"]):
            continue
        if row["kind"] in policy.counted_withdrawals:
            withdrawals += 1
        if row["kind"] in policy.counted_deposits and not row["reversed_on"]:
            deposits += row["amount"] >= policy.bonus_deposit_minimum
    low: bool = month["lowest_balance"] < policy.bonus_lowest_balance
    return not (low or deposits < policy.bonus_deposits or withdrawals > policy.bonus_withdrawals)


def custodial(case: Case) -> Ending:
    """Decide a custodial payout (5.7)."""
    record, request, policy = case.record, case.request, case.policy
    case.cite("5.7.1", "T5")
    roles = {row["customer_id"]: row["role"] for row in record["owners"]}
    child = next(row for row in record["owners"] if row["role"] == "beneficiary")
    years = policy.custodial_ages[record["custodial_state"]]
    birthday = (int(child["date_of_birth"][:4]) + years, child["date_of_birth"][5:])
    of_age = birthday <= (case.today.year, case.today.isoformat()[5:])
    by_custodian = roles.get(request["persons"][0]["customer_id"]) == "custodian"
    case.settle("age", "of_age" if of_age else "minor")
    case.settle("asks", "custodian" if by_custodian else "beneficiary")
    if of_age and by_custodian:
        return Ending("decline", "custodianship_ended", case.wanted, "answer")
    if of_age:
        case.cite("D10", "T1")
        return Ending(
            "carry_out", "of_age", record["balance"] + case.interest(record, record["balance"], case.today), "payout"
        )
    if not by_custodian:
        return Ending("decline", "not_of_age", case.wanted, "answer")
    case.cite("5.7.2", "D16", "T6")
    if request["purpose"] not in policy.purposes:
        return Ending("decline", "purpose_not_permitted", case.wanted, "answer")
    if policy.purposes[request["purpose"]] not in request["documents"]:
        return Ending("pend", "document_missing", case.wanted, "pend")
    left, start = policy.yearly_limit, f"{case.today.year}-01-01"
    for row in record["movements"]:
        if row["kind"] in policy.counted_withdrawals and row["reversed_on"] is None:
            left -= row["amount"] if start <= row["posted_on"] <= case.today.isoformat() else 0
    paid = min(left, case.wanted)
    case.settle("yearly", "used_up" if paid <= 0 else "part" if paid < case.wanted else "whole")
    if paid <= 0:
        return Ending("refer", "yearly_limit", case.wanted, "refer")
    if paid < case.wanted:
        return Ending("in_part", "yearly_limit", paid, "payout")
    return Ending("carry_out", "for_beneficiary", paid, "payout")


def coverage(case: Case) -> Ending:
    """Decide a coverage review (5.8)."""
    case.cite("5.8.1", "5.8.2", "5.8.3", "D17", "D10", "T1")
    held = {"single": 0, "joint": 0, "retirement": 0, "trust": 0}
    heirs: set[str] = set()
    for record in case.records:
        category = {"sole_proprietor": "single"}.get(record["ownership"], record["ownership"])
        if category not in held:
            continue
        balance = record["balance"] + case.interest(record, record["balance"], case.today)
        owners = [row for row in record["owners"] if row["role"] == "owner"]
        held[category] += round_half_up(Fraction(balance, len(owners))) if category == "joint" else balance
        if category == "trust":
            heirs |= {r["customer_id"] for r in record["owners"] if r["role"] == "beneficiary" and not r["died_on"]}
    limit = case.policy.insured_amount
    limits = dict.fromkeys(held, limit) | {"trust": limit * min(len(heirs), case.policy.most_beneficiaries)}
    lacking = {name: max(0, amount - limits[name]) for name, amount in held.items()}
    case.settle("coverage", next((name for name, amount in lacking.items() if amount), "full"))
    if any(lacking.values()):
        return Ending("in_part", "limit_exceeded", sum(lacking.values()), "answer")
    return Ending("carry_out", "none", sum(held.values()), "answer")
