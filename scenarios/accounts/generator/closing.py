"""Requests to close an account: signers, obstacles, and the payout."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.asking import draw_asking
from teller_gym.scenarios.accounts.generator.deposits import banking_day, one_item
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import account_record, ago, request_record, service
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record


def add_closing(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the account that is to be closed and return the request."""
    asking = draw_asking(draw, policy, plan, tables)
    limit = policy.early_closing_days
    age = draw.weighted(((limit, 1), (limit + 1, 1), (draw.integer(25, limit), 9), (draw.integer(limit + 1, 3_000), 3)))
    balance = draw.weighted(((draw.integer(4_000, 90_000), 5), (draw.integer(90_000, 900_000), 5)))
    short = plan.ends("close_short")
    record = account_record(
        draw,
        plan,
        asking.owners,
        asking.product,
        asking.opened_by(plan.today - timedelta(days=age)),
        draw.integer(0, 1_900) if short else balance,
    )
    record["mandates"] = asking.mandates
    if short:
        record["fees_due"], record["accrued_interest"] = draw.choice((2_500, 3_500, 4_700)), draw.integer(0, 300)
    _services(draw, plan, record)
    _items(draw, policy, plan, record)
    wait = policy.clocks["address_wait"].counted
    if plan.ends("close_address"):
        changed = draw.weighted(((wait - 1, 2), (draw.integer(1, wait - 1), 5)))
        record["address_changed_on"] = ago(plan, min(age, changed))
    elif draw.chance(0.65):
        changed = draw.weighted(((wait, 3), (wait + 1, 1), (draw.integer(wait, 90), 3)))
        record["address_changed_on"] = ago(plan, changed) if changed <= age else None
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = record
    return request_record(draw, plan, account_id, asking.persons, [])


def _services(draw: Draw, plan: Plan, record: Record) -> None:
    """Add the planned obstacle to a closing, perhaps with others that the procedure checks later."""
    rows = record["services"]
    for kind, status in (("overdraft_line", "open"), ("loan_autopay", "closed"), ("transfer_claim", "closed")):
        if kind not in [row["kind"] for row in rows] and draw.chance(0.3):
            rows.append(service(draw, kind, status))
    if plan.ends("close_claim"):
        rows.append(service(draw, "transfer_claim"))
    if plan.ends("close_debt") or (plan.ends("close_claim") and draw.chance(0.3)):
        if draw.chance(0.5):
            rows[:] = [row for row in rows if row["kind"] != "overdraft_line"]
            rows.append(service(draw, "overdraft_line", "open", draw.integer(900, 120_000)))
        else:
            rows[:] = [row for row in rows if row["kind"] != "loan_autopay"]
            rows.append(service(draw, "loan_autopay"))


def _items(draw: Draw, policy: AccountPolicy, plan: Plan, record: Record) -> None:
    """Add a pending item: uncollected if so planned, otherwise collected or rejected.

    Only one item is added: a few items are all in order more often than the many items of a deposit, which would give
    the ending away.
    """
    waits = plan.ends("close_items")
    if not waits and not draw.chance(0.7):
        return
    owners = [row["customer_id"] for row in record["owners"]]
    back = draw.integer(0, 9) if waits else draw.weighted(((draw.integer(3, 7), 6), (draw.integer(8, 20), 6)))
    channel = draw.choice(("branch", "branch", "atm", "online"))
    day = on_or_before_business_day(plan.today - timedelta(days=back), policy.holidays)
    cutoff = policy.cutoffs[channel]
    time = draw.choice((cutoff, "09:40", "10:55", f"{int(cutoff[:2]) + 1:02d}:{draw.integer(10, 55)}"))
    taken_on = banking_day(policy, day, time, channel)
    untaken = not waits and draw.chance(0.1)
    where = (day.isoformat(), time, channel)
    record["pending_items"].append(one_item(draw, policy, owners, taken_on, where, untaken=untaken, bare=False))
