"""Disputed charges: lines with facts that support or refute a complaint."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.credit_cards.generator.accounts import (
    Shop,
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
from teller_gym.scenarios.credit_cards.generator.book import Book, Entry
from teller_gym.scenarios.credit_cards.generator.people import Holder
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record

_GOOD = (
    ("not_delivered", 2), ("wrong_amount", 3), ("wrong_amount_credited", 2), ("twice", 4), ("credit_missing", 3),
    ("credit_partly", 2), ("not_mine", 3), ("refused", 4), ("claim_home", 5), ("claim_near", 5), ("claim_returned", 3),
    ("kept_late", 2),
)  # fmt: skip
_BAD = (
    ("late_notice", 13), ("no_twin", 3), ("chip", 3), ("known", 3), ("credited", 7), ("small", 4), ("far", 4),
    ("no_attempt", 2), ("late_attempt", 2), ("paid", 6), ("partly_paid", 9),
)  # fmt: skip
_CLAIMS = ("claim_home", "claim_near", "claim_returned", "kept_late", "small", "far", "no_attempt", "late_attempt",
           "paid", "partly_paid")  # fmt: skip


def add_complaints(
    draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder]
) -> tuple[Record, list[Record], list[Record]]:
    """Draw the account record, its cards and the rows of complaints."""
    cards = cards_of(draw, draw.integer(1, 2))
    closing_day = draw.integer(2, 28)
    edge = None
    if draw.chance(0.7):
        # A statement that closed exactly on the notice limit, or one day earlier.
        edge = plan.received - timedelta(days=policy.notice_window_days + draw.integer(0, 1))
        closing_day = edge.day if edge.day <= 28 else closing_day
    count = policy.cycles_read["charge_dispute"]
    opened = opened_long_ago(draw, plan, holders[0])
    start = draw.integer(0, 40_000)
    book = Book(draw, policy, plan.today, closing_day, count, rates_of(draw, policy, plan.product), opened, start)
    town = Town(draw, holders[0].person.state)
    made = _Maker(draw, policy, plan, book, town, cards[0]["card_last4"])
    rows = [made.complaint(what) for what in _chosen(draw, plan)]
    _fill(draw, book, town, cards[0]["card_last4"])
    limit = limit_of(draw, policy, plan)
    order = sorted(range(len(rows)), key=lambda _: draw.real(0, 1))
    return account_record(draw, plan, book, holders, limit, None), cards, [rows[place] for place in order]


def _chosen(draw: Draw, plan: Plan) -> list[str]:
    number = plan.complaints
    bad = {"approve": 0, "deny": number, "authority": draw.integer(0, 1)}.get(plan.ending, draw.integer(2, number - 1))
    good = number - bad
    oral = plan.channel in ("phone", "branch") and plan.ending not in ("oral", "identity")
    found: list[str] = []
    for table, number in ((_GOOD, good), (_BAD, bad)):
        items = [item for item in table if not oral or item[0] in _CLAIMS]
        for _ in range(number):
            found.append(draw.weighted([item for item in items if item[0] not in found] or items))
    if plan.ending == "oral" and all(what in _CLAIMS for what in found):
        found[0] = "refused"
    return found


def _fill(draw: Draw, book: Book, town: Town, card: str) -> None:
    """Add ordinary purchases and payments, and close the statements."""
    habit = draw.choice(("full", "part", "part", "minimum"))
    for first, closing in book.cycles:
        if book.statements and book.statements[-1].balance > 0:
            pay(book, book.statements[-1], habit if draw.chance(0.75) else draw.choice(("full", "part")))
        live(book, town, card, first, closing - timedelta(days=1), draw.integer(5, 8))
        book.close()
    pay(book, book.statements[-1], habit)
    live(book, town, card, book.days[-1] + timedelta(days=1), book.today - timedelta(days=1), draw.integer(1, 4))


class _Maker:
    """Adds the lines of complaints to an account."""

    def __init__(
        self, draw: Draw, policy: CardPolicy, plan: Plan, book: Book, town: Town, card: str
    ) -> None:  # fmt: skip
        self.draw, self.policy, self.plan, self.book, self.town, self.card = draw, policy, plan, book, town, card

    def complaint(self, what: str) -> Record:
        """Add the lines of a complaint and return its row."""
        if what in _CLAIMS:
            return self._claim(what)
        return self._error(what)

    def _day(self, *, late: bool = False, recent: bool = False) -> date:
        """Draw the posting day of a disputed line; if ``late``, on a statement whose notice period has passed."""
        draw, book = self.draw, self.book
        window = self.policy.notice_window_days
        in_time = [c for c in book.cycles if (self.plan.received - c[1]).days <= window]
        too_late = [c for c in book.cycles[1:] if (self.plan.received - c[1]).days > window]
        if late and too_late:
            first, closing = draw.choice(too_late[-2:])
        elif recent or draw.chance(0.2):
            first, closing = book.cycles[-1][0], self.plan.received - timedelta(days=4)
        elif in_time and draw.chance(0.4):
            # The statement is just recent enough for a notice, although the line itself is older than the limit.
            first = in_time[0][0]
            closing = min(in_time[0][1], first + timedelta(days=12))
        else:
            first, closing = draw.choice(in_time or book.cycles[-1:])
        if first > closing:
            first = closing - timedelta(days=5)
        return draw.day(first, closing)

    def _row(self, line: Entry, complaint: str, goods: str, agreed: int = 0, tried: date | None = None) -> Record:
        return {
            "line_id": line.key,
            "complaint": complaint,
            "goods": goods,
            "agreed_amount": agreed,
            "merchant_contacted_on": None if tried is None else tried.isoformat(),
        }

    def _amount(self) -> int:
        big = self.plan.ending == "authority"
        most = 168_000 // self.plan.complaints
        return price(self.draw, *((45_000, 140_000) if big else (2_500, most)))

    def _tried(self, line: Entry) -> date | None:
        """Draw the day on which the holder contacted the merchant; most did, even where no rule requires it."""
        return self.draw.day(line.posted, self.plan.received) if self.draw.chance(0.6) else None

    def _error(self, what: str) -> Record:
        """Add a complaint on the billing-error track."""
        draw, book = self.draw, self.book
        shop = self.town.shop(draw.choice(("online", "online", "far", "home")) if what != "not_mine" else "strange")
        day, cents = self._day(late=what == "late_notice"), self._amount()
        if what in ("late_notice", "credited"):
            real = draw.choice(("not_delivered", "refused", "wrong_amount", "twice"))
        else:
            real = {"no_twin": "twice", "chip": "not_mine", "known": "not_mine", "credit_partly": "credit_missing",
                    "wrong_amount_credited": "wrong_amount"}.get(what, what)  # fmt: skip
        entry = {"chip": "chip", "not_mine": draw.choice(("online", "swipe", "contactless"))}.get(what, shop.entry)
        line = buy(book, shop, day, cents, self.card, entry=entry)
        if what == "known":
            line.entry = draw.choice(("online", "contactless"))
            earlier = day - timedelta(days=draw.integer(9, 40))
            buy(book, shop, max(book.cycles[0][0], earlier), price(draw), self.card)
        if real == "twice":
            self._twin(shop, line, exact=what != "no_twin")
        agreed = 0
        if real == "wrong_amount":
            agreed = int(cents * draw.real(0.3, 0.85)) // 100 * 100
        if real == "credit_missing":
            agreed = cents if draw.chance(0.4) else int(cents * draw.real(0.3, 0.9)) // 100 * 100
        self._credit(what, shop, line, cents - agreed if real == "wrong_amount" else agreed or cents)
        complaint = {"twice": "charged_twice", "refused": "faulty"}.get(real, real)
        goods = {"not_delivered": "none", "faulty": "refused", "credit_missing": "returned", "not_mine": "none"}.get(
            complaint, "accepted"
        )
        return self._row(line, complaint, goods, agreed, self._tried(line))

    def _twin(self, shop: Shop, line: Entry, *, exact: bool) -> None:
        """Add a second charge, either identical or only similar."""
        draw = self.draw
        day = line.posted + timedelta(days=draw.integer(0, 1))
        if exact:
            buy(self.book, shop, day, line.cents, self.card, made=line.made, entry=line.entry)
        elif draw.chance(0.5):
            buy(self.book, shop, day, line.cents, self.card, made=line.made - timedelta(days=1), entry=line.entry)
        else:
            buy(self.book, shop, day, line.cents + draw.choice((100, -100, 250)), self.card, made=line.made)

    def _credit(self, what: str, shop: Shop, line: Entry, disputed: int) -> None:
        """Add a credit that the merchant already gave: in full, in part, or none."""
        draw = self.draw
        cents = disputed
        if what in ("wrong_amount_credited", "credit_partly"):
            cents = max(100, int(disputed * draw.real(0.2, 0.7)) // 100 * 100)
        elif what != "credited":
            return
        day = min(line.posted + timedelta(days=draw.integer(2, 14)), self.plan.received)
        self.book.add(
            max(day, line.posted),
            "credit",
            cents,
            merchant=shop.name,
            state=shop.state,
            miles=shop.miles,
            card=self.card,
        )

    def _claim(self, what: str) -> Record:
        """Add a complaint on the claim track."""
        draw, plan, book = self.draw, self.plan, self.book
        kind = {"claim_home": "home", "claim_near": "near", "far": "far"}.get(what, draw.choice(("home", "near")))
        shop = self.town.shop(kind)
        cents = self._amount()
        if what == "small":
            cents = draw.choice((self.policy.claim_over, draw.steps(1_800, self.policy.claim_over, 100)))
        elif cents <= self.policy.claim_over:
            cents = self.policy.claim_over + draw.choice((1, 100, draw.integer(200, 9_000)))
        old = what in ("paid", "partly_paid")
        day = draw.day(*book.cycles[-3]) if old else self._day(recent=True)
        line = buy(book, shop, day, cents, self.card, entry=draw.choice(("chip", "swipe")))
        tried: date | None = draw.day(line.posted, plan.received)
        if what == "no_attempt":
            tried = None
        elif what == "late_attempt":
            tried = draw.day(plan.received + timedelta(days=1), plan.today)
        late = what == "kept_late" or draw.chance(0.2)
        goods = (
            "accepted" if late else "returned" if what == "claim_returned" else draw.choice(("accepted", "returned"))
        )
        return self._row(line, "not_delivered" if late else "faulty", goods, 0, tried)
