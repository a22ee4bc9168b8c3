"""Dice and cards."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, combinations
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Card = Annotated[str, Meta(pattern="^(10|[2-9JQKA])[SHDC]$", max_length=3)]
Hand = Annotated[list[Card], Meta(min_length=5, max_length=7)]


class DiceOdds(Result):
    """Ways that fit, of all ways; the probability has six decimals, the mean one."""

    favourable_ways: int
    all_ways: int
    probability: float
    mean: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_dice_odds(
    bank: Bank,
    dice: Annotated[int, Meta(ge=1, le=10)],
    sides: Annotated[int, Meta(ge=2, le=30)],
    comparison: Literal["exactly", "at_least", "at_most"],
    target: Annotated[int, Meta(ge=-100, le=500)],
    modifier: Annotated[int, Meta(ge=-100, le=100)] = 0,
) -> DiceOdds:
    """Count exactly how likely a total of fair dice is.

    Args:
        dice: Number of dice.
        sides: Sides of each.
        comparison: How the total compares with the target.
        target: Total aimed at.
        modifier: Number added to the total.
    """
    fits = {"exactly": int.__eq__, "at_least": int.__ge__, "at_most": int.__le__}[comparison]
    ways = ways_of_totals(dice, sides)
    favourable = sum(count for total, count in enumerate(ways, start=modifier) if fits(total, target))
    odds, mean = round(favourable / sides**dice, 6), modifier + dice * (sides + 1) / 2
    return DiceOdds(favourable_ways=favourable, all_ways=sides**dice, probability=odds, mean=mean)


def ways_of_totals(dice: int, sides: int) -> list[int]:
    """Return in how many ways the dice give each total, from 0 up."""
    ways = [1]
    for _ in range(dice):
        sums = [0, *accumulate(ways + [0] * sides)]
        ways = [sums[total] - sums[max(0, total - sides)] for total in range(len(sums) - 1)]
    return ways


class HandRanking(Result):
    """The best five cards, highest group first; the result against the other hand is null if none was given."""

    ranking: str
    best_five: list[str]
    against_other: Literal["wins", "loses", "ties"] | None


HANDS = (
    "high card",
    "one pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


@tool(category=Category.GENERAL_DISTRACTOR)
def rank_poker_hand(bank: Bank, cards: Hand, other_cards: Hand | None = None) -> HandRanking:
    """Find the best poker hand of five among five to seven cards, and compare it with another one.

    Args:
        cards: Cards such as AS, 10H, 7D or QC: rank and suit (spades, hearts, diamonds, clubs).
        other_cards: Cards of the other player; cards on the table may stand in both.
    """
    best, five = best_five("cards", cards)
    against: Literal["wins", "loses", "ties"] | None = None
    if other_cards is not None:
        other, _ = best_five("other_cards", other_cards)
        against = "wins" if best > other else "loses" if best < other else "ties"
    return HandRanking(ranking=HANDS[best[0]], best_five=five, against_other=against)


def best_five(field: str, cards: list[str]) -> tuple[tuple[int, ...], list[str]]:
    """Return rank (kind of hand first, then card values) and cards of the best hand of five among some cards."""
    cards = sorted(card.strip() for card in cards)
    if len(set(cards)) < len(cards):
        raise refused(field, "different cards", " ".join(cards))
    return max(_rank(five) for five in combinations(cards, 5))


_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_KIND_BY_GROUPS = {(1, 1): 0, (2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}


def _rank(cards: tuple[str, ...]) -> tuple[tuple[int, ...], list[str]]:
    values = {card: _RANKS.index(card[:-1]) for card in cards}
    counts = Counter(values.values())
    order = sorted(counts, key=lambda value: (-counts[value], -value))
    if order == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]  # the ace is low in a straight up to five
        values = {card: -1 if value == 12 else value for card, value in values.items()}
    flush = len({card[-1] for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    groups = sorted(counts.values(), reverse=True)
    kind = _KIND_BY_GROUPS[groups[0], groups[1]]
    if flush or straight:
        kind = 8 if flush and straight else 5 if flush else 4
    return (kind, *order), sorted(cards, key=lambda card: (order.index(values[card]), card))
