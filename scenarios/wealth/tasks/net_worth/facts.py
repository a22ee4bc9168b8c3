"""Draws the facts for a net worth snapshot."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class Asset(msgspec.Struct, frozen=True):
    """A row of the assets table, with the value in cents and the share in percent."""

    name: str
    kind: str
    ownership: str
    share: int
    value: int
    as_of: date


class Liability(msgspec.Struct, frozen=True):
    """A row of the liabilities table, with amounts in cents."""

    name: str
    lender: str
    limit: int | None
    balance: int
    status: str


class Post(msgspec.Struct, frozen=True):
    """A post about the private loan, with the amount outstanding at the time in cents."""

    at: datetime
    lender: str
    outstanding: int


class Facts(msgspec.Struct, frozen=True):
    """A client's assets, liabilities and posts about a private loan, in the order of the documents."""

    assets: tuple[Asset, ...]
    liabilities: tuple[Liability, ...]
    posts: tuple[Post, ...]


_ASSETS = (
    ("Family Home", "Property", 320_000, 940_000),
    ("Lake Cabin", "Property", 90_000, 260_000),
    ("Brokerage Account", "Investments", 40_000, 620_000),
    ("Retirement Account", "Pension", 60_000, 480_000),
    ("Checking Account", "Cash", 2_000, 26_000),
    ("Savings Account", "Cash", 8_000, 120_000),
    ("Private Company Shares", "Business", 25_000, 300_000),
    ("Car", "Vehicle", 6_000, 58_000),
    ("Art Collection", "Collectibles", 5_000, 80_000),
    ("Municipal Bonds", "Investments", 15_000, 150_000),
)
_LENDERS = ("First Prairie Bank", "Granite Mortgage", "Bluewater Credit Union", "Keystone Lending", "Orchard Bank")
_RELATIVES = ("her brother", "a sister", "a cousin", "an uncle", "a former partner", "the parents")


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    return Facts(_assets(world, draw, rules), _liabilities(draw, rules), _posts(world, draw))


def _assets(world: World, draw: Draw, rules: Rules) -> tuple[Asset, ...]:
    chosen = shuffled(draw, _ASSETS)[: draw.integer(6, 8)]
    joint, trust, twice = 0, 1, 2  # the first three assets each need a special rule
    found = []
    for number, (name, kind, low, high) in enumerate(chosen):
        is_joint = number == joint or (number > twice and draw.chance(0.25))
        share = draw.choice((25, 40, 50, 60, 75)) if is_joint else 100
        ownership = rules["in_trust"] if number == trust else "Joint" if share < 100 else "Sole"
        as_of = world.today - timedelta(days=draw.integer(5, 60))
        asset = Asset(name, kind, ownership, share, draw.integer(low * 100, high * 100), as_of)
        if number == twice:
            older = asset.as_of - timedelta(days=draw.integer(90, 400))
            found.append(msgspec.structs.replace(asset, value=asset.value * draw.integer(80, 95) // 100, as_of=older))
        found.append(asset)
    return tuple(shuffled(draw, found))


def _liabilities(draw: Draw, rules: Rules) -> tuple[Liability, ...]:
    lenders = shuffled(draw, _LENDERS)
    mortgage = Liability("Mortgage", lenders[0], None, draw.integer(9_000_000, 38_000_000), "Open")
    limit = draw.steps(5_000, 30_000, 500) * 100
    card = Liability("Credit Card", lenders[1], limit, draw.integer(20_000, limit // 2), "Open")
    settled = Liability("Car Loan", lenders[2], None, draw.integer(150_000, 2_400_000), rules["settled"])
    found = [mortgage, card, settled]
    if draw.chance(0.6):
        limit = draw.steps(20_000, 90_000, 5_000) * 100
        found.append(Liability("Home Equity Line", lenders[3], limit, draw.integer(200_000, limit - 100_000), "Open"))
    return tuple(shuffled(draw, found))


def _posts(world: World, draw: Draw) -> tuple[Post, ...]:
    lender = draw.choice(_RELATIVES)
    first = world.now - timedelta(days=draw.integer(150, 420), minutes=draw.integer(1, 300))
    later = world.now - timedelta(days=draw.integer(15, 120), minutes=draw.integer(1, 300))
    amount = draw.steps(6_000, 60_000, 500) * 100
    rest = 0 if draw.chance(0.2) else amount * draw.integer(30, 85) // 100
    return Post(first, lender, amount), Post(later, lender, rest)
