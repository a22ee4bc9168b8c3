"""A training configuration: every setting with its unit and reason. Values are in the YAML files of `configs/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le, MinLen
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.compose import compose
from teller_gym.configuration.envs import env_id_of
from teller_gym.configuration.settings import Folder, Settings, Text, problem, problems, read, text_keys
from teller_gym.configuration.variables import named
from teller_gym.training.config.curriculum_stage import Stage
from teller_gym.training.config.evaluation import EvaluationConfig
from teller_gym.training.config.groups import CurriculumConfig
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.loss import LossConfig
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share
from teller_gym.training.config.reward import RewardWeights
from teller_gym.training.config.rounds import CorrectionsConfig, RejectionConfig, RoundsConfig, expect_whole_weights
from teller_gym.training.config.tiny_shape import TinyShape
from teller_gym.training.config.validation import ValidationConfig
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


class LoraConfig(Settings):
    """Low-rank adapters."""

    rank: Number = 0
    """Rank of the adapters; 0 trains all weights."""
    alpha: Count = 32
    """The adapters' output is scaled by alpha / rank."""


def _shape(values: Any) -> Any:
    """Return sizes given by name as a TinyShape."""
    if not isinstance(values, Mapping):
        return values
    known = [field.name for field in dataclasses.fields(TinyShape)]
    found = [
        (str(name), f"no such setting; expected one of {', '.join(known)}{did_you_mean(str(name), known)}")
        for name in values
        if name not in known
    ]
    found += [
        (str(name), f"expected a whole number, at least 1, got {value!r}")
        for name, value in values.items()
        if name in known and (type(value) is not int or value < 1)
    ]
    problems(found)
    shape = TinyShape(**values)
    if shape.heads % shape.kv_heads:
        found.append(("heads", f"expected a multiple of kv_heads ({shape.kv_heads}), got {shape.heads}"))
    if shape.head_dim % 2 or shape.head_dim < 6:
        found.append(("head_dim", f"expected an even number, at least 6 (three pairs turn), got {shape.head_dim}"))
    if shape.layers > 1 and shape.hidden <= shape.head_dim:
        # The first two layers copy between directions of the residual stream.
        found.append(("hidden", f"expected more than head_dim ({shape.head_dim}), got {shape.hidden}"))
    problems(found)
    return shape


class ModelConfig(Settings):
    """Group ``model``."""

    name: Text
    """A causal model of a hub, a local folder, or tiny, which is made on the spot."""
    prompt: Literal["full", "compact", "minimal"]
    """Instructions that the model sees: the SOP and JSON schemas (full), signatures instead of schemas, about 10,500
    tokens less per prompt (compact), or only the request (minimal)."""
    turn_tokens: Count
    """Maximum tokens of one turn."""
    total_tokens: Count
    """Maximum tokens of a whole conversation, including procedure and tool results."""
    thinking: bool = False
    """Lets the model think before it answers, if the chat template supports it, in training and, unless
    agent.thinking says otherwise, in every evaluation of its checkpoints."""
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    """Number format of the weights. Updates of 1e-6 would vanish in 16 bits; the computation is in bf16 in any case."""
    shape: Annotated[TinyShape, BeforeValidator(_shape)] = Field(default_factory=TinyShape)
    """Sizes of the tiny model by name, such as model.shape.hidden=128: hidden, layers, heads, kv_heads, head_dim, mlp,
    vocabulary (tokens at most), positions (longest conversation in tokens)."""
    lora: LoraConfig = Field(default_factory=LoraConfig)

    @property
    def tiny(self) -> bool:
        """True if the model is made on the spot."""
        return self.name == "tiny"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.turn_tokens > self.total_tokens:
            text = f"expected at most total_tokens ({self.total_tokens}), got {self.turn_tokens}"
            raise problem(text, "turn_tokens")
        return self

    def lora_config(self) -> Any:
        """Return the adapters' peft configuration, or None."""
        if self.lora.rank == 0:
            return None
        from peft import LoraConfig as PeftLora

        return PeftLora(
            r=self.lora.rank, lora_alpha=self.lora.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        )


