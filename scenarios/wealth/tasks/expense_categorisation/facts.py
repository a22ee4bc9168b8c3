"""Draws the facts for an expense categorisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class Transaction(msgspec.Struct, frozen=True):
    """A row of the transactions table.

    ``cents`` is negative for spending.
    """

    id: str
    made: date
    posted: date
    account: str
    description: str
    cents: int
    status: str


class Rule(msgspec.Struct, frozen=True):
    """A categorisation rule.

    Rules are tried in the order of their numbers.
    """

    number: int
    words: str
    category: str


class Accounts(msgspec.Struct, frozen=True):
    """Account names in descriptions.

    ``relative`` belongs to a relative, and ``savings`` is not exported.
    """

    checking: str
    card: str
    savings: str
    relative: str

    @property
    def own(self) -> tuple[str, str, str]:
        """Names of the client's own accounts."""
        return self.checking, self.card, self.savings


class Facts(msgspec.Struct, frozen=True):
    """A quarter with the rules and transactions, in the order of the documents."""

    year: int
    quarter: int
    accounts: Accounts
    rules: tuple[Rule, ...]
    transactions: tuple[Transaction, ...]

    @property
    def period(self) -> str:
        """Quarter such as ``Q3 2026``, as in the request."""
        return f"Q{self.quarter} {self.year}"

    @property
    def start(self) -> date:
        return date(self.year, 3 * self.quarter - 2, 1)

    @property
    def end(self) -> date:
        return _quarter_end(self.year, self.quarter)


PAIRS: Final = (
    (("harbor", "Dining"), ("harbor hardware", "Home")),
    (("fernwood", "Groceries"), ("fernwood fuel", "Transport")),
    (("park", "Transport"), ("parkside pharm", "Health")),
    (("club", "Leisure"), ("book club", "Education")),
    (("marigold", "Shopping"), ("marigold cafe", "Dining")),
)
"""Pairs of rules that match the same description, so that their order matters."""
RULES: Final = (
    ("orchard grocer", "Groceries"), ("pantry", "Groceries"), ("noodle", "Dining"), ("bistro", "Dining"),
    ("transit", "Transport"), ("tollway", "Transport"), ("dental", "Health"), ("clinic", "Health"),
    ("electric", "Utilities"), ("water util", "Utilities"), ("broadband", "Utilities"), ("garden center", "Home"),
    ("plumb", "Home"), ("insur", "Insurance"), ("cinema", "Leisure"), ("stream", "Leisure"), ("tuition", "Education"),
    ("outfit", "Shopping"), ("shuttle", "Travel"), ("airline", "Travel"), ("lodge", "Travel"),
)  # fmt: skip
SHORT: Final = ("HARBOR GRILL", "FERNWOOD MARKET", "CITY PARK GARAGE", "TENNIS CLUB", "MARIGOLD LINENS")
"""Descriptions that only the first rule of each pair matches."""
LONG: Final = ("HARBOR HARDWARE", "FERNWOOD FUEL", "PARKSIDE PHARMACY", "RIVERSIDE BOOK CLUB", "MARIGOLD CAFE")
"""Descriptions that both rules of each pair match."""
PAYEES: Final = (
    ("ORCHARD GROCER", 25, 210), ("PANTRY LANE", 18, 160), ("NOODLE HOUSE", 14, 75), ("BISTRO ALDER", 35, 180),
    ("NORTH TRANSIT", 5, 60), ("EASTERN TOLLWAY", 4, 40), ("BRIGHT DENTAL CARE", 60, 420), ("HILLTOP CLINIC", 30, 260),
    ("PRAIRIE ELECTRIC", 70, 240), ("VALLEY WATER UTILITY", 35, 120), ("SWIFT BROADBAND", 45, 110),
    ("ROSE GARDEN CENTER", 20, 190), ("REDFERN PLUMBING", 90, 640), ("SHIELD INSURANCE", 80, 390),
    ("STARLIGHT CINEMA", 15, 80), ("PINE STREAMING", 8, 30), ("LAKEVIEW TUITION", 150, 900),
    ("ALPINE OUTFITTERS", 30, 320), ("AIRPORT TRANSFER SHUTTLE", 25, 90), ("CARDINAL AIRLINES", 180, 1_100),
    ("CEDAR LODGE", 120, 780),
)  # fmt: skip
"""Payees that match `RULES`, in the same order, with the range of payments in dollars."""
UNKNOWN: Final = ("SHOE REPAIR DESK", "NOTARY OFFICE", "DRY CLEANERS", "KEYSMITH", "PET GROOMING", "NEWSSTAND")
"""Descriptions that no rule matches."""
_REFUNDS: Final = ("ALPINE OUTFITTERS", "ROSE GARDEN CENTER", "ORCHARD GROCER", "CEDAR LODGE", "CARDINAL AIRLINES")
_DROPPED: Final = 3
"""Number of `RULES` missing from the document, so that their payees have no category."""
_EXPORTED_AFTER: Final = 5
"""Number of days from the end of the quarter to the export, which therefore contains later postings."""


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a client's facts such that every rule of the chapter affects the answer."""
    year, quarter = _quarter_before(world.today - timedelta(days=_EXPORTED_AFTER))
    names = shuffled(draw, range(1_000, 9_990, 7))[:4]
    accounts = Accounts(*(f"x{digits + draw.integer(0, 6)}" for digits in names))
    kept = shuffled(draw, RULES)[_DROPPED:]
    facts = Facts(year, quarter, accounts, _rules(draw, accounts, kept), ())
    return msgspec.structs.replace(facts, transactions=_transactions(facts, draw, rules))


