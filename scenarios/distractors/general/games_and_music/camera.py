"""Exposures of a camera that let in equal light."""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Aperture = Annotated[float, Meta(ge=0.7, le=64)]
Shutter = Annotated[float, Meta(ge=0.0001, le=3600)]
Sensitivity = Annotated[int, Meta(ge=25, le=204_800)]


class Exposure(Result):
    """The new setting with three significant digits, and the light as exposure value at ISO 100 with two decimals."""

    aperture: float
    shutter_seconds: float
    iso: int
    exposure_value: float


@tool(category=Category.GENERAL_DISTRACTOR)
def match_camera_exposure(
    bank: Bank,
    aperture: Aperture,
    shutter_seconds: Shutter,
    iso: Sensitivity,
    new_aperture: Aperture | None = None,
    new_shutter_seconds: Shutter | None = None,
    new_iso: Sensitivity | None = None,
    filter_stops: Annotated[float, Meta(ge=0, le=20)] = 0,
) -> Exposure:
    """Find the setting of a camera that exposes like another one; give two of the three new values.

    Args:
        aperture: F-number that was right.
        shutter_seconds: Shutter time that was right.
        iso: Sensitivity that was right.
        new_aperture: New f-number.
        new_shutter_seconds: New shutter time.
        new_iso: New sensitivity.
        filter_stops: Stops of light that a grey filter takes away in the new setting.
    """
    given = {"new_aperture": new_aperture, "new_shutter_seconds": new_shutter_seconds, "new_iso": new_iso}
    missing = [field for field, value in given.items() if value is None]
    if len(missing) != 1:
        raise refused(missing[0] if missing else "new_iso", "two of the three new values", 3 - len(missing))
    # What reaches the sensor, and counts as equal in both settings, is shutter * iso / aperture², less the filter.
    wanted = shutter_seconds * iso / aperture**2 * 2**filter_stops
    number = new_aperture or math.sqrt((new_shutter_seconds or 1) * (new_iso or 1) / wanted)
    time = new_shutter_seconds or wanted * number**2 / (new_iso or 1)
    speed = new_iso or round(wanted * number**2 / time)
    if not (0.5 <= number <= 128 and 0.00001 <= time <= 1_000_000 and 6 <= speed <= 10_000_000):
        raise refused(missing[0], "a setting that a camera has", f"f/{number:.3g}, {time:.3g} s, ISO {speed}")
    light = math.log2(aperture**2 / shutter_seconds * 100 / iso)
    return Exposure(
        aperture=float(f"{number:.3g}"),
        shutter_seconds=float(f"{time:.3g}"),
        iso=int(speed),
        exposure_value=round(light, 2),
    )
