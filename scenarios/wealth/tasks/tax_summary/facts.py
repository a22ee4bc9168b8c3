"""Draws the facts for a tax summary: a client's taxable income and other receipts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class WageStatement(msgspec.Struct, frozen=True):
    """An employer's wage statement, with amounts in cents."""

    employer: str
    employer_id: str
    year: int
    is_corrected: bool
    gross: int
    pre_tax: int
    roth: int
    withheld: int


class Interest(msgspec.Struct, frozen=True):
    """Credited interest, with the amount in cents.

    ``earned`` is a month such as ``2025-12``.
    """

    payer: str
    kind: str
    earned: str
    credited: date
    amount: int


class Dividend(msgspec.Struct, frozen=True):
    """A payment by a fund, with amounts in cents.

    Only dividends have a qualified part.
    """

    fund: str
    kind: str
    paid: date
    amount: int
    qualified: int | None


class Sales(msgspec.Struct, frozen=True):
    """Net result of a year's sales in cents, negative for a loss.

    ``term`` is ``short-term`` or ``long-term``.
    """

    year: int
    term: str
    result: int


class Facts(msgspec.Struct, frozen=True):
    """A client's income, in the order of the documents.

    Attributes:
        year: the tax year.
        carried: capital loss carried forward from the previous year, in cents.
        rollover, gift: amounts in cents, which came from ``plan`` and ``giver``.
        rolled: date of the rollover.
        order: order of the paragraphs in the notes.
    """

    year: int
    wages: tuple[WageStatement, ...]
    interest: tuple[Interest, ...]
    dividends: tuple[Dividend, ...]
    sales: tuple[Sales, ...]
    carried: int
    rollover: int
    rolled: date
    plan: str
    gift: int
    giver: str
    order: tuple[int, ...]


PARAGRAPHS = 4
"""Number of paragraphs in the notes: sales, loss carried forward, rollover and gift."""

_EMPLOYERS = (
    "Tamarack Foods Inc.",
    "Harrow and Pine LLC",
    "Gallatin Instruments Inc.",
    "Redbud Medical Group",
    "Sandhill Logistics LLC",
    "Copper Basin Engineering Inc.",
)
_BANKS = ("Harvest State Bank", "Old Ferry Bank", "First Prairie Bank", "Juniper Valley Bank", "Granite Falls Bank")
_ISSUERS = ("Kestrel Rail Corp.", "Blue Mesa Power Co.", "Ironwood Paper Corp.", "Calder Water Co.")
_PLACES = ("Ashford County", "City of Millbrook", "Fairwater School District", "Stonebridge Water District")
_FUNDS = (
    "Total Market Index Fund",
    "International Equity Fund",
    "Dividend Equity Fund",
    "Large Company Growth Fund",
    "Small Company Value Fund",
    "Balanced Income Fund",
)
_PROPERTY_FUNDS = ("Real Estate Income Fund", "Timberland Trust", "Storage Property Trust")
_GIVERS = ("an aunt", "the parents", "a grandmother", "a godfather")


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    year = world.today.year - (2 if draw.chance(0.25) else 1)
    employers = shuffled(draw, _EMPLOYERS)
    dividends = _dividends(draw, year, rules)
    sales, carried = _capital(draw, year, sum(one.amount for one in dividends if one.qualified is None))
    return Facts(
        year,
        _wages(draw, year, employers),
        _interest(draw, year, rules),
        dividends,
        sales,
        carried,
        draw.integer(1_500_000, 24_000_000),
        draw.day(date(year, 2, 1), date(year, 11, 30)),
        employers[2],
        draw.integer(200_000, 1_700_000),
        draw.choice(_GIVERS),
        tuple(shuffled(draw, range(PARAGRAPHS))),
    )


def _wages(draw: Draw, year: int, employers: Sequence[str]) -> tuple[WageStatement, ...]:
    """Draw two employers' statements, a correction of one, and a statement for the previous year."""
    ids = [f"{draw.integer(10, 98)}-{draw.integer(1_000_000, 9_999_999)}" for _ in range(2)]
    first, second = (_statement(draw, employers[number], ids[number], year) for number in range(2))
    if draw.chance(0.4):
        second = msgspec.structs.replace(second, roth=0)
    gross = first.gross + draw.choice((-1, 1)) * draw.integer(60_000, 900_000)
    pre_tax = first.pre_tax + draw.integer(-40_000, 40_000)
    corrected = msgspec.structs.replace(first, is_corrected=True, gross=gross, pre_tax=pre_tax)
    number = draw.integer(0, 1)
    before = _statement(draw, employers[number], ids[number], year - 1)
    before = msgspec.structs.replace(before, is_corrected=draw.chance(0.5))
    return tuple(shuffled(draw, [first, second, corrected, before]))


