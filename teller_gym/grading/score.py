"""Score of an episode: its weights and penalties, and the function that computes it."""

from __future__ import annotations

import sys

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown

SCORE_UNITS = 10**12
"""Scores are rounded to multiples of 1 / SCORE_UNITS."""

_WEIGHTS = ("checkpoints", "parameters", "outcome")
TERMS = (*_WEIGHTS, "penalties")
"""Names of the terms of a score."""


class RewardConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights and penalties of the score. Changing a default makes a new env version.

    Raises:
        OptionError: a value is not a number of 0 or more, the weights do not sum to 1, or penalties exceed 1.
    """

    checkpoints: float = 0.3
    parameters: float = 0.3
    outcome: float = 0.4
    failed_call: float = 0.01
    """Share of the score that is deducted for each call that returned an error."""
    failed_calls_at_most: float = 0.1
    """Maximum share that is deducted for all failed calls together; at most 1."""
    shaped: bool = True
    """True to reward each step with the growth of the score; otherwise only the outcome is rewarded, at the end."""

    def __post_init__(self) -> None:
        for name in (*_WEIGHTS, "failed_call", "failed_calls_at_most"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= sys.float_info.max:
                raise OptionError(f"reward.{name}: expected a number of 0 or more, got {shown(value)}")
            # Integers would give integer arrays in vector environments.
            msgspec.structs.force_setattr(self, name, float(value))
        weights = (self.checkpoints, self.parameters, self.outcome)
        if abs(sum(weights) - 1) > 1e-13:
            raise OptionError(f"reward: expected checkpoints, parameters and outcome to add up to 1, got {weights}")
        if self.failed_calls_at_most > 1:
            raise OptionError(
                f"reward.failed_calls_at_most: expected a share of at most 1, got {self.failed_calls_at_most!r}"
            )
        if not isinstance(self.shaped, bool):
            raise OptionError(f"reward.shaped: expected True or False, got {shown(self.shaped)}")


class Standing(msgspec.Struct, frozen=True, gc=False):
    """Score so far with its terms, which are unweighted and in [0, 1]."""

    checkpoints: float
    parameters: float
    outcome: float
    penalties: float
    """Fraction of the score deducted for failed calls."""
    score: float

    def terms(self) -> dict[str, float]:
        """Return the terms, without the score, by name."""
        return {
            "checkpoints": self.checkpoints,
            "parameters": self.parameters,
            "outcome": self.outcome,
            "penalties": self.penalties,
        }


def standing_of(config: RewardConfig, checkpoints: float, parameters: float, success: bool, failures: int) -> Standing:
    """Compute a score, rounded to twelve digits, from its terms and the number of failed calls."""
    outcome = 1.0 if success else 0.0
    penalties = min(config.failed_call * failures, config.failed_calls_at_most) if failures else 0.0
    reached = config.checkpoints * checkpoints + config.parameters * parameters + config.outcome * outcome
    score = int(reached * (1.0 - penalties) * SCORE_UNITS + 0.5) / SCORE_UNITS
    return Standing(checkpoints, parameters, outcome, penalties, score)
