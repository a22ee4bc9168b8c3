"""GRPO training with TRL's GRPOTrainer.

Rewards are for whole episodes, and by default they are the environment's scores.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers.trainer_callback import PrinterCallback
from trl import GRPOConfig

from teller_gym.training.config.run import Config
from teller_gym.training.models.load import whole_model
from teller_gym.training.models.lora_merge import hand_over_exactly
from teller_gym.training.models.window_attention import attend_in_windows
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.phases.grpo_trainer import TurnTrainer
from teller_gym.training.processes.group import here
from teller_gym.training.processes.resume import resume_point
from teller_gym.training.rollouts.rollout import EnvPool
from teller_gym.training.rollouts.vllm_colocated import engine_made_with
from teller_gym.training.rollouts.vllm_server import await_server
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS, GRPO_SEEDS_A_RUN, make_env
from teller_gym.training.trainer_parts.callbacks import Journal, drop_padding_mask
from teller_gym.training.trainer_parts.curriculum_state import open_course
from teller_gym.training.trainer_parts.rewards import reward_functions
from teller_gym.training.trainer_parts.stopping import FiniteTrainer, Stopper
from teller_gym.training.trainer_parts.validation import Validation


class SafeTrainer(FiniteTrainer, TurnTrainer):
    """TurnTrainer that stops with an error before an update with NaN values."""

    phase = "grpo"


def train_grpo(
    model: Any, tokenizer: Any, config: Config, folder: Path, log: MetricsLog, transcripts: Path,
    table: EnvPool | None = None,
) -> Any:  # fmt: skip
    """Train a model and return it; a later call continues from the last checkpoint in ``folder``.

    Args:
        tokenizer: tokenizer with the training chat template.
        folder: folder for checkpoints.
        transcripts: file to which one rollout of each group is written.
        table: environments for the rollouts; None uses the run's.
    """
    if table is None:
        reward = config.method.grpo.reward
        table = EnvPool(lambda: make_env(config.env.id, config.env.options, "generated"), reward)
    course = open_course(config, _mixture(table), transcripts.with_name("curriculum.jsonl"))
    if course:
        course.writes = here().first
    player = Player(config, tokenizer, table, transcripts, course=course)
    rewards, weights = reward_functions(config.method.grpo.reward, config.loss)
    stopper = Stopper("grpo", folder, config.loss.updates)
    validation = Validation(config, "grpo", tokenizer, log, folder, stopper, config.loss.updates)
    if config.hardware.serves:
        await_server(config.hardware.vllm_url)
    colocated = config.hardware.generation == "vllm" and not config.hardware.serves
    with engine_made_with(config.hardware.vllm_dtype if colocated else "auto"):
        trainer = SafeTrainer(
            model=model,
            reward_funcs=rewards,
            args=_arguments(config, folder, weights),
            train_dataset=_prompts(config, table),
            processing_class=tokenizer,
            peft_config=config.model.lora_config(),
            rollout_func=player,
            callbacks=[Journal(log, "grpo", player.rewind), stopper, validation],
        )
    validation.trainer = trainer
    trainer.player, trainer.discount = player, config.method.grpo.turn_discount
    trainer.budget = config.hardware.update_tokens
    trainer.left_out = player.left_out
    hand_over_exactly(trainer, config.model, config.hardware)
    trainer.remove_callback(PrinterCallback)
    drop_padding_mask(trainer.model)
    attend_in_windows(trainer.model)
    checkpoint = resume_point(folder, "grpo")
    with stopper.listening():
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    return whole_model(trainer, config.model, config.hardware)


def _mixture(table: EnvPool) -> Mixture:
    return Mixture.in_env(table.seats(1)[0])


def _prompts(config: Config, table: EnvPool) -> Dataset:
    """Return a dataset with one row per group.

    Its message is never rendered: it contains the task's id, or the group's number with a curriculum.
    """
    grpo = config.method.grpo
    numbers = range(grpo.steps * grpo.tasks)
    if grpo.curriculum:
        ids = [f"group-{number}" for number in numbers]
    else:
        first = GRPO_SEEDS + GRPO_SEEDS_A_RUN * config.seed
        mixture, band = _mixture(table), config.band
        ids = [mixture.generated(band, first + number) for number in numbers]
    return Dataset.from_list([{"prompt": [{"role": "user", "content": one, "task_id": one}]} for one in ids])


def _arguments(config: Config, folder: Path, reward_weights: list[float]) -> GRPOConfig:
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    grpo, hardware, loss = config.method.grpo, config.hardware, config.loss
    options: dict[str, Any] = {"optim": "sgd"} if grpo.optimizer == "sgd" else {}
    if hardware.generation == "vllm":
        options |= {
            "use_vllm": True, "vllm_mode": hardware.vllm_mode, "vllm_server_base_url": hardware.vllm_url,
            "vllm_tensor_parallel_size": hardware.vllm_tensor_parallel, "vllm_enable_sleep_mode": hardware.vllm_sleep,
            "vllm_gpu_memory_utilization": hardware.vllm_memory, "vllm_max_model_length": config.model.total_tokens,
        }  # fmt: skip
    return GRPOConfig(
        output_dir=str(folder),
        max_steps=grpo.steps * loss.updates,
        # A batch is a process's rollouts of one update; the trainer splits it into passes.
        per_device_train_batch_size=grpo.tasks * grpo.group // (hardware.processes * loss.updates),
        gradient_accumulation_steps=1,
        steps_per_generation=loss.updates,
        num_generations=grpo.group,
        max_completion_length=config.model.total_tokens,
        temperature=grpo.temperature,
        learning_rate=grpo.lora_learning_rate if config.model.lora.rank else grpo.learning_rate,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=grpo.warmup_steps,
        adam_beta2=0.95,
        max_grad_norm=grpo.max_grad_norm,
        reward_weights=reward_weights,
        shuffle_dataset=False,
        # A checkpoint between the updates of one step would have no rollouts to continue with.
        save_steps=grpo.save_steps * loss.updates,
        save_total_limit=KEPT_CHECKPOINTS,
        logging_steps=grpo.log_steps * loss.updates,
        seed=config.seed,
        disable_tqdm=True,
        **loss.trainer_options(),
        **options,
        **hardware.trainer_options(),
        **config.logger.trainer_options("grpo"),
    )
