"""Computes the score of a day, and defines its weights."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.grading.score import SCORE_UNITS, TERMS, RewardConfig, Standing

_WEIGHTS = ("work", "in_turn", "on_time")


class DayReward(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights of a day's score. Changing a default makes a new env version.

    Raises:
        OptionError: a weight is not a number of 0 or more, or the weights do not add up to 1.
    """

    work: float = 0.8
    """Weight of a case's own score."""
    in_turn: float = 0.1
    """Weight of opening a case when it is its turn."""
    on_time: float = 0.1
    """Weight of closing a case correctly and on time."""
    case: RewardConfig = RewardConfig()
    """Weights and penalties of a case's score."""
    shaped: bool = True
    """If True, each step's reward is the growth of the score; otherwise only a successful day is rewarded, at its
    end."""

    def __post_init__(self) -> None:
        for name in _WEIGHTS:
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= sys.float_info.max:
                raise OptionError(f"reward.{name}: expected a number of 0 or more, got {shown(value)}")
        if abs(self.work + self.in_turn + self.on_time - 1) > 1e-13:
            raise OptionError(f"reward: expected {', '.join(_WEIGHTS)} to add up to 1, got {shown(self)}")
        if not isinstance(self.case, RewardConfig):
            raise OptionError(f"reward.case: expected a RewardConfig, got {shown(self.case)}")
        if not isinstance(self.shaped, bool):
            raise OptionError(f"reward.shaped: expected True or False, got {shown(self.shaped)}")


class DayStanding(msgspec.Struct, frozen=True, gc=False):
    """A day's score so far, and its terms: unweighted means over the day's cases, in [0, 1]."""

    means: dict[str, float]
    score: float

    def terms(self) -> dict[str, float]:
        return dict(self.means)


def day_standing(
    config: DayReward, cases: int, standings: Sequence[Standing], in_turn: int, on_time: int
) -> DayStanding:
    """Compute a day's score.

    Args:
        config: weights.
        cases: number of cases of the day.
        standings: scores of the opened cases; all others count as 0.
        in_turn: number of cases that were opened when it was their turn.
        on_time: number of cases that were closed correctly and on time.
    """
    means = {name: sum(getattr(one, name) for one in standings) / cases for name in TERMS}
    means |= {"in_turn": in_turn / cases, "on_time": on_time / cases}
    work = sum(one.score for one in standings) / cases
    reached = config.work * work + config.in_turn * means["in_turn"] + config.on_time * means["on_time"]
    return DayStanding(means, int(reached * SCORE_UNITS + 0.5) / SCORE_UNITS)
