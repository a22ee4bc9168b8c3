"""Reinforcement learning with TRL's GRPOTrainer: rewards are the environment's scores of whole episodes.

The trainer hands prompts to our ``rollout_func``, which plays them through the environments and returns tokens. A
prompt carries the id of its task as a further key of its only message; the trainer repeats each prompt for a group, so
all rollouts of a group work the same task. With a curriculum a prompt carries the number of its group instead, and the
task is chosen when the step begins.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.sampling import CachedSampler, Sampler, Turn
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.training.band import Band
from teller_gym.training.callbacks import KEPT_CHECKPOINTS, Journal, drop_padding_mask, last_checkpoint
from teller_gym.training.config import Config
from teller_gym.training.course import Course, open_course
from teller_gym.training.credit import turn_advantages
from teller_gym.training.mixture import Mixture
from teller_gym.training.rollout import End, Limits, Rollout, Table
from teller_gym.training.runlog import MetricsLog, keep_rows
from teller_gym.training.tasks import GRPO_SEEDS, GRPO_SEEDS_A_RUN, LeakGuard, make_env

TERMS = ("checkpoints", "parameters", "outcome", "penalties")
"""Parts of the score that are logged beside it; they carry no weight of their own."""


class VllmSampler:
    """Samples through the trainer's colocated vLLM engine, whose prefix cache makes later turns cheap."""

    def __init__(self, trainer: Any, end: int) -> None:
        self._engine = trainer.vllm_generation
        self._end = end

    def sample(self, slots: Any, contexts: Any, max_new: int) -> list[Turn]:
        """Draw one turn for each conversation; see `Sampler.sample`."""
        self._engine.max_completion_length = max_new
        _, completions, logprobs, _ = self._engine.generate([list(ids) for ids in contexts], None, 1)
        turns = []
        for ids, scores in zip(completions, logprobs, strict=True):
            flat = [float("nan") if score[0] is None else float(score[0]) for score in scores]
            turns.append(Turn(list(ids), flat, bool(ids) and ids[-1] == self._end))
        return turns

    def forget(self) -> None:
        """Nothing is kept here."""


class Player:
    """The ``rollout_func``: plays the tasks that prompts name or a course chooses, and keeps figures and transcripts.

    Args:
        config: the run.
        tokenizer: with the chat template that the model is trained with.
        table: environments.
        transcripts: JSON Lines file for one rollout of each group.
        guard: against tasks of the evaluation splits.
        course: chooses the tasks, if prompts do not name them.
    """

    def __init__(
        self, config: Config, tokenizer: Any, table: Table, transcripts: Path, guard: LeakGuard | None = None,
        course: Course | None = None,
    ) -> None:  # fmt: skip
        self.config = config
        self.chat = ChatFormat(tokenizer, PromptStyle.parse(config.model.prompt))
        self.limits = Limits(config.model.turn_tokens, config.model.total_tokens, config.method.grpo.patience)
        self.table = table
        self.transcripts = transcripts
        self.guard = guard or LeakGuard()
        self.course = course
        self.rollouts: list[Rollout] = []
        """Those played last, in the order of the prompts."""
        self.common = 0
        """Tokens that the prompts of those have in common."""

    def __call__(self, prompts: list[list[dict[str, Any]]], trainer: Any) -> dict[str, list[Any]]:
        """Play one episode a prompt; return what `GRPOTrainer` asks of a rollout function, and the rewards.

        Raises:
            InfrastructureError: if every episode broke, since then nothing can be learned.
        """
        named = [prompt[-1]["task_id"] for prompt in prompts]
        task_ids = self.course.choose(named) if self.course else named
        rollouts = self.table.play(task_ids, self._sampler_of(trainer), self.chat, self.limits, self.guard.check)
        if all(rollout.end is End.INVALID for rollout in rollouts):
            raise InfrastructureError("every episode of a training step broke; the log above says why")
        step = trainer.state.global_step
        self._write(rollouts, step)
        figures = self.course.learn(step, rollouts) if self.course else {}
        # What all prompts of the step have in length counts as the prompt; the rest stands, masked, before the model's
        # first turn. So no row is padded on the left, and attention needs no mask.
        common = min(len(rollout.prompt_ids) for rollout in rollouts)
        self.rollouts, self.common = rollouts, common
        rest = [rollout.prompt_ids[common:] for rollout in rollouts]
        return {
            "prompt_ids": [rollout.prompt_ids[:common] for rollout in rollouts],
            "completion_ids": [more + rollout.ids for more, rollout in zip(rest, rollouts, strict=True)],
            "logprobs": [[0.0] * len(more) + rollout.logprobs for more, rollout in zip(rest, rollouts, strict=True)],
            "env_mask": [[0] * len(more) + rollout.mask for more, rollout in zip(rest, rollouts, strict=True)],
            "rollout": rollouts,
            "figures": [figures] * len(rollouts),
        }

    def rewind(self, step: int) -> None:
        """Drop what was kept of a step and of those after it, which will be played again."""
        keep_rows(self.transcripts, lambda row: row["step"] < step)
        if self.course:
            self.course.rewind(step)

    def _sampler_of(self, trainer: Any) -> Sampler:
        if self.config.hardware.generation == "vllm":
            return VllmSampler(trainer, self.chat.end)
        # A sampler a step, seeded by the step: a run that continues draws what it would have drawn without the cut.
        seed = random.Random(f"{self.config.seed}/{trainer.state.global_step}").getrandbits(32)
        model = trainer.accelerator.unwrap_model(trainer.model)
        return CachedSampler(model, [self.chat.end], self.config.method.grpo.temperature, seed)

    def _write(self, rollouts: list[Rollout], step: int) -> None:
        self.transcripts.parent.mkdir(parents=True, exist_ok=True)
        with self.transcripts.open("a", encoding="utf-8") as file:
            for rollout in rollouts[:: self.config.method.grpo.group]:
                row = {
                    "step": step,
                    "task_id": rollout.task_id,
                    "end": rollout.end,
                    "score": rollout.score,
                    "terms": rollout.terms,
                    "errors": rollout.errors,
                    "messages": [message for message in rollout.messages if message["role"] != "system"],
                }
                if rollout.defects:
                    row["defects"] = rollout.defects
                file.write(json.dumps(row) + "\n")


