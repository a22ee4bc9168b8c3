"""Travel; expected values are worked out by hand from the invented tables."""

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import TODAY, call, empty_bank


def refused(name: str, field: str, /, **arguments: Any) -> None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)


DRIVE: dict[str, Any] = {
    "distance_km": 600,
    "litres_per_100_km": 8,
    "tank_litres": 50,
    "start_litres": 20,
    "price_per_litre": 1.5,
}


def test_fuel_by_hand() -> None:
    # 48 litres are needed, 15 may be burnt at first, 45 between stops.
    assert call("plan_trip_fuel", **DRIVE) == {
        "litres_needed": 48,
        "fuel_stops": 1,
        "first_stop_after_km": 187.5,
        "fuel_cost": 72,
        "litres_left": 5,
    }
    easy = call("plan_trip_fuel", **DRIVE | {"distance_km": 100}, roof_load="bicycles", air_conditioning=True)
    assert (easy["litres_needed"], easy["fuel_stops"], easy["litres_left"]) == (9.2, 0, 10.8)
    assert easy["first_stop_after_km"] is None
    refused("plan_trip_fuel", "start_litres", **DRIVE | {"start_litres": 51})
    refused("plan_trip_fuel", "reserve_litres", **DRIVE, reserve_litres=26)


@given(st.floats(0.1, 10_000), st.floats(0.1, 10_000))
def test_a_longer_drive_needs_no_less(one: float, other: float) -> None:
    short, long = (call("plan_trip_fuel", **DRIVE | {"distance_km": way}) for way in sorted((one, other)))
    assert short["litres_needed"] <= long["litres_needed"]
    assert short["fuel_stops"] <= long["fuel_stops"]
    assert long["litres_left"] >= 5


def test_a_train_connection_by_hand() -> None:
    asked: dict[str, Any] = {"from_station": "harborgate", "to_station": "Snowdrop", "depart_after": "06:00"}
    assert call("find_train_connection", **asked) == {
        "found": True,
        "minutes": 149,
        "changes": 1,
        "legs": [
            {
                "line": "River Line",
                "from_station": "Harborgate",
                "departs": "06:00",
                "to_station": "Stonebridge",
                "arrives": "06:40",
            },
            {
                "line": "Hill Line",
                "from_station": "Stonebridge",
                "departs": "07:45",
                "to_station": "Snowdrop",
                "arrives": "08:29",
            },
        ],
    }
    assert not call("find_train_connection", **asked, max_changes=0)["found"]
    assert not call("find_train_connection", **asked, with_bicycle=True)["found"]
    assert call("find_train_connection", **asked, change_minutes=60)["legs"][1]["departs"] == "07:45"
    assert not call("find_train_connection", **asked | {"depart_after": "23:30"})["found"]
    refused("find_train_connection", "to_station", **asked | {"to_station": "Harborgate"})
    refused("find_train_connection", "from_station", **asked | {"from_station": "Atlantis"})


def test_the_express_rests_on_weekends() -> None:
    asked: dict[str, Any] = {"from_station": "Lantern Bay", "to_station": "Stonebridge", "depart_after": "06:30"}
    assert call("find_train_connection", **asked)["minutes"] == 58
    assert call("find_train_connection", **asked, weekend=True)["changes"] == 1


STATIONS = st.sampled_from(["Harborgate", "Applewick", "Pinecliff", "Fernhollow", "Mill Weir", "Lantern Bay"])


@given(STATIONS, STATIONS, st.times(), st.integers(1, 60))
def test_connections_hold_together(start: str, goal: str, after: Any, change: int) -> None:
    if start == goal:
        return
    arrivals = []
    for most in range(4):
        asked: dict[str, Any] = {
            "from_station": start,
            "to_station": goal,
            "depart_after": f"{after:%H:%M}",
            "change_minutes": change,
        }
        found = call("find_train_connection", **asked, max_changes=most)
        legs = found["legs"]
        arrivals.append(legs[-1]["arrives"] if legs else "24:00")
        if not legs:
            continue
        assert found["changes"] == len(legs) - 1 <= most
        assert (legs[0]["from_station"], legs[-1]["to_station"]) == (start, goal)
        assert legs[0]["departs"] >= f"{after:%H:%M}"
        for one, other in pairwise(legs):
            assert one["to_station"] == other["from_station"]
            wait = minutes(other["departs"]) - minutes(one["arrives"])
            assert wait >= change
    assert arrivals == sorted(arrivals, reverse=True)


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def test_ferries_by_hand() -> None:
    route = "lantern_bay_gull_island"
    assert call("list_ferry_sailings", route=route, day="2026-07-05") == {  # a Sunday
        "season": "summer",
        "departures": ["12:15", "16:15", "20:15"],
        "arrivals": ["13:10", "17:10", "21:10"],
    }
    winter = call("list_ferry_sailings", route=route, day="2026-02-02", depart_after="09:00")
    assert (winter["season"], winter["departures"]) == ("winter", ["16:15"])
    late = call("list_ferry_sailings", route="lantern_bay_cinder_point", day="2026-07-06", depart_after="20:00")
    assert late["arrivals"] == ["01:00"]
    refused("list_ferry_sailings", "route", route="to_the_moon", day="2026-07-06")


