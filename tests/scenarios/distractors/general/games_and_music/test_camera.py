"""Tests of games_and_music/camera: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.games_and_music.values import Arguments, refusal

SHOT: Arguments = {"aperture": 8, "shutter_seconds": 0.01, "iso": 100}


def test_exposures() -> None:
    # Two stops wider and two stops less sensitive than with ISO 400
    wide = call("match_camera_exposure", **SHOT, new_aperture=4, new_iso=100)
    assert wide == {"aperture": 4, "shutter_seconds": 0.0025, "iso": 100, "exposure_value": 12.64}
    filtered = call("match_camera_exposure", **SHOT, new_aperture=8, new_iso=100, filter_stops=10)
    assert filtered["shutter_seconds"] == 10.2
    assert call("match_camera_exposure", **SHOT, new_aperture=16, new_shutter_seconds=0.01)["iso"] == 400
    assert call("match_camera_exposure", **SHOT, new_shutter_seconds=0.02, new_iso=100)["aperture"] == 11.3
    assert refusal("match_camera_exposure", **SHOT, new_aperture=4) == "new_shutter_seconds"
    everything: Arguments = {"new_aperture": 4, "new_shutter_seconds": 1, "new_iso": 100}
    assert refusal("match_camera_exposure", **SHOT, **everything) == "new_iso"
    assert refusal("match_camera_exposure", **SHOT, new_aperture=0.7, new_shutter_seconds=3600) == "new_iso"


@given(st.floats(1, 32), st.integers(50, 800), st.floats(0, 10))
def test_what_reaches_the_sensor_is_the_same(aperture: float, iso: int, stops: float) -> None:
    found = call("match_camera_exposure", **SHOT, new_aperture=aperture, new_iso=iso, filter_stops=stops)
    light = found["shutter_seconds"] * iso / aperture**2 / 2**stops
    assert light == pytest.approx(0.01 * 100 / 64, rel=0.006)
