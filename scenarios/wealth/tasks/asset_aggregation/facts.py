"""Draws the facts for an asset aggregation: a client's accounts on the statements of three institutions."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class BankAccount(msgspec.Struct, frozen=True):
    """A bank account, with the balance in hundredths of its currency."""

    number: str
    product: str
    status: str
    currency: str
    balance: int


class LinkedAccount(msgspec.Struct, frozen=True):
    """An account at another institution that the bank lists, with the balance reported to the bank in cents."""

    number: str
    product: str
    institution: str
    balance: int


class Position(msgspec.Struct, frozen=True):
    """A holding, with the quantity in thousandths of a unit and the price in hundredths of a cent."""

    security: str
    quantity: int
    price: int


class BrokerageAccount(msgspec.Struct, frozen=True):
    """An account at the custodian, with its cash in cents."""

    number: str
    kind: str
    positions: tuple[Position, ...]
    cash: int


class Statement(msgspec.Struct, frozen=True):
    """A custodian statement."""

    day: date
    accounts: tuple[BrokerageAccount, ...]


class PensionAccount(msgspec.Struct, frozen=True):
    """A pension account.

    Contributions include returns and are in cents, ``vested`` is a percentage.
    """

    number: str
    plan: str
    own: int
    employer: int
    vested: int


class Facts(msgspec.Struct, frozen=True):
    """A client's statements, in the order of the documents.

    Attributes:
        day: date of the bank statement and the pension statement.
        closing, average: exchange rates in dollars per 10,000 euros.
        statements: the custodian statements, in the order of the files.
        writings: formats of account numbers at the bank, the custodian and the pension provider.
    """

    bank: str
    custodian: str
    provider: str
    day: date
    closing: int
    average: int
    accounts: tuple[BankAccount, ...]
    linked: tuple[LinkedAccount, ...]
    statements: tuple[Statement, ...]
    pensions: tuple[PensionAccount, ...]
    writings: tuple[int, int, int]


WRITINGS = 4
"""Number of account number formats."""

_BANKS = ("Harvest State Bank", "Old Ferry Bank", "First Prairie Bank", "Juniper Valley Bank", "Granite Falls Bank")
_CUSTODIANS = ("Alderbrook Custody", "Northlight Securities", "Ridgeway Brokerage", "Copperfield Custody Services")
_PROVIDERS = ("Cedar Plan Services", "Longview Retirement Trust", "Millstone Pension Services", "Oakline Plan Trust")
_UNIONS = ("Bluewater Credit Union", "Teachers Mutual Credit Union", "Lakeshore Credit Union", "Foundry Credit Union")
_PRODUCTS = (
    ("Everyday Checking", 2_000, 26_000),
    ("Premier Savings", 8_000, 120_000),
    ("Money Market Savings", 5_000, 90_000),
    ("12-Month Certificate", 10_000, 60_000),
    ("IRA Certificate", 6_000, 70_000),
    ("Household Checking", 1_000, 12_000),
    ("Holiday Savings", 400, 9_000),
)
_UNION_PRODUCTS = ("Share Savings", "Share Certificate", "IRA Share Certificate", "Share Checking")
_TAXABLE = ("Individual", "Individual Margin", "Managed Portfolio")
_IRAS = ("Traditional IRA", "Roth IRA", "SEP IRA", "Rollover IRA")
_SECURITIES = (
    "Total Market Index Fund",
    "Intermediate Treasury Fund",
    "International Equity Fund",
    "Real Estate Income Fund",
    "Large Company Growth Fund",
    "Short-Term Bond Fund",
    "Small Company Value Fund",
    "Dividend Equity Fund",
    "Emerging Markets Fund",
    "Inflation-Protected Bond Fund",
)
_PLANS = ("401(k) Savings Plan", "403(b) Plan", "Profit Sharing Plan", "Thrift Plan", "Deferred Savings Plan")


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    day = world.today - timedelta(days=draw.integer(4, 25))
    closing = draw.integer(10_250, 11_790)
    average = closing + draw.choice((-1, 1)) * draw.integer(35, 240)
    statements = _statements(draw, day)
    pensions = _pensions(draw)
    latest = max(statements, key=lambda one: one.day)
    institutions = (draw.choice(_BANKS), draw.choice(_CUSTODIANS), draw.choice(_PROVIDERS))
    linked = _linked(draw, latest, pensions, institutions)
    writings = shuffled(draw, range(WRITINGS))
    return Facts(
        *institutions,
        day,
        closing,
        average,
        _accounts(draw, rules),
        linked,
        statements,
        pensions,
        (writings[0], writings[1], writings[2]),
    )


def _accounts(draw: Draw, rules: Rules) -> tuple[BankAccount, ...]:
    chosen = shuffled(draw, _PRODUCTS)[: draw.integer(4, 5)]
    start = draw.integer(10, 98)
    found = [
        BankAccount(
            f"{start}{draw.integer(10_000_000, 99_999_999)}",
            product,
            "Open" if number else rules["closed"],
            "USD",
            draw.integer(low * 100, high * 100),
        )
        for number, (product, low, high) in enumerate(chosen)
    ]
    euros = draw.integer(300_000, 4_800_000)
    found.append(
        BankAccount(
            f"{start}{draw.integer(10_000_000, 99_999_999)}", "Travel and Currency Account", "Open", "EUR", euros
        )
    )
    return tuple(shuffled(draw, found))


def _statements(draw: Draw, day: date) -> tuple[Statement, ...]:
    """Draw two custodian statements in random order."""
    kinds = [*shuffled(draw, _TAXABLE)[: draw.integer(1, 2)], draw.choice(_IRAS)]
    prefix = _letters(draw)
    accounts = [
        BrokerageAccount(_number(draw, prefix), kind, _positions(draw, draw.integer(3, 5)), _cash(draw))
        for kind in kinds
    ]
    accounts[0] = msgspec.structs.replace(accounts[0], positions=_rounded_positions(draw))
    gone = BrokerageAccount(_number(draw, prefix), draw.choice(_TAXABLE), _positions(draw, 2), _cash(draw))
    later = Statement(day, tuple(shuffled(draw, accounts)))
    before = day - timedelta(days=draw.integer(28, 130))
    earlier = Statement(before, tuple(shuffled(draw, [*(_earlier(draw, one) for one in accounts), gone])))
    return (later, earlier) if draw.chance(0.5) else (earlier, later)


def _positions(draw: Draw, count: int) -> tuple[Position, ...]:
    return tuple(_position(draw, security) for security in shuffled(draw, _SECURITIES)[:count])


def _position(draw: Draw, security: str) -> Position:
    quantity = draw.integer(8, 900) * 1_000 if draw.chance(0.4) else draw.integer(8_000, 900_000)
    return Position(security, quantity, draw.integer(90_000, 3_400_000))


def _rounded_positions(draw: Draw) -> tuple[Position, ...]:
    """Draw positions whose value differs by at least two cents if only their sum is rounded."""
    while True:
        found = _positions(draw, 7)
        exact = [Fraction(one.quantity * one.price, 10**5) for one in found]
        if abs(sum(map(round_half_up, exact)) - round_half_up(sum(exact, Fraction()))) >= 2:
            return found


def _earlier(draw: Draw, account: BrokerageAccount) -> BrokerageAccount:
    positions = tuple(
        Position(
            one.security,
            one.quantity if draw.chance(0.6) else one.quantity - draw.integer(1, 7) * 1_000,
            one.price * draw.integer(900, 1_080) // 1_000 + 1,
        )
        for one in account.positions
    )
    return msgspec.structs.replace(account, positions=positions, cash=_cash(draw))


def _pensions(draw: Draw) -> tuple[PensionAccount, ...]:
    prefix, plans = _letters(draw), shuffled(draw, _PLANS)
    found = [
        PensionAccount(
            _number(draw, prefix),
            plans[number],
            draw.integer(900_000, 24_000_000),
            draw.integer(400_000, 9_000_000),
            draw.choice((20, 40, 60, 80) if number == 0 else (40, 80, 100)),
        )
        for number in range(draw.integer(1, 2))
    ]
    return tuple(shuffled(draw, found))


def _linked(
    draw: Draw, latest: Statement, pensions: tuple[PensionAccount, ...], institutions: tuple[str, str, str]
) -> tuple[LinkedAccount, ...]:
    """Draw linked accounts: one also at the custodian, one without a statement, and sometimes a pension account."""
    _, custodian, provider = institutions
    account = draw.choice(latest.accounts)
    found = [
        LinkedAccount(account.number, f"{account.kind} Account", custodian, draw.integer(1_000_000, 40_000_000)),
        LinkedAccount(
            _number(draw, _letters(draw)),
            draw.choice(_UNION_PRODUCTS),
            draw.choice(_UNIONS),
            draw.integer(150_000, 4_500_000),
        ),
    ]
    if draw.chance(0.4):
        pension = draw.choice(pensions)
        found.append(LinkedAccount(pension.number, pension.plan, provider, pension.own + pension.employer))
    return tuple(shuffled(draw, found))


def _cash(draw: Draw) -> int:
    return draw.integer(12_000, 2_600_000)


def _letters(draw: Draw) -> str:
    return "".join(draw.choice("ABCDEFGHKLMNPRSTWX") for _ in range(2))


def _number(draw: Draw, prefix: str) -> str:
    return f"{prefix}{draw.integer(10_000_000, 99_999_999)}"
