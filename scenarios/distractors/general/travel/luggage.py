"""Luggage: what goes in and what it costs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.travel import _travel_rules as rules
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Kilograms = Annotated[float, Meta(ge=0, le=100)]
Centimetres = Annotated[float, Meta(ge=1, le=200)]


class LuggageCheck(Result):
    """``fee`` in dollars; it is null if something may not fly."""

    accepted: bool
    fee: int | None
    remarks: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def check_luggage_allowance(
    bank: Bank,
    fare: Literal["light", "standard", "flex", "business"],
    checked_weights_kg: Annotated[list[Kilograms], Meta(max_length=6)],
    cabin_weight_kg: Kilograms,
    cabin_length_cm: Centimetres,
    cabin_width_cm: Centimetres,
    cabin_height_cm: Centimetres,
    frequent_flyer: bool = False,
) -> LuggageCheck:
    """Check luggage against the rules of Gullwing Air and work out the fee for what is too much.

    Args:
        fare: The fare of the ticket.
        checked_weights_kg: Weight of every checked piece.
        cabin_weight_kg: Weight of the cabin bag; one that is too heavy or too large is checked in.
        cabin_length_cm: One side of the cabin bag; sides may be given in any order.
        cabin_width_cm: Another side.
        cabin_height_cm: The third side.
        frequent_flyer: Whether one piece more is free.
    """
    fits = rules.fits_cabin(fare, cabin_weight_kg, (cabin_length_cm, cabin_width_cm, cabin_height_cm))
    pieces = checked_weights_kg + [cabin_weight_kg] * (not fits)
    remarks = ["the cabin bag is too heavy or too large and is checked in"] * (not fits)
    if max(pieces, default=0) > (heaviest := shared.table("travel")["airline"]["heaviest"]):
        remarks.append(f"no piece may weigh more than {heaviest} kg; repack it")
        return LuggageCheck(accepted=False, fee=None, remarks=remarks)
    fee, reasons = rules.luggage_fee(fare, pieces, int(frequent_flyer))
    return LuggageCheck(accepted=True, fee=fee, remarks=remarks + reasons)


class PackingList(Result):
    """Items as "2 × shirt"; the weight has one decimal."""

    items: list[str]
    total_kg: float


@tool(category=Category.GENERAL_DISTRACTOR)
def list_packing_items(
    bank: Bank,
    days: Annotated[int, Meta(ge=1, le=60)],
    weather: Literal["warm", "mild", "cold", "rainy"],
    trip: Literal["city", "beach", "hike", "business"],
    travellers: Annotated[int, Meta(ge=1, le=8)] = 1,
    wash_every_days: Annotated[int, Meta(ge=2, le=30)] | None = None,
) -> PackingList:
    """List what to pack for a trip, and how much it weighs in all.

    Args:
        days: Length of the trip.
        weather: What weather to expect.
        trip: What the trip is for.
        travellers: How many people travel.
        wash_every_days: How often clothes can be washed, if at all.
    """
    items = rules.packed(days, min(days, wash_every_days or days), travellers, weather, trip)
    total = round(sum(grams for _, _, grams in items) / 1000, 1)
    return PackingList(items=[f"{count} × {item}" for item, count, _ in items], total_kg=total)
