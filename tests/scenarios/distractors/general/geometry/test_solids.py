"""Tests of geometry/solids: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geometry.values import refusal


@pytest.mark.parametrize(
    ("measures", "volume", "surface"),
    [
        ({"solid": "sphere", "radius": 3}, 113.097, 113.097),
        ({"solid": "box", "length": 2, "width": 3, "height": 4}, 24, 52),
        ({"solid": "cone", "radius": 3, "height": 4}, 37.6991, 75.3982),
        ({"solid": "cylinder", "radius": 1, "height": 2}, 6.28319, 18.8496),
        ({"solid": "frustum", "radius": 4, "top_radius": 1, "height": 4}, 87.9646, 131.947),
        ({"solid": "pyramid", "length": 6, "width": 6, "height": 4}, 48, 96),
    ],
)
def test_solids(measures: dict[str, Any], volume: float, surface: float) -> None:
    assert call("calculate_solid_volume", **measures) == {"volume": volume, "surface": surface}


def test_solids_take_just_their_measures() -> None:
    assert refusal("calculate_solid_volume", solid="cone", radius=1) == "height"
    assert refusal("calculate_solid_volume", solid="sphere", radius=1, height=2) == "height"


@given(st.floats(0.1, 1000), st.floats(0.1, 1000), st.floats(0.01, 1))
def test_a_frustum_lies_between_cone_and_cylinder(radius: float, height: float, part: float) -> None:
    cone, cylinder = (
        call("calculate_solid_volume", solid=solid, radius=radius, height=height) for solid in ("cone", "cylinder")
    )
    frustum = call("calculate_solid_volume", solid="frustum", radius=radius, height=height, top_radius=radius * part)
    assert cone["volume"] <= frustum["volume"] <= cylinder["volume"]


def test_plans() -> None:
    plan: dict[str, Any] = {
        "drawing_part": 2,
        "real_part": 100,
        "direction": "drawing_to_real",
        "from_unit": "cm",
        "to_unit": "m",
    }
    assert call("convert_plan_scale", value=4, dimension="length", **plan) == {
        "value": 2,
        "unit": "m",
        "scale": "1:50",
    }
    area = call("convert_plan_scale", value=10, dimension="area", **plan | {"drawing_part": 1})
    assert (area["value"], area["unit"]) == (10, "m^2")
    model: dict[str, Any] = plan | {"real_part": 20, "direction": "real_to_drawing", "from_unit": "m", "to_unit": "cm"}
    volume = call("convert_plan_scale", value=1, dimension="volume", **model)
    assert volume == {"value": 1000, "unit": "cm^3", "scale": "1:10"}
    assert refusal("convert_plan_scale", value=0, dimension="length", **plan) == "value"


@given(st.floats(0.1, 100), st.integers(1, 20), st.integers(1, 500), st.sampled_from(["length", "area", "volume"]))
def test_plans_come_back(value: float, drawing: int, real: int, dimension: str) -> None:
    scale: dict[str, Any] = {"drawing_part": drawing, "real_part": real, "dimension": dimension}
    there: dict[str, Any] = {"direction": "drawing_to_real", "from_unit": "inch", "to_unit": "inch"}
    enlarged = call("convert_plan_scale", value=value, **scale, **there)["value"]
    assume(0.001 <= enlarged <= 1_000_000)
    back = call("convert_plan_scale", value=enlarged, **scale, **there | {"direction": "real_to_drawing"})
    assert back["value"] == pytest.approx(value, rel=1e-4)
