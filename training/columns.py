"""What TRL asks of a rollout function: token columns with a value a rollout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teller_gym.training.rollout import Rollout


def columns(rollouts: Sequence[Rollout], common: int) -> dict[str, list[Any]]:
    """Return the columns of some rollouts.

    What all prompts of the step have in length counts as the prompt; the rest stands, masked, before the model's first
    turn. So no row is padded on the left, and attention needs no mask.

    Args:
        rollouts: in the order of the prompts.
        common: tokens of the shortest prompt of the step.

    Returns:
        ``prompt_ids``, ``completion_ids``, ``logprobs`` and ``env_mask``, lists of lists; the last three of equal
        lengths.
    """
    rest = [one.prompt_ids[common:] for one in rollouts]
    return {
        "prompt_ids": [one.prompt_ids[:common] for one in rollouts],
        "completion_ids": [more + one.ids for more, one in zip(rest, rollouts, strict=True)],
        "logprobs": [[0.0] * len(more) + one.logprobs for more, one in zip(rest, rollouts, strict=True)],
        "env_mask": [[0] * len(more) + one.mask for more, one in zip(rest, rollouts, strict=True)],
    }
