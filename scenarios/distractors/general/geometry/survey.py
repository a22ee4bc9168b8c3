"""Points of a survey and the box around them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.geometry import _plane as plane
from teller_gym.scenarios.distractors.general.geometry._types import Coordinate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Label = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
_POINTS = "misc_survey_points"


class SurveyPoint(Result):
    """The point as noted, and how many points the survey now has."""

    point_id: str
    points_in_survey: int
    replaced: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def note_survey_point(
    bank: Bank, survey: Label, label: Label, east_m: Coordinate, north_m: Coordinate, replace: bool = False
) -> SurveyPoint:
    """Note a measured point of a site survey under its label.

    Args:
        survey: Name of the survey, such as car-park.
        label: Name of the point, such as P1.
        east_m: Metres east of the survey's origin.
        north_m: Metres north of it.
        replace: Whether a point of that label may be overwritten.
    """
    name, point = survey.strip(), label.strip()
    key = bank.reference("SVP", name, point)
    known = bank.get(_POINTS, key)
    if known is not None and not replace:
        raise invalid("label", f"expected a new label, got {point}, which is noted; set replace to overwrite it")
    bank.put(_POINTS, key, {"owner": "misc", "survey": name, "east_m": east_m, "north_m": north_m})
    count = sum(row["survey"] == name for _, row in bank.rows(_POINTS))
    return SurveyPoint(point_id=key, points_in_survey=count, replaced=known is not None)


class SurveyBox(Result):
    """The smallest upright rectangle around all points of a survey, in metres."""

    points: int
    west_m: float
    east_m: float
    south_m: float
    north_m: float
    area_m2: float


@tool(category=Category.GENERAL_DISTRACTOR)
def find_survey_bounds(
    bank: Bank,
    survey: Label,
    margin_m: Annotated[float, Meta(ge=0, le=1000)] = 0,
    grid_m: Annotated[float, Meta(ge=0.01, le=1000)] | None = None,
) -> SurveyBox:
    """Find the bounding box of the points noted for a survey; rounded to four decimals.

    Args:
        survey: Name of the survey.
        margin_m: Metres to add on each side.
        grid_m: Move the sides outward to multiples of this.
    """
    name = survey.strip()
    rows = [row for _, row in bank.rows(_POINTS) if row["survey"] == name]
    if not rows:
        raise invalid("survey", f"expected a survey with points, got {name}, which has none; note some first")
    west, east = plane.bounds([row["east_m"] for row in rows], margin_m, grid_m)
    south, north = plane.bounds([row["north_m"] for row in rows], margin_m, grid_m)
    area = round(float((east - west) * (north - south)), 4)
    west_m, east_m, south_m, north_m = (round(float(side), 4) + 0.0 for side in (west, east, south, north))
    return SurveyBox(points=len(rows), west_m=west_m, east_m=east_m, south_m=south_m, north_m=north_m, area_m2=area)
