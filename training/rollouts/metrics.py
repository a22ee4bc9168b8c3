"""Metrics of a step's rollouts, in addition to those of TRL and `teller_gym.training.trainer_parts.rewards`.

TRL logs rollout lengths in model tokens (``completions/…``), the entropy, the total time per step
(``step_time``) and, with vLLM, the ratio between the trainer's probabilities and the sampler's.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from teller_gym.training.rollouts.rollout import End, Rollout, Spent


def figures_of(
    rollouts: Sequence[Rollout], lengths: Sequence[int], group: int, spent: Sequence[Spent]
) -> dict[str, float]:
    """Return a step's metrics by name, without unknown ones.

    Args:
        rollouts: all rollouts of all processes, group after group; invalid ones do not count.
        lengths: tokens of each rollout, including the prompt.
        group: number of rollouts in a group.
        spent: time of each process over all rounds of the step.
    """
    found = {
        "seconds/generating": statistics.fmean(one.generating for one in spent),
        "seconds/environments": statistics.fmean(one.environments for one in spent),
    }
    valid = [one for one in rollouts if one.end is not End.INVALID]
    turns = [span.end - span.start for one in valid for span in one.spans]
    if turns:
        found |= {"turns/mean_tokens": statistics.fmean(turns), "turns/max_tokens": max(turns)}
    if valid:
        whole = [tokens for tokens, one in zip(lengths, rollouts, strict=True) if one.end is not End.INVALID]
        found |= {"episodes/mean_tokens": statistics.fmean(whole), "episodes/max_tokens": max(whole)}
        found["episodes/max_turns"] = max(one.turns for one in valid)
    groups = [rollouts[start : start + group] for start in range(0, len(rollouts), group)]
    rewards = [[one.reward for one in rows if one.reward is not None] for rows in groups]
    if spreads := [statistics.stdev(row) for row in rewards if len(row) > 1]:
        found["rewards/spread_in_group"] = statistics.fmean(spreads)
    return found
