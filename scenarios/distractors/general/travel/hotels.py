"""Rooms held at hotels."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.travel import _travel_rules as rules
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Guest = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .'-]*$", min_length=2, max_length=40)]
Hotel = Literal["harbor_house", "tower_inn", "snowdrop_lodge"]


class RoomHold(Result):
    """A room on hold; ``total_price`` in dollars for the whole stay."""

    hold_id: str
    departure_day: date
    held_until: date
    total_price: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def hold_hotel_room(
    bank: Bank,
    hotel: Hotel,
    room: Literal["single", "double", "family"],
    guest_name: Guest,
    arrival_day: date,
    nights: Annotated[int, Meta(ge=1, le=30)],
    guests: Annotated[int, Meta(ge=1, le=4)] = 1,
    breakfast: bool = False,
    hold_days: Annotated[int, Meta(ge=1, le=14)] = 3,
) -> RoomHold:
    """Put a room of a Teller Valley hotel on hold for a guest, without paying, if one is free for the whole stay.

    Args:
        hotel: The hotel.
        room: Kind of room; a single sleeps 1, a double 2, a family room 4.
        guest_name: Who will stay, in plain letters.
        arrival_day: First day of the stay, within a year from today.
        nights: How many nights.
        guests: How many people share the room.
        breakfast: Whether everybody has breakfast.
        hold_days: For how many days to hold it, at most until arrival.
    """
    house, beds = shared.table("travel")["hotels"][hotel], shared.table("travel")["beds"][room]
    if not 0 <= (arrival_day - bank.today).days <= 365:
        raise invalid("arrival_day", f"expected a day within a year from {bank.today}, got {arrival_day}")
    if guests > beds:
        raise invalid("guests", f"expected at most {beds} in a {room} room, got {guests}; take a larger one")
    leaves = arrival_day + timedelta(nights)
    key = bank.reference("HTL", hotel, room, shared.folded(guest_name), arrival_day.isoformat(), str(nights))
    others = [row for other, row in rules.matching_holds(bank.rows(rules.HOLDS), hotel, None, leaves) if other != key]
    if full := rules.full_night(others, room, arrival_day, nights, house["rooms"][room]):
        raise invalid("arrival_day", f"expected nights with a free {room} room, got {full}, when all are taken")
    price = nights * (house["price"][room] + house["breakfast"] * guests * breakfast)
    until = min(arrival_day, bank.today + timedelta(days=hold_days))
    bank.put(rules.HOLDS, key, rules.hold_record(hotel, room, guest_name, (arrival_day, leaves), until, price))
    return RoomHold(hold_id=key, departure_day=leaves, held_until=until, total_price=price)


class HeldRooms(Result):
    """At most eight holds by arrival; ``holds_found`` and ``total_price`` (dollars) count all."""

    holds: list[str]
    holds_found: int
    total_price: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_hotel_holds(
    bank: Bank, hotel: Hotel | None = None, guest_name: Guest | None = None, arriving_until: date | None = None
) -> HeldRooms:
    """List hotel rooms on hold by arrival, such as "HTL-482913: tower_inn double, Ann Lee, 2026-05-01 to 2026-05-04".

    Args:
        hotel: Only this hotel.
        guest_name: Only this guest.
        arriving_until: Only stays that begin on this day or before.
    """
    found = rules.matching_holds(bank.rows(rules.HOLDS), hotel, guest_name, arriving_until or date.max)
    total = sum(row["total_price"] for _, row in found)
    return HeldRooms(holds=[rules.hold_line(*hold) for hold in found[:8]], holds_found=len(found), total_price=total)
