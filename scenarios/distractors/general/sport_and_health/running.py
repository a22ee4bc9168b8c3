"""Races, splits and walks."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import TimeOfDay, clock, minutes_of, refused, round_up
from teller_gym.scenarios.distractors.general.sport_and_health._types import Height, Minutes
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Kilometres = Annotated[float, Meta(ge=0.1, le=250)]
Duration = Annotated[str, Meta(pattern="^[0-9]{1,2}:[0-5][0-9]:[0-5][0-9]$", max_length=8)]
Exponent = Annotated[float, Meta(ge=1, le=1.2)]
Steps = Annotated[int, Meta(ge=1, le=100_000)]


def _seconds(field: str, text: str) -> int:
    hours, minutes, seconds = map(int, text.split(":"))
    total = hours * 3600 + minutes * 60 + seconds
    if total == 0:
        raise refused(field, "a time above 0:00:00", text.strip())
    return total


class RacePrediction(Result):
    """Times as h:mm:ss, rounded to seconds."""

    predicted_time: str
    pace_per_km: str


@tool(category=Category.GENERAL_DISTRACTOR)
def predict_race_time(
    bank: Bank, distance_km: Kilometres, time: Duration, target_distance_km: Kilometres, exponent: Exponent = 1.06
) -> RacePrediction:
    """Predict the time over another distance from a race that was run, by Riegel's formula.

    Args:
        distance_km: Distance run.
        time: Time it took, as h:mm:ss.
        target_distance_km: Distance to predict.
        exponent: Riegel's exponent; the more, the sooner a runner tires.
    """
    seconds = _seconds("time", time) * (target_distance_km / distance_km) ** exponent
    return RacePrediction(predicted_time=clock(seconds), pace_per_km=clock(seconds / target_distance_km))


class PaceSplits(Result):
    """Paces a km, and the time on the clock at each mark (before a stop there), as h:mm:ss."""

    first_half_pace: str
    second_half_pace: str
    splits: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_pace_splits(
    bank: Bank,
    distance_km: Kilometres,
    goal_time: Duration,
    split_km: Kilometres = 5,
    second_half_slower_percent: Annotated[float, Meta(ge=-20, le=20)] = 0,
    stop_after_splits: Annotated[int, Meta(ge=1, le=50)] | None = None,
    stop_seconds: Annotated[int, Meta(ge=0, le=3600)] = 60,
    start_at: TimeOfDay = "00:00",
) -> PaceSplits:
    """Plan the splits of a race for a goal time, with a slower or faster second half and stops on the way.

    Args:
        distance_km: Length of the race.
        goal_time: Time at the finish, stops included, as h:mm:ss.
        split_km: Distance between marks; the last one is the finish. At most 50 marks.
        second_half_slower_percent: How much slower the second half is run; negative for faster.
        stop_after_splits: A stop is made after every so many marks; none without it.
        stop_seconds: Length of a stop.
        start_at: Time on the clock at the start; 00:00 gives the time run.
    """
    count = round_up(distance_km / split_km)
    if count > 50:
        raise refused("split_km", f"at least {distance_km / 50:g} for {distance_km:g} km", f"{split_km:g}")
    stops_at = [0 if stop_after_splits is None else mark // stop_after_splits for mark in range(count)]
    running = _seconds("goal_time", goal_time) - stops_at[-1] * stop_seconds
    if running <= 0:
        raise refused("stop_seconds", "stops shorter than the goal time", stop_seconds)
    slower = 1 + second_half_slower_percent / 100
    first = running / (distance_km / 2 * (1 + slower))
    splits = []
    for mark, stops in enumerate(stops_at, start=1):
        at = min(mark * split_km, distance_km)
        run = first * at + max(0.0, at - distance_km / 2) * first * (slower - 1)
        splits.append(f"{at:.6g} km {clock(minutes_of(start_at) * 60 + run + stops * stop_seconds)}")
    return PaceSplits(first_half_pace=clock(first), second_half_pace=clock(first * slower), splits=splits)


class WalkingDistance(Result):
    """Kilometres, and kilometres an hour, with two decimals."""

    distance_km: float
    speed_km_per_hour: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_walking_distance(bank: Bank, steps: Steps, height_cm: Height, minutes: Minutes) -> WalkingDistance:
    """Estimate distance and speed of a walk from counted steps; a step is taken as 0.414 of the height.

    Args:
        steps: Steps counted; at most 250 a minute.
        height_cm: Height of the person.
        minutes: Time walked.
    """
    if steps > 250 * minutes:
        raise refused("steps", f"at most {250 * minutes} in {minutes} minutes", steps)
    distance = steps * 0.414 * height_cm / 100_000
    return WalkingDistance(distance_km=round(distance, 2), speed_km_per_hour=round(distance * 60 / minutes, 2))
