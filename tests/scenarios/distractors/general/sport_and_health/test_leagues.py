"""Tests of sport_and_health/leagues: expected values worked out by hand, or anew in another way."""

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.sport_and_health.values import Arguments, refusal

RESULTS = ["Rovers 2-0 Lions", "Lions 3-3 St. Mary's", "St. Mary's 0-1 Rovers"]


def test_a_league_table() -> None:
    assert call("build_league_table", results=RESULTS)["table"] == [
        "1. Rovers 2 3:0 6",
        "2. St. Mary's 2 3:4 1",
        "3. Lions 2 3:5 1",
    ]
    by_goals = call("build_league_table", results=RESULTS, tie_break="goals", win=2, draw=1)["table"]
    assert by_goals == ["1. Rovers 2 3:0 4", "2. Lions 2 3:5 1", "3. St. Mary's 2 3:4 1"]
    level = ["Ants 0-1 Bees", "Bees 0-5 Cats", "Ants 1-1 Cats", "Ants 2-2 Dogs"]
    by_wins = call("build_league_table", results=level, win=1, draw=1, tie_break="wins")["table"]
    assert [row.split()[1] for row in by_wins] == ["Cats", "Ants", "Bees", "Dogs"]
    assert refusal("build_league_table", results=RESULTS, win=1, draw=2) == "draw"
    assert refusal("build_league_table", results=["Lions 1-0 Lions"]) == "results"
    assert refusal("build_league_table", results=["Lions won"]) == "results"


GAMES = st.lists(
    st.tuples(st.permutations(["Ants", "Bees", "Cats", "Dogs"]), st.integers(0, 20), st.integers(0, 20)),
    min_size=1,
    max_size=50,
)


@given(GAMES, st.randoms(use_true_random=False))
def test_tables_do_not_depend_on_the_order_of_results(games: list[tuple[list[str], int, int]], random: Any) -> None:
    results = [f"{teams[0]} {home}-{away} {teams[1]}" for teams, home, away in games]
    table = call("build_league_table", results=results)["table"]
    random.shuffle(results)
    assert call("build_league_table", results=results)["table"] == table
    played = [int(row.split()[2]) for row in table]
    assert sum(played) == 2 * len(games)


CUP: Arguments = {"first_date": "2026-03-07", "days_between_rounds": 7}


def test_one_round_of_a_tournament() -> None:
    names = ["Ants", "Bees", "Cats", "Dogs", "Elks"]
    shown = call("schedule_round_robin", teams=names, shown_round=3, **CUP, first_start="09:00", game_minutes=45)
    assert (shown["rounds"], shown["round_date"]) == (5, "2026-03-21")
    assert [game.split()[0] for game in shown["games"]] == ["09:00", "09:45"]
    assert shown["has_a_rest"] == "Cats"
    both = call("schedule_round_robin", teams=names, shown_round=3, **CUP, pitches=2, return_games=True)
    assert both["rounds"] == 10
    assert [game.split()[0] for game in both["games"]] == ["10:00", "10:00"]
    arguments: Arguments = {"teams": names, "shown_round": 1} | CUP
    assert refusal("schedule_round_robin", **arguments | {"shown_round": 6}) == "shown_round"
    assert refusal("schedule_round_robin", **arguments | {"teams": ["Ants", "Bees", "Ants"]}) == "teams"
    assert refusal("schedule_round_robin", **arguments | {"first_date": "2026-03-03"}) == "first_date"
    assert refusal("schedule_round_robin", **arguments, first_start="23:30") == "first_start"


@given(st.integers(3, 12), st.booleans())
def test_all_teams_meet(count: int, return_games: bool) -> None:
    names = [f"Team {chr(65 + number)}" for number in range(count)]
    arguments: Arguments = CUP | {"teams": names, "return_games": return_games, "pitches": 10}
    rounds = call("schedule_round_robin", shown_round=1, **arguments)["rounds"]
    met: Counter[tuple[str, ...]] = Counter()
    for number in range(1, rounds + 1):
        shown = call("schedule_round_robin", shown_round=number, **arguments)
        games = [tuple(game[6:].split(" - ")) for game in shown["games"]]
        playing = sorted([team for game in games for team in game] + [shown["has_a_rest"]] * (count % 2))
        assert playing == names
        met.update(games)
    if return_games:
        assert met == Counter((home, away) for home in names for away in names if home != away)
    else:
        assert Counter(tuple(sorted(game)) for game in met.elements()) == Counter(combinations(names, 2))
