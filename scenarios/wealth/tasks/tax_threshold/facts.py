"""Draws the facts for the tax on an estate. Amounts are in cents, rates in basis points."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, NewNames, World, shuffled


class Line(msgspec.Struct, frozen=True):
    """A row of the estate.

    ``party`` is the creditor or recipient, ``current`` an asset's value today.
    """

    kind: str
    item: str
    amount: int
    party: str = ""
    relation: str = ""
    day: date | None = None
    current: int | None = None


class Band(msgspec.Struct, frozen=True):
    """A tax bracket of the estate.

    ``end`` is None for the top bracket.
    """

    name: str
    begin: int
    end: int | None
    rate: int


class Schedule(msgspec.Struct, frozen=True):
    """The threshold and the tax brackets of a year."""

    year: int
    threshold: int
    bands: tuple[Band, ...]


class Facts(msgspec.Struct, frozen=True):
    """An estate, and the tax schedules of two years, including the year of death."""

    decedent: str
    death: date
    lines: tuple[Line, ...]
    schedules: tuple[Schedule, Schedule]


ORGANIZATION: Final = "Organization"

_ASSETS: Final = (
    ("Residence", 620_000, 1_200_000),
    ("Brokerage Account", 900_000, 2_200_000),
    ("Retirement Account", 400_000, 900_000),
    ("Shares in Family Business", 250_000, 800_000),
)
_MORE_ASSETS: Final = (
    ("Savings Account", 30_000, 160_000),
    ("Car", 8_000, 52_000),
    ("Coin Collection", 6_000, 70_000),
    ("Farm Land", 60_000, 240_000),
    ("Treasury Notes", 25_000, 180_000),
)
_LENDERS: Final = ("Granite Mortgage", "Orchard Bank", "Bluewater Credit Union", "Keystone Lending")
_HOSPITALS: Final = ("Lakeside Medical Center", "Cardinal Hospital", "Hillcrest Clinic")
_LATE: Final = (
    ("Advance by the executor", "Executor"),
    ("Roof repair", "Ridge Roofing"),
    ("House cleaning", "Bright Rooms"),
)
_UNDERTAKERS: Final = ("Elm Street Funeral Home", "Harbor Memorial Chapel", "Quiet Garden Funerals")
# Registered and other organizations share a list, so that names do not reveal which are registered.
_SOCIETIES: Final = (
    "Prairie Food Bank",
    "Hillcrest Hospice Fund",
    "Lakeside Animal Rescue",
    "Northgate Rowing Club",
    "Valley Music Society",
    "Old Mill Library Friends",
    "Copper Creek Scholarship Fund",
    "River Trail Association",
)
_RELATIVES: Final = ("Niece or Nephew", "Friend", "Godchild", "Sibling", "Cousin")

_CAUSES: Final = (
    "Family loan waived",
    "Gift to mark a wedding",
    "Gift for a house",
    "Gift for tuition",
    "Gift of shares",
)


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw the facts for an estate such that every rule of the chapter affects the answer."""
    names = NewNames(world, draw)
    decedent, death = names.named(), _death(draw, world.today)
    spouse = names.named(decedent.split()[-1])
    charity, *others = shuffled(draw, _SOCIETIES)
    married, registered = rules["exempt"]
    lines = [
        *_assets(draw, rules),
        *_debts(draw, rules, death, world.today),
        *_funeral(draw, rules, death),
        *_bequests(draw, rules, names, {spouse: married, charity: registered, others[0]: ORGANIZATION}),
        *_gifts(draw, rules, names, death, ((spouse, married), (charity, registered)), others[1]),
        Line(rules["decedent"], f"Estate of {decedent}", 0, client.name, "Executor", death),
    ]
    return Facts(decedent, death, tuple(shuffled(draw, lines)), _schedules(draw, world.today.year, rules))


def _death(draw: Draw, today: date) -> date:
    """Draw a date of death, usually in the previous year, so that its year differs from today's."""
    if draw.chance(0.75):
        return draw.day(date(today.year - 1, 1, 10), date(today.year - 1, 12, 20))
    return draw.day(date(today.year, 1, 2), today - timedelta(days=10))


def _cents(draw: Draw, low: int, high: int) -> int:
    """Draw an amount between ``low`` and ``high`` dollars, in cents."""
    return draw.integer(low * 100, high * 100)


