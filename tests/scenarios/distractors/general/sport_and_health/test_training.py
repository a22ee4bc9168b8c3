"""Tests of sport_and_health/training: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.sport_and_health.values import Arguments, refusal


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
