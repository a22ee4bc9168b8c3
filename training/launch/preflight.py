"""What a configuration requires of the machine and the installation, checked before anything is computed."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym

from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.envs.day import DayEnv
from teller_gym.tasks.difficulty import bands
from teller_gym.training.config.evaluation import task_count
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.run import Config
from teller_gym.training.config.validation import validation_tasks
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import make_env


def _expect_cards(hardware: HardwareConfig) -> None:
    if hardware.device == "cuda":
        import torch

        seen = torch.cuda.device_count()
        if seen < hardware.cards:
            raise OptionError(f"hardware.cards: expected at most {seen}, as torch sees here, got {hardware.cards}")


def check_surroundings(config: Config) -> None:
    """Check what the machine and the installed environments must have: the GPUs, the environment, the run folder.

    Raises:
        OptionError: naming the key, and what is missing.
        MissingExtraError: vLLM or DeepSpeed is requested but not installed.
    """
    if config.hardware.device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise OptionError("hardware.device=cuda: torch sees no GPU here; use hardware=cpu")
    if config.hardware.sharding in ("zero2", "zero3") and config.hardware.processes > 1 and not find_spec("deepspeed"):
        raise MissingExtraError(f"hardware.sharding={config.hardware.sharding}", "deepspeed")
    if config.hardware.generation == "vllm" and find_spec("vllm") is None:
        raise MissingExtraError("hardware.generation=vllm", "vllm")
    _expect_cards(config.hardware)
    check_run(config)
    folder = Path(config.run_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"run_dir: {folder} cannot be made ({error}); choose another") from error
    if not os.access(folder, os.W_OK):
        raise OptionError(
            f"run_dir: {folder} cannot be written to; make it writable and run the same command, or choose another"
        )


def check_run(config: Config) -> None:
    """Check what holds on every machine: that there is such an environment, and enough tasks.

    Raises:
        OptionError: naming the key, and what is missing.
    """
    try:
        if str(gym.spec(config.env.id).entry_point).endswith(":GraphEnv"):
            raise OptionError(f"env: expected one whose episodes are made of calls, got {config.env.id}")
        env = make_env(config.env.id, config.env.options, "generated")
    except (gym.error.Error, TypeError) as error:
        # TypeError: how a constructor says that it has no such argument.
        told = ", ".join(config.env.options) or "none"
        raise OptionError(f"env: {config.env.id} with options {told}: {error}") from error
    mixture = Mixture.in_env(env)
    if config.method.corrections.rounds and isinstance(env.unwrapped, DayEnv):
        # Its tools are those of the case at hand, and its expert cannot be asked about another order.
        raise OptionError(f"method.corrections.rounds: expected 0 with {config.env.id}, got a working day to correct")
    if not config.method.grpo.reward.is_score:
        config.method.grpo.reward.expect_terms(config.env.id, env.reset(seed=0)[1]["reward_terms"])
    task_count(config.evaluation, mixture.evaluated, Band.parse(config.difficulty))
    validation = config.method.validation
    if validation.sft_steps or validation.grpo_steps:
        validation_tasks(validation, mixture.weights, Band.parse(config.difficulty))
    if config.method.grpo.curriculum is not None:
        for scenario in mixture.weights:
            bands(scenario, config.method.grpo.curriculum.bands)
    env.close()
