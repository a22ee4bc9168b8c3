"""Tests of meeting_planning/agenda: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

MEETING: dict[str, Any] = {"start_time": "09:00", "end_time": "12:00", "item_titles": ["News", "Budget", "Plans"]}


def test_agenda_by_hand() -> None:
    assert call("plan_meeting_agenda", **MEETING, item_minutes=[40, 60, 30]) == {
        "timetable": ["09:00-09:40 News", "09:40-09:50 Break", "09:50-10:50 Budget", "10:50-11:20 Plans"],
        "breaks": 1,
        "ends_at": "11:20",
        "minutes_to_spare": 40,
    }
    without = call("plan_meeting_agenda", **MEETING, item_minutes=[40, 60, 90], break_minutes=0)
    assert (without["breaks"], without["minutes_to_spare"]) == (0, -10)
    short = call("plan_meeting_agenda", **MEETING, item_minutes=[40, 60, 30], break_after_minutes=30)
    assert short["breaks"] == 2
    with pytest.raises(ToolError, match="expected 3 numbers"):
        call("plan_meeting_agenda", **MEETING, item_minutes=[40])
    with pytest.raises(ToolError, match="before midnight"):
        call("plan_meeting_agenda", **MEETING, item_minutes=[600, 600, 600])


@given(st.lists(st.integers(1, 70), min_size=1, max_size=12), st.integers(1, 120), st.integers(0, 5))
@settings(deadline=None, max_examples=50)
def test_an_agenda_takes_its_items_and_breaks(minutes: list[int], after: int, pause: int) -> None:
    titles = [f"Item {i}" for i in range(len(minutes))]
    made = call(
        "plan_meeting_agenda",
        start_time="00:00",
        end_time="23:59",
        item_titles=titles,
        item_minutes=minutes,
        break_after_minutes=after,
        break_minutes=pause,
    )
    assert 24 * 60 - 1 - made["minutes_to_spare"] == sum(minutes) + made["breaks"] * pause
    assert len(made["timetable"]) == len(minutes) + made["breaks"]


def test_votes_by_hand() -> None:
    votes: dict[str, Any] = {"entitled": 20, "in_favour": 7, "against": 6, "abstained": 2}
    assert call("count_meeting_votes", **votes) == {
        "outcome": "carried",
        "votes_needed": 7,
        "margin": 0,
        "turnout_percent": 75.0,
        "decided_by_chair": False,
    }
    two_thirds = call("count_meeting_votes", **votes, majority="two_thirds")
    assert (two_thirds["outcome"], two_thirds["votes_needed"], two_thirds["margin"]) == ("rejected", 9, -2)
    assert call("count_meeting_votes", **votes, majority="absolute")["votes_needed"] == 11
    assert call("count_meeting_votes", **votes, quorum_percent=75)["outcome"] == "carried"
    assert call("count_meeting_votes", **votes, quorum_percent=76)["outcome"] == "no_quorum"
    tie: dict[str, Any] = votes | {"against": 7}
    assert call("count_meeting_votes", **tie)["outcome"] == "rejected"
    chair = call("count_meeting_votes", **tie, casting_vote="in_favour")
    assert (chair["outcome"], chair["decided_by_chair"]) == ("carried", True)
    for wrong in ({"abstained": 8}, {"in_favour": 0, "against": 0}):
        with pytest.raises(ToolError):
            call("count_meeting_votes", **votes | wrong)


@given(st.integers(0, 500), st.integers(0, 500), st.sampled_from(["simple", "absolute", "two_thirds"]))
@settings(deadline=None, max_examples=50)
def test_the_votes_needed_are_the_fewest_that_carry(in_favour: int, against: int, majority: str) -> None:
    if in_favour + against == 0:
        in_favour = 1
    counted = call("count_meeting_votes", entitled=1000, in_favour=in_favour, against=against, majority=majority)
    ways = {
        "simple": in_favour > against,
        "absolute": in_favour > 500,
        "two_thirds": 3 * in_favour >= 2 * (in_favour + against),
    }
    assert (counted["margin"] >= 0) == ways[majority]