def test_tolls_by_hand() -> None:
    asked: dict[str, Any] = {"entry": "Harborgate", "leave_at": "Stonebridge", "vehicle": "car"}
    assert call("estimate_road_toll", **asked) == {"toll": 7.7, "kilometres": 52, "crosses_bridge": True}
    # 520 cents, 70 % at night, 85 % by tag: 309.4; the bridge costs 250.
    assert call("estimate_road_toll", **asked, at_night=True, toll_tag=True)["toll"] == 5.59
    hills: dict[str, Any] = {"entry": "Fernhollow", "leave_at": "Stonebridge", "vehicle": "truck", "axles": 4}
    assert call("estimate_road_toll", **hills) == {"toll": 6.08, "kilometres": 19, "crosses_bridge": False}
    refused("estimate_road_toll", "leave_at", **asked | {"leave_at": " harborgate"})
    refused("estimate_road_toll", "axles", **asked | {"vehicle": "motorcycle"}, axles=4)


EXITS = st.sampled_from(["Harborgate", "Mill Weir", "Otterford", "Stonebridge", "Eagle Pass"])


@given(EXITS, EXITS, st.integers(2, 8))
def test_tolls_are_the_same_both_ways_and_grow_with_axles(entry: str, leave_at: str, axles: int) -> None:
    if entry == leave_at:
        return
    there = call("estimate_road_toll", entry=entry, leave_at=leave_at, vehicle="bus", axles=axles)
    assert there == call("estimate_road_toll", entry=leave_at, leave_at=entry, vehicle="bus", axles=axles)
    assert there["toll"] < call("estimate_road_toll", entry=entry, leave_at=leave_at, vehicle="bus", axles=9)["toll"]


CABIN: dict[str, Any] = {"cabin_weight_kg": 7, "cabin_length_cm": 23, "cabin_width_cm": 55, "cabin_height_cm": 40}


def test_luggage_by_hand() -> None:
    assert call("check_luggage_allowance", fare="light", checked_weights_kg=[], **CABIN) == {
        "accepted": True,
        "fee": 0,
        "remarks": [],
    }

    def fee(fare: str, weights: list[float], **other: Any) -> Any:
        return call("check_luggage_allowance", fare=fare, checked_weights_kg=weights, **CABIN | other)["fee"]

    assert fee("light", [20]) == 45
    assert fee("light", [20], frequent_flyer=True) == 0
    assert fee("flex", [23, 23.5]) == 30
    assert fee("standard", [20], cabin_weight_kg=8.5) == 45
    assert fee("standard", [20], cabin_length_cm=24) == 45
    assert fee("business", [32.1]) is None
    refused("check_luggage_allowance", "fare", fare="first", checked_weights_kg=[], **CABIN)


@given(st.lists(st.floats(0, 32), max_size=5), st.floats(0, 32))
def test_one_piece_more_is_never_cheaper(weights: list[float], more: float) -> None:
    few = call("check_luggage_allowance", fare="standard", checked_weights_kg=weights, **CABIN)
    many = call("check_luggage_allowance", fare="standard", checked_weights_kg=[*weights, more], **CABIN)
    assert few["fee"] <= many["fee"] <= few["fee"] + 75


def test_packing_by_hand() -> None:
    found = call("list_packing_items", days=3, weather="mild", trip="business", travellers=2)
    assert found["items"][:3] == ["6 × shirt", "8 × underwear", "8 × pair of socks"]
    # Each: shirts 540 g, underwear 280, socks 240, trousers 450, nightwear 300, toilet bag 600, charger 120,
    # sweater 420, suit 1400, shoes 900.
    assert found["total_kg"] == 10.5
    beach = call("list_packing_items", days=12, weather="warm", trip="beach", travellers=3)["items"]
    assert "2 × bottle of sun cream" in beach
    assert "9 × swimwear" in beach
    with pytest.raises(ToolError):
        call("list_packing_items", days=0, weather="warm", trip="beach")


@given(st.integers(1, 60), st.integers(2, 30), st.sampled_from(["warm", "mild", "cold", "rainy"]))
def test_washing_never_makes_luggage_heavier(days: int, wash: int, weather: str) -> None:
    asked: dict[str, Any] = {"days": days, "weather": weather, "trip": "hike"}
    washed = call("list_packing_items", **asked, wash_every_days=wash)["total_kg"]
    assert washed <= call("list_packing_items", **asked)["total_kg"]


def test_jet_lag_by_hand() -> None:
    east = call("plan_jet_lag", zones_crossed=3, direction="east")
    assert east == {"nights_to_adjust": 3, "natural_bedtimes": ["02:00", "01:00", "00:00"]}
    west = call("plan_jet_lag", zones_crossed=6, direction="west", nights_before=2)
    assert west == {"nights_to_adjust": 2, "natural_bedtimes": ["20:00", "21:30"]}
    with pytest.raises(ToolError):
        call("plan_jet_lag", zones_crossed=13, direction="east")


