"""Rewards as TRL wants them: the environment's score, and its parts beside it for the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teller_gym.training.rollout import End, Rollout

TERMS = ("checkpoints", "parameters", "outcome", "penalties")
"""Parts of the score that are logged beside it; they carry no weight of their own."""

RewardFunction = Callable[..., list[float | None]]


def score(
    rollout: list[Rollout], figures: list[dict[str, float]] | None = None,
    log_metric: Callable[[str, float], None] | None = None, everyones: list[list[Rollout]] | None = None, **_: Any,
) -> list[float | None]:  # fmt: skip
    """Reward: the environment's score; None for an episode that broke, which TRL leaves out."""
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


def score_of_whole(rollout: list[Rollout], **more: Any) -> list[float | None]:
    """As `score`, but None for a rollout that ran out of tokens as well: it counts in no mean and teaches nothing."""
    scores = score(rollout, **more)
    return [None if one.end is End.TOKENS else value for one, value in zip(rollout, scores, strict=True)]


# TRL names the reward's metric by the function: one name, whatever is left out.
score_of_whole.__name__ = score.__name__


def term(name: str) -> RewardFunction:
    """A reward function that returns one part of the score."""

    def part(rollout: list[Rollout], **_: Any) -> list[float | None]:
        return [None if one.end is End.INVALID else one.terms.get(name) for one in rollout]

    part.__name__ = name
    return part
