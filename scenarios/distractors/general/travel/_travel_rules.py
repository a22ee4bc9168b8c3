"""Rules behind the travel tools: tolls, luggage, packing, rounds of stops, free hotel rooms."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise
from math import ceil

from teller_gym.scenarios.distractors.general._places_and_times import folded, great_circle_km, table
from teller_gym.tools.bank import Record

Place = tuple[float, float]

ROOF_LOADS = {"none": 0, "bicycles": 10, "roof_box": 18}
"""Percent of fuel that a load on the roof costs."""

HOLDS = "misc_hotel_holds"


def toll_cents(way: tuple[int, int], vehicle: str, axles: int, at_night: bool, toll_tag: bool) -> tuple[int, bool]:
    """Return the toll between two kilometres of the turnpike, and whether its bridge lies between them."""
    rules = table("travel")["tolls"]
    start, end = sorted(way)
    percent = (rules["night_percent"] if at_night else 100) * (rules["tag_percent"] if toll_tag else 100)
    cents = (end - start) * (rules["cents"][vehicle] + (axles - 2) * rules["axle_cents"])
    bridge = start < rules["exits"][rules["bridge_exit"]] <= end
    return (cents * percent + 5000) // 10_000 + (rules["bridge_cents"] if bridge else 0), bridge


def luggage_fee(fare: str, pieces: list[float], free_pieces: int) -> tuple[int, list[str]]:
    """Return the fee in dollars for checked pieces, and what it is for."""
    rules = table("travel")["airline"]
    allowed = rules["fares"][fare]
    extra = max(0, len(pieces) - allowed["pieces"] - free_pieces)
    heavy = sum(weight > allowed["each"] for weight in pieces)
    remarks = [f"pieces above the allowance: {extra}"] * (extra > 0) + [f"overweight pieces: {heavy}"] * (heavy > 0)
    return extra * rules["extra_piece_fee"] + heavy * rules["overweight_fee"], remarks


def packed(days: int, sets: int, travellers: int, weather: str, trip: str) -> list[tuple[str, int, int]]:
    """Return (item, how many, grams in all) for a trip with so many sets of clothes."""
    items = []
    for row in table("travel")["packing"]:
        if weather in row.get("weather", [weather]) and trip in row.get("trip", [trip]):
            each = ceil(sets / row["sets_each"]) if "sets_each" in row else ceil(days / row.get("days_each", days))
            count = (each + row.get("spare", 0)) * (1 if row.get("shared") else travellers)
            items.append((row["item"], count, count * row["grams"]))
    return items


def nearest_first(places: list[Place]) -> list[int]:
    """Return the order in which a round goes from the first place always on to the nearest that is left."""
    order, left = [0], list(range(1, len(places)))
    while left:
        order.append(min(left, key=lambda place: great_circle_km(places[order[-1]], places[place])))
        left.remove(order[-1])
    return order


def leg_lengths(places: list[Place], order: list[int]) -> list[float]:
    """Return the kilometres from each stop of a round to the next."""
    return [great_circle_km(places[a], places[b]) for a, b in pairwise(order)]


def full_night(holds: Iterable[Record], room: str, arrival: date, nights: int, rooms: int) -> date | None:
    """Return the first night of a stay on which all rooms of a kind are on hold already, if there is one."""
    stays = [(row["arrival_day"], row["departure_day"]) for row in holds if row["room"] == room]
    for night in (arrival + timedelta(days=number) for number in range(nights)):
        if sum(start <= night.isoformat() < end for start, end in stays) >= rooms:
            return night
    return None


def fits_cabin(fare: str, weight: float, sides: tuple[float, float, float]) -> bool:
    """Whether a bag may be taken into the cabin; it may be turned."""
    airline = table("travel")["airline"]
    turned = zip(sorted(sides, reverse=True), airline["cabin_size"], strict=True)
    return weight <= airline["fares"][fare]["cabin"] and all(side <= most for side, most in turned)


def matching_holds(
    rows: Iterable[tuple[str, Record]], hotel: str | None, guest: str | None, until: date
) -> list[tuple[str, Record]]:
    """Return the holds of a hotel and a guest that begin until a day, by arrival."""
    found = [
        (key, row)
        for key, row in rows
        if row["hotel"] == (hotel or row["hotel"])
        and (guest is None or folded(guest) == folded(row["guest_name"]))
        and row["arrival_day"] <= until.isoformat()
    ]
    return sorted(found, key=lambda item: (item[1]["arrival_day"], item[0]))


def hold_line(key: str, row: Record) -> str:
    """Return a hold as people read it."""
    stay = f"{row['arrival_day']} to {row['departure_day']}"
    return f"{key}: {row['hotel']} {row['room']}, {row['guest_name']}, {stay}"


def hold_record(hotel: str, room: str, guest: str, stay: tuple[date, date], until: date, price: int) -> Record:
    """Return a hold as the bank keeps it; the second day of the stay is that of departure."""
    arrival, departure = (day.isoformat() for day in stay)
    record: Record = {"owner": "misc", "hotel": hotel, "room": room, "guest_name": " ".join(guest.split())}
    record |= {"arrival_day": arrival, "departure_day": departure, "held_until": until.isoformat()}
    return record | {"total_price": price}
