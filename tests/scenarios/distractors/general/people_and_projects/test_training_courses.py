"""Tests of people_and_projects/training_courses: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank


def test_training() -> None:
    bank = empty_bank()
    asked: dict[str, Any] = {"staff_number": "E1042", "course_code": "SPEAK-1", "session_month": 9}
    made = call("register_for_training", bank, **asked)
    assert made | {"registration_id": ""} == {
        "registration_id": "",
        "course_title": "Speaking in public",
        "session": "2026-09",
        "training_days": 2,
        "seats_left": 1,
    }
    with pytest.raises(ToolError, match="already"):
        call("register_for_training", bank, **asked)
    assert call("register_for_training", bank, **asked | {"staff_number": "E1000"})["seats_left"] == 0
    with pytest.raises(ToolError, match="full in 2026-09"):
        call("register_for_training", bank, **asked | {"staff_number": "E1001"})
    assert call("register_for_training", bank, **asked | {"session_month": 3})["session"] == "2027-03"
    lead: dict[str, Any] = {"staff_number": "E1042", "course_code": "LEAD-2", "session_month": 6}
    with pytest.raises(ToolError, match="LEAD-1 first"):
        call("register_for_training", bank, **lead, completed_courses=["SPEAK-1"])
    done: dict[str, Any] = {"completed_courses": ["SPEAK-1", "LEAD-1"]}
    with pytest.raises(ToolError, match="ask the manager"):
        call("register_for_training", bank, **lead, **done)
    last = call("register_for_training", bank, **lead, **done, manager_approved=True)
    for wrong in ({"session_month": 4}, {"course_code": "SPEAK-2"}, {"course_code": "\u0000" * 3}):
        with pytest.raises(ToolError):
            call("register_for_training", bank, **asked | wrong)
    listed = call("list_training_registrations", bank, staff_number="E1042")
    assert listed["registrations"][0] == f"2026-06 LEAD-2 E1042 {last['registration_id']}"
    assert (listed["total_found"], listed["training_days"]) == (3, 8)
    assert call("list_training_registrations", bank, course_code="SPEAK-1")["total_found"] == 3
    with pytest.raises(ToolError, match="there is no course"):
        call("list_training_registrations", bank, course_code="NONE")