def _quarter_before(day: date) -> tuple[int, int]:
    """Return the year and number of the last quarter that ended before ``day``."""
    quarter = (day.month - 1) // 3
    return (day.year, quarter) if quarter else (day.year - 1, 4)


def _quarter_end(year: int, quarter: int) -> date:
    following = date(year + 1, 1, 1) if quarter == 4 else date(year, 3 * quarter + 1, 1)
    return following - timedelta(days=1)


def _rules(draw: Draw, accounts: Accounts, kept: Sequence[tuple[str, str]]) -> tuple[Rule, ...]:
    """Draw the rules in an order that differs from their numbers."""
    words = [*(one for pair in PAIRS for one in pair), *kept, (accounts.relative, "Family")]
    # The longer rule is second in one pair and first in the other; in both, the orders of lines and numbers differ.
    (short, longer), (other, other_longer) = shuffled(draw, PAIRS)[:2]
    numbered = _ordered(draw, words, ((short, longer), (other_longer, other)))
    lines = _ordered(draw, words, ((longer, short), (other, other_longer)))
    return tuple(Rule(numbered.index(one) + 1, *one) for one in lines)


def _ordered(
    draw: Draw, words: Sequence[tuple[str, str]], pairs: Sequence[tuple[tuple[str, str], tuple[str, str]]]
) -> list[tuple[str, str]]:
    """Shuffle the rules, with each pair in the given order."""
    found = shuffled(draw, words)
    for first, second in pairs:
        one, two = sorted((found.index(first), found.index(second)))
        found[one], found[two] = first, second
    return found


@dataclass
class _Export:
    """Draws rows of the export, by default in the reported quarter."""

    facts: Facts
    draw: Draw
    rules: Rules

    def row(self, description: str, cents: int, posted: date | None = None, lag: int | None = None) -> Transaction:
        """Draw a row for a transaction made ``lag`` days before it was posted."""
        draw, accounts = self.draw, self.facts.accounts
        posted = posted or draw.day(self.facts.start, self.facts.end)
        made = posted - timedelta(days=draw.integer(0, 3) if lag is None else lag)
        account = draw.choice((accounts.checking, accounts.card))
        number = draw.identifier("TX")
        return Transaction(number, made, posted, account, description, cents, self.rules["posted"])

    def bought(self, posted: date | None = None, lag: int | None = None) -> Transaction:
        """Draw a purchase from a random payee."""
        name, low, high = self.draw.choice(PAYEES)
        return self.row(self.written(name), -self.draw.integer(low * 100, high * 100), posted, lag)

    def small(self, name: str) -> Transaction:
        """Draw a small purchase."""
        return self.row(self.written(name), -self.draw.integer(600, 14_000))

    def written(self, name: str) -> str:
        """Format a name as banks do."""
        return f"{self.draw.choice(('', '', 'POS ', 'WEB '))}{name}{self.draw.choice(('', f' #{self.draw.digits(4)}'))}"


