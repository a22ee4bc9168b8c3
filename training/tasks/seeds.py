"""Seeds of the tasks that training may use, and the check that none of them is in an evaluation split."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym

import teller_gym
from teller_gym.base.errors import TellerError
from teller_gym.procedure.task import EVALUATION_SPLITS, OFFICE_EVALUATION_SPLITS
from teller_gym.registration import OFFICES

EXPERT_SEEDS_A_RUN = 10_000_000
"""The expert tasks of a run count up from its seed (0 to 99) times this number."""
GRPO_SEEDS, GRPO_SEEDS_A_RUN = 1_000_000_000, 1_000_000
"""GRPO's tasks count up from the first number plus the run's seed times the second: above all expert tasks, and below
the generated tasks of evaluations (from 2,000,000,000) and the frozen instances (from 7,000,000,000)."""
REPLACEMENT_SEEDS = 1_200_000_000
"""GRPO's replacement tasks count up from here in the same way, above all its other tasks."""

ROUND_SEEDS, ROUND_SEEDS_A_RUN, ROUND_SEEDS_A_ROUND = 1_400_000_000, 1_000_000, 10_000
"""Tasks of the rounds between fine-tuning and GRPO; see `round_seeds`."""
ROUND_BLOCKS = range(6)
"""Blocks of 100 million seeds for those tasks, above all of GRPO's. In each method, the student's tasks have one block
and the expert's have another; see ``seed_blocks`` of `teller_gym.training.phases.round_data.Method`."""


def round_seeds(block: int, run: int, number: int) -> range:
    """Return the task seeds of a round (1 to 100) of a run (its seed, 0 to 99); no other round, run or block of
    `ROUND_BLOCKS` has them."""
    first = ROUND_SEEDS + 100 * ROUND_SEEDS_A_RUN * ROUND_BLOCKS[block] + ROUND_SEEDS_A_RUN * run
    first += ROUND_SEEDS_A_ROUND * (number - 1)
    return range(first, first + ROUND_SEEDS_A_ROUND)


class LeakError(TellerError):
    """A task of an evaluation split was about to be used for training."""


class LeakGuard:
    """Refuses tasks whose fingerprint is in an evaluation split; ``load`` returns the tasks of a scenario's split."""

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
        """Raise `LeakError` if the task equals one of an evaluation split, even under another id."""
        self.check_fingerprint(task.scenario, task.fingerprint, task.id)

    def check_fingerprint(self, scenario: str, fingerprint: str, task_id: str) -> None:
        """Raise `LeakError` if a task with that fingerprint is in an evaluation split."""
        if fingerprint in self.forbidden(scenario):
            raise LeakError(
                f"task {task_id} equals a task of {' or '.join(EVALUATION_SPLITS)}: it must not be trained on; "
                "draw training tasks from the splits generated or train, with another seed"
            )


def make_env(env_id: str, options: dict[str, Any], split: str) -> gym.Env[Any, Any]:
    """Make an environment without Gymnasium's checker, which would check every one of many thousand steps."""
    return gym.make(env_id, disable_env_checker=True, **options, split=split)


def generated_id(scenario: str, seed: int) -> str:
    """Return the id under which `reset` makes the generated task of a seed."""
    return f"{scenario}-g-{seed}"
