"""Lifts and swims."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import clock, refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Load = Annotated[float, Meta(ge=1, le=500)]
Repetitions = Annotated[int, Meta(ge=1, le=12)]
Formula = Literal["epley", "brzycki", "lombardi"]
PoolLength = Annotated[int, Meta(ge=10, le=50)]
LapSeconds = Annotated[list[Annotated[float, Meta(ge=5, le=300)]], Meta(min_length=1, max_length=50)]
LapStrokes = Annotated[list[Annotated[int, Meta(ge=1, le=150)]], Meta(min_length=1, max_length=50)]


class LiftEstimate(Result):
    """Kilograms with one decimal."""

    one_repetition_kg: float
    target_kg: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_maximum_lift(
    bank: Bank, weight_kg: Load, repetitions: Repetitions, formula: Formula, target_repetitions: Repetitions = 5
) -> LiftEstimate:
    """Estimate what can be lifted once, and so many times, from a set that was lifted to the end.

    Args:
        weight_kg: Weight lifted.
        repetitions: How often it was lifted.
        formula: Formula used; for one repetition all give the weight itself.
        target_repetitions: Repetitions to find a weight for.
    """
    once = weight_kg * _lift_factor(formula, repetitions)
    target = once / _lift_factor(formula, target_repetitions)
    return LiftEstimate(one_repetition_kg=round(once, 1), target_kg=round(target, 1))


def _lift_factor(formula: Formula, repetitions: int) -> float:
    if formula == "brzycki":
        return 36 / (37 - repetitions)
    if formula == "lombardi":
        return math.pow(repetitions, 0.1)
    return 1 + repetitions / 30 if repetitions > 1 else 1.0


class SwimScore(Result):
    """SWOLF of a length (seconds plus strokes) on average and at best, one decimal; pace as h:mm:ss."""

    average_swolf: float
    best_swolf: float
    pace_per_100_m: str


@tool(category=Category.GENERAL_DISTRACTOR)
def score_swim_laps(bank: Bank, pool_length_m: PoolLength, seconds: LapSeconds, strokes: LapStrokes) -> SwimScore:
    """Score how efficiently somebody swam, by the time and the strokes of each length of the pool.

    Args:
        pool_length_m: Length of the pool.
        seconds: Time of each length.
        strokes: Strokes of each length, in the same order.
    """
    if len(strokes) != len(seconds):
        raise refused("strokes", f"a number for each of the {len(seconds)} lengths", len(strokes))
    scores = [time + count for time, count in zip(seconds, strokes, strict=True)]
    average = round(sum(scores) / len(scores), 1)
    pace = clock(sum(seconds) / len(seconds) * 100 / pool_length_m)
    return SwimScore(average_swolf=average, best_swolf=round(min(scores), 1), pace_per_100_m=pace)
