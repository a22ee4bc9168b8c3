"""Travel money, and facts of its currency."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, gcd
from typing import Annotated

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import find_currency, rate_card, rounded
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Amount, Code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class NoteCount(msgspec.Struct):
    """Some notes of one value."""

    note: float
    count: int


class NotePlan(Result):
    """Notes in one traveler's envelope; ``not_in_notes`` is the part of the whole amount that no envelope holds."""

    envelope: list[NoteCount]
    envelope_amount: float
    notes_in_all: int
    not_in_notes: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def plan_travel_notes(
    bank: Bank,
    currency: Code,
    amount: Amount,
    travelers: Annotated[int, Meta(ge=1, le=60)] = 1,
    largest_note: Annotated[float, Meta(ge=0.5, le=50_000)] | None = None,
) -> NotePlan:
    """Plan travel money in banknotes: equal envelopes that come as close to the amount as notes can, with the fewest
    notes. Only notes that the counters stock are used.

    Args:
        currency: ISO 4217 code of the travel money.
        amount: Foreign money for all travelers together.
        travelers: Number of envelopes.
        largest_note: Leave out notes above this value.
    """
    money = find_currency(currency, "currency")
    scale = 10**money.decimals
    notes = [int(note * scale) for note in money.notes if largest_note is None or note <= Decimal(repr(largest_note))]
    if not notes:
        raise invalid("largest_note", f"expected at least {money.notes[0]} {currency}, got {largest_note}")
    counts = fewest_notes(floor(exact(amount) * scale / travelers), notes)
    if not counts:
        raise invalid("amount", f"expected at least {money.notes[0]} {currency} for each traveler, got {amount}")
    filled = sum(note * count for note, count in counts.items())
    return NotePlan(
        envelope=[NoteCount(note / scale, counts[note]) for note in reversed(notes) if note in counts],
        envelope_amount=filled / scale,
        notes_in_all=sum(counts.values()) * travelers,
        not_in_notes=rounded(exact(amount) - Fraction(filled * travelers, scale), 3),
    )


def fewest_notes(target: int, notes: list[int]) -> dict[int, int]:
    """Return counts by note of the largest payable sum up to the target; ``notes`` ascend."""
    unit, largest = gcd(*notes), notes[-1]
    # Among the last few multiples of the largest note, taking it first can be wrong: 60 is three 20s, not a 50.
    bulk = max(0, target // largest - 3)
    counts = {largest: bulk} if bulk else {}
    fewest: dict[int, tuple[int, int]] = {0: (0, 0)}
    for value in range(unit, target - bulk * largest + 1, unit):
        ways = [(fewest[value - note][0] + 1, -note) for note in notes if value - note in fewest]
        if ways:
            used, note = min(ways)
            fewest[value] = (used, -note)
    value = max(fewest)
    while value:
        note = fewest[value][1]
        counts[note] = counts.get(note, 0) + 1
        value -= note
    return counts


class CurrencyFacts(Result):
    """The ISO 4217 entry, the smallest coin in use, and the notes that the counters stock."""

    code: str
    numeric_code: str
    name: str
    issuer: str
    decimals: int
    smallest_coin: float
    stocked_notes: list[float]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def get_currency_facts(
    bank: Bank, currency_code: Annotated[str, Meta(pattern="^([A-Z]{3}|[0-9]{3})$", max_length=3)]
) -> CurrencyFacts:
    """Look up a currency of the rate card by its letters or its number: name, issuer, decimals, coins and notes.

    Args:
        currency_code: ISO 4217 code, three letters such as CHF or three digits such as 756.
    """
    by_number = {currency.numeric: currency.code for currency in rate_card().currencies}
    money = find_currency(by_number.get(currency_code, currency_code), "currency_code")
    return CurrencyFacts(
        code=money.code,
        numeric_code=money.numeric,
        name=money.name,
        issuer=money.issuer,
        decimals=money.decimals,
        smallest_coin=float(money.smallest_coin),
        stocked_notes=[float(note) for note in money.notes],
    )
