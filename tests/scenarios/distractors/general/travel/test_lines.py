"""Tests of travel/lines: expected values worked out by hand, or anew in another way."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.travel.values import refused


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
