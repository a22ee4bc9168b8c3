"""Travel: fuel, trains, ferries, tolls, luggage, packing, jet lag, rounds of sights and hotel rooms on hold."""

from __future__ import annotations

from datetime import date, timedelta
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general import _railway as railway
from teller_gym.scenarios.distractors.general import _travel_rules as rules
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Place = Annotated[str, Meta(min_length=1, max_length=30)]
Guest = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .'-]*$", min_length=2, max_length=40)]
Hotel = Literal["harbor_house", "tower_inn", "snowdrop_lodge"]
Direction = Literal["east", "west"]
Zones = Annotated[int, Meta(ge=1, le=12)]
Nights = Annotated[int, Meta(ge=0, le=7)]
FerryRoute = Literal["harborgate_gull_island", "lantern_bay_gull_island", "lantern_bay_cinder_point"]
Kilograms = Annotated[float, Meta(ge=0, le=100)]
Centimetres = Annotated[float, Meta(ge=1, le=200)]
Litres = Annotated[float, Meta(ge=0, le=1500)]


class FuelPlan(Result):
    """Litres and dollars have two decimals, kilometres one; the first stop is null if none is needed."""

    litres_needed: float
    fuel_stops: int
    first_stop_after_km: float | None
    fuel_cost: float
    litres_left: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_trip_fuel(
    bank: Bank,
    distance_km: Annotated[float, Meta(ge=0.1, le=20_000)],
    litres_per_100_km: Annotated[float, Meta(ge=1, le=60)],
    tank_litres: Annotated[float, Meta(ge=5, le=1500)],
    start_litres: Litres,
    price_per_litre: Annotated[float, Meta(ge=0, le=20)],
    reserve_litres: Litres = 5,
    roof_load: Literal["none", "bicycles", "roof_box"] = "none",
    air_conditioning: bool = False,
) -> FuelPlan:
    """Plan fuel stops of a drive: how much it burns, how often to fill up, where first, and what it costs.
    The tank is filled up at every stop but the last, where only what is missing is bought.

    Args:
        distance_km: Length of the drive in kilometres.
        litres_per_100_km: Consumption with an empty roof.
        tank_litres: What the tank holds.
        start_litres: What is in it at the start.
        price_per_litre: Price of a litre in dollars.
        reserve_litres: What must always stay in the tank.
        roof_load: Bicycles on the roof cost 10 % more fuel, a roof box 18 %.
        air_conditioning: Whether it runs; 5 % more.
    """
    if start_litres > tank_litres:
        raise invalid("start_litres", f"expected at most the tank's {tank_litres} litres, got {start_litres}")
    if reserve_litres > (most := min(tank_litres / 2, start_litres)):
        raise invalid(
            "reserve_litres", f"expected at most {most}, half the tank or what is in it, got {reserve_litres}"
        )
    per_km = litres_per_100_km / 100 * (1 + (rules.ROOF_LOADS[roof_load] + 5 * air_conditioning) / 100)
    needed, usable = distance_km * per_km, start_litres - reserve_litres
    stops = max(0, ceil(round((needed - usable) / (tank_litres - reserve_litres), 9)))
    return FuelPlan(
        litres_needed=round(needed, 2),
        fuel_stops=stops,
        first_stop_after_km=round(usable / per_km, 1) if stops else None,
        fuel_cost=round(needed * price_per_litre, 2),
        litres_left=round(reserve_litres if stops else start_litres - needed, 2),
    )


class TrainConnection(Result):
    """The connection; without one, ``found`` is false and the rest empty."""

    found: bool
    minutes: int | None
    changes: int | None
    legs: list[railway.Leg]


@tool(category=Category.GENERAL_DISTRACTOR)
def find_train_connection(
    bank: Bank,
    from_station: Place,
    to_station: Place,
    depart_after: ClockTime,
    max_changes: Annotated[int, Meta(ge=0, le=3)] = 2,
    change_minutes: Annotated[int, Meta(ge=1, le=60)] = 5,
    weekend: bool = False,
    with_bicycle: bool = False,
) -> TrainConnection:
    """Find the connection that arrives first on the Teller Valley Railway, with the fewest changes among equals.

    Args:
        from_station: Where to start, such as Harborgate.
        to_station: Where to go, such as Snowdrop.
        depart_after: Earliest departure.
        max_changes: How often to change trains at most.
        change_minutes: Least time to change trains.
        weekend: Whether it is Saturday or Sunday, when the express rests.
        with_bicycle: Whether only trains that carry bicycles will do.
    """
    origin = shared.known_name(from_station, railway.stations(), "from_station")
    goal = shared.known_name(to_station, railway.stations(), "to_station")
    if origin == goal:
        raise invalid("to_station", f"expected another station than {origin}")
    trip = railway.first_to_arrive(origin, goal, depart_after, max_changes, change_minutes, weekend, with_bicycle)
    if trip is None:
        return TrainConnection(found=False, minutes=None, changes=None, legs=[])
    minutes = shared.minutes_of(trip[-1].arrives) - shared.minutes_of(trip[0].departs)
    return TrainConnection(found=True, minutes=minutes, changes=len(trip) - 1, legs=list(trip))


