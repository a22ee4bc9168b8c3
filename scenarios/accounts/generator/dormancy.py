"""Dormancy reviews: accounts without recent activity of their owners."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.persons import People
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import (
    account_record,
    item_row,
    movement,
    owner_rows,
    request_record,
)
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.tools.bank import Record

_LIFE = ("owner_deposit", "owner_withdrawal", "sign_in", "owner_call", "owner_letter")
_SILENT = ("sign_in", "owner_call", "owner_letter")


def add_dormancy_review(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Record:
    """Add the account of a dormancy review and return the request."""
    people = People(draw, plan, tables)
    owners = [people.adult() for _ in range(draw.weighted(((1, 60), (2, 40))))]
    people.add_lists(owners)
    rows = owner_rows([(person, "joint_owner" if number else "owner") for number, person in enumerate(owners)])
    state = plan.place[1] if draw.chance(0.3) else draw.choice(bank_words()["places"])[1]
    last = months_back(plan.today, _months(draw, policy, plan, policy.states[state].months), draw)
    opened = last - timedelta(days=draw.integer(200, 2_500))
    small = draw.chance(0.25 if plan.ends("dormancy_letter") else 0.64)
    balance = draw.integer(900, 5_400) if small else draw.integer(5_500, 640_000)
    record = account_record(draw, plan, rows, draw.choice(("checking", "savings")), opened, balance)
    record["mailing_state"], record["first_deposit_on"] = state, opened.isoformat()
    life, others = _life(draw, plan, tables, rows, last, opened)
    record["activity"] = sorted(
        (*life, *_noise(draw, policy, plan, last)), key=lambda row: (row["posted_on"], row["transfer_id"])
    )
    record["letters"] = _letters(draw, policy, plan, state, small=small)
    account_id = draw.identifier("AC")
    tables["accounts"][account_id] = record
    for other in others:
        tables["accounts"][draw.identifier("AC")] = other
    latest = max(row["posted_on"] for row in record["activity"])
    item = item_row(draw.identifier("IT"), "listed_account", balance, latest)
    request = request_record(draw, plan, account_id, [], [item])
    return {**request, "delivery_preference": draw.choice(("mail", "mail", "email"))}


def months_back(day: date, months: int, draw: Draw) -> date:
    """Draw a day on or near the date some months earlier."""
    total = day.year * 12 + day.month - 1 - months
    year, month = divmod(total, 12)
    latest = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    found = date(year, month + 1, min(day.day, latest))
    return found + timedelta(days=draw.choice((0, 0, 0, 1, -1, -draw.integer(2, 28))))


def _months(draw: Draw, policy: AccountPolicy, plan: Plan, abandoned: int) -> int:
    """Draw the number of months since the owner's last activity."""
    inactive, dormant = policy.stage_months["inactive"], policy.stage_months["dormant"]
    if plan.ends("dormancy_owner_active"):
        return draw.integer(1, inactive)
    if plan.ends("dormancy_inactive"):
        return draw.integer(inactive, dormant)
    if plan.ends("dormancy_dormant"):
        return draw.integer(dormant, abandoned)
    return abandoned + draw.weighted(((0, 2), (draw.integer(0, 6), 5), (draw.integer(7, 16), 3)))


