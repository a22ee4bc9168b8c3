"""Requests about custodial accounts."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.savings.generator.bonus import Ledger
from teller_gym.scenarios.savings.generator.records import Desk, owner_row
from teller_gym.scenarios.savings.generator.terms import Made

OTHER_PURPOSES = ("household_bills", "family_holiday", "gift_to_sibling", "custodian_loan")


def _birth(desk: Desk, years: int, *, of_age: bool) -> date:
    """Draw a birth date around an age, often near the birthday or near another state's age of majority."""
    draw, today = desk.draw, desk.plan.today
    birthday = date(today.year - years, today.month, min(today.day, 28))
    if of_age:
        back = draw.weighted(((0, 3), (draw.integer(1, 200), 3), (draw.integer(200, 1_000), 6)))
        return birthday - timedelta(days=back)
    on = draw.weighted(((draw.integer(4, 60), 3), (draw.integer(60, 1_000), 8), (draw.integer(1_000, 4_500), 2)))
    return birthday + timedelta(days=on)


def add_custodial(desk: Desk) -> Made:
    """Draw a request for money from a custodial account, with the account."""
    draw, plan, policy = desk.draw, desk.plan, desk.policy
    states = list(policy.custodial_ages)
    early = [name for name in states if policy.custodial_ages[name] < max(policy.custodial_ages.values())] or states
    state = draw.choice(early if draw.chance(0.5) else states)
    of_age = plan.ends("cust_of_age", "cust_ended") or (plan.ends("cust_match") and draw.chance(0.4))
    by_child = plan.ends("cust_of_age", "cust_minor")
    born = _birth(desk, policy.custodial_ages[state], of_age=of_age)
    if plan.ends("cust_minor") and (plan.today - born).days < 15 * 365:
        raise NoCaseError
    custodian = desk.person() if by_child else desk.requester()
    if by_child:
        child = desk.requester(born)
        if custodian.born > born - timedelta(days=19 * 365):
            raise NoCaseError
        asking = child
    else:
        child = desk.person(born)
        if custodian.born > born - timedelta(days=19 * 365):
            raise NoCaseError
        asking = custodian
    purpose = draw.choice(OTHER_PURPOSES if plan.ends("cust_purpose") else list(policy.purposes))
    documents = list({*policy.purposes.values()} - {policy.purposes.get(purpose, "")})
    on_file = [draw.choice(sorted(documents))] if draw.chance(0.6) else []
    if purpose in policy.purposes and not plan.ends("cust_document"):
        on_file.append(policy.purposes[purpose])
    ledger, asked = _movements(desk)
    quarter = date(plan.today.year, plan.today.month - (plan.today.month - 1) % 3, 1)
    account_id = desk.account(
        product="young_saver",
        ownership="custodial",
        owners=[owner_row(custodian, "custodian"), owner_row(child, "beneficiary")],
        opened=max(born + timedelta(days=30), plan.today - timedelta(days=draw.integer(900, 4_000))).isoformat(),
        balance=ledger.opening,
        annual_rate=draw.steps(75, 310, 5),
        interest_paid_to=draw.choice((quarter, date(plan.today.year, 1, 1), quarter - timedelta(days=1))).isoformat(),
        custodial_state=state,
        restrictions=desk.restrictions(),
        movements=ledger.rows,
    )
    fields = {"purpose": None, "documents": [], "requested_amount": 0} if by_child else {
        "purpose": purpose, "documents": on_file, "requested_amount": asked,
    }  # fmt: skip
    return desk.request([asking], **fields), [account_id], [asking]


def _movements(desk: Desk) -> tuple[Ledger, int]:
    """Draw this year's and last year's movements, and the requested amount."""
    draw, plan, policy = desk.draw, desk.plan, desk.policy
    limit, today = policy.yearly_limit, plan.today
    asked = draw.steps(30_000, 180_000, 2_500)
    ledger = Ledger(desk, draw.integer(limit + 200_000, 4 * limit))
    year = date(today.year, 1, 1)
    span = (today - year).days
    if span < 4:
        raise NoCaseError
    room = limit - asked
    if plan.ends("cust_limit"):
        drawn = limit + draw.weighted(((0, 2), (draw.steps(2_500, 40_000, 2_500), 3)))
    elif plan.ends("cust_paid"):
        drawn = room - draw.weighted(((0, 2), (draw.steps(2_500, 120_000, 2_500), 5)))
    else:
        drawn = room + draw.steps(2_500, asked - 2_500, 2_500)
    parts = [drawn // 3 // 500 * 500, drawn // 4 // 500 * 500]
    for amount in (*parts, drawn - sum(parts)):
        ledger.add(draw.choice(policy.counted_withdrawals), year + timedelta(days=draw.integer(0, span)), amount)
    slack = max(0, room - drawn) if plan.ends("cust_paid") else 0
    decoys = sorted(("reversed", "earlier", "own"), key=lambda _: draw.real(0, 1))[: draw.choice((1, 2, 3, 3))]
    if "reversed" in decoys:
        day = year + timedelta(days=draw.integer(0, span - 3))
        ledger.add("ach_debit", day, slack + draw.steps(5_000, 60_000, 500), reversed_on=day + timedelta(days=2))
    if "earlier" in decoys:
        before = year - timedelta(days=draw.integer(1, max(1, 360 - span) if span < 330 else 20))
        ledger.add("cash_withdrawal", before, (slack // 2_000 + draw.integer(1, 20)) * 2_000)
    if "own" in decoys:
        day = year + timedelta(days=draw.integer(0, span))
        ledger.add("own_transfer_out", day, slack + draw.steps(5_000, 60_000, 500))
    ledger.add("ach_credit", year + timedelta(days=draw.integer(0, span)), draw.steps(5_000, 60_000, 500))
    ledger.rows.sort(key=lambda row: (row["posted_on"], row["movement_id"]))
    return ledger, asked
