"""What processes tell each other of the rollouts that each of them has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teller_gym.training.rollout import Rollout


def for_all(rollouts: Sequence[Rollout], group: int, start: int) -> list[Rollout]:
    """Return the rollouts of one process without their tokens, for scores, credit and transcripts of all.

    Args:
        rollouts: in the order of the prompts.
        group: rollouts of a group; only the first of each keeps its messages, which its transcript shows.
        start: number of the first rollout among those of all processes.
    """
    return [
        replace(one, prompt_ids=[], ids=[], mask=[], logprobs=[], messages=[] if number % group else one.messages)
        for number, one in enumerate(rollouts, start=start)
    ]
