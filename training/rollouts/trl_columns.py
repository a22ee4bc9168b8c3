"""Rollouts in the form that TRL's trainers expect of a rollout function: lists with an entry per prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teller_gym.training.rollouts.rollout import Rollout


def columns_of(rollouts: Sequence[Rollout], common: int | None = None) -> dict[str, list[Any]]:
    """Return the columns of a batch.

    Args:
        rollouts: one for each prompt, in their order.
        common: number of tokens of each conversation that count as its prompt; the remainder of a longer prompt is
            prepended to the completion and masked. None keeps each prompt whole.

    Returns:
        ``prompt_ids``, ``completion_ids``; ``logprobs`` and ``env_mask``, each as long as the completion of its row;
        and ``rollout`` for the reward functions.
    """
    found: dict[str, list[Any]] = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": []}
    for one in rollouts:
        rest = [] if common is None else one.prompt_ids[common:]
        found["prompt_ids"].append(one.prompt_ids[:common])
        found["completion_ids"].append(rest + one.ids)
        found["logprobs"].append([0.0] * len(rest) + one.logprobs)
        found["env_mask"].append([0] * len(rest) + one.mask)
    return found | {"rollout": list(rollouts)}