@given(st.integers(1, 12), st.integers(0, 7))
def test_flying_west_is_no_harder(zones: int, before: int) -> None:
    asked: dict[str, Any] = {"zones_crossed": zones, "nights_before": before}
    east, west = (call("plan_jet_lag", **asked, direction=way)["nights_to_adjust"] for way in ("east", "west"))
    assert 0 <= west <= east <= max(0, zones - before)


def test_a_round_along_the_equator() -> None:
    asked: dict[str, Any] = {"stops": ["start", "far", "near"], "latitudes": [0, 0, 0], "longitudes": [0, 10, 1]}
    assert call("order_sightseeing_stops", **asked, speed_kmh=100) == {
        "order": ["start", "near", "far"],
        "leg_km": [111.2, 1000.8],
        "total_km": 1112.0,
        "hours_on_the_way": 11.1,
    }
    assert call("order_sightseeing_stops", **asked, return_to_start=True)["order"][-1] == "start"
    refused("order_sightseeing_stops", "latitudes", **asked | {"latitudes": [0, 0]})


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=2, max_size=15))
def test_a_round_visits_every_stop_once(places: list[tuple[float, float]]) -> None:
    names = [f"stop {number}" for number in range(len(places))]
    latitudes, longitudes = ([place[side] for place in places] for side in (0, 1))
    found = call("order_sightseeing_stops", stops=names, latitudes=latitudes, longitudes=longitudes)
    assert found["order"][0] == names[0]
    assert sorted(found["order"]) == sorted(names)
    assert abs(sum(found["leg_km"]) - found["total_km"]) < 1


STAY: dict[str, Any] = {
    "hotel": "tower_inn",
    "room": "family",
    "guest_name": "Ann  Lee",
    "arrival_day": "2026-05-01",
    "nights": 3,
    "guests": 2,
}


def test_rooms_on_hold() -> None:
    bank = empty_bank()
    held = call("hold_hotel_room", bank, **STAY, breakfast=True)
    assert held["total_price"] == 3 * (133 + 2 * 11)
    assert (held["departure_day"], held["held_until"]) == ("2026-05-04", "2026-03-07")
    assert call("hold_hotel_room", bank, **STAY)["hold_id"] == held["hold_id"]  # the same stay, without breakfast
    other = STAY | {"guest_name": "Bo Kim"}
    with pytest.raises(ToolError, match="2026-05-03, when all are taken"):
        call("hold_hotel_room", bank, **other | {"arrival_day": "2026-05-03"})
    call("hold_hotel_room", bank, **other | {"arrival_day": "2026-04-28"})
    call("hold_hotel_room", bank, **other | {"hotel": "harbor_house"})
    listed = call("list_hotel_holds", bank, hotel="tower_inn")
    assert listed["holds_found"] == 2
    assert listed["total_price"] == 2 * 3 * 133
    assert listed["holds"][1] == f"{held['hold_id']}: tower_inn family, Ann Lee, 2026-05-01 to 2026-05-04"
    assert call("list_hotel_holds", bank, guest_name="bo kim")["holds_found"] == 2
    assert call("list_hotel_holds", bank, arriving_until="2026-04-30")["holds_found"] == 1
    assert all(record["owner"] == "misc" for _, record in bank.rows("misc_hotel_holds"))


def test_rooms_that_cannot_be_held() -> None:
    refused("hold_hotel_room", "arrival_day", **STAY | {"arrival_day": "2026-03-03"})
    refused("hold_hotel_room", "arrival_day", **STAY | {"arrival_day": "2027-03-05"})
    refused("hold_hotel_room", "guests", **STAY | {"room": "single"})
    refused("list_hotel_holds", "guest_name", guest_name="1")
    soon = call("hold_hotel_room", **STAY | {"arrival_day": "2026-03-05"}, hold_days=14)
    assert soon["held_until"] == "2026-03-05"


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4), st.sampled_from(["An", "Bo", "Cy", "Di"])), max_size=12)
)
def test_no_night_is_held_too_often(wishes: list[tuple[int, int, str]]) -> None:
    bank = empty_bank()
    for day, nights, guest in wishes:
        arrival = f"{TODAY + timedelta(days=day)}"
        try:
            call("hold_hotel_room", bank, **STAY | {"arrival_day": arrival, "nights": nights, "guest_name": guest})
        except ToolError:
            continue
    stays = [(row["arrival_day"], row["departure_day"]) for _, row in bank.rows("misc_hotel_holds")]
    nights_held = [f"{TODAY + timedelta(days=night)}" for night in range(12)]
    assert all(sum(start <= night < end for start, end in stays) <= 1 for night in nights_held)
    assert all(date.fromisoformat(start) < date.fromisoformat(end) for start, end in stays)
