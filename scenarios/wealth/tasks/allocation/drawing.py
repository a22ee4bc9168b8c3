"""Draws a client's portfolio."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.allocation.facts import Facts, Holding, Price, Share
from teller_gym.scenarios.wealth.tasks.allocation.solving import solve
from teller_gym.scenarios.wealth.world import Client, World, shuffled, weekday


class _Security(NamedTuple):
    """A security with its typical price and its shares of asset classes."""

    symbol: str
    name: str
    kind: str
    price: int
    classes: tuple[tuple[str, int], ...]


_EQUITIES: Final = (
    ("HLUT", "Harbor Light Utilities"), ("COBR", "Cobalt Rail Group"), ("PCSW", "Pinecrest Software"),
    ("ALTH", "Altamont Health"), ("SVFD", "Sierra Valley Foods"), ("NGSC", "Northgate Semiconductor"),
    ("BMEN", "Blue Mesa Energy"), ("QLMT", "Quarry Lane Materials"), ("TDLG", "Tidewater Logistics"),
)  # fmt: skip
_FUNDS: Final = (
    ("LKBAL", "Lakeshore Balanced Fund"), ("MERGL", "Meridian Global Income"), ("OAKMS", "Oakfield Managed Strategy"),
    ("STWRD", "Stewardship World Fund"), ("CRWAL", "Crestway Allocation Fund"),
)  # fmt: skip
_BONDS: Final = (
    ("HCW31", "Harbor County Water 4.25% 2031"), ("STT34", "State Turnpike 3.80% 2034"),
    ("BRC29", "Blue Ridge Credit 5.10% 2029"), ("USN33", "US Treasury Note 3.50% 2033"),
)  # fmt: skip
_US, _WORLD, _FIXED, _UNHELD = "US Equity", "International Equity", "Fixed Income", "Commodities"

_FRESH, _ON_THE_DAY, _AT_THE_LIMIT, _STALE, _LATER = range(5)
"""Kinds of a security's latest price relative to the valuation date. ``_LATER`` has only later prices."""


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    facts = _facts(world.today, draw, rules)
    # If the weights happened to add up to 100.00, adjusting them would go unnoticed.
    while solve(facts, rules).total_weight == 10_000:
        facts = _facts(world.today, draw, rules)
    return facts


def _facts(today: date, draw: Draw, rules: Rules) -> Facts:
    equities, funds, bonds = shuffled(draw, _EQUITIES), shuffled(draw, _FUNDS), shuffled(draw, _BONDS)
    mixed, partly = _parts(draw, rules)
    securities = [
        _security(draw, equities[0], "Equity", ((_US, 1000),)),
        _security(draw, equities[1], "Equity", ((draw.choice((_US, _WORLD)), 1000),)),
        _security(draw, equities[2], "Equity", ((_WORLD, 1000),)),
        _security(draw, equities[3], "Equity", ()),
        _security(draw, funds[0], "Fund", mixed),
        _security(draw, funds[1], "Fund", partly),
        _security(draw, funds[2], "Fund", ((draw.choice(("Alternatives", "Private Credit")), 1000),)),
        *(_security(draw, one, rules["bond"], ((_FIXED, 1000),)) for one in bonds[:2]),
        *(_security(draw, one, "Equity", ((_US, 1000),)) for one in equities[4 : draw.integer(4, 6)]),
    ]
    twice, short = securities[0], securities[1]
    others = [
        _security(draw, equities[6], "Equity", ((_US, 1000),)),
        _security(draw, funds[3], "Fund", ((_UNHELD, 1000),)),
        _security(draw, bonds[2], rules["bond"], ((_FIXED, 1000),)),
    ]
    accounts = [draw.identifier("BR"), draw.identifier("BR")]
    holdings = [_holding(draw, draw.choice(accounts), one, one is short) for one in securities if one is not twice]
    holdings += [_holding(draw, account, twice, False) for account in accounts]
    holdings += [_cash(account, cents, rules) for account, cents in zip(accounts, _balances(draw), strict=True)]
    whens = [_ON_THE_DAY, _ON_THE_DAY, _AT_THE_LIMIT, _STALE, _LATER]
    whens = shuffled(draw, [*whens, *[_FRESH] * (len(securities) - len(whens))])
    prices = [
        price
        for one, when in zip([*securities, *others], [*whens, *[_FRESH] * len(others)], strict=True)
        for price in _prices(draw, one, when, today, rules["stale_days"])
    ]
    shares = [Share(one.symbol, *part) for one in (*securities, *others) for part in one.classes]
    return Facts(today, tuple(shuffled(draw, holdings)), tuple(shuffled(draw, prices)), tuple(shuffled(draw, shares)))


