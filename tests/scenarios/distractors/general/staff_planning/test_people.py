"""Tests of staff_planning/people: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

PANEL: dict[str, Any] = {"first_day": "2026-03-06", "days": 4, "day_starts": "09:00", "day_ends": "12:00"}


def test_interviews_by_hand() -> None:
    busy = ["2026-03-06 09:30-10:00", "2026-03-09 08:00-11:30"]
    made = call("propose_interview_slots", **PANEL, interview_minutes=45, candidates=5, busy_spans=busy)
    # Friday 10:00, an hour later again; on Monday half an hour is left, which is too short.
    slots = ["2026-03-06 10:00-10:45", "2026-03-06 11:00-11:45"]
    assert made == {"slots": slots, "candidates_left": 3, "days_used": 1}
    free = call("propose_interview_slots", **PANEL, interview_minutes=45, candidates=4, pause_minutes=0, most_a_day=3)
    assert free["slots"][2:] == ["2026-03-06 10:30-11:15", "2026-03-09 09:00-09:45"]
    for wrong in (
        "2026-02-30 09:00-10:00",
        "2026-03-06 10:00-09:00",
        "2026-03-06 10:00-25:00",
        "0000-01-01 09:00-10:00",
    ):
        with pytest.raises(ToolError, match="busy_spans"):
            call("propose_interview_slots", **PANEL, interview_minutes=45, candidates=5, busy_spans=[wrong])
    for changes in ({"day_ends": "09:00"}, {"first_day": "9999-12-31"}):
        with pytest.raises(ToolError):
            call("propose_interview_slots", **PANEL | changes, interview_minutes=45, candidates=5)


@given(
    st.integers(10, 240),
    st.integers(0, 120),
    st.integers(1, 40),
    st.lists(st.tuples(st.integers(6, 9), st.integers(0, 22)), max_size=10),
)
@settings(deadline=None, max_examples=50)
def test_interviews_do_not_overlap(length: int, pause: int, candidates: int, busy: list[tuple[int, int]]) -> None:
    spans = [f"2026-03-{day:02d} {hour:02d}:00-{hour + 1:02d}:00" for day, hour in busy]
    asked: dict[str, Any] = {
        "interview_minutes": length,
        "pause_minutes": pause,
        "candidates": candidates,
        "busy_spans": spans,
    }
    made = call("propose_interview_slots", **PANEL | {"day_ends": "18:00"}, **asked)
    assert len(made["slots"]) + made["candidates_left"] == candidates
    taken = sorted([*made["slots"], *{f"{span[:11]}{span[11:]}" for span in spans}])
    for slot in made["slots"]:
        for other in taken:
            apart = slot[:10] != other[:10] or slot[17:] <= other[11:16] or other[17:] <= slot[11:16]
            assert slot == other or apart


def test_survey_by_hand() -> None:
    answers = [5, 2, 4, 5, 1, 2, 5]
    assert call("summarise_survey_answers", answers=answers) == {
        "mean": 3.43,
        "median": 4.0,
        "standard_deviation": 1.59,  # root of 100 / 7 less (24 / 7) squared
        "most_common": 5,
        "top_two_percent": 57.1,
        "bottom_two_percent": 42.9,
    }
    assert call("summarise_survey_answers", answers=answers, reversed_scale=True)["mean"] == 2.57
    assert call("summarise_survey_answers", answers=answers, highest_answer=7)["top_two_percent"] == 0
    with pytest.raises(ToolError, match="from 1 to 5"):
        call("summarise_survey_answers", answers=[6])


@given(st.lists(st.integers(1, 7), min_size=1, max_size=50))
@settings(deadline=None, max_examples=50)
def test_a_reversed_survey_mirrors_the_other(answers: list[int]) -> None:
    plain = call("summarise_survey_answers", answers=answers, highest_answer=7)
    turned = call("summarise_survey_answers", answers=answers, highest_answer=7, reversed_scale=True)
    assert abs(plain["mean"] + turned["mean"] - 8) <= 0.01 + 1e-9
    assert plain["median"] + turned["median"] == 8
    assert plain["standard_deviation"] == turned["standard_deviation"]
    assert plain["top_two_percent"] == turned["bottom_two_percent"]
