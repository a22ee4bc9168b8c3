"""Replaces groups without a learning signal before a step's update.

GRPO compares the rollouts of a group, so nothing is learned if all of them earned the same. Such a group is replaced by
a group of a fresh task, until every group teaches or the step has played its maximum number of groups; DAPO (Yu et al.
2025) calls this dynamic sampling. Dropped groups still count in the scores, the transcripts and the curriculum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from teller_gym.training.config.run import Config
from teller_gym.training.rollouts.rollout import End, Rollout
from teller_gym.training.rollouts.step_groups import StepGroups
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS_A_RUN, REPLACEMENT_SEEDS
from teller_gym.training.trainer_parts.curriculum import EQUAL
from teller_gym.training.trainer_parts.turn_credit import turn_advantages

Teaches = Callable[[Sequence[Rollout]], bool]
"""Function that returns True if something can be learned from a group."""


def teaches(group: Sequence[Rollout], left_out: frozenset[End], discount: float | None = None) -> bool:
    """Return True if two rollouts of a group differ in their credit.

    Rollouts whose end is in ``left_out`` do not count. With a discount, equal rewards earned in different turns differ,
    too.
    """
    if discount is not None:
        advantages = turn_advantages(group, len(group), discount, "none", left_out)
        return any(abs(value) > EQUAL for turns in advantages for value in turns)
    rewards = [one.reward for one in group if one.end not in left_out and one.reward is not None]
    return len(rewards) > 1 and max(rewards) - min(rewards) > EQUAL


def play_groups(
    played: StepGroups, tasks: Sequence[str], most: int, play: Callable[[dict[int, str]], None],
    more: Callable[[int, int], Sequence[str]], teach: Teaches,
) -> None:  # fmt: skip
    """Play a step's groups, and replace those without a learning signal.

    Every process sees the same groups and makes the same decisions.

    Args:
        played: collection to which the groups are added.
        tasks: tasks of the first groups, by place.
        most: maximum number of groups.
        play: plays a task at each of the given places, and adds the groups.
        more: returns further tasks, given the number returned so far in this step and the number wanted.
        teach: returns True for a group that is kept.
    """
    wanted = dict(enumerate(tasks))
    while wanted:
        play(wanted)
        spare = len(played.places) - len(tasks)
        dead = dead_places(played, teach)[: most - len(played.places)]
        wanted = dict(zip(dead, more(spare, len(dead)), strict=True)) if dead else {}


def dead_places(played: StepGroups, teach: Teaches) -> list[int]:
    """Return the places whose groups have no learning signal."""
    groups = played.groups
    return [place for place, number in enumerate(played.kept) if not teach(groups[number])]


def group_figures(played: StepGroups, teach: Teaches) -> dict[str, float]:
    """Return metrics of a step's groups.

    They are the numbers of played and replaced groups, and the shares without a learning signal before and after
    replacement.
    """
    count = len(played.kept)
    first = sum(not teach(group) for group in played.groups[:count])
    return {
        "groups/played": float(len(played.places)),
        "groups/replaced": float(len(played.places) - count),
        "groups/dead_before": first / count,
        "groups/dead_after": len(dead_places(played, teach)) / count,
    }


def spare_tasks(config: Config, mixture: Mixture, step: int, first: int, count: int) -> list[str]:
    """Return the ids of replacement tasks, following the step's ``first`` earlier ones.

    No other step or run uses their seeds.
    """
    grpo, band = config.method.grpo, config.band
    start = REPLACEMENT_SEEDS + GRPO_SEEDS_A_RUN * config.seed + step * (grpo.groups_at_most - grpo.tasks) + first
    return [mixture.generated(band, seed) for seed in range(start, start + count)]
