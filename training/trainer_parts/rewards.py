"""Rewards as TRL wants them: what GRPO is rewarded for, and the environment's score and its parts for the log."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from teller_gym.grading.score import TERMS
from teller_gym.training.config.run import Config
from teller_gym.training.rollouts.rollout import End, Rollout

RewardFunction = Callable[..., list[float | None]]


def reward_functions(config: Config) -> tuple[list[RewardFunction], list[float]]:
    """Return TRL's reward functions and their weights: the first is the reward, all others are for the log alone."""
    functions = [*([] if config.method.grpo.reward.is_score else [reward]), score, *map(term, TERMS)]
    if config.loss.out_of_tokens == "left_out":
        functions = [_but_out_of_tokens(function) for function in functions]
    return functions, [1.0] + [0.0] * (len(functions) - 1)


def score(
    rollout: list[Rollout], figures: list[dict[str, float]] | None = None,
    log_metric: Callable[[str, float], None] | None = None, everyones: list[list[Rollout]] | None = None, **_: Any,
) -> list[float | None]:  # fmt: skip
    """The environment's score; None for an episode that broke, which TRL leaves out. Logs the round's figures."""
    if log_metric:
        # Every process logs what all have played, also in groups that were replaced; what TRL logs counts those alone
        # that are learned from. Of a process's own rollouts, a mean of means would come of it.
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
    """What `method.grpo.reward` makes of an episode's terms; None for an episode that broke."""
    return [one.reward for one in rollout]


def term(name: str) -> RewardFunction:
    """A reward function that returns one part of the score."""

    def part(rollout: list[Rollout], **_: Any) -> list[float | None]:
        return [None if one.end is End.INVALID else one.terms.get(name) for one in rollout]

    part.__name__ = name
    return part


def _but_out_of_tokens(function: RewardFunction) -> RewardFunction:
    """The same, but None for a rollout that ran out of tokens: it counts in no mean and teaches nothing.

    TRL leaves out what no function gives a value for; what a single one still does counts as a reward of 0.
    """

    @functools.wraps(function)  # TRL names the metric by the function
    def part(rollout: list[Rollout], **more: Any) -> list[float | None]:
        values = function(rollout, **more)
        return [None if one.end is End.TOKENS else value for one, value in zip(rollout, values, strict=True)]

    return part
