"""The bytes that a layer keeps for its backward pass, compared with those of whole models."""

from dataclasses import replace

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import Qwen3ForCausalLM

from teller_gym.training.models.shapes import Shape
from teller_gym.training.plan.layers import Precision, saved_bytes, table

SHAPES = (Shape(64, 160, 3, 4, 2, 16, 500, 2048, tied=True), Shape(96, 128, 3, 2, 2, 32, 500, 2048, tied=True))
PRECISIONS = [
    Precision(weights, autocast, rank)
    for weights in ("float32", "bfloat16")
    for autocast in (True, False)
    for rank in (0, 4)
]


def kept(shape: Shape, precision: Precision, layers: int, tokens: int) -> int:
    """Return the bytes of the tensors that autograd saves in a model's forward pass."""
    config = replace(shape, layers=layers).qwen3(attn_implementation="sdpa")
    model = Qwen3ForCausalLM(config).to(getattr(torch, precision.weights))
    if precision.rank:
        model = get_peft_model(
            model, LoraConfig(r=precision.rank, target_modules="all-linear", task_type="CAUSAL_LM")
        ).get_base_model()
    model.train()
    own = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    found = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        found[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage()
        return tensor

    with (
        torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor),
        torch.autocast("cpu", torch.bfloat16, enabled=precision.autocast),
    ):
        output = model.model(input_ids=torch.zeros(1, tokens, dtype=torch.long), use_cache=False)
    total = sum(storage.nbytes() for at, storage in found.items() if at not in own)
    del output
    return total


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.hidden))
@pytest.mark.parametrize("precision", PRECISIONS, ids=lambda one: f"{one.weights}-{one.autocast}-{one.rank}")
def test_a_model_keeps_as_much_for_each_layer(shape: Shape, precision: Precision) -> None:
    """Compare models that differ by two layers, at two lengths, since layers share the rotary embedding.

    In 32 bits the first norm keeps the layer's input itself, otherwise a copy of it.
    """
    long, short = (kept(shape, precision, 3, tokens) - kept(shape, precision, 1, tokens) for tokens in (96, 32))
    rotary = shape.head_dim * 2 * precision.stream
    whole = saved_bytes(shape, precision) + (shape.hidden * 4 if precision.stream == 4 else 0)
    assert whole - 1.5 * rotary <= (long - short) / 2 / (96 - 32) <= whole


def test_every_precision_of_the_settings_is_known() -> None:
    names = [f"{dtype}{plain}{lora}" for dtype in ("float32", "bfloat16", "float16") for plain in ("", "-plain")
             for lora in ("", "-lora")]  # fmt: skip
    assert set(table()) == set(names)
