"""Checks everything that a run requires before it starts: fit, machine, installation and run folder."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym

from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.training.config.evaluation import task_count, validation_tasks
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.run import Config
from teller_gym.training.launch.fit import expect_fit
from teller_gym.training.phases import registry
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import make_env


def preflight(config: Config) -> None:
    """Check that a run fits its cards, this machine and the environment, and create its folder.

    Raises:
        OptionError: the message names the setting and what is missing.
        MissingExtraError: vLLM is requested but not installed.
    """
    expect_fit(config)
    check_machine(config.hardware)
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


def check_machine(hardware: HardwareConfig) -> None:
    """Check the GPUs and packages of this machine.

    Raises:
        OptionError: torch sees no GPU, or fewer than requested.
        MissingExtraError: vLLM is requested but not installed.
    """
    if hardware.device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise OptionError("hardware.device=cuda: torch sees no GPU here; use hardware=cpu")
    if hardware.generation == "vllm" and find_spec("vllm") is None:
        raise MissingExtraError("hardware.generation=vllm", "vllm")
    if hardware.device == "cuda" and (seen := torch.cuda.device_count()) < hardware.cards:
        raise OptionError(f"hardware.cards: expected at most {seen}, as torch sees here, got {hardware.cards}")


def check_run(config: Config) -> None:
    """Check that the environment exists and has enough tasks.

    Raises:
        OptionError: the message names the setting and what is missing.
    """
    try:
        if str(gym.spec(config.env.id).entry_point).endswith(":GraphEnv"):
            raise OptionError(f"env: expected one whose episodes are made of calls, got {config.env.id}")
        env = make_env(config.env.id, config.env.options, "generated")
    except (gym.error.Error, TypeError) as error:
        # TypeError: raised by a foreign constructor for an unknown argument.
        told = ", ".join(config.env.options) or "none"
        raise OptionError(f"env: {config.env.id} with options {told}: {error}") from error
    mixture = Mixture.in_env(env)
    for phase in registry.PHASES:
        phase.check(config, env, mixture)
    task_count(config.evaluation, mixture.evaluated, config.band)
    validation = config.method.validation
    if validation.sft_steps or validation.grpo_steps:
        validation_tasks(validation, mixture.weights, config.band)
    env.close()
