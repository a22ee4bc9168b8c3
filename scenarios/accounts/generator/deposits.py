"""Deposit reviews, and pending items for closings."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.persons import People
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import account_record, item_row, owner_rows, request_record
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record

_KINDS = (
    ("personal_check", 36), ("cashiers_check", 12), ("certified_check", 4), ("government_check", 9),
    ("treasury_check", 12), ("on_us_check", 12), ("cash", 11), ("electronic", 7),
)  # fmt: skip
_NO_CASH = ("online", "mail")


def banking_day(policy: AccountPolicy, day: date, time: str, channel: str) -> date:
    """Return the day on which a deposit counts as received: the next business day after the cut-off."""
    if is_business_day(day, policy.holidays) and time <= policy.cutoffs[channel]:
        return day
    return add_business_days(day, 1, policy.holidays)


def add_deposit_review(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the account of a deposit review and return the request."""
    people = People(draw, plan, tables)
    owners = [people.adult() for _ in range(draw.weighted(((1, 58), (2, 42))))]
    people.add_lists(owners)
    day = banking_day(policy, plan.received, plan.time, plan.channel)
    young = draw.chance(0.54)
    age = (
        draw.weighted(((policy.new_account_days, 2), (draw.integer(3, policy.new_account_days), 6)))
        if young
        else draw.weighted(((policy.new_account_days + 1, 2), (draw.integer(32, 90), 3), (draw.integer(91, 4_000), 6)))
    )
    opened = day - timedelta(days=age)
    rows = owner_rows([(person, "joint_owner" if number else "owner") for number, person in enumerate(owners)])
    record = account_record(
        draw, plan, rows, draw.choice(("checking", "checking", "savings")), opened, draw.integer(8_000, 700_000)
    )
    _add_others(draw, plan, tables, rows, day, policy, young)
    record["overdrawn_days"] = [] if draw.chance(0.2) else overdrafts(draw, policy, day)
    items = deposited(
        draw,
        policy,
        plan,
        [row["customer_id"] for row in rows],
        draw.weighted(((2, 6), (3, 23), (4, 28), (5, 22), (6, 11), (7, 4), (9, 2), (12, 2), (15, 1))),
    )
    record["pending_items"] = items
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = record
    asked = add_business_days(
        day, draw.weighted(((1, 4), (2, 5), (3, 2), (draw.integer(4, 8), 4), (9, 1))), policy.holidays
    )
    if draw.chance(0.15):
        asked += timedelta(days=1)
    stated = [item_row(row["item_id"], row["item_kind"], row["amount"], row["deposited_on"]) for row in items]
    request = request_record(draw, plan, account_id, [], stated)
    return {**request, "asked_date": asked.isoformat()}


def _add_others(
    draw: Draw, plan: Plan, tables: Tables, rows: list[Record], day: date, policy: AccountPolicy,
    young: bool,
) -> None:  # fmt: skip
    """Add other accounts of the owners: open or closed, some old enough to count."""
    for row in rows:
        if not draw.chance(0.92 if young else 0.3):
            continue
        limit = policy.new_account_days
        age = draw.weighted(
            ((limit, 0.6), (limit + 1, 0.7), (draw.integer(5, limit), 1.9), (draw.integer(60, 3_000), 6))
        )
        other = account_record(draw, plan, [row], "savings", day - timedelta(days=age), draw.integer(2_000, 900_000))
        other["status"] = draw.weighted((("open", 75), ("closed", 25)))
        tables["accounts"][draw.identifier("AC")] = other


