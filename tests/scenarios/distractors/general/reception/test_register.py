"""Tests of reception/register: expected values worked out by hand, or anew in another way."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import TODAY, call, empty_bank
from tests.scenarios.distractors.general.reception.values import park


def test_a_permit_takes_a_space() -> None:
    bank = empty_bank()
    permit = park(bank)
    assert (permit["days"], permit["spaces_left"]) == (5, 7)
    assert park(bank, "AB-1", first_day="2026-03-09", last_day="2026-03-10")["spaces_left"] == 6
    for number in range(6):
        park(bank, f"AB-{number + 2}")
    with pytest.raises(ToolError, match="P1 is full"):
        park(bank, "AB-9")
    assert park(bank, "AB-9", first_day="2026-03-10", last_day="2026-03-10")["spaces_left"] == 6
    listed = call("list_reception_register", bank, record_kind="parking_permit", day="2026-03-05", search_text="kx")
    entry = {"record_id": permit["permit_id"], "label": "KX-4471", "valid_until": "2026-03-09"}
    assert listed == {"entries": [entry], "total_found": 1}
    on_ninth = call("list_reception_register", bank, record_kind="parking_permit", day="2026-03-09")
    assert (on_ninth["total_found"], len(on_ninth["entries"])) == (8, 8)


@given(st.integers(0, 30))
@settings(deadline=None, max_examples=20)
def test_a_permit_shows_on_its_days_and_no_others(days: int) -> None:
    bank, last = empty_bank(), TODAY + timedelta(days=days)
    assert park(bank, first_day=str(TODAY), last_day=str(last))["days"] == days + 1
    for day, count in ((TODAY, 1), (last, 1), (TODAY - timedelta(days=1), 0), (last + timedelta(days=1), 0)):
        found = call("list_reception_register", bank, record_kind="parking_permit", day=str(day))
        assert found["total_found"] == count


def test_things_found() -> None:
    bank = empty_bank()
    thing: dict[str, Any] = {
        "category": "umbrella",
        "description": "Blue umbrella",
        "found_on": "2026-03-02",
        "found_in": "lobby",
    }
    logged = call("log_found_item", bank, **thing)
    assert (logged["kept_until"], logged["shelf"], logged["things_on_shelf"]) == ("2026-03-16", "LF-umbrella", 1)
    assert call("log_found_item", bank, **thing) == logged
    assert call("log_found_item", bank, **thing | {"found_in": "canteen"})["things_on_shelf"] == 2
    for day, count in (("2026-03-01", 0), ("2026-03-02", 2), ("2026-03-16", 2), ("2026-03-17", 0)):
        assert call("list_reception_register", bank, record_kind="found_item", day=day)["total_found"] == count
    for found_on in ("2026-03-05", "2026-02-18"):
        with pytest.raises(ToolError, match="13 days earlier"):
            call("log_found_item", bank, **thing | {"found_on": found_on})
