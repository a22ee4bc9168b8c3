"""Tests of games_and_music/chance: expected values worked out by hand, or anew in another way."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.games_and_music.values import Arguments, refusal


def test_two_dice() -> None:
    seven = call("calculate_dice_odds", dice=2, sides=6, comparison="exactly", target=7)
    assert seven == {"favourable_ways": 6, "all_ways": 36, "probability": 0.166667, "mean": 7}
    ten = call("calculate_dice_odds", dice=2, sides=6, comparison="at_least", target=12, modifier=2)
    assert (ten["favourable_ways"], ten["mean"]) == (6, 9)  # 10, 11 and 12 before the modifier
    assert refusal("calculate_dice_odds", dice=0, sides=6, comparison="exactly", target=7) == "dice"


@given(st.integers(1, 4), st.integers(2, 6), st.integers(-2, 30), st.integers(-3, 3))
def test_dice_counted_throw_by_throw(dice: int, sides: int, target: int, modifier: int) -> None:
    totals = [sum(throw) + modifier for throw in product(range(1, sides + 1), repeat=dice)]
    wanted = {
        "exactly": totals.count(target),
        "at_least": sum(total >= target for total in totals),
        "at_most": sum(total <= target for total in totals),
    }
    for comparison, ways in wanted.items():
        throw: Arguments = {"dice": dice, "sides": sides, "target": target, "modifier": modifier}
        found = call("calculate_dice_odds", **throw, comparison=comparison)
        assert (found["favourable_ways"], found["all_ways"]) == (ways, len(totals))


HANDS = [
    ("9H 2C 5D JS KC", "high card"),
    ("9H 9C 5D JS KC", "one pair"),
    ("9H 9C 5D 5S KC", "two pairs"),
    ("9H 9C 9D 5S KC", "three of a kind"),
    ("AH 2C 3D 4S 5C", "straight"),
    ("9H 10C JD QS KC", "straight"),
    ("10H JC QD KS AC", "straight"),
    ("9H 2H 5H JH KH", "flush"),
    ("9H 9C 9D 5S 5C", "full house"),
    ("9H 9C 9D 9S 5C", "four of a kind"),
    ("5H 6H 7H 8H 9H", "straight flush"),
]


@pytest.mark.parametrize(("hand", "ranking"), HANDS)
def test_hands_of_cards(hand: str, ranking: str) -> None:
    cards = hand.split()
    found = call("rank_poker_hand", cards=cards)
    assert found["ranking"] == ranking
    assert sorted(found["best_five"]) == sorted(cards)
    assert found["against_other"] is None


def test_every_hand_beats_those_before_it() -> None:
    for weak, strong in pairwise(HANDS):
        found = call("rank_poker_hand", cards=strong[0].split(), other_cards=weak[0].split())
        assert found["against_other"] == "wins"
    same = call("rank_poker_hand", cards=["9H", "9C", "5D", "JS", "KC"], other_cards=["9S", "9D", "5H", "JC", "KD"])
    assert same["against_other"] == "ties"
    twice: Arguments = {"cards": ["9H", "9H", "5D", "JS", "KC"]}
    assert refusal("rank_poker_hand", **twice) == "cards"


def test_the_best_five_of_seven() -> None:
    found = call("rank_poker_hand", cards=["KC", "9H", "9C", "KD", "5S", "2D", "5H"])
    assert (found["ranking"], found["best_five"]) == ("two pairs", ["KC", "KD", "9C", "9H", "5S"])


DECK = [rank + suit for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A") for suit in "SHDC"]
PICKS = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)


@given(PICKS, PICKS)
def test_comparing_cards_is_fair(one: list[str], other: list[str]) -> None:
    there = call("rank_poker_hand", cards=one, other_cards=other)["against_other"]
    back = call("rank_poker_hand", cards=other, other_cards=one)["against_other"]
    assert {there, back} in ({"wins", "loses"}, {"ties"})
    # A player who may leave cards out never does worse with more of them.
    assert call("rank_poker_hand", cards=one, other_cards=one[:5])["against_other"] != "loses"