class StageConfig(Settings):
    """One stage of the curriculum."""

    share: Reached
    """Share of the trajectories."""
    max_tokens: Count | None = None
    """Length to which conversations are cut; null leaves them whole."""


def _whole(stages: list[StageConfig]) -> list[StageConfig]:
    shares = [stage.share for stage in stages]
    if abs(sum(shares) - 1) > 1e-6:
        raise problem(f"expected shares that add up to 1, got {shares}")
    return stages


class SftConfig(Settings):
    """Group ``method``, block ``sft``."""

    trajectories: Number
    """Number of expert episodes, each seen once; 0 skips fine-tuning."""
    working: bool
    """Lets the expert note before a call what its arguments follow from, and ask the calendar instead of counting days,
    in scenarios that support it."""
    shortcuts: Share
    """Share of the whole conversations that stop after the expert's second call, as if the case were done: fine-tuning
    copies both ways of working, and only rewards show which is better."""
    learning_rate: Positive
    """Highest rate of AdamW."""
    lora_learning_rate: Positive
    """Highest rate for adapters, which start at zero and both tolerate and need a higher one."""
    weight_decay: Annotated[float, Ge(0)]
    """Weight decay of the optimizer."""
    warmup_steps: Number
    """Steps over which the learning rate rises."""
    batch_tokens: Count
    """Tokens of a batch on one device, including padding."""
    accumulate: Count
    """Batches per step on each device."""
    drill_trajectories: Number
    """Episodes cut into copy drills that come before whole episodes; a pretrained model can copy already."""
    rare_trajectories: Number = 0
    """Further episodes of which only drills of rare calls are learned, mixed among the whole conversations: a call that
    one episode in four has, and a single true or false in it, is seldom seen."""
    drill_fields: Number
    """Number of fields in a drill's record besides those that its call uses."""
    drill_record: Literal["flat", "nested"]
    """flat: one object of fields, the last value of each name; nested: results and notes in their original form without
    the other fields, so that a field that two persons have is there for both."""
    curriculum: Annotated[list[StageConfig], MinLen(1), AfterValidator(_whole)]
    """Stages of the trajectories, in order, such as [{share: 0.2, max_tokens: 600}, {share: 0.8}]."""
    save_steps: Count
    """Steps between checkpoints, from which an interrupted run resumes."""
    log_steps: Count
    """Steps between log lines."""

    def stages(self) -> list[Stage]:
        """Return the curriculum over whole conversations."""
        return [Stage(stage.max_tokens, stage.share) for stage in self.curriculum]


class GrpoConfig(Settings):
    """Group ``method``, block ``grpo``."""

    steps: Number
    """Number of rollout rounds, each followed by loss.updates updates; 0 skips GRPO."""
    tasks: Count
    """Number of tasks in a step, over all processes."""
    group: Annotated[int, Ge(2)]
    """Rollouts per task: rewards are compared within the group."""
    most_groups: Annotated[float, Ge(1)]
    """Maximum number of groups in a step, as a multiple of tasks: groups that teach nothing, such as those with equal
    rewards, are replaced by groups of other tasks up to this number; 1 replaces none."""
    optimizer: Literal["adamw", "sgd"]
    """With sgd the length of an update follows its gradient. A fresh adamw moves every weight equally in its first
    updates, including those whose gradient is noise, and a short run consists of nothing else."""
    learning_rate: Positive
    """Highest rate. With sgd and gradients longer than max_grad_norm, an update moves the weights by this rate times
    max_grad_norm."""
    lora_learning_rate: Positive
    """Highest rate for adapters. The sampler receives them merged into the weights, where changes below the resolution
    of 16 bits are rounded away."""
    max_grad_norm: Positive
    """Length to which longer gradients are clipped."""
    turn_discount: Annotated[float, Ge(0), Le(1)] | None
    """Gives every turn its own advantage: the reward gained in it plus this share of the next turn's return, compared
    with the group's at the same turn. With null the whole rollout has one advantage."""
    warmup_steps: Number
    """Updates over which the learning rate rises."""
    temperature: Positive
    """Temperature of the rollouts and of the probabilities in the loss."""
    patience: Count
    """Consecutive failed calls after which a rollout ends, scored as far as it got: such episodes rarely recover and
    cost most."""
    save_steps: Count
    """Steps between checkpoints."""
    log_steps: Count
    """Steps between log lines."""
    reward: RewardWeights = Field(default_factory=RewardWeights)
    curriculum: CurriculumConfig | None = None
    """Plays tasks from easy to hard as the score rises, as in method=curriculum; null plays generated tasks in
    order."""

    @property
    def groups_at_most(self) -> int:
        """Maximum number of groups in a step."""
        # A product such as 1.15 * 20 may be rounded to just below a whole number.
        return int(self.most_groups * self.tasks + 1e-9)


