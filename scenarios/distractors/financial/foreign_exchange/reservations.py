"""Foreign notes reserved at a counter."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, to_cents, usd
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import (
    find_currency,
    find_pair,
    rate_between,
    rounded,
)
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

Counter = Literal["north_tower", "harbor_hall", "airport_desk"]

_TABLE = "misc_note_reservations"
_LISTED = 15
_PICKUP_DAYS = range(2, 61)


class NoteReservation(Result):
    """The reservation; ``dollars_due`` is paid when the notes are collected."""

    reservation_id: str
    foreign_amount: float
    dollars_due: Money
    last_pickup_date: date
    status: Literal["reserved"]


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def reserve_foreign_notes(
    bank: Bank,
    counter: Counter,
    currency: Code,
    note_value: Annotated[float, Meta(ge=0.5, le=50_000)],
    note_count: Annotated[int, Meta(ge=1, le=500)],
    pickup_date: date,
    collector_name: Annotated[str, Meta(min_length=1, max_length=60)],
    hold_days: Annotated[int, Meta(ge=0, le=10)] = 3,
) -> NoteReservation:
    """Reserve foreign banknotes of one value at a counter of the bank's tower, to be paid in dollars on collection at
    the counter rate of the house rate card.

    Args:
        counter: Where the notes are collected.
        currency: ISO 4217 code of the notes.
        note_value: Face value of a note, one that the counters stock.
        note_count: How many notes.
        pickup_date: Day of collection, from 2 to 60 days after today.
        collector_name: Who collects them.
        hold_days: Days after the day of collection for which the notes are kept.
    """
    home, base = find_pair("USD", currency, "the dollars due", "currency")
    if Decimal(repr(note_value)) not in base.notes:
        stocked = ", ".join(map(str, base.notes))
        raise invalid("note_value", f"expected a note that is stocked in {currency} ({stocked}), got {note_value}")
    if (pickup_date - bank.today).days not in _PICKUP_DAYS:
        raise invalid("pickup_date", f"expected a day from 2 to 60 days after {bank.today}, got {pickup_date}")
    if not collector_name.strip():
        raise invalid("collector_name", "expected a name, got only spaces")
    amount = exact(note_value) * note_count
    due = rounded(amount * rate_between(base, home, "customer_buys_base"), 2)
    last_day = pickup_date + timedelta(days=hold_days)
    order = {
        "counter": counter,
        "currency": currency,
        "note_value": note_value,
        "note_count": note_count,
        "pickup_date": pickup_date.isoformat(),
        "collector_name": collector_name.strip(),
        "last_pickup_date": last_day.isoformat(),
    }
    key = bank.reference("NOTE", *map(str, order.values()))
    bank.put(_TABLE, key, {"owner": "misc", **order, "dollars_due": due, "status": "reserved"})
    return NoteReservation(
        reservation_id=key, foreign_amount=float(amount), dollars_due=due, last_pickup_date=last_day, status="reserved"
    )


class ReservedNotes(msgspec.Struct):
    """One line of the list of reservations."""

    reservation_id: str
    counter: str
    currency: str
    note_value: float
    note_count: int
    pickup_date: date
    dollars_due: Money


class NoteReservations(Result):
    """The reservations by day; at most 15 are shown, the totals take in all of them."""

    reservations: list[ReservedNotes]
    reservation_count: int
    total_dollars_due: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_note_reservations(
    bank: Bank, counter: Counter | None = None, currency: Code | None = None, pickup_until: date | None = None
) -> NoteReservations:
    """List reservations of foreign banknotes by day of collection, with what is due for them in dollars.

    Args:
        counter: Only those of one counter.
        currency: Only those in one currency, by its ISO 4217 code.
        pickup_until: Only those collected on or before this day.
    """
    if currency is not None:
        find_currency(currency, "currency")
    found = [
        msgspec.convert({**row, "reservation_id": key}, ReservedNotes)
        for key, row in bank.rows(_TABLE)
        if counter in (None, row["counter"]) and currency in (None, row["currency"])
    ]
    due = [line for line in found if pickup_until is None or line.pickup_date <= pickup_until]
    due.sort(key=lambda line: (line.pickup_date, line.reservation_id))
    return NoteReservations(
        reservations=due[:_LISTED],
        reservation_count=len(due),
        total_dollars_due=usd(sum(to_cents(line.dollars_due) for line in due)),
    )
