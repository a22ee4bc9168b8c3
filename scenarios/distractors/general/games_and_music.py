"""Poker and bowling functions of the catalogue."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from teller_gym.base.errors import invalid

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_KINDS = {(1, 1): 0, (2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}


def best_hand(cards: list[str]) -> dict[str, Any]:
    """Return the best five of some cards, with their rank: kind of hand first, then card values."""
    rank, best = max(_ranked(five) for five in combinations(sorted(card.strip() for card in cards), 5))
    return {"rank": rank, "cards": best}


def _ranked(cards: tuple[str, ...]) -> tuple[list[int], list[str]]:
    values = {card: _RANKS.index(card[:-1]) for card in cards}
    counts = Counter(values.values())
    order = sorted(counts, key=lambda value: (-counts[value], -value))
    if order == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]  # The ace is low in a straight up to five.
        values = {card: -1 if value == 12 else value for card, value in values.items()}
    flush = len({card[-1] for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    groups = sorted(counts.values(), reverse=True)
    kind = _KINDS[groups[0], groups[1]]
    if flush or straight:
        kind = 8 if flush and straight else 5 if flush else 4
    return [kind, *order], sorted(cards, key=lambda card: (order.index(values[card]), card))


def bowling_frames(rolls: list[int]) -> list[dict[str, Any]]:
    """Return kind and score of each frame; the score is None until its bonus rolls are known."""
    frames: list[dict[str, Any]] = []
    at = 0
    for number in range(1, 11):
        balls = rolls[at : at + 3]
        if not balls:
            return frames
        strike, spare = balls[0] == 10, balls[0] < 10 and sum(balls[:2]) == 10
        bonus_pair = balls[1:] if number == 10 and balls[1:2] != [10] else []
        if sum(bonus_pair if strike else balls[:2]) > 10:
            raise invalid("rolls", f"expected at most 10 pins of a set in frame {number}, got {balls}")
        needed = 3 if strike or spare else 2
        score = sum(balls[:needed]) if len(balls) >= needed else None
        frames.append({"kind": "strike" if strike else "spare" if spare else "open", "score": score})
        at += needed if number == 10 else 1 if strike else 2
    if len(rolls) > at:
        raise invalid("rolls", f"expected {at} rolls for these ten frames, got {len(rolls)}")
    return frames
