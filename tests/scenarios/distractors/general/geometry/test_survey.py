"""Tests of geometry/survey: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.geometry.values import SMALL, refusal


def test_a_survey() -> None:
    bank = empty_bank()
    first = call("note_survey_point", bank, survey="yard", label="P1", east_m=1.5, north_m=-2)
    assert (first["points_in_survey"], first["replaced"]) == (1, False)
    call("note_survey_point", bank, survey="yard", label="P2", east_m=4, north_m=3)
    call("note_survey_point", bank, survey="roof", label="P1", east_m=99, north_m=99)
    box = {"points": 2, "west_m": 1.5, "east_m": 4, "south_m": -2, "north_m": 3, "area_m2": 12.5}
    assert call("find_survey_bounds", bank, survey="yard") == box
    wide = {"points": 2, "west_m": 0, "east_m": 5, "south_m": -5, "north_m": 5, "area_m2": 50}
    assert call("find_survey_bounds", bank, survey="yard", margin_m=1, grid_m=5) == wide
    with pytest.raises(ToolError, match="expected a new label, got P2"):
        call("note_survey_point", bank, survey="yard", label="P2", east_m=2, north_m=3)
    again = call("note_survey_point", bank, survey="yard", label="P2", east_m=2, north_m=3, replace=True)
    assert (again["points_in_survey"], again["replaced"]) == (2, True)
    assert call("find_survey_bounds", bank, survey="yard")["east_m"] == 2
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}
    assert refusal("find_survey_bounds", survey="yard") == "survey"


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=8), st.integers(0, 5))
def test_bounds_hold_all_points(points: list[tuple[int, int]], margin: int) -> None:
    bank = empty_bank()
    for number, (east, north) in enumerate(points):
        call("note_survey_point", bank, survey="s", label=f"P{number}", east_m=east, north_m=north)
    box = call("find_survey_bounds", bank, survey="s", margin_m=margin)
    assert (box["west_m"], box["north_m"]) == (min(p[0] for p in points) - margin, max(p[1] for p in points) + margin)