class TurnTrainer(GRPOTrainer):
    """GRPOTrainer with an advantage for every turn, as `turn_advantages` has it, where a discount is given.

    TRL's loss takes advantages of shape (rollouts, tokens) "to support subclasses"; everything else of it stays.
    """

    player: Player
    discount: float | None = None

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        output = super()._generate_and_score_completions(inputs)
        if self.discount is not None:
            whole = output["advantages"]
            output["advantages"] = advantages = whole.new_zeros(output["completion_ids"].shape)
            rollouts = self.player.rollouts
            found = turn_advantages(rollouts, self.num_generations, self.discount, self.scale_rewards)
            for row, (rollout, turns) in enumerate(zip(rollouts, found, strict=True)):
                offset = len(rollout.prompt_ids) - self.player.common
                for span, advantage in zip(rollout.spans, turns, strict=True):
                    advantages[row, offset + span.start : offset + span.end] = advantage
        return output


RewardFunction = Callable[..., list[float | None]]


def score(
    rollout: list[Rollout], figures: list[dict[str, float]] | None = None,
    log_metric: Callable[[str, float], None] | None = None, **_: Any,
) -> list[float | None]:  # fmt: skip
    """Reward: the environment's score; None for an episode that broke, which TRL leaves out."""
    if log_metric:
        valid = [one for one in rollout if one.end is not End.INVALID]
        turns = max(1, sum(one.turns for one in valid))
        log_metric("episodes/invalid", (len(rollout) - len(valid)) / len(rollout))
        log_metric("episodes/success", sum(one.success for one in valid) / max(1, len(valid)))
        log_metric("episodes/out_of_tokens", sum(one.end is End.TOKENS for one in valid) / max(1, len(valid)))
        log_metric("episodes/out_of_patience", sum(one.end is End.PATIENCE for one in valid) / max(1, len(valid)))
        log_metric("episodes/turns", turns / max(1, len(valid)))
        log_metric("calls/failed", sum(sum(one.errors.values()) for one in valid) / turns)
        log_metric("calls/crashed", sum(len(one.defects) for one in valid) / turns)
        log_metric("calls/cut", sum(one.cut for one in valid) / turns)
        for name, value in (figures[0] if figures else {}).items():
            log_metric(name, value)
    return [one.score for one in rollout]