def _life(
    draw: Draw, plan: Plan, tables: Tables, rows: list[Record], last: date, opened: date
) -> tuple[list[Record], list[Record]]:
    """Draw the owners' activity, ending on ``last``, on this account or another one; return the rows and other
    accounts.
    """
    elsewhere = draw.chance(0.45)
    life = [
        movement(draw, draw.choice(_LIFE), max(opened, last - timedelta(days=draw.integer(40, 700))), 0)
        for _ in range(2)
    ]
    final = movement(draw, draw.choice(_SILENT if draw.chance(0.55) else _LIFE), last, 0)
    others = []
    if elsewhere or draw.chance(0.45):
        other = account_record(
            draw,
            plan,
            [draw.choice(rows)],
            "savings",
            opened - timedelta(days=draw.integer(1, 300)),
            draw.integer(4_000, 300_000),
        )
        other["activity"] = (
            [final] if elsewhere else [movement(draw, "owner_deposit", last - timedelta(days=draw.integer(1, 200)), 0)]
        )
        if draw.chance(0.6):
            late = plan.today - timedelta(days=draw.integer(5, 60))
            other["activity"].append(movement(draw, "interest", late, draw.integer(4, 900)))
        other["activity"].sort(key=lambda row: row["posted_on"])
        others.append(other)
    moved = [
        row
        if row["kind"] not in ("owner_deposit", "owner_withdrawal")
        else {**row, "amount": draw.steps(2_000, 40_000, 500)}
        for row in (*life, *([] if elsewhere else [final]))
    ]
    for other in others:
        other["activity"] = [
            {**row, "amount": row["amount"] or (draw.steps(2_000, 40_000, 500) if row["kind"] in _LIFE[:2] else 0)}
            for row in other["activity"]
        ]
    return moved, others


def _noise(draw: Draw, policy: AccountPolicy, plan: Plan, last: date) -> list[Record]:
    """Draw activity of the bank and of machines: interest, automatic debits, and fees before and after dormancy."""
    dormant = last + timedelta(days=round(30.44 * policy.stage_months["dormant"]))
    rows = []
    for kind, chance in (("interest", 0.8), ("automatic_credit", 0.4), ("automatic_debit", 0.5), ("bank_letter", 0.4)):
        if draw.chance(chance):
            day = plan.today - timedelta(days=draw.integer(3, 300))
            rows.append(movement(draw, kind, day, draw.integer(12, 2_600) if kind != "bank_letter" else 0))
    fee = draw.choice((300, 500, 800))
    for low, high in ((30, 300), (5, 200), (210, 420)):
        if draw.chance(0.6):
            after = dormant + timedelta(days=draw.integer(low, high))
            rows.append(movement(draw, "maintenance_fee", _past(draw, plan, after), fee))
    if draw.chance(0.85):
        before = dormant - timedelta(days=draw.integer(5, 250))
        rows.append(movement(draw, "maintenance_fee", _past(draw, plan, before), fee))
    return rows


def _past(draw: Draw, plan: Plan, day: date) -> date:
    """Return a day, or one in the last months if the day is in the future."""
    return day if day < plan.today else plan.today - timedelta(days=draw.integer(3, 300))


def _letters(draw: Draw, policy: AccountPolicy, plan: Plan, state: str, *, small: bool) -> list[Record]:
    """Draw letters: one to the owner inside or outside its window, or none, and other kinds."""
    rule, latest, earliest = policy.states[state], policy.clocks["letter_to_owner"].counted, policy.letter_earliest_days
    report = date(plan.today.year, rule.report_month, rule.report_day)
    rows = []
    if (plan.ends("dormancy_reported") and draw.chance(0.2 if small else 0.75)) or draw.chance(0.12):
        before = draw.weighted(((latest, 1.5), (earliest, 1.5), (draw.integer(latest, earliest), 4)))
        rows.append(_letter(draw, "letter_to_owner", report - timedelta(days=before)))
    elif draw.chance(0.95):
        early = (earliest + 1, earliest + draw.integer(2, 90))
        before = draw.choice(
            (latest - 1, latest - draw.integer(2, 9), *early) if plan.today > report - timedelta(days=latest) else early
        )
        rows.append(_letter(draw, "letter_to_owner", report - timedelta(days=before)))
    if draw.chance(0.6):
        rows.append(
            _letter(
                draw, draw.choice(("statement", "rate_notice")), report - timedelta(days=draw.integer(latest, earliest))
            )
        )
    return sorted(
        (row for row in rows if row["sent_on"] <= plan.today.isoformat()), key=lambda row: str(row["sent_on"])
    )


def _letter(draw: Draw, kind: str, day: date) -> Record:
    return {"kind": kind, "sent_on": day.isoformat()}
