"""Advantages for single turns, relative to the same turn in the group's other rollouts.

GRPO gives all tokens of a rollout one advantage: its reward relative to the group. In an episode of ten calls most of
it is credited to calls that did not contribute. Here a turn's return is the reward gained in it plus a share of the
next turn's return; its advantage is that return minus the group's mean at the same turn. This estimate is much less
noisy: on a tiny model after fine-tuning, two independent gradients of 192 rollouts have a cosine of 0.25 with a
discount of 0.3 to 0.7, and of 0.14 with GRPO's own advantages.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal

from teller_gym.training.rollouts.rollout import End, Rollout

_FLOOR = 1e-4
"""Value added to a standard deviation before division."""


def returns(rollout: Rollout, discount: float) -> list[float]:
    """Return, for each turn, the discounted sum of the rewards gained from that turn on."""
    following, found = 0.0, []
    for span in reversed(rollout.spans):
        following = span.gain + discount * following
        found.append(following)
    return found[::-1]


def turn_advantages(
    rollouts: Sequence[Rollout], group: int, discount: float, scale: Literal["group", "batch", "none"],
    left_out: frozenset[End] = frozenset({End.INVALID}),
) -> list[list[float]]:  # fmt: skip
    """Return the advantage of each turn of each rollout.

    Args:
        rollouts: rollouts of all groups, group after group.
        group: number of rollouts in a group.
        discount: share of the next turn's return that counts for a turn, in [0, 1]; 1 counts all later gains.
        scale: set of turns whose standard deviation normalizes the advantages.
        left_out: end reasons of rollouts that get advantages of 0 and do not count in any mean.
    """
    advantages: list[list[float]] = []
    for start in range(0, len(rollouts), group):
        members = rollouts[start : start + group]
        found = [[] if one.end in left_out else returns(one, discount) for one in members]
        valid = sum(one.end not in left_out for one in members)
        # A finished rollout earns nothing more: it counts with 0.
        longest = max(map(len, found), default=0)
        means = [sum(one[turn] for one in found if turn < len(one)) / max(1, valid) for turn in range(longest)]
        above = [[value - mean for value, mean in zip(one, means, strict=False)] for one in found]
        advantages += _divided(above) if scale == "group" else above
    if scale == "batch":
        advantages = _divided(advantages)
    # A rollout that is left out may have had turns.
    return [one or [0.0] * len(rollout.spans) for one, rollout in zip(advantages, rollouts, strict=True)]


def _divided(advantages: list[list[float]]) -> list[list[float]]:
    values = [value for one in advantages for value in one]
    spread = statistics.pstdev(values) if values else 0.0
    return [[value / (spread + _FLOOR) for value in one] for one in advantages]
