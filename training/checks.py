"""Mistakes in a configuration, told before anything is computed."""

from __future__ import annotations

import operator
import os
from importlib.util import find_spec
from pathlib import Path

import gymnasium as gym

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.envs.contract import contract_of
from teller_gym.procedure.task import Split
from teller_gym.tasks.difficulty import bands
from teller_gym.tasks.store import parse_split
from teller_gym.training.config import Config, CurriculumConfig, EvaluationConfig
from teller_gym.training.tasks import make_env

LEAST = {
    "evaluation.concurrency": 1,
    "model.turn_tokens": 1,
    "model.total_tokens": 1,
    "model.lora.rank": 0,
    "method.sft.trajectories": 0,
    "method.sft.drill_trajectories": 0,
    "method.sft.drill_fields": 0,
    "method.sft.warmup_steps": 0,
    "method.sft.batch_tokens": 1,
    "method.sft.accumulate": 1,
    "method.sft.save_steps": 1,
    "method.sft.log_steps": 1,
    "method.grpo.steps": 0,
    "method.grpo.tasks": 1,
    "method.grpo.group": 2,
    "method.grpo.warmup_steps": 0,
    "method.grpo.patience": 1,
    "method.grpo.save_steps": 1,
    "method.grpo.log_steps": 1,
    "hardware.micro_batch": 1,
    "hardware.threads": 0,
}
"""Smallest values of whole numbers; rewards are compared within a group, hence two."""

POSITIVE = (
    "method.sft.learning_rate",
    "method.sft.muon_learning_rate",
    "method.grpo.learning_rate",
    "method.grpo.temperature",
    "method.grpo.clip_high",
)

CHOICES = {
    "hardware.device": ("cpu", "cuda"),
    "hardware.generation": ("transformers", "vllm"),
    "method.sft.optimizer": ("adamw", "muon"),
    "logger.wandb": ("offline", "online", "disabled"),
    "model.dtype": ("float32", "bfloat16", "float16"),
}


def check_values(config: Config) -> None:
    """Check what can be told from the configuration alone.

    Raises:
        OptionError: naming the key, what is expected and what came.
    """
    for name, least in LEAST.items():
        if (value := operator.attrgetter(name)(config)) < least:
            raise OptionError(f"{name} must be at least {least}; got {value}")
    if not 0 <= config.seed <= 99:
        # Training tasks of different seeds, of evaluation and of the frozen instances never meet; see tasks.py.
        raise OptionError(f"seed must be 0 to 99; got {config.seed}")
    for name in POSITIVE:
        if not (value := operator.attrgetter(name)(config)) > 0:
            raise OptionError(f"{name} must be above 0; got {value}")
    for name, allowed in CHOICES.items():
        if (value := operator.attrgetter(name)(config)) not in allowed:
            raise OptionError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
    _check_training(config)
    if config.method.grpo.curriculum is not None:
        _check_curriculum(config.method.grpo.curriculum)
    PromptStyle.parse(config.model.prompt)
    _check_evaluation(config.evaluation)


def _check_training(config: Config) -> None:
    sft, grpo, hardware, model = config.method.sft, config.method.grpo, config.hardware, config.model
    if not 0 <= sft.slips < 1:
        raise OptionError(f"method.sft.slips is a share, at least 0 and below 1; got {sft.slips}")
    shares = [stage.share for stage in sft.curriculum]
    if abs(sum(shares) - 1) > 1e-6:
        raise OptionError(f"method.sft.curriculum: shares must add up to 1; got {shares}")
    if model.turn_tokens > model.total_tokens:
        raise OptionError(
            f"model.turn_tokens must be at most total_tokens ({model.total_tokens}); got {model.turn_tokens}"
        )
    if "reward" in config.env.options:
        raise OptionError("env.options.reward: training goes by the score, which no reward changes; leave it out")
    if (grpo.tasks * grpo.group) % hardware.micro_batch:
        raise OptionError(
            f"method.grpo.tasks * method.grpo.group ({grpo.tasks} * {grpo.group}) must be a multiple of "
            f"hardware.micro_batch ({hardware.micro_batch})"
        )
    if hardware.generation == "vllm" and hardware.device == "cpu":
        raise OptionError("hardware.generation=vllm needs a GPU; use transformers")
    if not 0 <= hardware.vllm_memory <= 1:
        raise OptionError(f"hardware.vllm_memory is a share, 0 to 1; got {hardware.vllm_memory}")


