"""Requests about time deposits: withdrawals and maturities."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.scenarios.banking.generator.days import open_day
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person
from teller_gym.scenarios.savings.generator.records import (
    Desk,
    months_on,
    owner_row,
    principal_of,
    term_fields,
)
from teller_gym.tools.bank import Record

TERM_PRODUCTS = ("fixed_term", "growth_term", "monthly_term")
_TERMS = ((6, 2), (12, 4), (18, 3), (24, 2), (36, 3), (48, 3), (60, 3))
_YOUNG = {"wd_charged": 0.18, "wd_waived": 0.5}
"""Probability that the withdrawal falls into the first days of the term, by ending."""
Made = tuple[Record, list[str], list[Person]]
"""The request record, its account IDs and the customers who make the request."""


def _grace_dates(desk: Desk, product: str, *, late: bool = False) -> tuple[date, date]:
    """Draw a maturity date and a day of receipt within the grace period, or after it if ``late``."""
    draw, today, policy = desk.draw, desk.plan.today, desk.policy
    days = policy.products[product].grace_days
    moved, monday = draw.chance(0.55), desk.plan.kind == "maturity" and draw.chance(0.5)
    for attempt in range(80):
        matures = today - timedelta(days=draw.integer(days - 2 if draw.chance(0.6) else 1, days + 14))
        end = open_day(matures + timedelta(days=days), policy.holidays)
        if attempt < 30 and ((monday and matures.weekday()) or (moved and end == matures + timedelta(days=days))):
            continue
        if late:
            received = end + timedelta(days=draw.weighted(((1, 5), (draw.integer(2, 5), 4))))
        else:
            first = matures if desk.plan.kind == "withdrawal" else matures - timedelta(days=6)
            inside = draw.integer(0, (end - first).days)
            received = draw.weighted(((end, 8), (first + timedelta(days=inside), 5), (matures, 1)))
        closed = desk.plan.channel in ("branch", "mail") and not is_business_day(received, policy.holidays)
        if received <= today and (today - received).days <= 20 and not closed:
            return matures, received
    raise NoCaseError


def _at(desk: Desk, received: date) -> None:
    """Move the plan's day of receipt; branch and mail requests need a day on which the bank is open."""
    if desk.plan.channel in ("branch", "mail") and not is_business_day(received, desk.policy.holidays):
        raise NoCaseError
    desk.plan = msgspec.structs.replace(desk.plan, received=received)


def add_withdrawal(desk: Desk) -> Made:
    """Draw a withdrawal from a time deposit, with its account."""
    draw, plan, policy = desk.draw, desk.plan, desk.policy
    product, months = draw.choice(TERM_PRODUCTS), draw.weighted(_TERMS)
    fields: Record
    if plan.ends("wd_grace"):
        matures, received = _grace_dates(desk, product)
        _at(desk, received)
        fields = term_fields(draw, matures, months, plan.today)
    elif plan.ends("wd_first") or draw.chance(_YOUNG.get(plan.ending, 0.3)):
        first = policy.first_days
        ago = draw.integer(0, first) if plan.ends("wd_first") else draw.integer(1, first + 3)
        if plan.ends("wd_charged"):
            ago = first + draw.integer(1, 3)
        start = plan.today - timedelta(days=ago)
        fields = term_fields(draw, months_on(start, months, start.day), months, plan.today)
        if fields["term_started_on"] != start.isoformat():
            raise NoCaseError
        _at(desk, max(plan.received, start))
    else:
        share = draw.choice((draw.integer(12, 40), draw.integer(40, 97)))
        ahead = max(1, round(months * 30.4 * (100 - share) / 100))
        fields = term_fields(draw, plan.today + timedelta(days=ahead), months, plan.today)
    principal = principal_of(draw, policy.products[product].minimum)
    people, owners, extra = _parties(desk, fields["term_started_on"])
    account_id = desk.account(
        product=product,
        ownership=extra.pop("ownership"),
        owners=owners,
        balance=principal,
        annual_rate=draw.steps(250, 520, 5),
        restrictions=desk.restrictions(),
        **fields,
    )
    asked = _asked(desk, principal, policy.products[product].minimum)
    return desk.request(people, requested_amount=asked, **extra), [account_id], people


