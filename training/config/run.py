"""The complete training configuration.

Every setting has its unit and reason here; the values are in the YAML files of `configs/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le
from pydantic import AfterValidator, ConfigDict, PrivateAttr, model_validator

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.configuration.compose import compose
from teller_gym.configuration.envs import env_id_of
from teller_gym.configuration.settings import Folder, Settings, Text, problem, problems, read, text_keys
from teller_gym.configuration.variables import named
from teller_gym.training.config.evaluation import EvaluationConfig, ValidationConfig
from teller_gym.training.config.grpo import GrpoConfig, LossConfig
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.model import ModelConfig
from teller_gym.training.config.rounds import CorrectionsConfig, RejectionConfig, RoundsConfig
from teller_gym.training.config.sft import SftConfig
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.seeds import GRPO_SEEDS_A_RUN


def _env_id(name: str) -> str:
    try:
        return env_id_of(name)
    except OptionError as error:
        raise problem(str(error).removeprefix("env: ")) from None


class EnvConfig(Settings):
    """Constructor options of the environment, such as env.sop=explicit; training sets split and reward."""

    model_config = ConfigDict(extra="allow")

    id: Annotated[Text, AfterValidator(_env_id)]
    """Short name or id of the environment, or my.module:my_scenario."""

    @property
    def options(self) -> dict[str, Any]:
        """Options of the environment's constructor."""
        return dict(self.model_extra or {})

    @model_validator(mode="after")
    def _ours(self) -> Self:
        told = {
            "options": "options are given directly under env, such as env.distractors=40",
            "reward": "training goes by the score, which no reward changes; leave it out, or weigh its terms for "
            "GRPO, as reward=sparse does",
            "split": "training sets it itself; evaluation.split names the one that is evaluated",
            "difficulty": "training names its tasks itself; set difficulty=[low,high] for the whole run, or see "
            "method.grpo.curriculum",
        }
        problems([(name, text) for name, text in told.items() if name in self.options])
        return self


class MethodConfig(Settings):
    """Group ``method``; 0 trajectories, rounds or steps skip a phase."""

    sft: SftConfig
    rejection: RejectionConfig
    corrections: CorrectionsConfig
    grpo: GrpoConfig
    validation: ValidationConfig


class LoggerConfig(Settings):
    """Group ``logger``."""

    wandb: Literal["offline", "online", "disabled"]
    """Weights & Biases; offline writes into the run folder and needs no account."""
    project: Text
    """Project name."""

    def trainer_options(self, phase: str) -> dict[str, Any]:
        """Return the trainers' options for logging to Weights & Biases."""
        return {"report_to": "none" if self.wandb == "disabled" else "wandb", "run_name": phase}


def _rising(levels: list[float]) -> list[float]:
    if len(levels) != 2 or not 0 <= levels[0] < levels[1] <= 1:
        raise problem(f"expected a pair of levels [low, high] with 0 <= low < high <= 1, got {levels}")
    return levels


class Config(Settings):
    """Complete settings of a run."""

    run_dir: Folder
    """Folder for all files of the run. The same command with the same folder continues an interrupted run."""
    seed: Annotated[int, Ge(0), Le(99)]
    """Seed for weights, batches, tasks and sampling, up to 99. Training tasks of different seeds, evaluation tasks and
    frozen instances never overlap."""
    env: EnvConfig
    model: ModelConfig
    method: MethodConfig
    loss: LossConfig
    hardware: HardwareConfig
    logger: LoggerConfig
    evaluation: EvaluationConfig
    difficulty: Annotated[list[float], AfterValidator(_rising)] | None = None
    """Difficulty range of training and evaluation tasks, such as [0.0, 0.5]; null takes all tasks."""

    _variables: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def band(self) -> Band:
        """Difficulty range of all tasks."""
        return Band.parse(self.difficulty)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that settings refer to; their values are never shown."""
        return self._variables

    @model_validator(mode="after")
    def _fits(self) -> Self:
        grpo = self.method.grpo
        if grpo.curriculum is not None and self.difficulty is not None:
            raise problem(
                "it chooses the difficulty itself; expected null, or difficulty=null", "method.grpo.curriculum"
            )
        for name, block in self.method:
            if isinstance(block, RoundsConfig) and block.rounds and self.hardware.sharded:
                told = f"one process plays, with the whole model, and sharding={self.hardware.sharding} spreads it"
                raise problem(f"{told}; expected 0, or sharding=ddp, got {block.rounds}", f"method.{name}.rounds")
        rows, parts = grpo.tasks * grpo.group, self.hardware.processes * self.loss.updates
        if rows % parts:
            rollouts = f"method.grpo.tasks * method.grpo.group ({grpo.tasks} * {grpo.group})"
            told = f"{self.hardware.processes} training processes * {self.loss.updates} updates"
            raise problem(f"expected a number with which {rollouts} is a multiple of {told}", "method.grpo.tasks")
        if (groups := grpo.steps * grpo.groups_at_most) > GRPO_SEEDS_A_RUN:
            text = (
                f"expected at most {GRPO_SEEDS_A_RUN} groups in all, got {groups}: tasks of different seeds never meet"
            )
            raise problem(text, "method.grpo.steps")
        return self


LISTS = ("evaluation.references",)
"""List settings that may be written without brackets, as comma-separated words."""


def load(name: str, overrides: Sequence[str]) -> tuple[Config, dict[str, Any]]:
    """Compose a configuration with Hydra and check it.

    Args:
        name: a top-level file of `teller_gym.configs`, without its ending.
        overrides: in Hydra's notation, such as ``model=qwen3_0_6b`` or ``method.grpo.steps=10``.

    Returns:
        The configuration, and the same settings as plain data for the run folder.

    Raises:
        SettingsError: lists all unknown files, groups and keys, and all invalid values.
    """
    composed = compose(name, overrides, LISTS, text_keys(Config))
    config = read(Config, composed.values, composed.problems, composed.variables)
    config._variables = composed.variables
    plain = named(config.model_dump(mode="json"), composed.shown)
    if config.logger.wandb != "disabled" and plain["logger"]["project"] != config.logger.project:
        told = f"expected the name itself, got {plain['logger']['project']}"
        raise SettingsError([f"logger.project: {told}: W&B writes it into its files; or take logger=none"])
    return config, plain