def _parts(draw: Draw, rules: Rules) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """Draw the asset classes of two funds, of which only one has shares that add up to 100 percent."""
    stocks, bonds = draw.integer(440, 580), draw.integer(250, 370)
    mixed = ((_US, stocks), (_FIXED, bonds), (rules["cash"], 1000 - stocks - bonds))
    world, property_ = draw.integer(480, 620), draw.integer(240, 340)
    return mixed, ((_WORLD, world), (draw.choice(("Real Estate", "Infrastructure")), property_))


def _security(draw: Draw, name: tuple[str, str], kind: str, classes: tuple[tuple[str, int], ...]) -> _Security:
    low, high = {"Equity": (200_000, 3_000_000), "Fund": (95_000, 640_000)}.get(kind, (880_000, 1_090_000))
    return _Security(*name, kind, draw.integer(low, high), classes)


def _holding(draw: Draw, account: str, one: _Security, is_short: bool) -> Holding:
    if one.kind not in ("Equity", "Fund"):
        nominal = draw.steps(20_000, 150_000, 1_000)
        book = one.price * (draw.integer(900, 955) if draw.chance(0.5) else draw.integer(1_045, 1_090)) // 1000
        return Holding(account, *one[:3], nominal * 1000, book, accrued=nominal * draw.integer(20, 210) // 100)
    book = one.price * (draw.integer(580, 940) if draw.chance(0.7) else draw.integer(1_060, 1_350)) // 1000
    dollars = draw.integer(4_000, 16_000) if is_short else draw.integer(18_000, 140_000)
    quantity = dollars * 10_000_000 // one.price
    if one.kind == "Equity":
        quantity -= quantity % 1000
    return Holding(account, *one[:3], -quantity if is_short else quantity, book)


def _balances(draw: Draw) -> list[int]:
    """Draw the cash in the two accounts, in cents.

    One account may be overdrawn.
    """
    other = -draw.integer(40_000, 350_000) if draw.chance(0.3) else draw.integer(40_000, 900_000)
    return shuffled(draw, [draw.integer(500_000, 4_800_000), other])


def _cash(account: str, cents: int, rules: Rules) -> Holding:
    return Holding(account, "", "Settlement Account", rules["cash"], cash=cents)


def _prices(draw: Draw, one: _Security, when: int, today: date, limit: int) -> Iterator[Price]:
    for day in sorted(_days(draw, when, today, limit)):
        # Always closer to the typical price than the purchase price is.
        yield Price(one.symbol, day, one.price * draw.integer(9_700, 10_300) // 10_000)


def _days(draw: Draw, when: int, today: date, limit: int) -> set[date]:
    """Draw the days on which a security has a price."""
    valuation = today.replace(day=1) - timedelta(days=1)
    days = set()
    if when == _LATER or draw.chance(0.8):
        days |= {weekday(draw, valuation + timedelta(days=1), today) for _ in range(draw.integer(1, 2))}
    if when != _LATER:
        last = _last(draw, when, valuation, limit)
        before = last - timedelta(days=45), last - timedelta(days=2)
        days |= {last, *(weekday(draw, *before) for _ in range(draw.integer(1, 3)))}
    return days


def _last(draw: Draw, when: int, valuation: date, limit: int) -> date:
    """Draw the latest day with a price.

    Month ends have prices even at weekends.
    """
    if when in (_ON_THE_DAY, _AT_THE_LIMIT):
        return valuation - timedelta(days=limit if when == _AT_THE_LIMIT else 0)
    oldest, newest = (limit + 40, limit + 1) if when == _STALE else (limit - 1, 1)
    return weekday(draw, valuation - timedelta(days=oldest), valuation - timedelta(days=newest))
