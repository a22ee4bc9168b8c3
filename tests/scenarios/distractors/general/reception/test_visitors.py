"""Tests of reception/visitors: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.reception.values import park


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"first_day": "2026-03-03"}, "first_day"),
        ({"last_day": "2026-03-04"}, "last_day"),
        ({"last_day": "2026-04-05"}, "last_day"),
        ({"vehicle_height_m": 2.7}, "vehicle_height_m"),
        ({"level": "P3", "charging": True}, "charging"),
        ({"plate": "KX-1000", "level": "P2"}, "plate"),
    ],
)
def test_permits_that_are_refused(changes: dict[str, Any], field: str) -> None:
    bank = empty_bank()
    park(bank, "KX-1000")
    with pytest.raises(ToolError) as refused:
        park(bank, **changes)
    assert refused.value.field == field


VISIT: dict[str, Any] = {"visitor_name": "Ida Moss", "host_name": "Ben Ray", "visit_day": "2026-03-04"}
VISIT |= {"arrival_time": "09:30", "departure_time": "11:00", "identity_shown": False}


def test_badges() -> None:
    bank = empty_bank()
    green = call("issue_visitor_badge", bank, **VISIT, zones=["lobby", "canteen"], company="Acorn")
    assert green | {"badge_id": ""} == {"badge_id": "", "colour": "green", "escort_needed": False, "valid_minutes": 90}
    yellow = call("issue_visitor_badge", **VISIT, zones=["lobby", "offices"])
    assert (yellow["colour"], yellow["escort_needed"]) == ("yellow", True)
    red = call("issue_visitor_badge", **VISIT | {"identity_shown": True}, zones=["offices", "archive"])
    assert red["colour"] == "red"
    listed = call("list_reception_register", bank, record_kind="visitor_badge", day="2026-03-04")
    assert [entry["label"] for entry in listed["entries"]] == ["Ida Moss, Acorn"]
    wrongs = ({"zones": ["archive"]}, {"host_name": "ida  moss"}, {"departure_time": "09:30"}, {"company": " "})
    for wrong in (*wrongs, {"visit_day": "2026-03-03"}, {"visitor_name": "\t"}):
        with pytest.raises(ToolError):
            call("issue_visitor_badge", **VISIT | {"zones": ["lobby"]} | wrong)
