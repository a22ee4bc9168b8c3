"""Lists of numbers, fitted lines and sizes of samples."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from statistics import NormalDist, fmean, median, pstdev, quantiles, stdev
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Number = Annotated[float, Meta(ge=-1_000_000_000, le=1_000_000_000)]
_SMALLEST_SPREAD = 1e-6


class NumberSummary(Result):
    """Statistics of a list, rounded to six significant figures."""

    mean: float
    median: float
    standard_deviation: float
    minimum: float
    lower_quartile: float
    upper_quartile: float
    maximum: float
    total: float


@tool(category=Category.GENERAL_DISTRACTOR)
def describe_number_list(
    bank: Bank,
    numbers: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    deviation: Literal["sample", "population"] = "sample",
    quartile_method: Literal["inclusive", "exclusive"] = "inclusive",
) -> NumberSummary:
    """Describe a list of numbers: mean, median, standard deviation, quartiles, extremes, total.

    Args:
        numbers: The numbers, in any order.
        deviation: Whether the standard deviation divides by one less than the count, or by the count.
        quartile_method: Whether the extremes count as the 0th and 100th percentile, or values beyond them are possible.
    """
    low, _, high = quantiles(numbers, n=4, method=quartile_method)
    return NumberSummary(
        mean=shown(fmean(numbers)),
        median=shown(median(numbers)),
        standard_deviation=shown(stdev(numbers) if deviation == "sample" else pstdev(numbers)),
        minimum=shown(min(numbers)),
        lower_quartile=shown(low),
        upper_quartile=shown(high),
        maximum=shown(max(numbers)),
        total=shown(sum(numbers)),
    )


class FittedLine(Result):
    """The line y = slope x + intercept; r_squared is null if all y are the same."""

    slope: float
    intercept: float
    r_squared: float | None
    predicted: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def fit_regression_line(
    bank: Bank,
    x_values: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    y_values: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    predict_at: Number | None = None,
    through_origin: bool = False,
) -> FittedLine:
    """Fit a straight line to points by least squares; rounded to six significant figures.

    Args:
        x_values: The x of each point.
        y_values: The y of each point, in the same order.
        predict_at: An x for which to predict y.
        through_origin: Whether the line must go through 0, 0; r_squared is then measured from 0 too.
    """
    if len(x_values) != len(y_values):
        raise invalid("y_values", f"expected as many values as x_values, {len(x_values)}, got {len(y_values)}")
    centre = 0.0 if through_origin else min(x_values)
    if max(abs(x - centre) for x in x_values) < _SMALLEST_SPREAD:
        raise invalid("x_values", f"expected values that differ by {_SMALLEST_SPREAD} or more, got all the same")
    slope, intercept, residual, total = fit_line(x_values, y_values, through_origin)
    return FittedLine(
        slope=shown(slope),
        intercept=shown(intercept),
        r_squared=None if total == 0 else shown(max(0.0, 1 - residual / total)),
        predicted=None if predict_at is None else shown(slope * predict_at + intercept),
    )


def fit_line(xs: Sequence[float], ys: Sequence[float], through_origin: bool) -> tuple[float, float, float, float]:
    """Return slope, intercept, residual sum of squares and total sum of squares of the least-squares line.

    The spread of ``xs`` (around 0 for a line through the origin) must not be nothing.
    """
    centre_x = 0.0 if through_origin else sum(xs) / len(xs)
    centre_y = 0.0 if through_origin else sum(ys) / len(ys)
    products = sum((x - centre_x) * (y - centre_y) for x, y in zip(xs, ys, strict=True))
    slope = products / sum((x - centre_x) ** 2 for x in xs)
    intercept = centre_y - slope * centre_x
    residual = sum((y - centre_y - slope * (x - centre_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    return slope, intercept, residual, sum((y - centre_y) ** 2 for y in ys)


class SampleSize(Result):
    """Answers needed and people to ask, in each group and in all; enough_people is null for an unknown population."""

    answers_per_group: int
    asked_per_group: int
    answers_in_all: int
    asked_in_all: int
    z_value: float
    enough_people: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_sample_size(
    bank: Bank,
    margin_percent: Annotated[float, Meta(ge=0.1, le=50)],
    confidence_percent: Annotated[float, Meta(ge=50, le=99.9)] = 95,
    expected_share_percent: Annotated[float, Meta(ge=1, le=99)] = 50,
    people_per_group: Annotated[int, Meta(ge=1, le=100_000_000)] | None = None,
    group_count: Annotated[int, Meta(ge=1, le=100)] = 1,
    response_percent: Annotated[float, Meta(ge=1, le=100)] = 100,
    design_effect: Annotated[float, Meta(ge=1, le=10)] = 1,
) -> SampleSize:
    """Plan how many people a survey must ask to estimate a share within a margin of error. Counts are rounded up, z to
    four decimals.

    Args:
        margin_percent: Half width of the confidence interval, in percentage points.
        confidence_percent: Confidence level.
        expected_share_percent: The share expected; 50 is the cautious choice.
        people_per_group: How many people there are in a group; leave it out if unknown or very large.
        group_count: Groups for each of which the margin must hold.
        response_percent: Share of the people asked who will answer.
        design_effect: Factor for clustered samples; 1 for a simple random sample.
    """
    z = NormalDist().inv_cdf(0.5 + confidence_percent / 200)
    share = expected_share_percent / 100
    needed = z * z * share * (1 - share) / (margin_percent / 100) ** 2 * design_effect
    if people_per_group is not None:
        needed = needed / (1 + (needed - 1) / people_per_group) if needed > 1 else needed
    answers = max(1, ceil(shown(needed, 12)))
    asked = ceil(answers / (exact(response_percent) / 100))
    return SampleSize(
        answers_per_group=answers,
        asked_per_group=asked,
        answers_in_all=answers * group_count,
        asked_in_all=asked * group_count,
        z_value=round(z, 4),
        enough_people=None if people_per_group is None else asked <= people_per_group,
    )
