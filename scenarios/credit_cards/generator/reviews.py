"""Interest reviews: payments on statements, lines that bear no interest, and overcharges."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.credit_cards.generator.accounts import (
    Town,
    account_record,
    buy,
    cards_of,
    is_rolled,
    limit_of,
    opened_long_ago,
    pay,
    price,
)
from teller_gym.scenarios.credit_cards.generator.book import Book, Rates
from teller_gym.scenarios.credit_cards.generator.people import Holder
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record


class Mistakes(msgspec.Struct, frozen=True):
    """Facts that the bank's system ignored when it computed charges."""

    weekend: bool = False
    basis: bool = False
    marks: bool = False
    rate: bool = False
    fee: str = ""


def add_review(
    draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder]
) -> tuple[Record, list[Record], list[str]]:
    """Draw the account record, its cards, and the closing dates of the statements in question."""
    cards = cards_of(draw, 1)
    count = policy.cycles_read["interest_review"]
    opened = opened_long_ago(draw, plan, holders[0])
    asked = [count - 1] if draw.chance(0.45) else [count - 2, count - 1]
    number = draw.integer(2, 28)
    first_asked = Book(draw, policy, plan.today, number, count, Rates(0), opened, 0).cycles[asked[0]][0]
    rates, opened = _rates(draw, policy, plan, first_asked, opened)
    book = Book(draw, policy, plan.today, number, count, rates, opened, 0)
    if book.days[-1] > plan.received:
        raise NoCaseError  # the statement in question has not closed yet
    town = Town(draw, holders[0].person.state, 4)
    clean = plan.ending == "approve"
    for place in range(count):
        _cycle(draw, plan, book, town, cards[0]["card_last4"], place, asked, clean=clean)
    if draw.chance(0.7):
        pay(book, book.statements[-1], "part")
    limit = limit_of(draw, policy, plan)
    closings = [book.statements[place].closing.isoformat() for place in asked]
    return account_record(draw, plan, book, holders, limit, None), cards, closings


def _rates(draw: Draw, policy: CardPolicy, plan: Plan, first: date, opened: date) -> tuple[Rates, date]:
    """Draw the account's rates and its opening date; a rate increase may come too early to be valid.

    Args:
        draw: The case's draws.
        policy: The bank's policy.
        plan: The case's plan.
        first: First day of the first statement in question.
        opened: Opening date unless the kind of increase requires another one.
    """
    now = policy.products[plan.product].purchase_rate
    how = draw.weighted((("never", 4), ("holds", 2), ("unannounced", 2), ("later", 1.5), ("young", 2)))
    if how == "never":
        return Rates(now), opened
    before = now - draw.choice((200, 300, 400, 500))
    notice = first - timedelta(days=policy.rate_notice_days + draw.choice((0, draw.integer(1, 120))))
    effective = notice + timedelta(days=policy.rate_notice_days)
    if how == "unannounced":
        notice = first - timedelta(days=policy.rate_notice_days - draw.choice((1, draw.integer(2, 20))))
        effective = min(first, notice + timedelta(days=draw.integer(15, 30)))
    elif how == "later":
        effective = first + timedelta(days=draw.choice((1, draw.integer(2, 20))))
    elif how == "young":
        opened = first - timedelta(days=policy.first_year_days - draw.choice((1, draw.integer(2, 90))))
    if draw.chance(0.15) and how == "holds":
        opened = first - timedelta(days=policy.first_year_days)
    return Rates(now, before, notice, effective), opened


