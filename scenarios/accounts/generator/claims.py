"""Transfer claims: posted transfers that a customer disputes."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.asking import draw_asking
from teller_gym.scenarios.accounts.generator.plan import FINDINGS, Plan
from teller_gym.scenarios.accounts.generator.records import account_record, item_row, movement, request_record
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record

_KINDS = (("pos_debit", 22), ("atm_withdrawal", 27), ("ach_debit", 33), ("wire_transfer", 6), ("check", 8))
_TRANSFERS = ("pos_debit", "atm_withdrawal", "ach_debit")


def add_claim(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the account of a claim and return the request."""
    asking = draw_asking(draw, policy, plan, tables)
    missed = _missed(draw, plan)
    plain = plan.ends("claim_partly_found", "claim_unconfirmed") and draw.chance(
        0.35
    )  # only transfers that are not covered would need the long clocks
    old = draw.integer(111, 3_000)
    age = old if plain else draw.weighted(((draw.integer(3, 45), 4), (draw.integer(46, 110), 3), (old, 5)))
    first = asking.opened_by(plan.received - timedelta(days=age))
    opened = first - timedelta(days=draw.weighted(((0, 1), (draw.integer(5, 45), 4))))
    record = account_record(draw, plan, asking.owners, asking.product, opened, draw.integer(30_000, 600_000))
    record["first_deposit_on"], record["mandates"] = first.isoformat(), asking.mandates
    days = draw.integer(1, 28)
    rows, items = [], []
    for _ in range(draw.weighted(((2, 14), (3, 26), (4, 26), (5, 18), (6, 8), (8, 4), (11, 3), (14, 1)))):
        row = _transfer(draw, policy, plan, missed, first, days, plain)
        rows.append(row)
        items.append(_item(draw, row, missed is not None))
    quiet = [_statement(movement(draw, *_quiet(draw, plan, first)), days, plan) for _ in range(draw.integer(2, 4))]
    record["activity"] = sorted((*rows, *quiet), key=lambda row: (row["posted_on"], row["transfer_id"]))
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = record
    confirmed = None
    if plan.channel == "phone":
        confirmed = _confirmed(draw, policy, plan)
    return {
        **request_record(draw, plan, account_id, asking.persons, items),
        "card_missed_date": missed.isoformat() if missed else None,
        "confirmed_date": confirmed.isoformat() if confirmed else None,
    }


def _quiet(draw: Draw, plan: Plan, first: date) -> tuple[str, date, int]:
    kind = draw.choice(("owner_deposit", "owner_withdrawal", "ach_debit", "pos_debit"))
    return kind, _posted(draw, first, plan.received, 70), draw.steps(2_000, 60_000, 500)


def _missed(draw: Draw, plan: Plan) -> date | None:
    """Draw the day on which the customer missed the card, None if none is missing."""
    liable = plan.ends("claim_liability", "claim_borne")
    if not liable and not draw.chance(0.5):
        return None
    day = plan.received - timedelta(days=draw.weighted(((draw.integer(1, 5), 4), (draw.integer(5, 14), 6))))
    while draw.chance(0.8) and day.weekday() not in (3, 4):  # so that a weekend falls into the reporting period
        day -= timedelta(days=1)
    return day


def _posted(draw: Draw, first: date, last: date, back: int) -> date:
    return max(first, last - timedelta(days=draw.integer(0, back)))


