"""Draws the facts for an emergency fund."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class Expense(msgspec.Struct, frozen=True):
    """A row of the expenses table, with the amount in cents."""

    name: str
    frequency: str
    amount: int
    essential: bool = True
    last_payment: date | None = None

    def monthly(self, rules: Rules) -> Fraction:
        """Return the unrounded monthly amount in cents."""
        times = {"Weekly": Fraction(rules["weeks"], 12), "Quarterly": Fraction(1, 3), "Annual": Fraction(1, 12)}
        return self.amount * times.get(self.frequency, Fraction(1))

    def counts(self, today: date, rules: Rules) -> bool:
        """Return True if the household must pay this expense in an emergency."""
        last = today + timedelta(days=rules["ending_days"])
        return self.essential and (self.last_payment is None or self.last_payment > last)


class Account(msgspec.Struct, frozen=True):
    """A row of the savings table: amounts in cents, share in percent, penalty in tenths of a percent."""

    name: str
    kind: str
    share: int
    balance: int
    notice: int
    limit: int | None = None
    penalty: int | None = None
    matures: date | None = None

    def available(self, today: date, rules: Rules) -> int:
        """Return the money that is available soon enough, in cents."""
        if self.kind in rules["not_counted"] or self.notice > rules["notice_days"]:
            return 0
        own = round_half_up(Fraction(self.balance * self.share, 100))
        is_free = self.matures is not None and self.matures <= today + timedelta(days=rules["notice_days"])
        return own if is_free or not self.penalty else own - round_half_up(Fraction(own * self.penalty, 1000))


class Facts(msgspec.Struct, frozen=True):
    """A client's expenses and accounts, in the order of the documents."""

    today: date
    expenses: tuple[Expense, ...]
    accounts: tuple[Account, ...]


_HOUSING = ("Rent", "Mortgage Payment")
_MONTHLY = (
    ("Electricity and Gas", 9_000, 31_000),
    ("Health Insurance", 38_000, 120_000),
    ("Phone and Internet", 9_000, 24_000),
    ("Prescriptions", 3_000, 18_000),
    ("Support for Parents", 25_000, 80_000),
)
_WEEKLY = (("Groceries", 14_000, 38_000), ("Child Care", 18_000, 45_000), ("Commuting", 4_500, 14_000))
_QUARTERLY = (("Water and Sewer", 14_000, 42_000), ("Homeowners Association", 45_000, 150_000))
_ANNUAL = (
    ("Property Tax", 320_000, 1_150_000),
    ("Car Insurance", 110_000, 290_000),
    ("Umbrella Policy", 32_000, 80_000),
)
_WISHES = (
    ("Restaurants", "Weekly", 6_000, 24_000),
    ("Streaming Services", "Monthly", 3_500, 11_000),
    ("Gym", "Monthly", 4_000, 19_000),
    ("Concert Season Tickets", "Annual", 48_000, 190_000),
    ("Wine Club", "Quarterly", 12_000, 45_000),
    ("Holidays", "Annual", 280_000, 1_400_000),
)
_LOANS = ("Car Loan", "Student Loan", "Furniture Financing", "Medical Payment Plan", "Roof Repair Loan")
_BANKS = ("First Prairie Bank", "Bluewater Credit Union", "Keystone Savings", "Orchard Bank", "Granite Trust")


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    expenses = _expenses(world.today, draw, rules)
    needed = rules["months"] * sum(
        round_half_up(one.monthly(rules)) for one in expenses if one.counts(world.today, rules)
    )
    accounts = _accounts(world.today, needed, draw, rules)
    return Facts(world.today, tuple(shuffled(draw, expenses)), tuple(shuffled(draw, accounts)))


