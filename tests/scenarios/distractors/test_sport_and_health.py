"""Sport and health; expected values are worked out by hand."""

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call

Arguments = dict[str, Any]


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


def seconds(clock: str) -> int:
    hours, minutes, rest = map(int, clock.split(":"))
    return hours * 3600 + minutes * 60 + rest


BODY: Arguments = {"weight_kg": 80, "height_cm": 200, "waist_cm": 85, "hip_cm": 100}


def test_body_ratios() -> None:
    assert call("assess_body_ratios", **BODY, sex="male") == {
        "body_mass_index": 20,
        "weight_class": "normal",
        "waist_to_height": 0.42,
        "waist_to_hip": 0.85,
        "raised_risk": False,
    }
    assert call("assess_body_ratios", **BODY, sex="female")["raised_risk"] is True
    assert call("assess_body_ratios", **BODY | {"waist_cm": 100, "hip_cm": 150}, sex="male")["raised_risk"] is True
    classes = [
        call("assess_body_ratios", **BODY | {"weight_kg": kilograms}, sex="male")["weight_class"]
        for kilograms in (73.9, 74, 99, 100, 119, 120)  # 18.475, 18.5, 24.75, 25, 29.75 and 30, shown with one decimal
    ]
    assert classes == ["normal", "normal", "normal", "overweight", "overweight", "obese"]
    assert call("assess_body_ratios", **BODY | {"weight_kg": 73}, sex="male")["weight_class"] == "underweight"
    assert refusal("assess_body_ratios", **BODY | {"height_cm": 1.8}, sex="male") == "height_cm"


@given(st.floats(25, 300), st.floats(25, 300))
def test_the_index_grows_with_the_weight(one: float, other: float) -> None:
    low, high = sorted((one, other))
    indices = [call("assess_body_ratios", **BODY | {"weight_kg": kg}, sex="male") for kg in (low, high)]
    assert indices[0]["body_mass_index"] <= indices[1]["body_mass_index"]


def test_heart_rate_zones() -> None:
    # 208 - 28 = 180; the reserve over 60 is 120
    reserve = call("calculate_heart_rate_zones", age=40, resting_rate=60, method="share_of_reserve")
    zones = ["120-132", "132-144", "144-156", "156-168", "168-180"]
    assert reserve == {"maximum": 180, "zones": zones}
    plain: Arguments = {"age": 40, "resting_rate": 60, "method": "share_of_maximum"}
    measured = call("calculate_heart_rate_zones", **plain, measured_maximum=190)
    assert (measured["zones"][0], measured["maximum"]) == ("95-114", 190)
    assert refusal("calculate_heart_rate_zones", **plain, measured_maximum=60) == "resting_rate"


@given(st.integers(10, 100), st.integers(25, 130))
def test_zones_join_and_end_at_the_maximum(age: int, resting: int) -> None:
    found = call("calculate_heart_rate_zones", age=age, resting_rate=resting, method="share_of_reserve")
    limits = [tuple(map(int, zone.split("-"))) for zone in found["zones"]]
    assert all(one[1] == other[0] for one, other in pairwise(limits))
    assert limits[0][0] > resting
    assert limits[-1][1] == found["maximum"]


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


def test_lifts() -> None:
    # Epley: 100 * (1 + 10 / 30) = 133.3, over 1 + 5 / 30 for five repetitions; Brzycki: 100 * 36 / 27
    found = call("estimate_maximum_lift", weight_kg=100, repetitions=10, formula="epley")
    assert found == {"one_repetition_kg": 133.3, "target_kg": 114.3}
    brzycki = call("estimate_maximum_lift", weight_kg=100, repetitions=10, formula="brzycki")
    assert brzycki["one_repetition_kg"] == 133.3
    lombardi = call("estimate_maximum_lift", weight_kg=100, repetitions=10, formula="lombardi")
    assert lombardi["one_repetition_kg"] == 125.9  # the tenth root of ten
    assert refusal("estimate_maximum_lift", weight_kg=100, repetitions=20, formula="epley") == "repetitions"


@given(st.floats(1, 500), st.integers(1, 12), st.sampled_from(["epley", "brzycki", "lombardi"]))
def test_as_many_repetitions_take_the_same_weight(weight: float, repetitions: int, formula: str) -> None:
    lift: Arguments = {"weight_kg": weight, "repetitions": repetitions, "formula": formula}
    found = call("estimate_maximum_lift", **lift, target_repetitions=repetitions)
    assert found["target_kg"] == pytest.approx(weight, abs=0.051)
    once = call("estimate_maximum_lift", **lift | {"repetitions": 1})
    assert once["one_repetition_kg"] == pytest.approx(weight, abs=0.051)


def test_swimming() -> None:
    found = call("score_swim_laps", pool_length_m=25, seconds=[25, 30], strokes=[18, 20])
    assert found == {"average_swolf": 46.5, "best_swolf": 43, "pace_per_100_m": "0:01:50"}
    assert refusal("score_swim_laps", pool_length_m=25, seconds=[25, 30], strokes=[18]) == "strokes"


@given(st.lists(st.tuples(st.floats(5, 300), st.integers(1, 150)), min_size=1, max_size=50))
def test_the_best_length_is_no_worse_than_the_average(lengths: list[tuple[float, int]]) -> None:
    times, strokes = [length[0] for length in lengths], [length[1] for length in lengths]
    found = call("score_swim_laps", pool_length_m=50, seconds=times, strokes=strokes)
    assert found["best_swolf"] <= found["average_swolf"]


