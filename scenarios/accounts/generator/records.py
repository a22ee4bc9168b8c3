"""Account and request records with ordinary values: services, past restrictions, remarks."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.plan import RESTRICTIONS, Plan
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.tools.bank import Record

_BY_THE_BANK = ("check_paid", "interest", "maintenance_fee", "automatic_credit", "automatic_debit", "bank_letter")
"""Kinds of movement that are posted only on weekdays."""


def on_weekday(day: date) -> date:
    """Return the day, or the preceding Friday if it falls on a weekend."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def ago(plan: Plan, days: int) -> str:
    """Return the ISO date some days before the business date."""
    return (plan.today - timedelta(days=days)).isoformat()


def owner_rows(owners: list[tuple[Person, str]]) -> list[Record]:
    """Return the owners' rows in an account record."""
    return [
        {"customer_id": person.customer_id, "role": role, "date_of_birth": person.born.isoformat()}
        for person, role in owners
    ]


def account_record(draw: Draw, plan: Plan, owners: list[Record], product: str, opened: date, balance: int) -> Record:
    """Return an ordinary account record, with a restriction if so planned."""
    closed = plan.reason == "account_closed"
    age = (plan.today - opened).days
    return {
        "customer_id": owners[0]["customer_id"],
        "kind": "checking" if product == "checking" else "savings",
        "product": product,
        "opened": opened.isoformat(),
        "status": "closed" if closed else "open",
        "balance": balance,
        "owners": owners,
        "signing_rule": _signing_rule(draw, owners, product),
        "first_deposit_on": min(opened + timedelta(days=draw.integer(0, 12)), plan.today).isoformat(),
        "accrued_interest": draw.integer(0, 1_900),
        "fees_due": draw.choice((0, 0, 500, 800, 1_200, 3_500)),
        "mailing_state": plan.place[1],
        "address_changed_on": ago(plan, draw.integer(31, min(age, 700))) if age > 31 and draw.chance(0.35) else None,
        "restrictions": restrictions(draw, plan, age),
        "mandates": [],
        "overdrawn_days": [],
        "pending_items": [],
        "activity": [],
        "scheduled_debits": [],
        "services": [service(draw, "debit_card"), *_further_services(draw)],
        "letters": [],
        "remark": draw.choice(words_of(__package__)["remarks"]) if draw.chance(0.5) else None,
    }


def _signing_rule(draw: Draw, owners: list[Record], product: str) -> str:
    if product == "custodial":
        return "any_one"
    if len(owners) == 1:
        return draw.choice(("any_one", "all"))
    return draw.weighted((("any_one", 30), ("two", 30), ("all", 40)))


def restrictions(draw: Draw, plan: Plan, age: int) -> list[Record]:
    """Draw restrictions: sometimes past ones, and one in force if the case is planned to end with it.

    Args:
        draw: The case's draws.
        plan: The case's plan.
        age: Age of the account in days.
    """
    rows: list[Record] = []
    if age >= 4 and draw.chance(0.55):
        placed = draw.integer(min(age, 20), min(age, 700))
        lifted = draw.weighted(((0, 3), (draw.integer(1, placed - 1), 7)))
        rows.append(
            {
                "kind": draw.choice(("legal_hold", "compliance_review")),
                "placed_on": ago(plan, placed),
                "lifted_on": ago(plan, lifted),
            }
        )
    if plan.reason in RESTRICTIONS:
        placed = draw.weighted(((0, 2), (draw.integer(1, max(1, min(age, 90))), 8)))
        rows.insert(
            draw.integer(0, len(rows)), {"kind": plan.reason, "placed_on": ago(plan, placed), "lifted_on": None}
        )
        if draw.chance(0.6):
            other = draw.choice([kind for kind in RESTRICTIONS if kind != plan.reason])
            rows.append({"kind": other, "placed_on": ago(plan, draw.integer(0, min(age, 200))), "lifted_on": None})
    return rows


def service(draw: Draw, kind: str, status: str = "open", balance: int = 0) -> Record:
    """Return a service row of an account."""
    return {
        "kind": kind,
        "status": status,
        "balance": balance,
        "detail": draw.choice(words_of(__package__)["details"][kind]),
    }


def _further_services(draw: Draw) -> list[Record]:
    rows = [service(draw, "online_access")] if draw.chance(0.6) else []
    if draw.chance(0.4):
        rows.append(service(draw, "overdraft_line"))
    if draw.chance(0.3):
        rows.append(service(draw, "loan_autopay", "closed"))
    if draw.chance(0.35):
        rows.append(service(draw, "transfer_claim", "closed"))
    return rows


def movement(draw: Draw, kind: str, posted: date, amount: int, **fields: object) -> Record:
    """Return a row of an account's activity; the bank's own movements are moved to a weekday."""
    row = {
        "transfer_id": draw.identifier("IT"),
        "kind": kind,
        "posted_on": (on_weekday(posted) if kind in _BY_THE_BANK else posted).isoformat(),
        "amount": amount,
        "reference": None,
        "country": "US",
        "statement_sent_on": None,
        "access_given": False,
    }
    return {**row, **fields}


def request_record(
    draw: Draw, plan: Plan, account_id: str | None, persons: list[Record], items: list[Record]
) -> Record:
    """Return a request record with ordinary values."""
    return {
        "kind": plan.kind,
        "channel": plan.channel,
        "received_date": plan.received.isoformat(),
        "received_time": plan.time,
        "confirmed_date": None,
        "account_id": account_id,
        "product": None,
        "opening_deposit": 0,
        "asked_date": None,
        "card_missed_date": None,
        "branch_city": plan.place[0],
        "branch_state": plan.place[1],
        "delivery_preference": draw.choice(("mail", "email", "branch_pickup")),
        "note": draw.choice(words_of(__package__)["list_notes" if plan.kind == "dormancy_review" else "notes"]),
        "persons": persons,
        "items": items,
    }


def item_row(item_id: str, kind: str, amount: int, day: str | None, reference: str | None = None) -> Record:
    """Return an item's row in the request."""
    return {"item_id": item_id, "item_kind": kind, "amount": amount, "item_date": day, "reference": reference}


def mandate(draw: Draw, plan: Plan, policy: AccountPolicy, agent: Person, owner: Person, fault: str) -> Record:
    """Return a mandate; ``fault`` is revoked, old, powerless, or empty for a valid one."""
    limit = policy.mandate_max_age_days
    age = draw.weighted(((draw.integer(30, limit - 1), 7), (limit, 1.5), (1, 0.5)))
    power = policy.powers[plan.kind]
    others = [name for name in ("claims", "payments", "closing", "deposits", "statements") if name != power]
    powers = [draw.choice(others), *([] if fault == "powerless" else [power])]
    if draw.chance(0.5):
        powers.reverse()
    revoked = ago(plan, draw.weighted(((0, 1), (draw.integer(1, 25), 2)))) if fault == "revoked" else None
    if fault == "old":
        age = limit + draw.weighted(((1, 1), (draw.integer(2, 400), 3)))
    return {
        "agent_id": agent.customer_id,
        "owner_id": owner.customer_id,
        "powers": powers,
        "dated": ago(plan, age),
        "revoked_on": revoked,
    }
