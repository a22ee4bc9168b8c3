"""Tests of sport_and_health/running: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.sport_and_health.values import Arguments, refusal


def seconds(clock: str) -> int:
    hours, minutes, rest = map(int, clock.split(":"))
    return hours * 3600 + minutes * 60 + rest


def test_race_times() -> None:
    # Twice as far takes 2 ** 1.06 = 2.0849 times as long: 40 minutes become 5003.8 s
    race: Arguments = {"distance_km": 10, "time": "0:40:00"}
    assert call("predict_race_time", **race, target_distance_km=20) == {
        "predicted_time": "1:23:24",
        "pace_per_km": "0:04:10",
    }
    assert call("predict_race_time", **race, target_distance_km=20, exponent=1)["predicted_time"] == "1:20:00"
    assert refusal("predict_race_time", distance_km=10, time="0:00:00", target_distance_km=20) == "time"


@given(st.integers(600, 20_000), st.floats(1, 100), st.floats(1, 100), st.floats(1, 1.2))
def test_predictions_there_and_back(time: int, one: float, other: float, exponent: float) -> None:
    def predict(source: float, clock: str, target: float) -> str:
        race: Arguments = {"distance_km": source, "time": clock, "target_distance_km": target, "exponent": exponent}
        found: str = call("predict_race_time", **race)["predicted_time"]
        return found

    start = f"{time // 3600}:{time // 60 % 60:02d}:{time % 60:02d}"
    short, long = sorted((one, other))  # rounding to seconds is lost on the way to the longer distance
    there = predict(short, start, long)
    if seconds(there) < 360_000:
        assert abs(seconds(predict(long, there, short)) - time) <= 1


def splits(**arguments: Any) -> dict[str, Any]:
    usual: Arguments = {"distance_km": 12, "goal_time": "1:00:00", "split_km": 5}
    return call("plan_pace_splits", **usual | arguments)


def test_splits_of_a_race() -> None:
    even = splits()
    assert even["splits"] == ["5 km 0:25:00", "10 km 0:50:00", "12 km 1:00:00"]
    assert even["first_half_pace"] == even["second_half_pace"] == "0:05:00"
    # 6 km at p and 6 km at 1.1 p in 3780 s: p = 300 s
    slower = splits(goal_time="1:03:00", second_half_slower_percent=10)
    assert slower["splits"] == ["5 km 0:25:00", "10 km 0:52:00", "12 km 1:03:00"]
    assert slower["second_half_pace"] == "0:05:30"
    # A stop of 5 minutes after 10 km leaves 60 minutes to run
    stop = splits(goal_time="1:05:00", stop_after_splits=2, stop_seconds=300, start_at="09:30")
    assert stop["splits"] == ["5 km 9:55:00", "10 km 10:20:00", "12 km 10:35:00"]
    race: Arguments = {"distance_km": 100, "goal_time": "1:00:00"}
    assert refusal("plan_pace_splits", **race, split_km=1) == "split_km"
    stops: Arguments = {"split_km": 10, "stop_after_splits": 1, "stop_seconds": 3600}
    assert refusal("plan_pace_splits", **race, **stops) == "stop_seconds"


@given(st.floats(1, 100), st.integers(600, 90_000), st.floats(-20, 20), st.integers(1, 10))
def test_splits_rise_to_the_goal_time(distance: float, goal: int, change: float, stop: int) -> None:
    found = splits(
        distance_km=distance,
        goal_time=f"{goal // 3600}:{goal // 60 % 60:02d}:{goal % 60:02d}",
        second_half_slower_percent=change,
        stop_after_splits=stop,
        stop_seconds=20,
    )
    times = [seconds(split.split()[-1]) for split in found["splits"]]
    assert times == sorted(times)
    assert times[-1] == goal


def test_walking() -> None:
    # 10,000 steps of 0.7452 m in 80 minutes
    found = call("estimate_walking_distance", steps=10_000, height_cm=180, minutes=80)
    assert found == {"distance_km": 7.45, "speed_km_per_hour": 5.59}
    assert refusal("estimate_walking_distance", steps=10_000, height_cm=180, minutes=39) == "steps"


@given(st.integers(1, 2_500), st.floats(100, 230))
def test_more_steps_lead_farther(steps: int, height: float) -> None:
    found, more = (
        call("estimate_walking_distance", steps=count, height_cm=height, minutes=20) for count in (steps, 2 * steps)
    )
    assert more["distance_km"] == pytest.approx(2 * found["distance_km"], abs=0.016)