def _transactions(facts: Facts, draw: Draw, rules: Rules) -> tuple[Transaction, ...]:
    export = _Export(facts, draw, rules)
    found = [export.bought() for _ in range(draw.integer(12, 22))]
    found += [export.small(name) for name in (*SHORT, *LONG, *shuffled(draw, UNKNOWN)[:3])]
    found += [export.row(f"REFUND {name}", draw.integer(900, 16_000)) for name in shuffled(draw, _REFUNDS)[:3]]
    twice = draw.choice(found)
    # Two purchases that differ only in their ids, and rows repeated by overlapping exports.
    found.append(msgspec.structs.replace(twice, id=draw.identifier("TX")))
    found += shuffled(draw, found)[:2]
    found += [*_between_accounts(export), *_at_the_edges(export), *_pending(export, found)]
    # Sorted by posting date, with the rows of one day in random order.
    return tuple(sorted(shuffled(draw, found), key=lambda one: one.posted))


def _between_accounts(export: _Export) -> list[Transaction]:
    """Draw transfers, including both sides of a card payment, and payments that look like transfers."""
    draw, accounts = export.draw, export.facts.accounts
    card, saved, fund, taken = (draw.integer(30_000, 240_000) for _ in range(4))
    paid = export.row(f"ONLINE PAYMENT TO {accounts.card.upper()}", -card, lag=0)
    received = export.row(f"PAYMENT RECEIVED {accounts.checking.upper()} THANK YOU", card, paid.posted, 0)
    rows = [
        (f"TRANSFER TO {accounts.savings.upper()}", -saved, accounts.checking),
        (f"TRANSFER TO {accounts.savings.upper()} INSURANCE FUND", -fund, accounts.checking),
        (f"TRANSFER FROM {accounts.savings.upper()}", taken, accounts.checking),
        (f"TRANSFER TO {accounts.relative.upper()}", -draw.integer(8_000, 60_000), accounts.checking),
        (f"ONLINE PAYMENT TO {accounts.relative.upper()}", -draw.integer(8_000, 60_000), accounts.checking),
    ]
    found = [
        msgspec.structs.replace(paid, account=accounts.checking),
        msgspec.structs.replace(received, account=accounts.card),
    ]
    found += [msgspec.structs.replace(export.row(text, cents, lag=0), account=own) for text, cents, own in rows]
    return [*found, export.small("AIRPORT TRANSFER SHUTTLE")]


def _at_the_edges(export: _Export) -> list[Transaction]:
    """Draw purchases around the ends of the quarter, some of them made in one quarter and posted in another."""
    draw, start, end, day = export.draw, export.facts.start, export.facts.end, timedelta(days=1)
    return [
        export.bought(start, draw.integer(1, 3)),
        export.bought(start + day, draw.integer(2, 3)),
        export.bought(end, 0),
        export.bought(end + day, draw.integer(1, 3)),
        export.bought(end + 2 * day, draw.integer(2, 3)),
        export.bought(start - day),
        export.bought(start - draw.integer(2, 6) * day),
    ]


def _pending(export: _Export, posted: Sequence[Transaction]) -> list[Transaction]:
    """Draw pending transactions, the first of which was posted later under another id."""
    again = export.draw.choice(posted)
    day = max(export.facts.start, again.made, again.posted - timedelta(days=1))
    first = msgspec.structs.replace(again, id=export.draw.identifier("TX"), posted=day)
    rows = [first, export.bought(), export.bought()]
    return [msgspec.structs.replace(one, status=export.rules["pending"]) for one in rows]
