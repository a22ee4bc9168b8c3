"""What the tools of foreign exchange answer."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from teller_gym.tools.tool import Money, Result


class CrossRate(Result):
    """Units of the quote currency for one of the base currency, and the other way round."""

    rate: float
    inverse_rate: float
    margin_percent: float
    card_date: date


class CashAmount(Result):
    """What is paid in cash; ``difference`` is the paid amount less the one asked for."""

    cash_amount: float
    difference: float
    smallest_coin: float


class Triangle(Result):
    """``gap_basis_points`` is the implied rate over the quoted one; ``end_amount`` is what the better loop returns."""

    implied_rate: float
    gap_basis_points: float
    within_tolerance: bool
    better_loop: Literal["a_b_c_a", "a_c_b_a"]
    end_amount: float


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


class CurrencyFacts(Result):
    """The ISO 4217 entry, the smallest coin in use, and the notes that the counters stock."""

    code: str
    numeric_code: str
    name: str
    issuer: str
    decimals: int
    smallest_coin: float
    stocked_notes: list[float]


class RateMargin(Result):
    """The margin; above zero it costs the customer, below zero it favors the customer."""

    pips: float
    margin_percent: float
    margin_in_quote: float
    margin_in_base: float
    pip_size: float


class ForeignPrice(msgspec.Struct):
    """A price in one currency."""

    currency: str
    price: float


class PriceList(Result):
    """The prices in the order asked for."""

    prices: list[ForeignPrice]
    card_date: date


class PurchasingPower(Result):
    """``parity_rate`` is away money for one of home money at which both baskets cost the same."""

    home_basket: float
    away_basket: float
    parity_rate: float
    market_rate: float
    away_price_level_percent: float
    cheapest_away: str
    dearest_away: str


class RemittanceOffer(msgspec.Struct):
    """What one partner would do; ``received`` is in the target currency."""

    service: str
    fee: float
    paid: float
    received: float
    hours: int


class RemittanceOffers(Result):
    """The partners that can do it, best first."""

    offers: list[RemittanceOffer]
    services_left_out: int


class NoteReservation(Result):
    """The reservation; ``dollars_due`` is paid when the notes are collected."""

    reservation_id: str
    foreign_amount: float
    dollars_due: Money
    last_pickup_date: date
    status: Literal["reserved"]


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
