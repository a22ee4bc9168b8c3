"""Task seeds for training, and the check that no training task is in an evaluation split."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym

import teller_gym
from teller_gym.base.errors import TellerError
from teller_gym.procedure.task import EVALUATION_SPLITS, OFFICE_EVALUATION_SPLITS
from teller_gym.registration import OFFICES

EXPERT_SEEDS_A_RUN = 10_000_000
"""Number of expert task seeds per run; a run's seeds start at its own seed (0 to 99) times this number."""
GRPO_SEEDS, GRPO_SEEDS_A_RUN = 1_000_000_000, 1_000_000
"""First seed of GRPO's tasks, and number of seeds per run.

A run's seeds start at the first number plus its own seed times the second. They are above all expert tasks, and below
the generated tasks of evaluations (from 2,000,000,000) and the frozen instances (from 7,000,000,000).
"""
REPLACEMENT_SEEDS = 1_200_000_000
"""First seed of GRPO's replacement tasks, above all its other tasks; runs have as many seeds as in `GRPO_SEEDS_A_RUN`.
"""

ROUND_SEEDS, ROUND_SEEDS_A_RUN, ROUND_SEEDS_A_ROUND = 1_400_000_000, 1_000_000, 10_000
"""First seed, seeds per run and seeds per round of the rounds between fine-tuning and GRPO; see `round_seeds`."""
ROUND_BLOCKS = range(6)
"""Blocks of 100 million seeds for rounds, above all of GRPO's seeds.

In each method, the student's tasks have one block and the expert's have another; see ``seed_blocks`` of
`teller_gym.training.phases.round_data.Method`.
"""


def round_seeds(block: int, run: int, number: int) -> range:
    """Return the task seeds for one round of a run.

    No other round, run or block of `ROUND_BLOCKS` has them.

    Args:
        run: the run's seed, from 0 to 99.
        number: number of the round, from 1 to 100.
    """
    first = ROUND_SEEDS + 100 * ROUND_SEEDS_A_RUN * ROUND_BLOCKS[block] + ROUND_SEEDS_A_RUN * run
    first += ROUND_SEEDS_A_ROUND * (number - 1)
    return range(first, first + ROUND_SEEDS_A_ROUND)


class LeakError(TellerError):
    """Raised when a task to be used for training is in an evaluation split."""


class LeakGuard:
    """Rejects tasks whose fingerprint is in an evaluation split.

    ``load`` returns the tasks of a scenario's split.
    """

    def __init__(self, load: Callable[[str, str], Iterable[Any]] | None = None) -> None:
        self._load = load or teller_gym.load_tasks
        self._forbidden: dict[str, frozenset[str]] = {}

    def forbidden(self, scenario: str) -> frozenset[str]:
        """Return the fingerprints of a scenario's evaluation tasks."""
        if scenario not in self._forbidden:
            splits = OFFICE_EVALUATION_SPLITS if scenario in OFFICES else EVALUATION_SPLITS
            tasks = (task for split in splits for task in self._load(scenario, split))
            self._forbidden[scenario] = frozenset(task.fingerprint for task in tasks)
        return self._forbidden[scenario]

    def check(self, task: Any) -> None:
        """Raise `LeakError` if the task equals one in an evaluation split, even under another id."""
        self.check_fingerprint(task.scenario, task.fingerprint, task.id)

    def check_fingerprint(self, scenario: str, fingerprint: str, task_id: str) -> None:
        """Raise `LeakError` if a task with this fingerprint is in an evaluation split."""
        if fingerprint in self.forbidden(scenario):
            raise LeakError(
                f"task {task_id} equals a task of {' or '.join(EVALUATION_SPLITS)}: it must not be trained on; "
                "draw training tasks from the splits generated or train, with another seed"
            )


def make_env(env_id: str, options: dict[str, Any], split: str) -> gym.Env[Any, Any]:
    """Create an environment without Gymnasium's checker, which would check every one of many thousand steps."""
    return gym.make(env_id, disable_env_checker=True, **options, split=split)


def generated_id(scenario: str, seed: int) -> str:
    """Return the id of the generated task with the given seed."""
    return f"{scenario}-g-{seed}"
