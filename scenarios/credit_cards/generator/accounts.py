"""Card accounts: the merchants a holder uses, payments on statements, and the account record."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import of_age
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.credit_cards.generator.book import Book, Entry, Rates, Statement
from teller_gym.scenarios.credit_cards.generator.people import Holder
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record

IN_PERSON = ("chip", "contactless", "swipe")
"""Entry modes of purchases made at the merchant's location, which therefore have a distance."""


class Shop(msgspec.Struct, frozen=True):
    """A merchant and its distance from the holder's home."""

    name: str
    state: str
    miles: int | None
    entry: str


class Town:
    """Merchants around a holder; no merchant is drawn twice in a case."""

    def __init__(self, draw: Draw, home: str, local_count: int = 5) -> None:
        self._draw, self._words = draw, words_of(__package__)
        self.home = home
        self._used: set[str] = set()
        self.regular = [self.shop("local") for _ in range(local_count)]
        self.subscriptions = [self.shop("recurring") for _ in range(2)]
        self.fees = [draw.choice((999, 1_299, 1_599, 2_199)) for _ in range(2)]
        self.charged_after = draw.integer(1, 26)
        """Days from the start of a statement period to the subscription charge."""

    def shop(self, kind: str) -> Shop:
        """Draw a merchant of a kind that has not been used before."""
        draw = self._draw
        free = [name for name in self._words["merchants"][kind] if name not in self._used]
        if not free:
            raise NoCaseError
        name = draw.choice(free)
        self._used.add(name)
        entry = draw.choice(("chip", "contactless", "swipe"))
        if kind == "local":
            return Shop(name, self.home, draw.integer(1, 24), entry)
        if kind == "home":
            return Shop(name, self.home, draw.choice((draw.integer(5, 90), draw.integer(105, 290))), entry)
        if kind == "near":
            return Shop(name, self.neighbour(), draw.choice((100, draw.integer(38, 99), draw.integer(38, 99))), entry)
        if kind == "far":
            return Shop(
                name, self.neighbour(), draw.choice((101, draw.integer(112, 620), draw.integer(112, 620))), entry
            )
        if kind == "strange":
            online = draw.chance(0.4)
            return Shop(
                name, self.neighbour(), None if online else draw.integer(20, 240), "online" if online else entry
            )
        seat = draw.choice([state for state in self._words["seats"] if state != self.home])
        return Shop(name, seat, None, "recurring" if kind == "recurring" else "online")

    def neighbour(self) -> str:
        """Draw a state that borders the holder's."""
        return str(self._draw.choice(self._words["neighbours"][self.home]))


def buy(book: Book, shop: Shop, posted: date, cents: int, card: str, **fields: object) -> Entry:
    """Add a purchase made up to two days before it is posted."""
    values: dict[str, object] = {
        "made": posted - timedelta(days=book.draw.weighted(((1, 5), (2, 3), (0, 2)))),
        "entry": shop.entry,
        **fields,
    }
    miles = shop.miles
    if values["entry"] == "online":
        miles = None
    elif values["entry"] in IN_PERSON and miles is None:
        miles = book.draw.integer(20, 240)
    return book.add(posted, "purchase", cents, merchant=shop.name, state=shop.state, miles=miles, card=card, **values)


def price(draw: Draw, low: int = 900, high: int = 14_000) -> int:
    """Draw the price of an ordinary purchase in cents; small prices are more frequent."""
    cents = int(low + (high - low) * draw.real(0, 1) ** 2)
    return cents // 100 * 100 + draw.choice((0, 0, 50, 99, 25, cents % 100))


def pay(book: Book, row: Statement, style: str) -> None:
    """Add the payments on a closed statement in a given style, as far as they fall before the business date."""
    draw, owed = book.draw, row.balance
    if owed <= 0 or style == "missed":
        return
    early = row.closing + timedelta(days=draw.integer(6, 20))
    part = min(owed, max(row.minimum, int(owed * draw.real(0.25, 0.8)) // 500 * 500))
    payments = {
        "full": [(early, owed)],
        "edge": [(book.pay_day(row), owed)],
        "late": [(book.pay_day(row) + timedelta(days=draw.integer(1, 4)), owed)],
        "split": [(early, part), (min(row.due, early + timedelta(days=3)), owed - part)],
        "part": [(early, part)],
        "minimum": [(early, row.minimum)],
        "minimum_edge": [(book.pay_day(row), row.minimum)],
        "minimum_late": [(book.pay_day(row) + timedelta(days=draw.integer(1, 3)), row.minimum)],
        "short": [(early, max(500, row.minimum - draw.choice((500, 1_000))))],
    }[style]
    for day, cents in payments:
        if day < book.today and cents > 0:
            book.add(day, "payment", cents, merchant="Payment, thank you")


def limit_of(draw: Draw, policy: CardPolicy, plan: Plan) -> int:
    """Draw an account's credit limit in cents, in the upper part of the product's range."""
    most = policy.products[plan.product].max_limit
    return draw.steps(max(most // 3, 100_000), min(most, 1_000_000), 10_000)


def is_rolled(book: Book, row: Statement) -> bool:
    """Return True if a statement's due date is not a business day, so that the payment day is later."""
    return not is_business_day(row.due, book.policy.holidays)


def days_of(draw: Draw, first: date, last: date, count: int) -> list[date]:
    """Draw days of a span, in order and possibly repeated."""
    return sorted(draw.day(first, last) for _ in range(count))


def live(book: Book, town: Town, card: str, first: date, last: date, count: int) -> None:
    """Add ordinary purchases and one subscription charge in a span of days."""
    if first > last:
        return
    for day in days_of(book.draw, first, last, count):
        shop = book.draw.choice(town.regular)
        buy(book, shop, day, price(book.draw), card, entry=book.draw.choice(("chip", "chip", "contactless", "swipe")))
    day = first + timedelta(days=town.charged_after)
    if day <= last:
        buy(book, town.subscriptions[0], day, town.fees[0], card, made=day)


def rates_of(draw: Draw, policy: CardPolicy, product: str) -> Rates:
    """Return the rates of an account whose purchase rate was never increased."""
    return Rates(policy.products[product].purchase_rate)


def opened_long_ago(draw: Draw, plan: Plan, holder: Holder) -> date:
    """Draw an opening date more than a year back, where the holder's age allows it."""
    earliest = max(date(2012, 1, 9), of_age(holder.person))
    latest = plan.today - timedelta(days=500)
    return draw.day(earliest, latest) if earliest < latest else plan.today - timedelta(days=420)


def account_record(
    draw: Draw, plan: Plan, book: Book, holders: list[Holder], limit: int, raised: date | None
) -> Record:
    """Return the account record of the case."""
    return book.record(
        customer_id=holders[0].person.customer_id,
        product=plan.product,
        home_state=holders[0].person.state,
        credit_limit=limit,
        last_increase=None if raised is None else raised.isoformat(),
        memo=draw.choice(words_of(__package__)["memos"]) if draw.chance(0.4) else None,
    )


def cards_of(draw: Draw, count: int) -> list[Record]:
    """Draw an account's cards, the primary card first."""
    kinds = ["primary", *(["authorized_user"] * (count - 1))]
    return [
        {
            "card_id": draw.identifier("KC"),
            "card_last4": draw.digits(4),
            "card_kind": kind,
            "status": "active",
            "reported": "no",
        }
        for kind in kinds
    ]