class MethodConfig(Settings):
    """Group ``method``; zero trajectories, rounds or steps skip a phase."""

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
    """Name of the project."""

    def trainer_options(self, phase: str) -> dict[str, Any]:
        """Return the options of the trainers for reports outside the run folder."""
        return {"report_to": "none" if self.wandb == "disabled" else "wandb", "run_name": phase}


def _rising(levels: list[float]) -> list[float]:
    if len(levels) != 2 or not 0 <= levels[0] < levels[1] <= 1:
        raise problem(f"expected a pair of levels [low, high] with 0 <= low < high <= 1, got {levels}")
    return levels


class Config(Settings):
    """A whole run."""

    run_dir: Folder
    """Folder for everything the run writes. The same command on the same folder continues an interrupted run."""
    seed: Annotated[int, Ge(0), Le(99)]
    """Seed of weights, batches, tasks and sampling, up to 99: training tasks of different seeds, evaluation tasks and
    frozen instances never overlap."""
    env: EnvConfig
    model: ModelConfig
    method: MethodConfig
    loss: LossConfig
    hardware: HardwareConfig
    logger: LoggerConfig
    evaluation: EvaluationConfig
    difficulty: Annotated[list[float], AfterValidator(_rising)] | None = None
    """Range of difficulty levels, such as [0.0, 0.5], of training and evaluation tasks; null takes all tasks."""

    _variables: dict[str, str] = PrivateAttr(default_factory=dict)
    _recipe: tuple[str, tuple[str, ...]] | None = PrivateAttr(default=None)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables from which settings were read; their values are never shown."""
        return self._variables

    @property
    def recipe(self) -> tuple[str, tuple[str, ...]] | None:
        """The top-level file and the overrides from which it was composed; None if it was made in another way."""
        return self._recipe

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        grpo = self.method.grpo
        if grpo.curriculum is not None and self.difficulty is not None:
            raise problem(
                "it chooses the difficulty itself; expected null, or difficulty=null", "method.grpo.curriculum"
            )
        rounds = {name: block for name, block in self.method if isinstance(block, RoundsConfig)}
        expect_whole_weights(rounds, self.hardware)
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
"""Settings whose values may be written as words with commas, without brackets."""


def load(name: str, overrides: Sequence[str]) -> tuple[Config, dict[str, Any]]:
    """Compose a configuration with Hydra and check it.

    Args:
        name: a top-level file of `teller_gym.configs`, without its ending.
        overrides: as Hydra writes them, such as ``model=qwen3_0_6b`` or ``method.grpo.steps=10``.

    Returns:
        The configuration, and the same as plain data for the run folder.

    Raises:
        SettingsError: unknown files, groups or keys, values that do not fit, all of them.
    """
    composed = compose(name, overrides, LISTS, text_keys(Config))
    config = read(Config, composed.values, composed.problems, composed.variables)
    config._variables, config._recipe = composed.variables, (name, tuple(overrides))
    plain = named(config.model_dump(mode="json"), composed.shown)
    if config.logger.wandb != "disabled" and plain["logger"]["project"] != config.logger.project:
        told = f"expected the name itself, got {plain['logger']['project']}"
        raise SettingsError([f"logger.project: {told}: W&B writes it into its files; or take logger=none"])
    return config, plain
