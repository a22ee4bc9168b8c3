"""Draws the facts for a pension projection."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import whole_years
from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class Valuation(msgspec.Struct, frozen=True):
    """A row of the plans table: amounts in cents, match in percent, None for an empty cell."""

    plan: str
    provider: str
    status: str
    on: date
    balance: int
    contribution: int
    frequency: str
    match: int | None
    cap: int | None


class Scenario(msgspec.Struct, frozen=True):
    """A scenario of an edition, with growth and the rise of contributions in basis points."""

    name: str
    growth: int
    rise: int


class Edition(msgspec.Struct, frozen=True):
    """An edition of the assumptions, with the fee in basis points."""

    since: date
    scenarios: tuple[Scenario, ...]
    fee: int
    timing: str


class Facts(msgspec.Struct, frozen=True):
    """A client's dates and risk profile, and the plans and assumptions in the order of the documents."""

    today: date
    born: date
    retirement_age: int
    profile: str
    valuations: tuple[Valuation, ...]
    editions: tuple[Edition, ...]


_EMPLOYERS = (
    "Brightwater Labs", "Corvus Logistics", "Ellery Hospital", "Foxglove Media", "Granger Steel",
    "Ironwood Schools", "Juniper Software", "Larkspur Foods", "Maddox Engineering", "Tidewater Transit",
)  # fmt: skip
_PROVIDERS = ("Summit Retirement", "Ashford Trust", "Pinnacle Plan Services", "Beacon Annuity", "Old Mill Investments")
_KINDS = ("401(k)", "403(b)", "Savings Plan", "Profit Sharing Plan")
_EARLIEST = 55
"""Minimum retirement age."""
_AT_LEAST = 6
"""Minimum number of years until retirement. The projection may be a year shorter."""


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    editions = _editions(world.today, draw, rules)
    age = max(_EARLIEST, whole_years(client.born, world.today) + _AT_LEAST) + draw.integer(0, 5)
    # Always using the middle scenario is wrong in four of five offices.
    profile = draw.weighted(((rules["cautious"], 2.0), (rules["balanced"], 1.0), (rules["adventurous"], 2.0)))
    valuations = _valuations(world.today, draw, rules)
    return Facts(world.today, client.born, age, profile, valuations, editions)


def _editions(today: date, draw: Draw, rules: Rules) -> tuple[Edition, ...]:
    """Draw the edition in force, an older one and a future one, each starting on the first of a month."""
    current = (today - timedelta(days=draw.integer(0, 150))).replace(day=1)
    older = (current - timedelta(days=draw.integer(150, 400))).replace(day=1)
    coming = (today + timedelta(days=draw.integer(32, 150))).replace(day=1)
    return tuple(shuffled(draw, [_edition(since, draw, rules) for since in (older, current, coming)]))


def _edition(since: date, draw: Draw, rules: Rules) -> Edition:
    scenarios = (
        Scenario(rules["low"], draw.integer(180, 330), draw.integer(40, 130)),
        Scenario(rules["middle"], draw.integer(380, 520), draw.integer(150, 240)),
        Scenario(rules["high"], draw.integer(570, 760), draw.integer(260, 380)),
    )
    words = (("over", 2.0), ("beginning", 1.0), ("end", 1.0), ("quarters", 2.0))
    timing = rules[draw.weighted(words)]
    return Edition(since, scenarios, draw.integer(35, 120), timing)


def _valuations(today: date, draw: Draw, rules: Rules) -> tuple[Valuation, ...]:
    names = [f"{employer} {draw.choice(_KINDS)}" for employer in shuffled(draw, _EMPLOYERS)]
    latest = [
        _capped(names[0], today, draw, rules),
        _unmatched(draw.choice(("Traditional IRA", "Roth IRA")), today, draw, rules),
        _matched(names[1], rules["paid_up"], today, draw, rules),
        _matched(names[2], rules["transferred"], today, draw, rules),
    ]
    if draw.chance(0.6):
        latest.append(_matched(names[3], rules["active"], today, draw, rules))
    found = []
    for number, one in enumerate(latest):
        found.append(one)
        if number != 1 or draw.chance(0.5):
            found.append(_older(one, draw, rules))
    return tuple(shuffled(draw, found))


def _capped(plan: str, today: date, draw: Draw, rules: Rules) -> Valuation:
    """Draw the current employer's plan, whose match always exceeds its cap."""
    word = draw.choice(("monthly", "biweekly"))
    times = rules[f"{word}_times"]
    contribution = draw.integer(700_000, 1_900_000) // times
    match = draw.choice((40, 50, 60, 75, 100))
    cap = contribution * times * match // 100 * draw.integer(45, 85) // 100 // 2500 * 2500
    return _row(plan, rules["active"], today, draw, contribution, rules[word], match, cap)


def _unmatched(plan: str, today: date, draw: Draw, rules: Rules) -> Valuation:
    """Draw a plan without employer contributions and with payments less often than monthly."""
    word = draw.choice(("quarterly", "annual"))
    contribution = draw.integer(200_000, 650_000) // rules[f"{word}_times"]
    return _row(plan, rules["active"], today, draw, contribution, rules[word], None, None)


def _matched(plan: str, status: str, today: date, draw: Draw, rules: Rules) -> Valuation:
    """Draw a plan whose match has no cap or stays below it."""
    contribution, match = draw.integer(8_000, 42_000), draw.choice((25, 30, 40, 50))
    full = contribution * rules["monthly_times"] * match // 100
    cap = (full + draw.integer(20_000, 90_000)) // 2500 * 2500 if draw.chance(0.5) else None
    return _row(plan, status, today, draw, contribution, rules["monthly"], match, cap)


def _row(
    plan: str,
    status: str,
    today: date,
    draw: Draw,
    contribution: int,
    frequency: str,
    match: int | None,
    cap: int | None,
) -> Valuation:
    on, balance = today - timedelta(days=draw.integer(5, 80)), draw.integer(1_800_000, 21_000_000)
    return Valuation(plan, draw.choice(_PROVIDERS), status, on, balance, contribution, frequency, match, cap)


def _older(one: Valuation, draw: Draw, rules: Rules) -> Valuation:
    """Draw an earlier row of a plan, from a time when it still received contributions."""
    return msgspec.structs.replace(
        one,
        status=rules["active"],
        on=one.on - timedelta(days=draw.integer(90, 400)),
        balance=one.balance * draw.integer(78, 93) // 100,
        contribution=one.contribution * draw.integer(86, 96) // 100,
    )