def _asked(desk: Desk, principal: int, minimum: int) -> int:
    """Draw the requested amount: everything, a part, or a part that leaves about the minimum."""
    draw = desk.draw
    part = draw.steps(50_000, max(50_000, (principal - minimum) * 9 // 10), 10_000)
    short = (principal - minimum) // 10_000 * 10_000 + draw.choice((10_000, 20_000, 30_000))
    return draw.weighted(((0, 4), (part, 3), (min(short, principal // 10_000 * 10_000), 3), (principal - minimum, 1)))


def _parties(desk: Desk, started: str) -> tuple[list[Person], list[Record], dict[str, Any]]:
    """Draw the customers who ask, the account's owners, and the request's fields about a claimed event."""
    draw, plan = desk.draw, desk.plan
    first = desk.requester()
    waived, unproved = plan.ends("wd_waived"), plan.ends("wd_document")
    claims = waived or unproved or draw.chance(0.75 if plan.ends("wd_charged", "wd_first") else 0.2)
    if not claims:
        if draw.chance(0.5):
            return [first], [owner_row(first, "owner")], {"ownership": "single"}
        second = desk.person()
        people = [first, second]
        draw_both = [owner_row(person, "owner") for person in people]
        return people, draw_both, {"ownership": "joint"}
    event = plan.reason.removeprefix("waived_") if waived else draw.choice(("death", "incapacity"))
    proof = desk.policy.waiver_documents[event]
    start = date.fromisoformat(started)
    span = max(0, (plan.received - start).days)
    fault = "" if waived or unproved else draw.weighted((("beneficiary", 5), ("earlier", 4), ("undated", 2)))
    happened = start + timedelta(days=draw.weighted(((0, 2), (draw.integer(0, span), 6))))
    if fault == "earlier":
        happened = start - timedelta(days=draw.weighted(((1, 2), (draw.integer(2, 300), 5))))
    day = None if fault == "undated" else min(happened, plan.received).isoformat()
    struck = desk.person()
    died = day if event == "death" else None
    incapacitated = day if event == "incapacity" else None
    role = "beneficiary" if fault == "beneficiary" else "owner"
    owners = [owner_row(first, "owner"), owner_row(struck, role, died, incapacitated)]
    if draw.chance(0.5) and role == "owner":
        owners.reverse()
    documents = ["signature_card"] if unproved else draw.choice(([proof], [proof, "signature_card"]))
    if unproved and draw.chance(0.5):
        documents = [next(d for d in desk.policy.waiver_documents.values() if d != proof)]
    return [first], owners, {
        "ownership": "trust" if role == "beneficiary" else "joint",
        "event": event,
        "event_customer_id": struck.customer_id,
        "documents": documents,
    }  # fmt: skip


def add_maturity(desk: Desk) -> Made:
    """Draw an instruction for a time deposit that matures, with its account."""
    draw, plan, policy = desk.draw, desk.plan, desk.policy
    product, months = draw.choice(TERM_PRODUCTS), draw.weighted(_TERMS)
    matures, received = _grace_dates(desk, product, late=plan.ends("mat_late"))
    if draw.chance(0.35):
        matures, received = _month_end(matures, received)
    _at(desk, received)
    minimum = policy.products[product].minimum
    principal = principal_of(draw, minimum)
    near = draw.weighted((("below", 5), ("above", 4), ("", 9)))
    if near == "below":
        principal = policy.large_principal - draw.integer(1, 40_000)
    elif near == "above":
        principal = policy.large_principal + draw.integer(0, 400_000)
    if plan.ends("mat_small"):
        principal = min(principal, minimum + draw.steps(200_000, 1_500_000, 10_000))
    first = desk.requester()
    people = [first] if draw.chance(0.6) else [first, desk.person()]
    account_id = desk.account(
        product=product,
        ownership="single" if len(people) == 1 else "joint",
        owners=[owner_row(person, "owner") for person in people],
        balance=principal,
        annual_rate=draw.steps(250, 520, 5),
        interest_handling=draw.weighted((("capitalise", 9 if near else 5), ("paid_out", 3))),
        restrictions=desk.restrictions(),
        **term_fields(draw, matures, months, matures, once_moved=True),
    )
    asked, instruction, wanted = _instructed(desk, principal, minimum, months)
    if near == "below" and draw.chance(0.6) and not plan.ends("mat_small"):
        asked = 0
    elif near == "above" and instruction != "close" and not plan.ends("mat_small"):
        asked = draw.steps(700_000, 2_400_000, 10_000)
    request = desk.request(people, requested_amount=asked, instruction=instruction, new_term_months=wanted)
    return request, [account_id], people


def _month_end(matures: date, received: date) -> tuple[date, date]:
    """Move a maturity to the end of the previous month if the day of receipt allows it."""
    end = matures.replace(day=1) - timedelta(days=1)
    return (end, end + (received - matures)) if (matures - end).days < 9 else (matures, received)


def _instructed(desk: Desk, principal: int, minimum: int, months: int) -> tuple[int, str, int | None]:
    """Draw the requested amount, the instruction and the new term in months."""
    draw, plan = desk.draw, desk.plan
    instruction = {"mat_renewed": "renew", "mat_changed": "change_term", "mat_closed": "close"}.get(plan.ending)
    if instruction is None:
        instruction = draw.choice(
            ("renew", "change_term") if plan.ends("mat_small") else ("renew", "change_term", "close")
        )
    others = [term for term in desk.policy.rate_sheets[0].rates if term != months]
    part = draw.chance(0.85 if plan.ends("mat_late") else 0.6)
    asked = draw.steps(20_000, max(20_000, (principal - minimum) * 4 // 5), 10_000) if part else 0
    if plan.ends("mat_small"):
        asked = (principal - minimum) // 10_000 * 10_000 + draw.steps(10_000, 30_000, 10_000)
    elif draw.chance(0.08):
        asked = max(0, principal - minimum)
    return (
        (0 if instruction == "close" else asked),
        instruction,
        draw.choice(others) if instruction == "change_term" else None,
    )