def term(name: str) -> RewardFunction:
    """A reward function that returns one part of the score."""

    def part(rollout: list[Rollout], **_: Any) -> list[float | None]:
        return [None if one.end is End.INVALID else one.terms.get(name) for one in rollout]

    part.__name__ = name
    return part


def train_grpo(model: Any, tokenizer: Any, config: Config, folder: Path, log: MetricsLog, transcripts: Path) -> Any:
    """Train a model and return it; checkpoints go to ``folder``, and a later call continues from the last one."""
    table = Table(lambda: make_env(config.env.id, config.env.options, "generated"))
    course = open_course(config, _mixture(table), transcripts.with_name("curriculum.jsonl"))
    player = Player(config, tokenizer, table, transcripts, course=course)
    rewards = [score, *map(term, TERMS)]
    trainer = TurnTrainer(
        model=model,
        reward_funcs=rewards,
        args=_arguments(config, folder),
        train_dataset=_prompts(config, table),
        processing_class=tokenizer,
        peft_config=config.model.lora_config(),
        rollout_func=player,
        callbacks=[Journal(log, "grpo", player.rewind)],
    )
    from transformers.trainer_callback import PrinterCallback

    if course and trainer.accelerator.num_processes > 1:
        raise OptionError("method.grpo.curriculum: expected one process, since it hears of no other's groups; use null")
    trainer.player, trainer.discount = player, config.method.grpo.turn_discount
    if trainer.discount is not None and trainer.accelerator.num_processes > 1:
        raise OptionError("method.grpo.turn_discount: expected null, since several processes may share a group")
    trainer.remove_callback(PrinterCallback)
    drop_padding_mask(trainer.model)
    checkpoint = last_checkpoint(folder, "grpo")
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    return trainer.model


def _mixture(table: Table) -> Mixture:
    return Mixture.in_env(table.seats(1)[0])


def _prompts(config: Config, table: Table) -> Dataset:
    """A row a group; the message is never rendered, it only carries the task's id, or the group's number."""
    grpo = config.method.grpo
    numbers = range(grpo.steps * grpo.tasks)
    if grpo.curriculum:
        ids = [f"group-{number}" for number in numbers]
    else:
        first = GRPO_SEEDS + GRPO_SEEDS_A_RUN * config.seed
        mixture, band = _mixture(table), Band.parse(config.difficulty)
        ids = [mixture.generated(band, first + number) for number in numbers]
    return Dataset.from_list([{"prompt": [{"role": "user", "content": one, "task_id": one}]} for one in ids])


def _arguments(config: Config, folder: Path) -> GRPOConfig:
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    grpo, hardware = config.method.grpo, config.hardware
    options: dict[str, Any] = {"optim": "sgd"} if grpo.optimizer == "sgd" else {}
    if hardware.generation == "vllm":
        # The ratio of a whole long trajectory in bf16 strays far from 1: sequence_mask, TRL's default, would drop most.
        options |= {
            "use_vllm": True, "vllm_mode": "colocate", "vllm_gpu_memory_utilization": hardware.vllm_memory,
            "vllm_importance_sampling_mode": "token_truncate", "vllm_max_model_length": config.model.total_tokens,
        }  # fmt: skip
    return GRPOConfig(
        output_dir=str(folder),
        max_steps=grpo.steps,
        per_device_train_batch_size=hardware.micro_batch,
        gradient_accumulation_steps=grpo.tasks * grpo.group // hardware.micro_batch,
        num_generations=grpo.group,
        max_completion_length=config.model.total_tokens,
        temperature=grpo.temperature,
        learning_rate=grpo.learning_rate,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=grpo.warmup_steps,
        adam_beta2=0.95,
        max_grad_norm=grpo.max_grad_norm,
        beta=0.0,
        loss_type="dapo",
        epsilon_high=grpo.clip_high,
        scale_rewards=grpo.scale_rewards,
        reward_weights=[1.0] + [0.0] * len(TERMS),
        shuffle_dataset=False,
        save_steps=grpo.save_steps,
        save_total_limit=KEPT_CHECKPOINTS,
        logging_steps=grpo.log_steps,
        seed=config.seed,
        disable_tqdm=True,
        **options,
        **hardware.trainer_options(),
        **config.logger.trainer_options("grpo"),
    )