def _assets(draw: Draw, rules: Rules) -> list[Line]:
    chosen = [*_ASSETS, *shuffled(draw, _MORE_ASSETS)[: draw.integer(1, 3)]]
    found = []
    for item, low, high in chosen:
        amount = _cents(draw, low, high)
        found.append(Line(rules["asset"], item, amount, current=amount * draw.integer(870, 1180) // 1000))
    return found


def _debts(draw: Draw, rules: Rules, death: date, today: date) -> list[Line]:
    """Draw three debts that arose up to the death, the last of them on the day itself, and one that arose later."""
    lenders, kind = shuffled(draw, _LENDERS), rules["debt"]
    item, party = draw.choice(_LATE)
    after = death + timedelta(days=draw.integer(3, min(40, (today - death).days)))
    before = [draw.integer(900, 5000), draw.integer(4, 45)]
    mortgage, card = (death - timedelta(days=days) for days in before)
    return [
        Line(kind, "Mortgage", _cents(draw, 60_000, 250_000), lenders[0], "Lender", mortgage),
        Line(kind, "Credit card", _cents(draw, 900, 12_000), lenders[1], "Lender", card),
        Line(kind, "Hospital bill", _cents(draw, 1_500, 26_000), draw.choice(_HOSPITALS), "Creditor", death),
        Line(kind, item, _cents(draw, 1_800, 9_500), party, "Creditor", after),
    ]


def _funeral(draw: Draw, rules: Rules, death: date) -> list[Line]:
    costs = (
        ("Burial", draw.choice(_UNDERTAKERS), 9_000, 14_000, 4),
        ("Headstone", "Kiln Road Stonemasons", 4_000, 8_000, 8),
        ("Reception", "Copper Kettle Catering", 1_500, 4_000, 5),
    )
    return [
        Line(rules["funeral"], item, _cents(draw, low, high), party, "Creditor", death + timedelta(days=days))
        for item, party, low, high, days in costs
    ]


def _bequests(draw: Draw, rules: Rules, names: NewNames, to: dict[str, str]) -> list[Line]:
    """Draw bequests to the spouse, a charity, an organization that is not a charity, and two other people."""
    kind, sizes = rules["bequest"], ((180_000, 420_000), (18_000, 90_000), (8_000, 40_000))
    found = [
        Line(kind, f"Bequest to {name}", _cents(draw, *size), name, relation)
        for (name, relation), size in zip(to.items(), sizes, strict=True)
    ]
    for relation in shuffled(draw, _RELATIVES)[:2]:
        name = names.named()
        found.append(Line(kind, f"Bequest to {name}", _cents(draw, 5_000, 60_000), name, relation))
    return found


def _gifts(
    draw: Draw, rules: Rules, names: NewNames, death: date, exempt: tuple[tuple[str, str], ...], society: str
) -> list[Line]:
    """Draw two gifts within the period, usually one on its first day, one just before it, and an exempt gift."""
    first = years_before(death, rules["years"])
    soon, since = draw.integer(40, 500), draw.integer(40, 900)
    days = [death - timedelta(days=soon), death - timedelta(days=since), first - timedelta(days=draw.integer(1, 25))]
    if draw.chance(0.85):
        days.append(first)
    causes = shuffled(draw, _CAUSES)
    found = []
    for number, day in enumerate(days):
        party = (society, ORGANIZATION) if number == 0 else (names.named(), draw.choice(_RELATIVES))
        item = "Donation" if number == 0 else causes[number]
        found.append(Line(rules["gift"], item, _cents(draw, 12_000, 70_000), *party, day))
    free = death - timedelta(days=draw.integer(30, 800))
    return [*found, Line(rules["gift"], causes[0], _cents(draw, 10_000, 60_000), *draw.choice(exempt), free)]


def years_before(day: date, years: int) -> date:
    """Return the same day ``years`` years earlier, or 1 March if that year has no such day."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return date(day.year - years, 3, 1)


def _schedules(draw: Draw, year: int, rules: Rules) -> tuple[Schedule, Schedule]:
    """Draw the schedules of last year and this year, which has higher limits."""
    threshold = draw.steps(1_000_000, 1_250_000, 25_000)
    ends, rate = [draw.steps(150_000, 300_000, 25_000)], draw.steps(800, 1000, 5)
    rates = [rate]
    for low, high in ((250_000, 450_000), (700_000, 1_100_000), (1_300_000, 2_000_000)):
        ends.append(ends[-1] + draw.steps(low, high, 25_000))
    for _ in ends:
        rates.append(rates[-1] + draw.steps(75, 165, 5))
    more, shift = draw.steps(25_000, 75_000, 25_000), draw.steps(15, 60, 5) * draw.choice((-1, 1))
    later = [end + more * number for number, end in enumerate(ends, 1)]
    return (
        _schedule(year - 1, threshold, ends, rates),
        _schedule(year, threshold + more, later, [rate + shift for rate in rates]),
    )


def _schedule(year: int, threshold: int, ends: list[int], rates: list[int]) -> Schedule:
    begins = [0, *ends]
    bands = [
        Band(f"Band {number}", begin * 100, None if end is None else end * 100, rate)
        for number, (begin, end, rate) in enumerate(zip(begins, [*ends, None], rates, strict=True), 1)
    ]
    return Schedule(year, threshold * 100, tuple(bands))
