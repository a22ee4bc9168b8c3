"""Training tasks as a data set for TRL trainers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from datasets import Dataset

from teller_gym.agents.chat import Message, PromptStyle, present
from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.envs.contract import contract_of
from teller_gym.envs.day import DayEnv
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS, GRPO_SEEDS_A_RUN, LeakGuard, make_env

RUNS = 100
"""Number of seeds for data sets; the tasks of different seeds are disjoint."""


def tasks_dataset(
    env_id: str, n: int, seed: int = 0, *, chats: str | None = None, difficulty: list[float] | None = None,
    **options: Any,
) -> Dataset:  # fmt: skip
    """Return a data set with a row for each generated training task; equal arguments give equal rows.

    Args:
        env_id: environment, such as Teller-Loans-v0, or Teller-Bank-v0 for a mixture of scenarios.
        n: number of tasks, at most 1,000,000.
        seed: 0 to 99; each seed gives different tasks, the same as a run of `teller-gym train` with this seed.
        chats: None puts only the task's id into the prompt, for `rollout_func`, which renders the chat itself. For
            `environment_factory`, ``full`` adds the SOP and the request, ``minimal`` only the request.
        difficulty: range [low, high] of the tasks' difficulty; None uses all levels.
        **options: options of the environment's constructor; they must equal those of the environment that plays them.

    Returns:
        A data set of n rows ``{"prompt": messages}``; the last message has the task's id as an additional key
        ``task_id``, which chat templates ignore.

    Raises:
        OptionError: a value is invalid.
        LeakError: a task is in an evaluation split (checked here with ``chats``, otherwise when the task is played).

    Example::

        tasks_dataset("Teller-Loans-v0", 2)[0]["prompt"]
        # [{"role": "user", "content": "loans-g-1000000000", "task_id": "loans-g-1000000000"}]
    """
    _expect_number("n", n, 1, GRPO_SEEDS_A_RUN)
    _expect_number("seed", seed, 0, RUNS - 1)
    if chats not in (None, PromptStyle.FULL, PromptStyle.MINIMAL):
        raise OptionError(
            f"chats: expected None, 'full' or 'minimal', got {shown(chats)}; TRL shows the tools' schemas in any case"
        )
    env = make_training_env(env_id, options)
    mixture, band = Mixture.in_env(env), Band.parse(difficulty)
    first = GRPO_SEEDS + GRPO_SEEDS_A_RUN * seed
    ids = [mixture.generated(band, number) for number in range(first, first + n)]
    if chats is None:
        rows = [[{"role": "user", "content": one, "task_id": one}] for one in ids]
    else:
        guard = LeakGuard()
        rows = [_chat(env, one, PromptStyle(chats), guard) for one in ids]
    env.close()
    return Dataset.from_list([{"prompt": row} for row in rows])


def make_training_env(env_id: str, options: Mapping[str, Any]) -> Any:
    """Return an environment that plays generated tasks.

    Raises:
        OptionError: an option is unknown or is ``split``, or the environment plays whole days.
    """
    if "split" in options:
        raise OptionError(
            f"split: expected no such option, got {shown(options['split'])}; training tasks come from the generator, "
            "as tasks_dataset draws them, since those of the frozen splits measure models"
        )
    env = make_env(env_id, dict(options), "generated")
    if isinstance(env.unwrapped, DayEnv):
        raise OptionError(f"env_id: expected an environment of single cases, such as Teller-Loans-v0, got {env_id}")
    return env


def task_of(prompt: Any) -> str:
    """Return the id of the task that a prompt of `tasks_dataset` names.

    Raises:
        OptionError: the prompt names no task.
    """
    try:
        return str(prompt[-1]["task_id"])
    except (TypeError, KeyError, IndexError):
        raise OptionError(
            f"prompt: expected messages of which the last names its task under 'task_id', got {shown(prompt)}; make "
            "the training data with teller_gym.training.tasks_dataset"
        ) from None


def _chat(env: Any, task_id: str, style: PromptStyle, guard: LeakGuard) -> list[Message]:
    env.reset(options={"task_id": task_id})
    core = contract_of(env)
    guard.check(core.task)
    *before, last = present(core.messages(), [], style)[0]
    return [*before, last | {"task_id": task_id}]


def _expect_number(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise OptionError(f"{name}: expected a whole number from {low} to {high}, got {shown(value)}")
