"""Logging and progress lines for all trainers, and attention without padding masks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import TrainerCallback

from teller_gym.training.run_folder.checksums import seal
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.run_folder.progress import tell

SHOWN = {
    "loss": "loss {:.3f}",
    "mean_token_accuracy": "token accuracy {:.3f}",
    "rewards/score/mean": "score {:.3f}",
    "rewards/outcome/mean": "outcome {:.3f}",
    "frac_reward_zero_std": "groups without signal {:.2f}",
}
"""Metrics in a progress line, in order."""


class Journal(TrainerCallback):
    """Writes a trainer's logs to the metrics file, prints progress lines, and seals its checkpoints.

    When training begins, ``rewind`` is called with the number of finished updates, to delete the records of later ones.
    """

    def __init__(self, log: MetricsLog, phase: str, rewind: Callable[[int], None] | None = None) -> None:
        self.log = log
        self.phase = phase
        self._rewind = rewind
        self._begun = time.perf_counter()
        self._first = 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Continue the metrics at the checkpoint's step."""
        if state.is_world_process_zero:
            self.log.rewind(self.phase, state.global_step)
        if self._rewind:
            self._rewind(state.global_step)
        self._begun, self._first = time.perf_counter(), state.global_step

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Seal the checkpoint as the last step of saving it."""
        # Each process saves its share.
        PartialState().wait_for_everyone()
        if state.is_world_process_zero:
            seal(Path(args.output_dir) / f"checkpoint-{state.global_step}")

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        """Write the metrics of a log call, and print a progress line."""
        if not logs or "train_runtime" in logs or not state.is_world_process_zero:
            return
        spent = time.perf_counter() - self._begun
        self.log.write(self.phase, state.global_step, {**logs, "seconds": round(spent, 1)})
        shown = ", ".join(text.format(logs[key]) for key, text in SHOWN.items() if logs.get(key) is not None)
        done = state.global_step - self._first
        left = spent / done * (state.max_steps - state.global_step) if done else 0.0
        line = f"{self.phase} {state.global_step}/{state.max_steps}: {shown}; {spent:.0f} s, about {left:.0f} s left"
        tell(line)


def causal_mask(mask: Any) -> Any:
    """Return None for an attention mask that hides only padding at the end, otherwise the mask.

    The mask's shape is (rows, tokens). Causal attention never reaches later tokens, so such a mask changes no result,
    and without it the attention kernels skip half the work.
    """
    begins_late = bool((mask[:, 0] == 0).any()) or bool((mask[:, 1:] > mask[:, :-1]).any())
    return mask if begins_late else None


def drop_padding_mask(model: Any) -> None:
    """Apply `causal_mask` in every call of a model, including calls by its trainers."""

    def hook(_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        mask = kwargs.get("attention_mask")
        if isinstance(mask, torch.Tensor) and mask.ndim == 2 and kwargs.get("past_key_values") is None:
            kwargs = {**kwargs, "attention_mask": causal_mask(mask)}
        return args, kwargs

    model.register_forward_pre_hook(hook, with_kwargs=True)
