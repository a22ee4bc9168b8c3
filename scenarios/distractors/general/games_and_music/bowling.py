"""The score of a game of bowling."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Rolls = Annotated[list[Annotated[int, Meta(ge=0, le=10)]], Meta(min_length=1, max_length=21)]


class BowlingScore(Result):
    """The total after each frame that is settled; a strike or spare is settled with the rolls that count twice."""

    totals: list[int]
    strikes: int
    spares: int
    finished: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def score_bowling_game(bank: Bank, rolls: Rolls) -> BowlingScore:
    """Score a game of ten-pin bowling, which need not be finished.

    Args:
        rolls: Pins knocked down by each roll, in order.
    """
    scores, strikes, spares = bowling_frames(rolls)
    totals = [sum(scores[:count]) for count in range(1, len(scores) + 1)]
    return BowlingScore(totals=totals, strikes=strikes, spares=spares, finished=len(scores) == 10)


def bowling_frames(rolls: list[int]) -> tuple[list[int], int, int]:
    """Return the scores of the frames that are settled, and the strikes and spares, bonus rolls aside."""
    scores: list[int] = []
    strikes = spares = at = 0
    for frame in range(1, 11):
        balls = rolls[at : at + 3]
        if not balls:
            return scores, strikes, spares
        strike, spare = balls[0] == 10, balls[0] < 10 and sum(balls[:2]) == 10
        pair = balls[1:] if strike and frame == 10 and balls[1:2] != [10] else [] if strike else balls[:2]
        if sum(pair) > 10:
            raise refused("rolls", f"at most 10 pins of a set in frame {frame}", sum(pair))
        strikes, spares = strikes + strike, spares + spare
        needed = 3 if strike or spare else 2
        if len(balls) >= needed:
            scores.append(sum(balls[:needed]))
        at += needed if frame == 10 else 1 if strike else 2
    if len(rolls) > at:
        raise refused("rolls", f"{at} rolls for these ten frames", len(rolls))
    return scores, strikes, spares
