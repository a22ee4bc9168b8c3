"""Tests of games_and_music/bowling: expected values worked out by hand, or anew in another way."""

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.games_and_music.values import refusal


def test_bowling() -> None:
    perfect = call("score_bowling_game", rolls=[10] * 12)
    assert perfect == {"totals": list(range(30, 301, 30)), "strikes": 10, "spares": 0, "finished": True}
    assert call("score_bowling_game", rolls=[5] * 21)["totals"][-1] == 150
    open_game = call("score_bowling_game", rolls=[10, 3, 7, 4])
    assert open_game == {"totals": [20, 34], "strikes": 1, "spares": 1, "finished": False}
    textbook = [8, 2, 5, 4, 9, 0, 10, 10, 5, 5, 5, 3, 6, 3, 9, 1, 9, 1, 10]
    assert call("score_bowling_game", rolls=textbook)["totals"] == [15, 24, 33, 58, 78, 93, 101, 110, 129, 149]
    assert refusal("score_bowling_game", rolls=[6, 5]) == "rolls"
    assert refusal("score_bowling_game", rolls=[0] * 21) == "rolls"
    assert refusal("score_bowling_game", rolls=[0] * 18 + [10, 6, 6]) == "rolls"


@given(
    st.lists(st.integers(0, 9).flatmap(lambda a: st.tuples(st.just(a), st.integers(0, 9 - a))), min_size=1, max_size=10)
)
def test_games_without_spares_are_sums(frames: list[tuple[int, int]]) -> None:
    found = call("score_bowling_game", rolls=[pins for frame in frames for pins in frame])
    assert found["totals"] == [sum(map(sum, frames[: count + 1])) for count in range(len(frames))]
    assert found["finished"] == (len(frames) == 10)
