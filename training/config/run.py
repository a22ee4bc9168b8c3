"""A training configuration: every setting with its unit and reason. Values stand in the YAML files of `configs/`."""

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
from teller_gym.training.config.groups import BranchesConfig, CurriculumConfig
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
    """Constructor options of the environment, such as env.sop=explicit; training sets split and reward itself."""

    model_config = ConfigDict(extra="allow")

    id: Annotated[Text, AfterValidator(_env_id)]
    """Short name or id of the environment, or my.module:my_scenario."""

    @property
    def options(self) -> dict[str, Any]:
        """Constructor options."""
        return dict(self.model_extra or {})

    @model_validator(mode="after")
    def _ours(self) -> Self:
        told = {
            "options": "options stand directly under env, such as env.distractors=40",
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
    """Their output is scaled by alpha / rank."""


def _shape(values: Any) -> Any:
    """Sizes by name as a TinyShape."""
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
        # The directions between which the first two layers copy are taken from the residual stream.
        found.append(("hidden", f"expected more than head_dim ({shape.head_dim}), got {shape.hidden}"))
    problems(found)
    return shape


class ModelConfig(Settings):
    """Group ``model``."""

    name: Text
    """A causal model of a hub, its local folder, or tiny, which is made on the spot."""
    prompt: Literal["full", "compact", "minimal"]
    """How much of the instructions the model sees: the SOP and JSON schemas; signatures in their place (about
    10,500 tokens less a prompt); the request alone."""
    turn_tokens: Count
    """Tokens of one turn."""
    total_tokens: Count
    """Tokens of a whole conversation, procedure and tool results included."""
    thinking: bool = False
    """Lets the model think before it answers, if the chat template supports it, in training and, unless
    agent.thinking says otherwise, in every evaluation of its checkpoints."""
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    """Of the weights. Updates of 1e-6 would vanish in 16 bits; the computation is in bf16 all the same."""
    shape: Annotated[TinyShape, BeforeValidator(_shape)] = Field(default_factory=TinyShape)
    """Sizes of the tiny model by name, such as model.shape.hidden=128: hidden, layers, heads, kv_heads, head_dim, mlp,
    vocabulary (tokens at most), positions (longest conversation in tokens)."""
    lora: LoraConfig = Field(default_factory=LoraConfig)

    @property
    def tiny(self) -> bool:
        """Whether the model is made on the spot."""
        return self.name == "tiny"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.turn_tokens > self.total_tokens:
            text = f"expected at most total_tokens ({self.total_tokens}), got {self.turn_tokens}"
            raise problem(text, "turn_tokens")
        return self

    def lora_config(self) -> Any:
        """The adapters as peft wants them, or None."""
        if self.lora.rank == 0:
            return None
        from peft import LoraConfig as PeftLora

        return PeftLora(
            r=self.lora.rank, lora_alpha=self.lora.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        )


class StageConfig(Settings):
    """One part of the curriculum."""

    share: Reached
    """Of the trajectories."""
    max_tokens: Count | None = None
    """Length that conversations are cut to; null leaves them whole."""


def _whole(stages: list[StageConfig]) -> list[StageConfig]:
    shares = [stage.share for stage in stages]
    if abs(sum(shares) - 1) > 1e-6:
        raise problem(f"expected shares that add up to 1, got {shares}")
    return stages


class SftConfig(Settings):
    """Group ``method``, block ``sft``."""

    trajectories: Number
    """Expert episodes, each seen once; 0 skips fine-tuning."""
    slips: Share
    """Share of the expert's calls before which it makes a spoilt one: the error and the right call after it are
    learned, the spoilt one is not."""
    working: bool
    """Whether the expert notes, before a call, what its arguments follow from, and asks the calendar instead of
    counting days, in scenarios whose expert can."""
    shortcuts: Share
    """Share of the whole conversations that stop after the expert's second call, as if the case were done: fine-tuning
    copies both ways of working, and only rewards tell which is better."""
    optimizer: Literal["adamw", "muon"] = "adamw"
    """With muon, AdamW's place is taken by Muon in all matrices but embeddings and head; for whole weights, each of
    which a process has whole."""
    learning_rate: Positive
    """Highest rate; with muon of both, since its updates are scaled to AdamW's."""
    lora_learning_rate: Positive
    """The same for adapters, which begin at zero and bear, and need, more."""
    weight_decay: Annotated[float, Ge(0)]
    """Of the optimizer."""
    warmup_steps: Number
    """Steps over which the rate rises."""
    batch_tokens: Count
    """Tokens of a batch on one device, padding included."""
    accumulate: Count
    """Batches per step, on each device."""
    drill_trajectories: Number
    """Episodes cut into copy drills before the whole ones; a pretrained model can copy already."""
    rare_trajectories: Number = 0
    """Further episodes of which drills of rare calls alone are learned, among the whole conversations: a call that one
    episode of four has, and a single true or false in it, is seldom seen."""
    drill_fields: Number
    """Fields in a drill's record besides those that its call uses."""
    drill_record: Literal["flat", "nested"]
    """flat: one object of fields, the last of each name; nested: results and notes as they stood, without other fields,
    so that what two persons have stands in it for both."""
    curriculum: Annotated[list[StageConfig], MinLen(1), AfterValidator(_whole)]
    """Parts of the trajectories, in order, such as [{share: 0.2, max_tokens: 600}, {share: 0.8}]."""
    save_steps: Count
    """Steps between checkpoints, from which an interrupted run resumes."""
    log_steps: Count
    """Steps between log lines."""

    def stages(self) -> list[Stage]:
        """The curriculum over whole conversations."""
        return [Stage(stage.max_tokens, stage.share) for stage in self.curriculum]


class GrpoConfig(Settings):
    """Group ``method``, block ``grpo``."""

    steps: Number
    """Rounds of rollouts, each followed by loss.updates updates; 0 skips GRPO."""
    tasks: Count
    """Tasks of a step, over all processes."""
    group: Annotated[int, Ge(2)]
    """Rollouts of each task: rewards are compared within the group."""
    most_groups: Annotated[float, Ge(1)]
    """Groups that a step may play, as a multiple of tasks: one that teaches nothing, such as one whose rewards are all
    equal, is replaced by one of another task up to this; 1 replaces none."""
    optimizer: Literal["adamw", "sgd"]
    """With sgd an update is as long as its gradient says. A fresh adamw moves every weight alike in its first updates,
    also those of which the gradient is noise, and in a run of few updates nothing else happens."""
    learning_rate: Positive
    """Highest rate. With sgd, and gradients longer than max_grad_norm, an update moves the weights by this times
    max_grad_norm in all."""
    lora_learning_rate: Positive
    """The same for adapters. The sampler gets them merged into the weights, and what is much smaller than 16 bits can
    hold is rounded away."""
    max_grad_norm: Positive
    """Length that a longer gradient is cut to."""
    turn_discount: Annotated[float, Ge(0), Le(1)] | None
    """Gives every turn an advantage of its own: what the reward rose by with it, and this share of the next turn's
    return, compared with the group's at the same turn. With null the whole rollout has one."""
    warmup_steps: Number
    """Updates over which the rate rises."""
    temperature: Positive
    """Of the rollouts, and of the probabilities in the loss."""
    patience: Count
    """Failed calls in a row after which a rollout ends, scored as far as it got: what follows rarely recovers and costs
    most."""
    save_steps: Count
    """Steps between checkpoints."""
    log_steps: Count
    """Steps between log lines."""
    reward: RewardWeights = Field(default_factory=RewardWeights)
    curriculum: CurriculumConfig | None = None
    """Tasks from easy to hard as the score rises, as method=curriculum has it; null plays what the generator makes, in
    order."""
    branches: BranchesConfig | None = None
    """Groups that go on from a turn of their first rollout, such as {share: 0.5}; null begins every rollout afresh."""

    @property
    def groups_at_most(self) -> int:
        """Groups that a step may play."""
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
    """The project's name."""

    def trainer_options(self, phase: str) -> dict[str, Any]:
        """Where the trainers report to, besides the run folder."""
        return {"report_to": "none" if self.wandb == "disabled" else "wandb", "run_name": phase}


def _rising(levels: list[float]) -> list[float]:
    if len(levels) != 2 or not 0 <= levels[0] < levels[1] <= 1:
        raise problem(f"expected a pair of levels [low, high] with 0 <= low < high <= 1, got {levels}")
    return levels


class Config(Settings):
    """A whole run."""

    run_dir: Folder
    """Everything the run leaves. The same command on the same folder continues a run that was cut off."""
    seed: Annotated[int, Ge(0), Le(99)]
    """Of weights, batches, tasks and sampling. Up to 99: training tasks of different seeds, of evaluation and of the
    frozen instances never meet."""
    env: EnvConfig
    model: ModelConfig
    method: MethodConfig
    loss: LossConfig
    hardware: HardwareConfig
    logger: LoggerConfig
    evaluation: EvaluationConfig
    difficulty: Annotated[list[float], AfterValidator(_rising)] | None = None
    """Range of levels, such as [0.0, 0.5], for tasks of training and evaluation; null takes all tasks."""

    _variables: dict[str, str] = PrivateAttr(default_factory=dict)
    _recipe: tuple[str, tuple[str, ...]] | None = PrivateAttr(default=None)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that settings were read from: their values are never shown."""
        return self._variables

    @property
    def recipe(self) -> tuple[str, tuple[str, ...]] | None:
        """The top-level file and the words that it was composed of; None if it was made in another way."""
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
        spread = self.hardware.sharding != "ddp" and self.hardware.processes > 1
        if self.method.sft.optimizer == "muon" and (spread or self.model.lora.rank):
            what = (
                f"hardware.sharding={self.hardware.sharding}" if spread else f"model.lora.rank={self.model.lora.rank}"
            )
            text = f"it updates whole matrices that each process has; expected adamw with {what}, got muon"
            raise problem(text, "method.sft.optimizer")
        if (groups := grpo.steps * grpo.groups_at_most) > GRPO_SEEDS_A_RUN:
            text = (
                f"expected at most {GRPO_SEEDS_A_RUN} groups in all, got {groups}: tasks of different seeds never meet"
            )
            raise problem(text, "method.grpo.steps")
        return self


LISTS = ("evaluation.references",)
"""Settings whose values may be written with commas alone."""


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
