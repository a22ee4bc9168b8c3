"""Stop orders for checks and preauthorized debits."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.asking import account_age, draw_asking
from teller_gym.scenarios.accounts.generator.deposits import banking_day
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import account_record, item_row, movement, request_record
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.tools.bank import Record


def add_stop(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the account of a stop order and return the request."""
    asking = draw_asking(draw, policy, plan, tables)
    opened = asking.opened_by(plan.today - timedelta(days=40 + account_age(draw, plan)))
    record = account_record(draw, plan, asking.owners, asking.product, opened, draw.integer(1_000_000, 1_500_000))
    record["mandates"] = asking.mandates
    day = banking_day(policy, plan.received, plan.time, plan.channel)
    first = draw.integer(1_001, 4_800)
    items = []
    faults = _faults(draw, plan)
    only = draw.weighted((("", 6), ("preauthorized_debit", 2.2), ("check", 2)))
    for number, fault in enumerate(faults):
        items.append(_order(draw, policy, plan, record, day, fault, first + 3 * number, only))
    for step in draw.choice(((1, 4), (2, 5), (-1, 7))):
        row = movement(
            draw, "check_paid", plan.received - timedelta(days=draw.integer(1, 30)), draw.integer(4_000, 90_000)
        )
        record["activity"].append({**row, "reference": str(first + 3 * len(faults) + step)})
    record["activity"].sort(key=lambda row: (row["posted_on"], row["transfer_id"]))
    if draw.chance(0.5):
        _debit(draw, record, plan.received + timedelta(days=draw.integer(2, 25)))
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = record
    confirmed = None
    if plan.channel == "phone" and draw.chance(0.4) and plan.today > plan.received:
        confirmed = plan.received + timedelta(days=draw.integer(1, (plan.today - plan.received).days))
    return {
        **request_record(draw, plan, account_id, asking.persons, items),
        "confirmed_date": confirmed.isoformat() if confirmed else None,
    }


def _faults(draw: Draw, plan: Plan) -> list[str]:
    """Draw the obstacle to each order, empty for most orders."""
    count = draw.weighted(((1, 6), (2, 14), (3, 26), (4, 26), (5, 18), (6, 10)))
    kinds = ("bank_obligation", "already_paid", "too_late")
    if plan.ends("stop_refused"):
        return [plan.reason, *(draw.choice(kinds) for _ in range(draw.integer(0, 4)))]
    faults = [""] * count
    if plan.ends("stop_partly"):
        found = [name for name, chance in zip(kinds, (0.5, 0.75, 0.75), strict=True) if draw.chance(chance)]
        faults = [*(found or [plan.reason]), *[""] * draw.integer(1, 4)]
        for place in range(len(faults) - 1, 0, -1):
            other = draw.integer(0, place)
            faults[place], faults[other] = faults[other], faults[place]
    return faults


def _order(
    draw: Draw, policy: AccountPolicy, plan: Plan, record: Record, day: date, fault: str, number: int, only: str
) -> Record:
    kind = "preauthorized_debit" if fault == "too_late" else "check" if fault == "already_paid" else ""
    if fault == "bank_obligation":
        kind = draw.choice(("cashiers_check", "cashiers_check", "certified_check"))
    kind = kind or only or draw.weighted((("check", 6), ("preauthorized_debit", 4)))
    amount = draw.weighted(((draw.integer(6_000, 90_000), 6), (draw.steps(10_000, 240_000, 5_000), 4)))
    if kind == "preauthorized_debit":
        return _stopped_debit(draw, policy, plan, record, day, late=fault == "too_late")
    item = item_row(
        draw.identifier("IT"),
        kind,
        amount,
        (plan.received - timedelta(days=draw.integer(1, 40))).isoformat(),
        str(number),
    )
    if fault == "already_paid":
        paid = draw.weighted(((amount, 3), (amount + draw.choice((-900, 1_000, 9_000)), 7)))
        row = movement(draw, "check_paid", plan.received - timedelta(days=draw.integer(0, 9)), paid)
        record["activity"].append({**row, "reference": str(number)})
    elif kind == "check" and draw.chance(0.4):  # another payment of the same amount
        row = movement(draw, "ach_debit", plan.received - timedelta(days=draw.integer(1, 20)), amount)
        record["activity"].append({**row, "reference": str(number + 1)})
    return item


def _stopped_debit(draw: Draw, policy: AccountPolicy, plan: Plan, record: Record, day: date, *, late: bool) -> Record:
    notice = policy.stop_notice_business_days
    least = add_business_days(day, notice, policy.holidays)
    if late:
        next_on = add_business_days(day, max(0, notice - draw.choice((1, 1, 1, 2))), policy.holidays)
    else:
        next_on = least if draw.chance(0.4) else least + timedelta(days=draw.integer(1, 24))
    row = _debit(draw, record, next_on)
    stated = row["amount"] if draw.chance(0.5) else round(row["amount"], -3) + draw.choice((0, 500, 1_000))
    return item_row(draw.identifier("IT"), "preauthorized_debit", max(500, stated), None, row["series"])


def _debit(draw: Draw, record: Record, next_on: date) -> Record:
    row = {
        "series": f"S{draw.digits(5)}",
        "payee": draw.choice(words_of(__package__)["payees"]),
        "amount": draw.integer(1_400, 46_000),
        "next_on": next_on.isoformat(),
    }
    record["scheduled_debits"].insert(draw.integer(0, len(record["scheduled_debits"])), row)
    return row
