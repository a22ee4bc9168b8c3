"""The table of a layer's memory is what a layer keeps, and a whole model keeps that for each of its layers."""

from __future__ import annotations

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from teller_gym.training.models.shapes import Shape, published
from teller_gym.training.plan import layers
from teller_gym.training.plan.layers import OFFERED, Precision, measure, name_of, saved_bytes, table

SMALL, LARGE = ("Qwen/Qwen3-0.6B", "Qwen/Qwen3-1.7B"), ("Qwen/Qwen3-4B", "Qwen/Qwen3-8B", "Qwen/Qwen3-32B")
TOY = Shape(64, 160, 3, 4, 2, 16, 500, 2048, tied=True)


@pytest.mark.parametrize("precision", OFFERED, ids=lambda one: one.key)
@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(one, marks=pytest.mark.slow) for one in LARGE)])
def test_the_table_is_what_is_measured(name: str, precision: Precision) -> None:
    shape = published()[name]
    assert measure(shape, precision) == pytest.approx(table()[name_of(shape)][precision.key], rel=0.02)


def test_every_published_layer_is_in_the_table() -> None:
    expected = {name_of(shape) for shape in published().values()}
    assert set(table()) == expected
    assert all(set(found) == {one.key for one in OFFERED} for found in table().values())


def test_the_cost_of_a_token_does_not_depend_on_the_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    before = measure(TOY, Precision("float32"))
    monkeypatch.setattr(layers, "SHORT", 40)
    monkeypatch.setattr(layers, "LONG", 200)
    assert measure(TOY, Precision("float32")) == pytest.approx(before, rel=0.01)


def test_what_is_not_in_the_table_is_measured() -> None:
    assert name_of(TOY) not in table()
    assert saved_bytes(TOY, Precision("bfloat16")) == measure(TOY, Precision("bfloat16"))


@pytest.mark.parametrize("precision", [Precision("float32"), Precision("float32", autocast=False)])
def test_a_whole_model_keeps_as_much_for_each_layer(precision: Precision) -> None:
    """Two models that differ by two layers, built by transformers, their saved tensors counted here."""

    def kept(count: int, tokens: int) -> int:
        model = Qwen3ForCausalLM(
            Qwen3Config(
                hidden_size=TOY.hidden, intermediate_size=TOY.mlp, num_hidden_layers=count, vocab_size=TOY.vocabulary,
                num_attention_heads=TOY.heads, num_key_value_heads=TOY.kv_heads, head_dim=TOY.head_dim,
                attn_implementation="sdpa",
            )
        )  # fmt: skip
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

    of_a_layer = (kept(3, 96) - kept(1, 96) - (kept(3, 32) - kept(1, 32))) / 2 / (96 - 32)
    # The rotary embedding is shared by the layers of a model and counts for the single one.
    shared = 2 * TOY.head_dim * 4
    expected = measure(TOY, precision) + TOY.hidden * precision.stream
    assert expected - 1.5 * shared <= of_a_layer <= expected