TRAINING: Arguments = {"weight_before_kg": 70, "weight_after_kg": 69, "drunk_ml": 600, "urine_ml": 100, "minutes": 60}


def test_hydration() -> None:
    # 1000 + 600 - 100 ml an hour; two hours lose 3000 ml, of which 1400 (2 %) may stay away
    found = call("plan_hydration", **TRAINING, planned_minutes=120)
    assert found == {"sweat_ml_per_hour": 1_500, "drink_ml": 1_600, "bottles": 3}
    assert call("plan_hydration", **TRAINING, planned_minutes=30)["drink_ml"] == 0
    heavier: Arguments = TRAINING | {"weight_after_kg": 71}
    assert refusal("plan_hydration", **heavier, planned_minutes=60) == "weight_after_kg"


@given(st.integers(10, 600), st.integers(200, 3000))
def test_the_bottles_hold_the_drink(minutes: int, bottle: int) -> None:
    found = call("plan_hydration", **TRAINING, planned_minutes=minutes, bottle_ml=bottle)
    assert (found["bottles"] - 1) * bottle < max(1, found["drink_ml"]) <= max(1, found["bottles"] * bottle)


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


RESULTS = ["Rovers 2-0 Lions", "Lions 3-3 St. Mary's", "St. Mary's 0-1 Rovers"]


def test_a_league_table() -> None:
    assert call("build_league_table", results=RESULTS)["table"] == [
        "1. Rovers 2 3:0 6",
        "2. St. Mary's 2 3:4 1",
        "3. Lions 2 3:5 1",
    ]
    by_goals = call("build_league_table", results=RESULTS, tie_break="goals", win=2, draw=1)["table"]
    assert by_goals == ["1. Rovers 2 3:0 4", "2. Lions 2 3:5 1", "3. St. Mary's 2 3:4 1"]
    level = ["Ants 0-1 Bees", "Bees 0-5 Cats", "Ants 1-1 Cats", "Ants 2-2 Dogs"]
    by_wins = call("build_league_table", results=level, win=1, draw=1, tie_break="wins")["table"]
    assert [row.split()[1] for row in by_wins] == ["Cats", "Ants", "Bees", "Dogs"]
    assert refusal("build_league_table", results=RESULTS, win=1, draw=2) == "draw"
    assert refusal("build_league_table", results=["Lions 1-0 Lions"]) == "results"
    assert refusal("build_league_table", results=["Lions won"]) == "results"


GAMES = st.lists(
    st.tuples(st.permutations(["Ants", "Bees", "Cats", "Dogs"]), st.integers(0, 20), st.integers(0, 20)),
    min_size=1,
    max_size=50,
)


@given(GAMES, st.randoms(use_true_random=False))
def test_tables_do_not_depend_on_the_order_of_results(games: list[tuple[list[str], int, int]], random: Any) -> None:
    results = [f"{teams[0]} {home}-{away} {teams[1]}" for teams, home, away in games]
    table = call("build_league_table", results=results)["table"]
    random.shuffle(results)
    assert call("build_league_table", results=results)["table"] == table
    played = [int(row.split()[2]) for row in table]
    assert sum(played) == 2 * len(games)


CUP: Arguments = {"first_date": "2026-03-07", "days_between_rounds": 7}


def test_one_round_of_a_tournament() -> None:
    names = ["Ants", "Bees", "Cats", "Dogs", "Elks"]
    shown = call("schedule_round_robin", teams=names, shown_round=3, **CUP, first_start="09:00", game_minutes=45)
    assert (shown["rounds"], shown["round_date"]) == (5, "2026-03-21")
    assert [game.split()[0] for game in shown["games"]] == ["09:00", "09:45"]
    assert shown["has_a_rest"] == "Cats"
    both = call("schedule_round_robin", teams=names, shown_round=3, **CUP, pitches=2, return_games=True)
    assert both["rounds"] == 10
    assert [game.split()[0] for game in both["games"]] == ["10:00", "10:00"]
    arguments: Arguments = {"teams": names, "shown_round": 1} | CUP
    assert refusal("schedule_round_robin", **arguments | {"shown_round": 6}) == "shown_round"
    assert refusal("schedule_round_robin", **arguments | {"teams": ["Ants", "Bees", "Ants"]}) == "teams"
    assert refusal("schedule_round_robin", **arguments | {"first_date": "2026-03-03"}) == "first_date"
    assert refusal("schedule_round_robin", **arguments, first_start="23:30") == "first_start"


@given(st.integers(3, 12), st.booleans())
def test_all_teams_meet(count: int, return_games: bool) -> None:
    names = [f"Team {chr(65 + number)}" for number in range(count)]
    arguments: Arguments = CUP | {"teams": names, "return_games": return_games, "pitches": 10}
    rounds = call("schedule_round_robin", shown_round=1, **arguments)["rounds"]
    met: Counter[tuple[str, ...]] = Counter()
    for number in range(1, rounds + 1):
        shown = call("schedule_round_robin", shown_round=number, **arguments)
        games = [tuple(game[6:].split(" - ")) for game in shown["games"]]
        playing = sorted([team for game in games for team in game] + [shown["has_a_rest"]] * (count % 2))
        assert playing == names
        met.update(games)
    if return_games:
        assert met == Counter((home, away) for home in names for away in names if home != away)
    else:
        assert Counter(tuple(sorted(game)) for game in met.elements()) == Counter(combinations(names, 2))
