"""Exact weights with merged adapters, without changes to the trained model.

TRL transfers adapters by peft's `merge_adapter` and `unmerge_adapter`, which add to the weights in place and subtract
again. In bf16 neither is exact, so each transfer also leaves a small error in the trainer's weights: after 100 of them
it is 0.3 to 0.4 of the adapters' change (`tests/training/models/test_lora_merge.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.model import ModelConfig


def merged_weights(model: Any, dtype: torch.dtype | None = None) -> Iterator[tuple[str, Tensor]]:
    """Yield the name and value of every weight of a peft model, with adapters merged.

    Names are those in the plain model, which remains unchanged. ``dtype`` is the number format of merged weights; None
    keeps their own.
    """
    layers = {name: layer for name, layer in model.named_modules() if hasattr(layer, "get_delta_weight")}
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if model.prefix in name:
                continue
            layer = layers.get(name.removesuffix(".base_layer.weight"))
            plain = name.removeprefix("base_model.model.").replace(".base_layer", "")
            if layer is None:
                yield plain, weight.data
                continue
            whole = weight.data.float()
            for adapter in layer.active_adapters:
                whole = whole + layer.get_delta_weight(adapter).float()
            yield plain, whole.to(dtype or weight.dtype)


def hand_over_exactly(trainer: Any, model: ModelConfig, hardware: HardwareConfig) -> None:
    """Make vLLM take its weights from `merged_weights`.

    Does nothing for models without adapters or with sharded weights.
    """
    if model.lora.rank and hardware.generation == "vllm" and not hardware.sharded:
        name = hardware.vllm_dtype
        dtype = None if name == "auto" else getattr(torch, name)
        trainer.vllm_generation._iter_named_params = partial(merged_weights, trainer.model, dtype)
