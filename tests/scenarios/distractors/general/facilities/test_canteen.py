"""Tests of facilities/canteen: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_canteen_menu() -> None:
    expected: dict[str, Any] = {"weekday": "Wednesday", "menu_week": "A", "left_out": 0}
    dishes = ["Bean chilli", "Mushroom risotto", "Turkey noodles"]
    assert call("get_canteen_menu", day="2026-03-04") == {**expected, "dishes": dishes}
    chosen = call("get_canteen_menu", day="2026-03-04", diet="vegetarian", without_allergens=["milk"])
    assert (chosen["dishes"], chosen["left_out"]) == (["Bean chilli"], 2)
    assert call("get_canteen_menu", day="2026-03-11", diet="vegan")["dishes"] == ["Rice with black beans"]
    with pytest.raises(ToolError, match="Saturday"):
        call("get_canteen_menu", day="2026-03-07")


@given(st.dates(date(1, 1, 1), date(9999, 12, 1)))
@settings(deadline=None, max_examples=40)
def test_the_menu_repeats_every_two_weeks(day: date) -> None:
    day -= timedelta(days=max(0, day.weekday() - 4)) if day.toordinal() > 7 else timedelta()
    week, fortnight = day + timedelta(days=7), day + timedelta(days=14)
    menus = [call("get_canteen_menu", day=str(d)) for d in (day, week, fortnight)]
    assert menus[0] == menus[2]
    assert menus[0]["menu_week"] != menus[1]["menu_week"]
