"""Leagues: tables and rounds."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import (
    TimeOfDay,
    minutes_of,
    read_score,
    refused,
    round_robin_pairs,
    time_of,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Points = Annotated[int, Meta(ge=0, le=10)]
Team = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .']{0,23}$", max_length=24)]
_SCORE = r"^[A-Za-z][A-Za-z .']{0,23} [0-9]{1,2}-[0-9]{1,2} [A-Za-z][A-Za-z .']{0,23}$"
MatchResults = Annotated[list[Annotated[str, Meta(pattern=_SCORE, max_length=56)]], Meta(min_length=1, max_length=50)]
TieBreak = Literal["goal_difference", "goals", "wins"]


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