def overdrafts(draw: Draw, policy: AccountPolicy, day: date) -> list[Record]:
    """Draw overdrawn days: about as many as make an account repeatedly overdrawn, or a few less."""
    window, many = policy.overdrawn_window_days, policy.overdrawn_days
    inside, outside, large = draw.weighted((
        ((many - 1, draw.integer(1, 2), 0), 36), ((draw.integer(2, 3), 0, 2), 46), ((many, 0, 0), 18),
        ((many + 1, 1, 1), 6), ((draw.integer(1, 4), 1, 1), 10),
    ))  # fmt: skip
    ages = {window} if draw.chance(0.5) else {draw.integer(1, window)}
    while len(ages) < inside:
        ages.add(draw.integer(1, window))
    while len(ages) < inside + outside:
        ages.add(window + draw.integer(1, 60))
    rows = []
    for number, age in enumerate(sorted(ages, reverse=True)):
        deep = number >= len(ages) - large
        limit = policy.overdrawn_large_amount
        amount = (
            draw.weighted(((limit, 1), (draw.integer(limit, limit + 200_000), 3)))
            if deep
            else draw.integer(900, 95_000)
        )
        rows.append({"day": (day - timedelta(days=age)).isoformat(), "overdrawn_by": amount})
    return rows


def deposited(draw: Draw, policy: AccountPolicy, plan: Plan, owners: list[str], count: int) -> list[Record]:
    """Draw the items of one deposit."""
    day = banking_day(policy, plan.received, plan.time, plan.channel)
    bare = draw.integer(0, count - 1) if plan.ends("deposit_unendorsed") else -1
    places = [draw.integer(0, count - 1) for _ in range(draw.integer(1, 2))]
    refused = places if plan.ends("deposit_partly_taken") else []
    rows = []
    for number in range(count):
        untaken = number in refused or plan.ends("deposit_returned")
        where = (plan.received.isoformat(), plan.time, plan.channel)
        rows.append(one_item(draw, policy, owners, day, where, untaken=untaken, bare=number == bare))
    return rows


def one_item(
    draw: Draw, policy: AccountPolicy, owners: list[str], day: date, where: tuple[str, str, str], *, untaken: bool,
    bare: bool,
) -> Record:  # fmt: skip
    """Draw a deposited item.

    Args:
        draw: The case's draws.
        policy: The bank's policy.
        owners: IDs of the account's owners.
        day: The banking day.
        where: Day, time and channel of the deposit.
        untaken: True for a check that is stale or postdated.
        bare: True for a check without an endorsement.
    """
    kind = "cash" if where[2] == "atm" and not untaken and not bare and draw.chance(0.2) else draw.weighted(_KINDS)
    while kind in ("cash", "electronic") and (untaken or bare or (kind == "cash" and where[2] in _NO_CASH)):
        kind = draw.weighted(_KINDS)
    check = kind not in ("cash", "electronic")
    stale = policy.stale_check_days
    age = draw.weighted(((draw.integer(0, 40), 10), (draw.integer(41, stale), 2), (stale, 1), (0, 1)))
    if untaken:
        age = draw.weighted(((stale + 1, 7), (stale + draw.integer(2, 200), 2), (-draw.integer(2, 20), 2), (-1, 2)))
    owner = draw.choice(owners)
    return {
        "item_id": draw.identifier("IT"),
        "item_kind": kind,
        "amount": _amount(draw, kind, where[2]),
        "payee_id": (owner if draw.chance(0.82) else None) if check else None,
        "check_date": (day - timedelta(days=age)).isoformat() if check else None,
        "endorsed": (not bare and (not untaken or draw.chance(0.6))) if check else None,
        "returned_before": bool(check and age >= 5 and draw.chance(0.14)),
        "deposited_on": where[0],
        "deposited_at": where[1],
        "channel": where[2],
    }


def _amount(draw: Draw, kind: str, channel: str) -> int:
    if kind == "cash":
        return draw.steps(4_000, 80_000 if channel == "atm" else 300_000, 2_000)
    if kind in ("cashiers_check", "certified_check"):
        return draw.weighted(((draw.steps(100_000, 500_000, 5_000), 5), (draw.integer(300_000, 980_000), 4)))
    if kind == "government_check":
        return draw.integer(12_000, 420_000)
    if kind == "treasury_check":
        return draw.integer(40_000, 360_000)
    small, large = draw.integer(4_500, 90_000), draw.integer(150_000, 780_000)
    return draw.weighted(((small, 5), (draw.steps(10_000, 250_000, 2_500), 3), (large, 5)))
