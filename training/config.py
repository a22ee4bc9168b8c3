"""The shape of a training configuration. Values, units and reasons stand in the YAML files of `teller_gym.configs`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.training.batches import Stage
from teller_gym.training.tiny import TinyShape


@dataclass
class EnvConfig:
    """Group ``env``."""

    id: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass
class LoraConfig:
    """Low-rank adapters; rank 0 trains all weights."""

    rank: int = 0
    alpha: int = 32


@dataclass
class ModelConfig:
    """Group ``model``."""

    name: str
    prompt: str
    turn_tokens: int
    total_tokens: int
    dtype: str = "float32"
    shape: TinyShape = field(default_factory=TinyShape)
    lora: LoraConfig = field(default_factory=LoraConfig)

    @property
    def tiny(self) -> bool:
        """Whether the model is made on the spot."""
        return self.name == "tiny"

    def lora_config(self) -> Any:
        """The adapters as peft wants them, or None."""
        if self.lora.rank == 0:
            return None
        from peft import LoraConfig as PeftLora

        return PeftLora(
            r=self.lora.rank, lora_alpha=self.lora.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        )


@dataclass
class StageConfig:
    """One part of the curriculum."""

    share: float
    max_tokens: int | None = None


@dataclass
class SftConfig:
    """Group ``method``, block ``sft``."""

    trajectories: int
    slips: float
    optimizer: str
    learning_rate: float
    muon_learning_rate: float
    weight_decay: float
    warmup_steps: int
    batch_tokens: int
    accumulate: int
    drill_trajectories: int
    drill_fields: int
    curriculum: list[StageConfig]
    save_steps: int
    log_steps: int

    def stages(self) -> list[Stage]:
        """The curriculum over whole conversations."""
        return [Stage(stage.max_tokens, stage.share) for stage in self.curriculum]


@dataclass
class CurriculumConfig:
    """Group ``method``, block ``grpo.curriculum``; method/curriculum.yaml has the same values with their reasons."""

    bands: int = 4
    window: int = 16
    raise_at: float = 0.7
    lower_at: float = 0.1
    easier: float = 0.2
    harder: float = 0.1
    least: float = 0.2
    replay: float = 0.25


@dataclass
class GrpoConfig:
    """Group ``method``, block ``grpo``."""

    steps: int
    tasks: int
    group: int
    learning_rate: float
    warmup_steps: int
    temperature: float
    clip_high: float
    patience: int
    save_steps: int
    log_steps: int
    curriculum: CurriculumConfig | None = None


@dataclass
class MethodConfig:
    """Group ``method``; zero trajectories or steps leave a phase out."""

    sft: SftConfig
    grpo: GrpoConfig


@dataclass
class HardwareConfig:
    """Group ``hardware``."""

    device: str
    bf16: bool
    gradient_checkpointing: bool
    micro_batch: int
    generation: str
    vllm_memory: float
    threads: int

    def trainer_options(self) -> dict[str, Any]:
        """What both trainers are told about the machine."""
        return {
            "bf16": self.bf16,
            "gradient_checkpointing": self.gradient_checkpointing,
            "use_cpu": self.device == "cpu",
            "dataloader_pin_memory": self.device != "cpu",
        }


@dataclass
class LoggerConfig:
    """Group ``logger``."""

    wandb: str
    project: str

    def trainer_options(self, phase: str) -> dict[str, Any]:
        """Where the trainers report to, besides the run folder."""
        return {"report_to": "none" if self.wandb == "disabled" else "wandb", "run_name": phase}


@dataclass
class EvaluationConfig:
    """Block ``evaluation``."""

    split: str
    episodes: int | None
    concurrency: int
    references: list[str]
    untrained: bool


@dataclass
class Config:
    """A whole run."""

    run_dir: str
    seed: int
    env: EnvConfig
    model: ModelConfig
    method: MethodConfig
    hardware: HardwareConfig
    logger: LoggerConfig
    evaluation: EvaluationConfig


def load(name: str, overrides: list[str]) -> tuple[Config, dict[str, Any]]:
    """Compose a configuration with Hydra and check it.

    Args:
        name: a top-level file of `teller_gym.configs`, without its ending.
        overrides: as Hydra writes them, such as ``model=qwen3_0_6b`` or ``method.grpo.steps=10``.

    Returns:
        The configuration, and the same as plain data for the run folder.

    Raises:
        OptionError: an unknown file, group or key, or a value of a wrong type.
    """
    from hydra import compose, initialize_config_module
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from teller_gym.training.checks import check_values

    # What options an environment takes is the environment's to say, so they need no place in the files.
    free = [f"++{one}" if one.startswith("env.options.") else one for one in overrides]
    try:
        with initialize_config_module("teller_gym.configs", version_base="1.3"):
            composed = compose(name, overrides=free)
        merged = OmegaConf.merge(OmegaConf.structured(Config), composed)
        config = OmegaConf.to_object(merged)
        plain = OmegaConf.to_container(merged, resolve=True)
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        # ValueError: how Hydra says that a group was given a number, as in distractors=40.
        hint = "; options of the env are set as env.options.distractors=40" if type(error) is ValueError else ""
        raise OptionError(f"configuration {name}: {' '.join(str(error).split())}{hint}") from error
    assert isinstance(config, Config) and isinstance(plain, dict)
    check_values(config)
    return config, {str(key): value for key, value in plain.items()}
