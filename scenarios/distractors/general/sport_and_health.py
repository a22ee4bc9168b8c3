"""Sport and health: body ratios, training, races, swimming, league tables and tournaments."""

from __future__ import annotations

import math
from datetime import date, timedelta
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import (
    TimeOfDay,
    clock,
    minutes_of,
    read_score,
    refused,
    round_robin_pairs,
    round_up,
    time_of,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Weight = Annotated[float, Meta(ge=25, le=300)]
Height = Annotated[float, Meta(ge=100, le=230)]
Girth = Annotated[float, Meta(ge=40, le=250)]
Sex = Literal["female", "male"]
HeartRate = Annotated[int, Meta(ge=25, le=230)]
Age = Annotated[int, Meta(ge=10, le=100)]
ZoneMethod = Literal["share_of_maximum", "share_of_reserve"]
Kilometres = Annotated[float, Meta(ge=0.1, le=250)]
Duration = Annotated[str, Meta(pattern="^[0-9]{1,2}:[0-5][0-9]:[0-5][0-9]$", max_length=8)]
Exponent = Annotated[float, Meta(ge=1, le=1.2)]
Load = Annotated[float, Meta(ge=1, le=500)]
Repetitions = Annotated[int, Meta(ge=1, le=12)]
Formula = Literal["epley", "brzycki", "lombardi"]
PoolLength = Annotated[int, Meta(ge=10, le=50)]
LapSeconds = Annotated[list[Annotated[float, Meta(ge=5, le=300)]], Meta(min_length=1, max_length=50)]
LapStrokes = Annotated[list[Annotated[int, Meta(ge=1, le=150)]], Meta(min_length=1, max_length=50)]
Millilitres = Annotated[int, Meta(ge=0, le=10_000)]
Minutes = Annotated[int, Meta(ge=10, le=600)]
Steps = Annotated[int, Meta(ge=1, le=100_000)]
Points = Annotated[int, Meta(ge=0, le=10)]
Team = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .']{0,23}$", max_length=24)]
_SCORE = r"^[A-Za-z][A-Za-z .']{0,23} [0-9]{1,2}-[0-9]{1,2} [A-Za-z][A-Za-z .']{0,23}$"
MatchResults = Annotated[list[Annotated[str, Meta(pattern=_SCORE, max_length=56)]], Meta(min_length=1, max_length=50)]
TieBreak = Literal["goal_difference", "goals", "wins"]

_WEIGHT_CLASSES = ("underweight", "normal", "overweight", "obese")
_ZONE_LIMITS = (50, 60, 70, 80, 90, 100)


def _seconds(field: str, text: str) -> int:
    hours, minutes, seconds = map(int, text.split(":"))
    total = hours * 3600 + minutes * 60 + seconds
    if total == 0:
        raise refused(field, "a time above 0:00:00", text.strip())
    return total


class BodyRatios(Result):
    """Body mass index with one decimal, ratios with two, and whether they lie above the WHO's limits."""

    body_mass_index: float
    weight_class: str
    waist_to_height: float
    waist_to_hip: float
    raised_risk: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def assess_body_ratios(
    bank: Bank, weight_kg: Weight, height_cm: Height, waist_cm: Girth, hip_cm: Girth, sex: Sex
) -> BodyRatios:
    """Work out an adult's body mass index, waist-to-height and waist-to-hip ratio. The risk counts as raised from a
    waist of half the height, or a waist-to-hip ratio of 0.85 for women and 0.90 for men.

    Args:
        weight_kg: Weight.
        height_cm: Height.
        waist_cm: Girth at the waist.
        hip_cm: Girth at the hips.
        sex: Sex of the person.
    """
    index, to_height, to_hip = round(weight_kg / (height_cm / 100) ** 2, 1), waist_cm / height_cm, waist_cm / hip_cm
    grade = sum(index >= limit for limit in (18.5, 25, 30))
    return BodyRatios(
        body_mass_index=index,
        weight_class=_WEIGHT_CLASSES[grade],
        waist_to_height=round(to_height, 2),
        waist_to_hip=round(to_hip, 2),
        raised_risk=to_height >= 0.5 or to_hip >= (0.85 if sex == "female" else 0.9),
    )


class HeartRateZones(Result):
    """The maximum, and the five zones from easy to hard, each as lower and upper beats a minute."""

    maximum: int
    zones: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_heart_rate_zones(
    bank: Bank, age: Age, resting_rate: HeartRate, method: ZoneMethod, measured_maximum: HeartRate | None = None
) -> HeartRateZones:
    """Work out five training zones, from 50 to 100 percent in steps of 10, in whole beats.

    Args:
        age: Age in years; without a measured maximum, 208 less 0.7 times the age is taken (Tanaka).
        resting_rate: Beats a minute at rest.
        method: Percent of the maximum, or of the reserve between rest and maximum (Karvonen).
        measured_maximum: Highest rate measured in a test.
    """
    maximum = measured_maximum if measured_maximum is not None else round(208 - 0.7 * age)
    if resting_rate >= maximum:
        raise refused("resting_rate", f"less than the maximum of {maximum}", resting_rate)
    base = resting_rate if method == "share_of_reserve" else 0
    beats = [round(base + (maximum - base) * percent / 100) for percent in _ZONE_LIMITS]
    zones = [f"{low}-{high}" for low, high in pairwise(beats)]
    return HeartRateZones(maximum=maximum, zones=zones)


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


class HydrationPlan(Result):
    """Whole millilitres, and bottles to take along."""

    sweat_ml_per_hour: int
    drink_ml: int
    bottles: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_hydration(
    bank: Bank,
    weight_before_kg: Weight,
    weight_after_kg: Weight,
    drunk_ml: Millilitres,
    urine_ml: Millilitres,
    minutes: Minutes,
    planned_minutes: Minutes,
    bottle_ml: Annotated[int, Meta(ge=200, le=3000)] = 750,
) -> HydrationPlan:
    """Work out a sweat rate by weighing, and the least to drink next time to lose no more than 2 percent of weight.

    Args:
        weight_before_kg: Weight before training.
        weight_after_kg: Weight after it.
        drunk_ml: What was drunk meanwhile.
        urine_ml: What was passed meanwhile.
        minutes: Length of the training.
        planned_minutes: Length of the session to come.
        bottle_ml: Size of a bottle.
    """
    sweat = (weight_before_kg - weight_after_kg) * 1000 + drunk_ml - urine_ml
    if sweat < 0 or sweat > 100 * weight_before_kg:
        raise refused("weight_after_kg", "a weight that leaves a sweat loss of 0 to 10 percent", weight_after_kg)
    needed = max(0, round(sweat * planned_minutes / minutes - weight_before_kg * 20))
    bottles = -(-needed // bottle_ml)
    return HydrationPlan(sweat_ml_per_hour=round(sweat * 60 / minutes), drink_ml=needed, bottles=bottles)


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


class LeagueTable(Result):
    """The teams from the top down, each as place, name, games played, goals and points."""

    table: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def build_league_table(
    bank: Bank, results: MatchResults, win: Points = 3, draw: Points = 1, tie_break: TieBreak = "goal_difference"
) -> LeagueTable:
    """Build the top 20 of a league's table from results; teams that are still level stand by their names.

    Args:
        results: Games such as "Rovers 2-1 Lions"; a team's name is always spelled the same.
        win: Points for a win.
        draw: Points for a draw, no more than for a win.
        tie_break: What decides between teams with equal points.
    """
    if draw > win:
        raise refused("draw", f"at most {win} points, as for a win", draw)
    games: dict[str, list[tuple[int, int]]] = {}
    for text in results:
        home, home_goals, away_goals, away = read_score(text)
        if home == away:
            raise refused("results", "two different teams", text.strip())
        games.setdefault(home, []).append((home_goals, away_goals))
        games.setdefault(away, []).append((away_goals, home_goals))
    rows = []
    for team, scores in games.items():
        points = sum(win if own > other else draw if own == other else 0 for own, other in scores)
        shot, got = (sum(column) for column in zip(*scores, strict=True))
        decider = {"goal_difference": shot - got, "goals": shot, "wins": sum(own > other for own, other in scores)}
        rows.append((-points, -decider[tie_break], team, f"{team} {len(scores)} {shot}:{got} {points}"))
    return LeagueTable(table=[f"{place}. {row[3]}" for place, row in enumerate(sorted(rows)[:20], start=1)])


class RoundFixtures(Result):
    """Size of the tournament, and one round with the times at which its games begin."""

    rounds: int
    round_date: date
    games: list[str]
    has_a_rest: str | None


@tool(category=Category.GENERAL_DISTRACTOR)
def schedule_round_robin(
    bank: Bank,
    teams: Annotated[list[Team], Meta(min_length=3, max_length=20)],
    shown_round: Annotated[int, Meta(ge=1, le=40)],
    first_date: date,
    days_between_rounds: Annotated[int, Meta(ge=1, le=30)] = 7,
    return_games: bool = False,
    first_start: TimeOfDay = "10:00",
    game_minutes: Annotated[int, Meta(ge=5, le=240)] = 60,
    pitches: Annotated[int, Meta(ge=1, le=10)] = 1,
) -> RoundFixtures:
    """Schedule a tournament in which each team meets each other one, and show one of its rounds.

    Args:
        teams: Names of the teams; with an odd number, one has a rest in each round.
        shown_round: Round to show.
        first_date: Day of the first round, today or up to two years ahead.
        days_between_rounds: Days from one round to the next.
        return_games: Whether all games are played a second time, with sides changed.
        first_start: Start of the first game of a round.
        game_minutes: Time from the start of a game to the next one on the same pitch.
        pitches: Games played at the same time.
    """
    names = [" ".join(team.split()) for team in teams]
    if len(set(names)) < len(names):
        raise refused("teams", "different names", names)
    rounds = (len(names) - 1 + len(names) % 2) * (2 if return_games else 1)
    if shown_round > rounds:
        raise refused("shown_round", f"at most {rounds}", shown_round)
    if not 0 <= (first_date - bank.today).days <= 731:
        raise refused("first_date", f"{bank.today} or up to two years later", first_date)
    pairs = round_robin_pairs(names, shown_round - 1)
    rest = next((home or away for home, away in pairs if not (home and away)), None)
    games: list[str] = []
    for home, away in filter(all, pairs):
        start = minutes_of(first_start) + len(games) // pitches * game_minutes
        if start >= 24 * 60:
            raise refused("first_start", "games that begin before midnight; add pitches", first_start.strip())
        games.append(f"{time_of(start)} {home} - {away}")
    day = first_date + timedelta(days=(shown_round - 1) * days_between_rounds)
    return RoundFixtures(rounds=rounds, round_date=day, games=games, has_a_rest=rest)
