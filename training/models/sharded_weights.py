"""Gathers whole models from trainings in which each process holds a part of the weights."""

from __future__ import annotations

from typing import Any

from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.model import ModelConfig


def whole_model(trainer: Any, model: ModelConfig, hardware: HardwareConfig) -> Any:
    """Return the trained model with all its weights; adapters are not yet merged.

    If the weights are spread, all processes must call this; the first gets a copy on the CPU, the others None.
    """
    if not hardware.sharded:
        return trainer.model
    from peft import get_peft_model
    from transformers import AutoModelForCausalLM

    weights = trainer.accelerator.get_state_dict(trainer.model_wrapped)
    start = trainer.accelerator.unwrap_model(trainer.model).name_or_path
    if not trainer.accelerator.is_main_process:
        return None
    whole = AutoModelForCausalLM.from_pretrained(start, dtype=next(iter(weights.values())).dtype)
    adapters = model.lora_config()
    if adapters is not None:
        whole = get_peft_model(whole, adapters)
    whole.load_state_dict(weights)
    return whole