def _statement(draw: Draw, employer: str, employer_id: str, year: int) -> WageStatement:
    gross = draw.integer(3_800_000, 14_500_000)
    return WageStatement(
        employer,
        employer_id,
        year,
        False,
        gross,
        gross * draw.integer(30, 110) // 1_000,
        gross * draw.integer(10, 60) // 1_000,
        gross * draw.integer(110, 240) // 1_000,
    )


def _interest(draw: Draw, year: int, rules: Rules) -> tuple[Interest, ...]:
    banks = shuffled(draw, _BANKS)
    found: list[Interest] = []
    for bank in banks[:2]:
        found += _savings(draw, year, bank)
    matured = draw.day(date(year, 2, 1), date(year, 11, 30))
    found.append(_credited(banks[2], "Certificate of Deposit", matured, draw.integer(40_000, 260_000)))
    for payer, kind in (
        ("US Treasury", "Treasury Note"),
        (draw.choice(_ISSUERS), "Corporate Bond"),
        (draw.choice(_PLACES), rules["municipal"]),
    ):
        found += _coupons(draw, year, payer, kind)
    return tuple(shuffled(draw, found))


def _savings(draw: Draw, year: int, bank: str) -> Iterator[Interest]:
    """Draw quarterly interest, credited in the first days of the following quarter."""
    day = draw.integer(1, 6)
    for earned in (date(year - 1, 12, 1), *(date(year, month, 1) for month in (3, 6, 9, 12))):
        credited = date(earned.year + earned.month // 12, earned.month % 12 + 1, day)
        amount = draw.integer(4_000, 96_000)
        yield Interest(bank, "Savings Account", f"{earned:%Y-%m}", credited, amount)


def _coupons(draw: Draw, year: int, payer: str, kind: str) -> Iterator[Interest]:
    """Draw a bond's semiannual coupons, including the last coupon of the previous year."""
    month, day, amount = draw.integer(1, 6), draw.integer(1, 28), draw.integer(30_000, 210_000)
    for credited in (date(year - 1, month + 6, day), date(year, month, day), date(year, month + 6, day)):
        yield _credited(payer, kind, credited, amount)


def _credited(payer: str, kind: str, day: date, amount: int) -> Interest:
    return Interest(payer, kind, f"{day:%Y-%m}", day, amount)


def _dividends(draw: Draw, year: int, rules: Rules) -> tuple[Dividend, ...]:
    funds = shuffled(draw, _FUNDS)[:3]
    property_fund = draw.choice(_PROPERTY_FUNDS)
    found: list[Dividend] = []
    for fund in (*funds, property_fund):
        months = [date(year, month, draw.integer(8, 28)) for month in (3, 6, 9, 12)]
        found += [_dividend(draw, fund, day, rules) for day in months]
    found.append(_dividend(draw, funds[0], date(year - 1, 12, draw.integer(8, 31)), rules))
    found.append(_dividend(draw, funds[1], date(year + 1, 1, draw.integer(1, 12)), rules))
    for month in shuffled(draw, (3, 6, 9, 12))[: draw.integer(1, 3)]:
        day = date(year, month, draw.integer(8, 28))
        found.append(Dividend(property_fund, rules["return_of_capital"], day, draw.integer(12_000, 140_000), None))
    for number, fund in enumerate(funds[:2]):
        paid = date(year - number, 12, draw.integer(8, 31))
        found.append(Dividend(fund, rules["gain_distribution"], paid, draw.integer(25_000, 320_000), None))
    return tuple(shuffled(draw, found))


def _dividend(draw: Draw, fund: str, day: date, rules: Rules) -> Dividend:
    amount = draw.integer(6_000, 130_000)
    percent = 0 if fund in _PROPERTY_FUNDS else draw.choice((100, draw.integer(35, 95)))
    return Dividend(fund, rules["ordinary"], day, amount, amount * percent // 100)


def _capital(draw: Draw, year: int, distributed: int) -> tuple[tuple[Sales, ...], int]:
    """Draw the results of sales in the tax year and the following year, and the loss carried forward.

    The capital result after distributions is usually a loss above the limit.
    """
    terms = shuffled(draw, ("short-term", "long-term"))
    carried = draw.integer(40_000, 520_000)
    small = draw.integer(60_000, 450_000)
    if draw.chance(0.8):
        results = [small, -(small + distributed + draw.integer(400_000, 2_100_000))]
    else:
        results = [-small, carried + draw.integer(700_000, 3_000_000)]
    later = [draw.choice((-1, 1)) * draw.integer(50_000, 900_000) for _ in terms]
    found = [Sales(year, term, result) for term, result in zip(terms, results, strict=True)]
    found += [Sales(year + 1, term, result) for term, result in zip(terms, later, strict=True)]
    return tuple(shuffled(draw, found)), carried
