"""Supervised fine-tuning on expert trajectories with TRL's SFTTrainer, with loss on the assistant's tokens only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel
from transformers.trainer_callback import PrinterCallback
from trl import SFTConfig, SFTTrainer

from teller_gym.training.config.run import Config
from teller_gym.training.config.sft import Stage
from teller_gym.training.demonstrations.batches import (
    IGNORED,
    BatchCollator,
    Example,
    evened,
    make_dataset,
    plan_batches,
)
from teller_gym.training.models.load import whole_model
from teller_gym.training.models.window_attention import attend_in_windows
from teller_gym.training.processes.group import here
from teller_gym.training.processes.resume import resume_point
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.trainer_parts.callbacks import Journal, causal_mask, drop_padding_mask
from teller_gym.training.trainer_parts.stopping import FiniteTrainer, Stopper
from teller_gym.training.trainer_parts.validation import Validation


class ExpertTrainer(SFTTrainer):
    """SFTTrainer with a faster loss for small models on a CPU."""

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the cross entropy on labelled tokens.

        To save memory, TRL computes the logits in tiles, in the forward pass and again in the backward pass. A tiny
        model's logits are small, and computing them once halves the time per step.
        """
        if self.args.device.type != "cpu" or return_outputs or not isinstance(model, PreTrainedModel):
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        hidden = model.base_model(
            input_ids=inputs["input_ids"], attention_mask=causal_mask(inputs["attention_mask"]), use_cache=False
        ).last_hidden_state
        wanted = inputs["labels"][:, 1:]
        learned = wanted != IGNORED
        logits = model.get_output_embeddings()(hidden[:, :-1][learned])
        wanted = wanted[learned]
        loss = torch.nn.functional.cross_entropy(logits, wanted, reduction="sum")
        with torch.no_grad():
            right = (logits.argmax(-1) == wanted).float().mean().item()
        self._total_train_tokens += int(inputs["attention_mask"].sum())
        self._metrics["train"]["mean_token_accuracy"].append(right)
        self._metrics["train"]["num_tokens"] = [self._total_train_tokens]
        return loss / (len(wanted) if num_items_in_batch is None else num_items_in_batch)


class SafeTrainer(FiniteTrainer, ExpertTrainer):
    """ExpertTrainer that stops with an error before an update with NaN values."""

    phase = "sft"


def train_sft(
    model: Any, tokenizer: Any, short: Sequence[Example], whole: Sequence[Example], config: Config, folder: Path,
    log: MetricsLog, phase: str = "sft",
) -> Any:  # fmt: skip
    """Fine-tune a model and return it; a later call continues from the last checkpoint in ``folder``.

    Args:
        short: drills, trained on first.
        whole: conversations, trained on in the stages of the curriculum.
        folder: folder for checkpoints.
        phase: name in the log and in messages; a round of another phase has its number after a hyphen, as in
            rejection-1.
    """
    sft = config.method.sft
    plan = plan_batches([len(one.ids) for one in short], [Stage(share=1.0)], sft.batch_tokens, config.seed)
    later = plan_batches([len(one.ids) for one in whole], sft.curriculum, sft.batch_tokens, config.seed)
    plan += [(cut, [len(short) + number for number in group]) for cut, group in later]
    # Every process takes one batch of each round.
    dataset = make_dataset([*short, *whole], evened(plan, here().count))
    stopper = Stopper(phase, folder)
    validation = Validation(config, phase, tokenizer, log, folder, stopper)
    trainer = SafeTrainer(
        model=model,
        args=_arguments(config, folder, phase),
        train_dataset=dataset,
        data_collator=BatchCollator(tokenizer.pad_token_id),
        processing_class=tokenizer,
        peft_config=config.model.lora_config(),
        callbacks=[Journal(log, phase), stopper, validation],
    )
    validation.trainer = trainer
    trainer.phase = phase.partition("-")[0]
    trainer.remove_callback(PrinterCallback)
    drop_padding_mask(trainer.model)
    attend_in_windows(trainer.model)
    checkpoint = resume_point(folder, phase)
    if checkpoint:
        # The trainer counts tokens from 0 when it starts.
        done = int(checkpoint.name.rpartition("-")[2]) * sft.accumulate * here().count
        batches = dataset.select(range(min(done, len(dataset))))
        trainer._total_train_tokens = sum(len(ids) for batch in batches for ids in batch["input_ids"])
    with stopper.listening():
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    return whole_model(trainer, config.model, config.hardware)


def _arguments(config: Config, folder: Path, phase: str) -> SFTConfig:
    sft, hardware = config.method.sft, config.hardware
    return SFTConfig(
        output_dir=str(folder),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=sft.accumulate,
        num_train_epochs=1,
        learning_rate=sft.lora_learning_rate if config.model.lora.rank else sft.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=sft.warmup_steps,
        adam_beta2=0.95,
        weight_decay=sft.weight_decay,
        max_grad_norm=1.0,
        train_sampling_strategy="sequential",
        dataset_kwargs={"skip_prepare_dataset": True},
        remove_unused_columns=False,
        max_length=None,
        save_steps=sft.save_steps,
        save_total_limit=KEPT_CHECKPOINTS,
        logging_steps=sft.log_steps,
        seed=config.seed,
        disable_tqdm=True,
        **hardware.trainer_options(),
        **config.logger.trainer_options(phase),
    )
