"""Lost and stolen cards: their unauthorized use, and the ordinary lines of the account."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.credit_cards.generator.accounts import (
    Town,
    account_record,
    buy,
    cards_of,
    limit_of,
    live,
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

_IN_PERSON = ("chip", "contactless", "contactless", "swipe")


class Loss(msgspec.Struct):
    """The holder's report of a loss."""

    cards: list[Record]
    last_use: date
    lent_to: str
    address_changed: date | None


def add_loss(draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder]) -> tuple[Record, Loss]:
    """Draw the account record and the holder's report."""
    cards = cards_of(draw, draw.integer(2, 3))
    reported = _report(draw, cards)
    last_use = plan.received - timedelta(days=draw.integer(2, 12))
    book = Book(
        draw, policy, plan.today, draw.integer(2, 28), policy.cycles_read["lost_card"],
        rates_of(draw, policy, plan.product), opened_long_ago(draw, plan, holders[0]), draw.integer(0, 60_000),
    )  # fmt: skip
    town = Town(draw, holders[0].person.state)
    lent = plan.ending in ("lent", "lent_part")
    _own_lines(draw, plan, book, town, reported[0], last_use)
    _others_lines(
        draw, plan, book, town, [card for card in cards if card not in reported and card["status"] == "active"]
    )
    if plan.ending != "no_use":
        _misuse(draw, policy, plan, book, town, reported, last_use)
    _statements(draw, book, town, cards[0]["card_last4"], last_use)
    changed = None
    if draw.chance(0.75):
        near = (policy.address_hold_days, policy.address_hold_days + 1, draw.integer(3, 29), draw.integer(40, 400))
        changed = plan.today - timedelta(days=draw.choice(near))
    lent_to = draw.choice(("family", "friend")) if lent else "nobody"
    limit = limit_of(draw, policy, plan)
    return account_record(draw, plan, book, holders, limit, None), Loss(cards, last_use, lent_to, changed)


def _report(draw: Draw, cards: list[Record]) -> list[Record]:
    """Mark one or two cards as reported, and return them; a third card may already be closed."""
    if len(cards) > 2:
        # An old card that was lost and closed long ago.
        cards[2]["status"] = "closed"
        cards[2]["reported"] = draw.choice(("no", "lost"))
    first = draw.integer(0, 1)
    cards[first]["reported"] = draw.choice(("lost", "stolen"))
    both = draw.chance(0.3)
    if both:
        cards[1 - first]["reported"] = draw.choice(("lost", "stolen"))
    return [cards[first], *([cards[1 - first]] if both else [])]


def _own_lines(draw: Draw, plan: Plan, book: Book, town: Town, card: Record, last_use: date) -> None:
    """Add the holder's own last purchases: one on the last day, perhaps one posted late and a later subscription."""
    last4 = card["card_last4"]
    buy(book, draw.choice(town.regular), last_use + timedelta(days=1), price(draw), last4, made=last_use)
    if draw.chance(0.6):
        made = last_use - timedelta(days=draw.integer(0, 1))
        posted = min(last_use + timedelta(days=draw.integer(2, 4)), plan.today - timedelta(days=1))
        buy(book, draw.choice(town.regular), posted, price(draw, 3_000, 18_000), last4, made=made)
    if draw.chance(0.7) or plan.ending == "no_use":
        day = draw.day(last_use + timedelta(days=1), plan.today - timedelta(days=1))
        buy(book, town.subscriptions[1], day, town.fees[1], last4, made=day)


def _others_lines(draw: Draw, plan: Plan, book: Book, town: Town, cards: list[Record]) -> None:
    """Add purchases with the cards that are not reported."""
    for card in cards:
        for _ in range(draw.integer(1, 3)):
            day = draw.day(plan.received - timedelta(days=9), plan.today - timedelta(days=1))
            buy(book, draw.choice(town.regular), day, price(draw), card["card_last4"])


def _misuse(
    draw: Draw, policy: CardPolicy, plan: Plan, book: Book, town: Town, reported: list[Record], last_use: date
) -> None:  # fmt: skip
    """Add unauthorized use of the cards, before and after the report."""
    cap = policy.products[plan.product].liability
    before = {"approve": 0, "small": 1, "lent": draw.integer(1, 3)}.get(plan.ending, draw.integer(1, 3))
    online = {"small": 0, "approve": draw.integer(1, 3)}.get(plan.ending, draw.integer(0, 2))
    after = {"small": 0, "lent": 0, "lent_part": draw.integer(1, 2)}.get(plan.ending, draw.integer(0, 2))
    big = plan.ending == "authority"
    first = last_use + timedelta(days=1)
    for number, kind in enumerate(["before"] * before + ["online"] * online + ["after"] * after):
        card = draw.choice(reported)["card_last4"]
        shop = town.shop("strange") if number < 5 else draw.choice(town.regular)
        early = kind != "after"
        made = draw.day(first, plan.received) if early else draw.day(plan.received, plan.today)
        if not early and made == plan.received:
            made = min(plan.received + timedelta(days=1), plan.today)
        posted = min(made + timedelta(days=draw.integer(0, 2)), plan.today)
        cents = price(draw, 30_000, 80_000) if big else price(draw, 1_500, 26_000)
        if kind == "before" and (plan.ending == "small" or (plan.ending == "liability" and draw.chance(0.25))):
            cents = draw.choice((cap, draw.integer(8, max(9, cap // 100 - 1)) * 100))
        entry = "online" if kind == "online" else draw.choice(_IN_PERSON)
        if kind == "after" and draw.chance(0.3):
            entry = "online"
        if kind == "before" and not big and draw.chance(0.15):
            book.add(posted, "cash_advance", draw.steps(4_000, 30_000, 2_000), merchant="Cash machine", made=made,
                     state=town.home, miles=draw.integer(1, 20), card=card, entry="chip")  # fmt: skip
        else:
            buy(book, shop, posted, cents, card, made=made, entry=entry)


def _statements(draw: Draw, book: Book, town: Town, card: str, last_use: date) -> None:
    """Add the account's ordinary lines before the loss, and close its statements."""
    for first, closing in book.cycles:
        if book.statements and book.statements[-1].balance > 0:
            pay(book, book.statements[-1], draw.choice(("full", "part")))
        last = min(closing - timedelta(days=1), last_use)
        days = max(0, (last - first).days)
        live(book, town, card, first, last, min(draw.integer(4, 7), 1 + days // 4))
        book.close()
    pay(book, book.statements[-1], "part")
    live(book, town, card, book.days[-1] + timedelta(days=1), last_use, draw.integer(1, 3))