def _expenses(today: date, draw: Draw, rules: Rules) -> list[Expense]:
    found = [Expense(draw.choice(_HOUSING), "Monthly", draw.integer(165_000, 420_000))]
    for frequency, kinds, count in (
        ("Monthly", _MONTHLY, draw.integer(2, 4)),
        ("Quarterly", _QUARTERLY, draw.integer(1, 2)),
        ("Annual", _ANNUAL, draw.integer(1, 2)),
    ):
        chosen = shuffled(draw, kinds)[:count]
        found += [Expense(name, frequency, draw.integer(low, high)) for name, low, high in chosen]
    for name, frequency, low, high in shuffled(draw, _WISHES)[: draw.integer(3, 4)]:
        found.append(Expense(name, frequency, draw.integer(low, high), essential=False))
    found += _loans(today, draw, rules)
    weekly = [Expense(name, "Weekly", draw.integer(low, high)) for name, low, high in shuffled(draw, _WEEKLY)[:2]]
    return [*found, weekly[0], _telling(today, [*found, weekly[0]], weekly[1], rules)]


def _loans(today: date, draw: Draw, rules: Rules) -> list[Expense]:
    """Draw loans: one that ends on the last day on which it does not count, one earlier, and one or two later."""
    names, days = shuffled(draw, _LOANS), rules["ending_days"]
    ends = [days, draw.integer(8, days - 10), days + draw.choice((1, draw.integer(2, 40)))]
    ends += [draw.integer(200, 1400)] * draw.chance(0.5)
    return [
        Expense(name, "Monthly", draw.integer(11_000, 64_000), last_payment=today + timedelta(days=end))
        for name, end in zip(names, ends, strict=False)
    ]


def _telling(today: date, others: list[Expense], weekly: Expense, rules: Rules) -> Expense:
    """Raise the weekly expense by a cent or two if rounding each monthly amount would not affect the total."""
    months = rules["months"]
    for more in range(3):
        weekly = msgspec.structs.replace(weekly, amount=weekly.amount + min(more, 1))
        exact = [one.monthly(rules) for one in [*others, weekly] if one.counts(today, rules)]
        if abs(months * sum(map(round_half_up, exact)) - round_half_up(months * sum(exact))) >= 2:
            break
    return weekly


def _accounts(today: date, needed: int, draw: Draw, rules: Rules) -> list[Account]:
    """Draw accounts so that counting any of them wrongly changes the verdict.

    The checking account has the rest.
    """
    days = rules["notice_days"]

    def part(low: int, high: int) -> int:
        return draw.integer(needed * low // 100, needed * high // 100)

    banks = shuffled(draw, _BANKS)
    found = [
        Account(
            f"{banks[0]} Joint Savings", "Savings", draw.choice((35, 40, 50, 60)), part(12, 24), draw.integer(0, 3)
        ),
        Account(f"{banks[1]} Notice Account", "Savings", 100, part(7, 14), days),
        Account(f"{banks[2]} Notice Account", "Savings", 100, part(12, 30), days + draw.choice((1, 15, 30, 60))),
        _certificate(f"{banks[3]} Certificate", part(9, 15), draw, today + timedelta(days=draw.integer(days + 1, 700))),
        _certificate(
            f"{banks[0]} Certificate",
            part(8, 13),
            draw,
            today + timedelta(days=draw.choice((days, draw.integer(3, 29)))),
        ),
        Account("Individual Retirement Account", "Retirement", 100, part(60, 190), draw.integer(2, 7)),
        Account(
            f"{banks[4]} Home Equity Line", "Credit Line", 100, -part(3, 9), 1, draw.steps(20_000, 90_000, 500) * 100
        ),
    ]
    if draw.chance(0.5):
        found.append(Account("Money Market Fund", "Investments", 100, part(4, 9), draw.integer(1, 2)))
    gap = draw.weighted(((part(3, 18), 0.45), (-part(3, 18), 0.45), (0, 0.1)))
    rest = needed + gap - sum(one.available(today, rules) for one in found)
    overdraft = draw.steps(1_000, 6_000, 250) * 100
    return [*found, Account(f"{banks[1]} Checking", "Checking", 100, rest, 0, overdraft)]


def _certificate(name: str, balance: int, draw: Draw, matures: date) -> Account:
    penalty = draw.choice((10, 15, 25, 40))
    return Account(name, "Certificate", 100, balance, draw.integer(1, 9), penalty=penalty, matures=matures)