def _transfer(
    draw: Draw, policy: AccountPolicy, plan: Plan, missed: date | None, first: date, days: int, plain: bool
) -> Record:
    """Draw a disputed transfer."""
    some = plan.ends("claim_partly_found", "claim_unconfirmed") and draw.chance(0.5)
    faulty = some or plan.ends("claim_refused")
    fault = (
        plan.reason
        if faulty and plan.reason in FINDINGS and draw.chance(0.6)
        else draw.choice(FINDINGS)
        if faulty
        else ""
    )
    kind = (
        draw.choice(("pos_debit", draw.weighted(_KINDS[:3])))
        if fault in ("late_notice", "authorized")
        else draw.weighted(_KINDS[:3])
        if fault != "not_covered"
        else draw.choice(("wire_transfer", "check"))
    )
    if missed is not None and not fault:
        cards = 0 if plan.ends("claim_paid") else 4
        kind = draw.weighted((("pos_debit", cards), ("atm_withdrawal", cards), ("ach_debit", 4)))
        start = missed - timedelta(days=draw.integer(0, 2))
        posted = max(first, draw.day(start, max(start, plan.received + timedelta(days=draw.choice((0, 0, 0, 1))))))
        limit = add_business_days(missed, policy.loss_business_days, policy.holidays)
        if draw.chance(0.35) and limit <= plan.received:
            posted = max(first, limit)
        posted = min(posted, plan.today)
    elif fault == "late_notice" or (not fault and draw.chance(0.55)):
        posted = _old(draw, policy, plan, days, late=fault == "late_notice")
        posted = max(first, posted)
    else:
        posted = _posted(draw, first, plan.received, draw.choice((30, 50)))
    if draw.chance(0.22):
        near = first + timedelta(days=policy.new_account_days + draw.choice((0, 0, 1)))
        posted = near if first <= near <= plan.received else posted
    usual = plain and not fault
    if usual and kind == "pos_debit":
        kind = "ach_debit"
    amount = _amount(draw, kind, missed is not None)
    abroad = not usual and kind in _TRANSFERS and draw.chance(0.12 if kind == "pos_debit" else 0.32)
    country = draw.choice(("MX", "CA", "GB")) if abroad else "US"
    row = movement(draw, kind, posted, amount, country=country, access_given=fault == "authorized")
    return _statement(row, days, plan)


def _old(draw: Draw, policy: AccountPolicy, plan: Plan, days: int, *, late: bool) -> date:
    """Draw a posting day whose statement was sent about as long ago as the notice period."""
    limit = policy.claim_notice_days
    delay = (
        limit + draw.weighted(((1, 2.5), (draw.integer(2, 60), 5)))
        if late
        else limit - draw.weighted(((0, 2.2), (draw.integer(1, 26), 4.8)))
    )
    sent = plan.received - timedelta(days=delay)
    return sent - timedelta(days=draw.integer(0, 24))


def _statement(row: Record, day: int, plan: Plan) -> Record:
    """Return a transfer with the day on which its statement was sent, None if it is still to come."""
    posted = date.fromisoformat(row["posted_on"])
    month = posted.year * 12 + posted.month - 1 + (posted.day > day)
    sent = date(month // 12, month % 12 + 1, day)
    return {**row, "statement_sent_on": sent.isoformat() if sent <= plan.received else None}


def _amount(draw: Draw, kind: str, card_lost: bool) -> int:
    if kind == "atm_withdrawal":
        return draw.steps(2_000, 24_000 if card_lost else 50_000, 2_000)
    if kind == "wire_transfer":
        return draw.steps(60_000, 450_000, 5_000)
    if kind == "check":
        return draw.integer(6_000, 140_000)
    if card_lost:
        return draw.weighted(((draw.integer(900, 4_900), 5), (draw.integer(5_000, 24_000), 6)))
    return draw.weighted(
        ((draw.integer(900, 4_900), 3), (draw.integer(5_000, 32_000), 6), (draw.integer(33_000, 95_000), 2))
    )


def _item(draw: Draw, row: Record, card_lost: bool) -> Record:
    """Return a transfer's row in the request; the customer may remember another amount."""
    wrong = not row["access_given"] and row["kind"] != "atm_withdrawal" and draw.chance(0.12 if card_lost else 0.35)
    amount: int = row["amount"]
    if wrong:
        amount = draw.integer(amount // 5, amount - 200)
    elif draw.chance(0.45):
        amount = round(amount, -2) + draw.choice((0, 0, 500, 1_000))
    return item_row(row["transfer_id"], "wrong_amount" if wrong else "unauthorized", amount, row["posted_on"])


def _confirmed(draw: Draw, policy: AccountPolicy, plan: Plan) -> date | None:
    limit = add_business_days(plan.received, policy.confirmation_business_days, policy.holidays)
    if plan.ends("claim_unconfirmed"):
        late = limit + timedelta(days=draw.integer(1, 3))
        return late if draw.chance(0.9) and late <= plan.today else None
    if plan.today <= limit and draw.chance(0.75):
        return None
    day = limit if draw.chance(0.25) else plan.received + timedelta(days=draw.integer(1, 9))
    return day if day <= min(plan.today, limit) else None
