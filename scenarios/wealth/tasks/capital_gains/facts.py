"""Draws the facts for a capital gains computation."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled, weekday


class Trade(msgspec.Struct, frozen=True):
    """A purchase, sale or split, with the price in ten-thousandths of a dollar and the split ratio to one."""

    number: int
    day: date
    settled: date
    action: str
    security: str
    quantity: int = 0
    price: int = 0
    ratio: int = 1

    @property
    def key(self) -> str:
        """ID in the trades table."""
        return f"T-{self.number}"

    @property
    def gross(self) -> int:
        """Quantity times price, in cents."""
        return round_half_up(Fraction(self.quantity * self.price, 100))


class Terms(msgspec.Struct, frozen=True):
    """Commission terms for trades from or until a day, with the rate in basis points and amounts in cents."""

    day: date
    is_from: bool
    rate: int
    least: int
    most: int

    def hold(self, day: date) -> bool:
        """Return True if the terms apply to a trade on that day."""
        return day >= self.day if self.is_from else day <= self.day


class Facts(msgspec.Struct, frozen=True):
    """A client's trades and the custodian's fees.

    The levy is in cents per million dollars.
    """

    today: date
    custodian: str
    trades: tuple[Trade, ...]
    terms: tuple[Terms, ...]
    levy: int


_SECURITIES = (
    "Harbor Light Utilities", "Cobalt Rail Group", "Pinecrest Software", "Altamont Health", "Sierra Valley Foods",
    "Northgate Semiconductor", "Blue Mesa Energy", "Quarry Lane Materials", "Tidewater Logistics", "Larkspur Retail",
)  # fmt: skip
_CUSTODIANS = ("Summit Custody Services", "Lakeshore Trust Company", "Ironbridge Custody", "Federal Street Clearing")
_NUMBERS = (310, 1290)


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    year, used = world.today.year - 1, set[int]()
    names = shuffled(draw, _SECURITIES)
    trades: list[Trade] = []
    for name, (fill, low, high) in zip(names, _BOOKS, strict=False):
        book = _Book(draw, rules, used, name, draw.integer(low * 10_000, high * 10_000))
        fill(book, draw, year)
        # In January, the sale after the end of the tax year may still be in the future.
        trades += [one for one in book.trades if one.day < world.today]
    return Facts(
        world.today,
        draw.choice(_CUSTODIANS),
        tuple(shuffled(draw, trades)),
        _terms(draw, year),
        draw.choice((2060, 2290, 2780)),
    )


class _Book:
    """Draws the trades of one security."""

    def __init__(self, draw: Draw, rules: Rules, used: set[int], security: str, price: int) -> None:
        self.trades: list[Trade] = []
        self._draw, self._rules, self._used, self._security, self._price = draw, rules, used, security, price

    def buy(self, day: date, quantity: int, numbers: tuple[int, int] = _NUMBERS) -> None:
        self._trade(self._rules["buy"], day, quantity, numbers)

    def sell(self, day: date, quantity: int) -> None:
        self._trade(self._rules["sell"], day, quantity, _NUMBERS)

    def split(self, day: date, ratio: int) -> None:
        self._price //= ratio
        number = self._number(_NUMBERS)
        self.trades.append(Trade(number, day, day, self._rules["split"], self._security, ratio=ratio))

    def _trade(self, action: str, day: date, quantity: int, numbers: tuple[int, int]) -> None:
        price = self._price * self._draw.integer(7_500, 14_000) // 10_000
        self.trades.append(Trade(self._number(numbers), day, _settled(day), action, self._security, quantity, price))

    def _number(self, numbers: tuple[int, int]) -> int:
        while (number := self._draw.integer(*numbers)) in self._used:
            pass
        self._used.add(number)
        return number


def _with_split(book: _Book, draw: Draw, year: int) -> None:
    """Add an early sale, a split, a purchase on the day of the split, and a sale from both purchases."""
    bought, later, ratio = draw.integer(60, 240), draw.integer(50, 200), draw.choice((2, 3, 4))
    earlier = bought * draw.integer(30, 60) // 100
    book.buy(weekday(draw, date(year - 2, 1, 8), date(year - 2, 6, 28)), bought)
    book.sell(weekday(draw, date(year - 2, 8, 1), date(year - 1, 5, 20)), earlier)
    day = weekday(draw, date(year - 1, 6, 3), date(year, 2, 20))
    book.split(day, ratio)
    book.buy(day, later)
    sold = (bought - earlier) * ratio + later * draw.integer(25, 75) // 100
    book.sell(weekday(draw, date(year, 3, 3), date(year, 11, 20)), sold)


def _on_the_day(book: _Book, draw: Draw, year: int) -> None:
    """Add two purchases on one day, and sales exactly a year later and on the following day."""
    day = weekday(draw, date(year - 1, 3, 1), date(year - 1, 11, 20))
    while day.replace(year=year).weekday() > 3:
        day = weekday(draw, date(year - 1, 3, 1), date(year - 1, 11, 20))
    first, second = draw.integer(80, 300), draw.integer(80, 300)
    # Sorted as texts, the two IDs are in the opposite order.
    book.buy(day, first, (700, 999))
    book.buy(day, second, (1000, 1290))
    sold = first * draw.integer(40, 80) // 100
    book.sell(day.replace(year=year), sold)
    book.sell(day.replace(year=year) + timedelta(days=1), first - sold + second * draw.integer(30, 70) // 100)


def _large(book: _Book, draw: Draw, year: int) -> None:
    """Add a purchase with the maximum commission, and sales before, at the very end of and after the tax year."""
    first, second, third = draw.integer(120, 300), draw.integer(700, 1100), draw.integer(200, 400)
    earlier = second * draw.integer(10, 30) // 100
    book.buy(weekday(draw, date(year - 2, 1, 8), date(year - 2, 12, 20)), first)
    book.buy(weekday(draw, date(year - 1, 1, 8), date(year - 1, 6, 28)), second)
    book.sell(weekday(draw, date(year - 1, 7, 1), date(year - 1, 12, 20)), first + earlier)
    book.buy(weekday(draw, date(year, 2, 3), date(year, 8, 28)), third)
    last = date(year, 12, 31)
    last -= timedelta(days=max(0, last.weekday() - 4))
    book.sell(last, second - earlier + third * draw.integer(30, 60) // 100)
    book.sell(weekday(draw, date(year + 1, 1, 4), date(year + 1, 1, 30)), third * draw.integer(20, 35) // 100)


def _small(book: _Book, draw: Draw, year: int) -> None:
    """Add a purchase and its sale, both with the minimum commission."""
    quantity = draw.integer(20, 32)
    book.buy(weekday(draw, date(year - 2, 2, 1), date(year - 1, 12, 20)), quantity)
    book.sell(weekday(draw, date(year, 1, 8), date(year, 12, 10)), quantity)


def _kept(book: _Book, draw: Draw, year: int) -> None:
    """Add one or two purchases of a security that is never sold."""
    for _ in range(draw.integer(1, 2)):
        book.buy(weekday(draw, date(year - 2, 2, 1), date(year, 12, 10)), draw.integer(40, 400))


_BOOKS = ((_with_split, 90, 320), (_on_the_day, 25, 180), (_large, 140, 260), (_small, 18, 45), (_kept, 20, 150))
"""Functions that draw a security's trades, with the range of its initial price in dollars."""


def _terms(draw: Draw, year: int) -> tuple[Terms, ...]:
    change = date(year - 1, draw.integer(4, 12), 1)
    until = Terms(
        change - timedelta(days=1),
        False,
        draw.integer(30, 40),
        draw.steps(950, 1450, 5),
        draw.steps(12_000, 18_000, 50),
    )
    since = Terms(change, True, draw.integer(20, 28), draw.steps(750, 1150, 5), draw.steps(9_000, 13_000, 50))
    return tuple(shuffled(draw, (until, since)))


def _settled(day: date) -> date:
    """Return the next business day, which is never New Year's Day."""
    day += timedelta(days=1)
    while day.weekday() > 4 or (day.month, day.day) == (1, 1):
        day += timedelta(days=1)
    return day
