"""Tests of home_and_garden/rooms: expected values worked out by hand, or anew in another way."""

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.home_and_garden.values import Arguments, refusal

CURTAIN: Arguments = {"track_width_cm": 200, "drop_cm": 227, "fullness": 2, "fabric_width_cm": 140}


def test_curtains() -> None:
    # 400 cm of fabric are three widths, four for a pair; 227 + 15 + 8 = 250 cm each
    assert call("calculate_curtain_fabric", **CURTAIN) == {
        "fabric_widths": 4,
        "cut_length_cm": 250,
        "fabric_metres": 10,
    }
    single = call("calculate_curtain_fabric", **CURTAIN, pair=False, pattern_repeat_cm=64)
    assert single == {"fabric_widths": 3, "cut_length_cm": 256, "fabric_metres": 7.68}
    assert refusal("calculate_curtain_fabric", **CURTAIN | {"fullness": 4}) == "fullness"


@given(st.integers(1, 1000), st.floats(1, 3), st.integers(80, 320), st.integers(1, 120))
def test_curtains_cover_the_track(track: int, fullness: float, width: int, repeat: int) -> None:
    window: Arguments = {"track_width_cm": track, "drop_cm": 100, "fullness": fullness, "fabric_width_cm": width}
    found = call("calculate_curtain_fabric", **window, pattern_repeat_cm=repeat)
    assert found["fabric_widths"] * width >= track * fullness - 1e-6
    assert found["cut_length_cm"] % repeat == 0
    assert 123 <= found["cut_length_cm"] < 123 + repeat


def test_u_values() -> None:
    # 0.13 + 0.14 / 0.035 + 0.2 / 1 + 0.04 = 4.37
    wall = call("calculate_u_value", element="wall", thicknesses_mm=[200, 140], conductivities=[1, 0.035])
    assert wall == {"thermal_resistance": 4.37, "u_value": 0.229, "best_layer": 2}
    floor = call("calculate_u_value", element="floor", thicknesses_mm=[200, 140], conductivities=[1, 0.035])
    assert floor["thermal_resistance"] == 4.41
    assert refusal("calculate_u_value", element="wall", thicknesses_mm=[1, 2], conductivities=[1]) == "conductivities"


LAYERS = st.lists(st.tuples(st.floats(0.1, 2000), st.floats(0.005, 400)), min_size=2, max_size=12)


@given(LAYERS)
def test_every_layer_keeps_warm(layers: list[tuple[float, float]]) -> None:
    def u_value(some: list[tuple[float, float]]) -> float:
        thick, conduct = [layer[0] for layer in some], [layer[1] for layer in some]
        found: float = call("calculate_u_value", element="roof", thicknesses_mm=thick, conductivities=conduct)[
            "u_value"
        ]
        return found

    assert 0 <= u_value(layers) <= u_value(layers[1:]) < 7.15
