"""TRL reward functions for GRPO's reward, and for the logged score with its parts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from teller_gym.grading.score import TERMS
from teller_gym.training.config.grpo import LossConfig, RewardWeights
from teller_gym.training.rollouts.rollout import End, Rollout

RewardFunction = Callable[..., list[float | None]]


def reward_functions(weights: RewardWeights, loss: LossConfig) -> tuple[list[RewardFunction], list[float]]:
    """Return TRL's reward functions and their weights.

    The first is the reward; the others have weight 0 and are only logged.
    """
    functions = [*([] if weights.is_score else [reward]), score, *map(term, TERMS)]
    if loss.out_of_tokens == "left_out":
        functions = [_but_out_of_tokens(function) for function in functions]
    return functions, [1.0] + [0.0] * (len(functions) - 1)


def score(
    rollout: list[Rollout], figures: list[dict[str, float]] | None = None,
    log_metric: Callable[[str, float], None] | None = None, everyones: list[list[Rollout]] | None = None, **_: Any,
) -> list[float | None]:  # fmt: skip
    """Return the environment's scores, and log the round's metrics.

    The score of an invalid episode is None, which TRL leaves out.
    """
    if log_metric:
        # Every process logs the rollouts of all processes, including replaced groups, while TRL counts only learned
        # ones. A process's own rollouts would yield a mean of means.
        played = everyones[0] if everyones else rollout
        valid = [one for one in played if one.end is not End.INVALID]
        turns = max(1, sum(one.turns for one in valid))
        log_metric("episodes/invalid", (len(played) - len(valid)) / len(played))
        if valid:
            log_metric("episodes/score", sum(one.score or 0.0 for one in valid) / len(valid))
        log_metric("episodes/success", sum(one.success for one in valid) / max(1, len(valid)))
        log_metric("episodes/out_of_tokens", sum(one.end is End.TOKENS for one in valid) / max(1, len(valid)))
        log_metric("episodes/out_of_patience", sum(one.end is End.PATIENCE for one in valid) / max(1, len(valid)))
        log_metric("episodes/turns", turns / max(1, len(valid)))
        log_metric("calls/failed", sum(sum(one.errors.values()) for one in valid) / turns)
        log_metric("calls/crashed", sum(len(one.defects) for one in valid) / turns)
        log_metric("calls/cut", sum(one.cut for one in valid) / turns)
        for name, value in (figures[0] if figures else {}).items():
            log_metric(name, value)
    return [one.score for one in rollout]


def reward(rollout: list[Rollout], **_: Any) -> list[float | None]:
    """Return the rewards defined by `method.grpo.reward`, with None for an invalid episode."""
    return [one.reward for one in rollout]


def term(name: str) -> RewardFunction:
    """Create a reward function that returns one term of the score."""

    def part(rollout: list[Rollout], **_: Any) -> list[float | None]:
        return [None if one.end is End.INVALID else one.terms.get(name) for one in rollout]

    part.__name__ = name
    return part


def _but_out_of_tokens(function: RewardFunction) -> RewardFunction:
    """Wrap a reward function to also return None for rollouts that ran out of tokens.

    Nothing is learned from them. TRL leaves out a rollout only if no function gives it a value; otherwise missing
    values count as 0.
    """

    @functools.wraps(function)  # TRL names the metric after the function
    def part(rollout: list[Rollout], **more: Any) -> list[float | None]:
        values = function(rollout, **more)
        return [None if one.end is End.TOKENS else value for one, value in zip(rollout, values, strict=True)]

    return part