def _check_curriculum(wanted: CurriculumConfig) -> None:
    key = "method.grpo.curriculum"
    for name, least in {"bands": 2, "window": 1}.items():
        if (value := getattr(wanted, name)) < least:
            raise OptionError(f"{key}.{name} must be at least {least}; got {value}")
    for name in ("easier", "harder", "replay"):
        if not 0 <= (share := getattr(wanted, name)) < 1:
            raise OptionError(f"{key}.{name} is a share, at least 0 and below 1; got {share}")
    for name in ("raise_at", "least"):
        if not 0 < (share := getattr(wanted, name)) <= 1:
            raise OptionError(f"{key}.{name} must be above 0 and at most 1; got {share}")
    if not 0 <= wanted.lower_at < wanted.raise_at:
        raise OptionError(f"{key}.lower_at must be at least 0 and below raise_at; got {wanted.lower_at}")
    if not wanted.easier + wanted.harder < 1:
        raise OptionError(f"{key}: easier and harder must leave a share; got {wanted.easier} and {wanted.harder}")


def _check_evaluation(wanted: EvaluationConfig) -> None:
    if wanted.episodes is not None and wanted.episodes < 1:
        raise OptionError(f"evaluation.episodes must be null or at least 1; got {wanted.episodes}")
    if parse_split(wanted.split) is Split.GENERATED and wanted.episodes is None:
        raise OptionError("evaluation.split=generated has no end: set evaluation.episodes, too")
    for name in wanted.references:
        if name not in REFERENCE_AGENTS:
            raise OptionError(f"evaluation.references: expected some of {', '.join(REFERENCE_AGENTS)}; got {name!r}")


def task_count(wanted: EvaluationConfig, scenario: str) -> int:
    """Return how many tasks an evaluation plays.

    Raises:
        OptionError: the split has fewer than are asked for.
    """
    if wanted.split == Split.GENERATED and wanted.episodes is not None:
        return wanted.episodes
    there = len(teller_gym.load_tasks(scenario, wanted.split))
    if wanted.episodes is not None and wanted.episodes > there:
        raise OptionError(
            f"evaluation.episodes: split {wanted.split} of {scenario} has {there} tasks; got {wanted.episodes}"
        )
    return wanted.episodes or there


def check_surroundings(config: Config) -> None:
    """Check what the machine and the installed environments must have: the GPU, the environment, the run folder.

    Raises:
        OptionError: naming the key, and what is missing.
        MissingExtraError: vLLM is asked for and not installed.
    """
    if config.hardware.device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise OptionError("hardware.device=cuda: torch sees no GPU here; use hardware=cpu")
    if config.hardware.generation == "vllm" and find_spec("vllm") is None:
        raise MissingExtraError("hardware.generation=vllm", "vllm")
    if "difficulty" in config.env.options:
        raise OptionError(
            "env.options.difficulty: training names its tasks itself; leave it out, and see method.grpo.curriculum"
        )
    try:
        if str(gym.spec(config.env.id).entry_point).endswith(":GraphEnv"):
            raise OptionError(f"env: expected one whose episodes are made of calls, got {config.env.id}")
        env = make_env(config.env.id, config.env.options, "generated")
    except (gym.error.Error, TypeError) as error:
        # TypeError: how a constructor says that it has no such argument.
        raise OptionError(f"env: {config.env.id} with options {config.env.options}: {error}") from error
    core = contract_of(env)
    task_count(config.evaluation, core.scenario.name)
    if config.method.grpo.curriculum is not None:
        bands(core.scenario.name, config.method.grpo.curriculum.bands)
    env.close()
    folder = Path(config.run_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"run_dir: {folder} cannot be made ({error}); choose another") from error
    if not os.access(folder, os.W_OK):
        raise OptionError(f"run_dir: {folder} cannot be written to; choose another")
