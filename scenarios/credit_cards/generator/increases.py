"""Accounts for a limit increase: over a year of statements that permit or forbid it."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.credit_cards.generator.accounts import (
    Town,
    account_record,
    buy,
    cards_of,
    opened_long_ago,
    pay,
    price,
    rates_of,
)
from teller_gym.scenarios.credit_cards.generator.book import Book
from teller_gym.scenarios.credit_cards.generator.people import Holder
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record


def add_history(
    draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder], limit: int
) -> tuple[Record, list[Record]]:
    """Draw the account record and its cards."""
    cards = cards_of(draw, 1)
    wait, count = policy.increase_wait_days, policy.cycles_read["limit_increase"]
    opened = opened_long_ago(draw, plan, holders[0])
    if plan.ending == "too_new":
        opened = plan.received - timedelta(days=draw.choice((wait - 1, draw.integer(wait // 2, wait - 5))))
        # A young account has fewer statements.
        count = max(3, (plan.today - opened).days // 31 - 1)
    elif draw.chance(0.2):
        opened = plan.received - timedelta(days=draw.choice((wait, draw.integer(wait + 1, wait + 120))))
        count = max(4, (plan.today - opened).days // 31 - 1)
        count = min(count, policy.cycles_read["limit_increase"])
    book = Book(draw, policy, plan.today, draw.integer(2, 28), count, rates_of(draw, policy, plan.product), opened, 0)
    _fill(draw, policy, plan, book, limit, cards[0]["card_last4"])
    return account_record(draw, plan, book, holders, limit, _raised(draw, plan, opened, wait)), cards


def _raised(draw: Draw, plan: Plan, opened: date, wait: int) -> date | None:
    if plan.ending == "raised":
        return plan.received - timedelta(days=draw.choice((wait - 1, draw.integer(20, wait - 5))))
    day = plan.received - timedelta(days=draw.choice((wait, draw.integer(wait + 1, wait + 300))))
    return day if day > opened + timedelta(days=30) and draw.chance(0.5) else None


def _fill(draw: Draw, policy: CardPolicy, plan: Plan, book: Book, limit: int, card: str) -> None:
    """Draw the statements; one before the period that counts may contain a fault that would forbid an increase."""
    town = Town(draw, "OH", 3)
    cycles = book.cycles
    before = len(cycles) - policy.clean_statements
    bad = draw.integer(max(1, before), len(cycles) - 1)
    old_fault = draw.choice(("late", "over", "none")) if before > 0 else "none"
    taken_back = plan.ending not in ("late",) and draw.chance(0.35)
    for place, (_, closing) in enumerate(cycles):
        late = (plan.ending == "late" or taken_back) and place == bad
        if place and book.statements[-1].balance:
            style = "missed" if late else draw.choice(("full", "full", "part", "minimum"))
            pay(book, book.statements[-1], style)
        over = (plan.ending == "over" and place == bad) or (old_fault == "over" and place < before)
        _shop(draw, book, town, card, place, limit, over=over)
        old_late = old_fault == "late" and place == before - 1
        row = book.close((lambda _: (0, policy.fee_first)) if old_late else None)
        if row.fee and taken_back and late:
            day = closing + timedelta(days=draw.integer(2, 9))
            book.add(min(day, book.today), "fee_reversal", row.fee, merchant="Late fee taken back")
    if draw.chance(0.5):
        pay(book, book.statements[-1], "part")


def _shop(draw: Draw, book: Book, town: Town, card: str, place: int, limit: int, *, over: bool) -> None:
    first, closing = book.cycles[place]
    if over:
        wanted = limit + draw.choice((100, draw.integer(500, 9_000))) - book.balance_at(closing)
        while wanted > 2_000:
            cents = wanted if wanted < 90_000 else draw.integer(30_000, 85_000)
            buy(book, draw.choice(town.regular), closing - timedelta(days=draw.integer(1, 9)), cents, card)
            wanted -= cents
        return
    room = int(limit * draw.real(0.25, 0.8)) - book.balance_at(closing)
    for day in sorted(draw.day(first, closing - timedelta(days=1)) for _ in range(2)):
        cents = min(price(draw, 2_000, 40_000), room)
        if cents > 1_500:
            buy(book, draw.choice(town.regular), day, cents, card)
            room -= cents