def _cycle(
    draw: Draw, plan: Plan, book: Book, town: Town, card: str, place: int, asked: list[int], *, clean: bool
) -> None:  # fmt: skip
    """Draw a statement: payments on the preceding one, purchases, and charges."""
    near = place >= asked[0] - 2
    big = plan.ending == "authority"
    if place and book.statements[-1].balance > 0:
        pay(book, book.statements[-1], _style(draw, plan, book, place, asked, clean=clean))
    first, closing = book.cycles[place]
    high = 60_000 if big else 24_000
    for day in sorted(draw.day(first, closing - timedelta(days=2)) for _ in range(draw.integer(2, 4))):
        line = buy(book, draw.choice(town.regular), day, price(draw, 1_500, high), card)
        if near and not clean and draw.chance(0.1):
            line.mark = "disputed"
    if near and draw.chance(0.5):
        shop = town.shop(draw.choice(("home", "online"))) if place < asked[0] + 1 else draw.choice(town.regular)
        line = buy(book, shop, draw.day(first, closing - timedelta(days=2)), price(draw, 20_000, 70_000), card)
        end = book.cycles[asked[-1]][1]
        line.mark = draw.choice((
            "disputed", f"promo:{end.isoformat()}",
            f"promo:{(end + timedelta(days=draw.integer(20, 150))).isoformat()}",
            f"promo:{(end - timedelta(days=draw.integer(1, 50))).isoformat()}",
        ))  # fmt: skip
    if near and not clean and draw.chance(0.25):
        book.add(draw.day(first, closing), "cash_advance", draw.steps(4_000, 30_000, 2_000), merchant="Cash machine",
                 state=town.home, miles=draw.integer(1, 20), card=card, entry="chip")  # fmt: skip
    mistaken = place in asked and plan.ending != "deny"
    if mistaken:
        mistakes = _mistakes(draw, plan)
        book.close(lambda at: _charge(book, at, mistakes))
    elif place == asked[0] - 3 and draw.chance(0.3):
        book.close(lambda at: (book.charges(at)[0], book.policy.fee_first))
    else:
        book.close()


def _style(draw: Draw, plan: Plan, book: Book, place: int, asked: list[int], *, clean: bool) -> str:
    """Draw the payment style of the statement that precedes a place."""
    row = book.statements[-1]
    if place < asked[0] - 1:
        return draw.choice(("full", "part", "split"))
    if clean:
        return "edge" if is_rolled(book, row) or draw.chance(0.3) else draw.choice(("full", "split"))
    if is_rolled(book, row) and draw.chance(0.85):
        return draw.choice(("edge", "minimum_edge"))
    if place in asked and draw.chance(0.35):
        return draw.choice(("minimum_late", "short", "minimum_late"))
    return draw.weighted(
        (("full", 3), ("late", 3), ("split", 3), ("part", 3), ("minimum", 1), ("edge", 2), ("minimum_edge", 1))
    )


def _mistakes(draw: Draw, plan: Plan) -> Mistakes:
    return Mistakes(
        weekend=draw.chance(0.7),
        basis=draw.chance(0.6) or plan.ending == "approve",
        marks=draw.chance(0.7),
        rate=draw.chance(0.7),
        fee=draw.choice(("", "repeat", "uncapped", "any") if plan.ending != "authority" else ("repeat", "any")),
    )


def _charge(book: Book, place: int, mistakes: Mistakes) -> tuple[int, int]:
    """Return the charges of a system with these mistakes; they are never below the correct ones."""
    row = book.statements[place]
    basis = "full" if mistakes.basis else book.basis(place, rolled=not mistakes.weekend)
    rate = book.rates.purchase if mistakes.rate else book.rate(row.first)
    right, fee = book.charges(place)
    interest = max(right, book.interest(place, basis, rate, marks=not mistakes.marks))
    wrong = book.fee(place, rolled=not mistakes.weekend)
    if mistakes.fee == "repeat":
        wrong = max(wrong, book.fee(place, repeated=True))
    elif mistakes.fee == "uncapped":
        wrong = max(wrong, book.fee(place, capped=False))
    elif mistakes.fee == "any" and place and book.statements[place - 1].balance:
        wrong = max(wrong, book.policy.fee_first)
    return interest, max(fee, wrong)