class FerrySailings(Result):
    """Sailings of the day that are still to come, earliest first."""

    season: Literal["summer", "winter"]
    departures: list[str]
    arrivals: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def list_ferry_sailings(bank: Bank, route: FerryRoute, day: date, depart_after: ClockTime = "00:00") -> FerrySailings:
    """List the sailings of a Teller Valley ferry on a day. May to September is summer; Sundays start later.

    Args:
        route: The crossing; ferries leave from both ends at the same times.
        day: The day of travel.
        depart_after: Earliest departure.
    """
    row = shared.table("travel")["ferries"][route]
    season: Literal["summer", "winter"] = "summer" if 5 <= day.month <= 9 else "winter"
    earliest = max(depart_after, row["sunday_first"]) if day.weekday() == shared.SUNDAY else depart_after
    departures = [time for time in row[season] if time >= earliest]
    arrivals = [shared.clock_of(shared.minutes_of(time) + row["minutes"]) for time in departures]
    return FerrySailings(season=season, departures=departures, arrivals=arrivals)


class TollEstimate(Result):
    """Dollars with two decimals."""

    toll: float
    kilometres: int
    crosses_bridge: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_road_toll(
    bank: Bank,
    entry: Place,
    leave_at: Place,
    vehicle: Literal["motorcycle", "car", "van", "bus", "truck"],
    axles: Annotated[int, Meta(ge=2, le=9)] = 2,
    at_night: bool = False,
    toll_tag: bool = False,
) -> TollEstimate:
    """Estimate the toll on the Valley Turnpike: by kilometre and vehicle, with a bridge at Otterford.

    Args:
        entry: Exit at which the turnpike is entered, such as Harborgate.
        leave_at: Exit at which it is left.
        vehicle: Kind of vehicle.
        axles: Axles with any trailer; each above two costs more.
        at_night: Whether the night tariff holds.
        toll_tag: Whether the toll is paid by tag, which is cheaper; the bridge is not reduced.
    """
    exits: dict[str, int] = shared.table("travel")["tolls"]["exits"]
    start = exits[shared.known_name(entry, exits, "entry")]
    end = exits[shared.known_name(leave_at, exits, "leave_at")]
    if start == end:
        raise invalid("leave_at", f"expected another exit than {entry}")
    if vehicle == "motorcycle" and axles > 3:
        raise invalid("axles", f"expected 2 or 3 for a motorcycle, got {axles}")
    cents, bridge = rules.toll_cents((start, end), vehicle, axles, at_night, toll_tag)
    return TollEstimate(toll=cents / 100, kilometres=abs(end - start), crosses_bridge=bridge)


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


class JetLagPlan(Result):
    """Nights until the body keeps local time, and when it gets tired on each of them, in local time."""

    nights_to_adjust: int
    natural_bedtimes: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_jet_lag(
    bank: Bank,
    zones_crossed: Zones,
    direction: Direction,
    usual_bedtime: ClockTime = "23:00",
    nights_before: Nights = 0,
) -> JetLagPlan:
    """Estimate how many nights jet lag lasts, at 60 minutes a night after flying east and 90 after flying west.

    Args:
        zones_crossed: Hours between the two local times.
        direction: Which way the flight goes.
        usual_bedtime: When the traveller goes to bed at home.
        nights_before: Nights before the flight on which bedtime is already moved at that pace.
    """
    pace, way = (60, 1) if direction == "east" else (90, -1)
    nights = ceil((left := max(0, zones_crossed * 60 - nights_before * pace)) / pace)
    bedtimes = [
        shared.clock_of(shared.minutes_of(usual_bedtime) + way * (left - night * pace)) for night in range(nights)
    ]
    return JetLagPlan(nights_to_adjust=nights, natural_bedtimes=bedtimes)


class Itinerary(Result):
    """Kilometres as the crow flies and hours, with one decimal; ``leg_km`` follows the order."""

    order: list[str]
    leg_km: list[float]
    total_km: float
    hours_on_the_way: float


@tool(category=Category.GENERAL_DISTRACTOR)
def order_sightseeing_stops(
    bank: Bank,
    stops: Annotated[list[Place], Meta(min_length=2, max_length=15)],
    latitudes: Annotated[list[Latitude], Meta(max_length=15)],
    longitudes: Annotated[list[Longitude], Meta(max_length=15)],
    return_to_start: bool = False,
    speed_kmh: Annotated[float, Meta(ge=1, le=900)] = 50,
) -> Itinerary:
    """Put the stops of a round in order: from the first one always on to the nearest that is left.

    Args:
        stops: Names of the stops; the round begins at the first.
        latitudes: Degrees north of every stop, in the same order.
        longitudes: Degrees east of every stop, in the same order.
        return_to_start: Whether the round ends where it began.
        speed_kmh: Average speed in kilometres an hour.
    """
    for field, given in (("latitudes", latitudes), ("longitudes", longitudes)):
        if len(given) != len(stops):
            raise invalid(field, f"expected {len(stops)} numbers, one a stop, got {len(given)}")
    places = list(zip(latitudes, longitudes, strict=True))
    order = rules.nearest_first(places) + [0] * return_to_start
    legs = rules.leg_lengths(places, order)
    return Itinerary(
        order=[stops[index] for index in order],
        leg_km=[round(leg, 1) for leg in legs],
        total_km=round(sum(legs), 1),
        hours_on_the_way=round(sum(legs) / speed_kmh, 1),
    )


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
