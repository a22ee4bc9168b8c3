"""The command that trains 100 million parameters on one GPU: its model is that large, and its settings fit."""

from __future__ import annotations

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from teller_gym.training.config.run import load


def test_the_model_has_a_hundred_million_parameters() -> None:
    config, _ = load("scratch_gpu", [])
    shape = config.model.shape
    sizes = Qwen3Config(
        vocab_size=shape.vocabulary, hidden_size=shape.hidden, intermediate_size=shape.mlp,
        num_hidden_layers=shape.layers, num_attention_heads=shape.heads, num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim, tie_word_embeddings=True,
    )  # fmt: skip
    with torch.device("meta"):
        model = Qwen3ForCausalLM(sizes)
    assert sum(one.numel() for one in model.parameters()) == 114_294_144
    hardware, grpo = config.hardware, config.method.grpo
    assert (hardware.device, hardware.processes, hardware.generation) == ("cuda", 1, "transformers")
    assert config.env.id == "Teller-Bank-v0" and config.model.lora.rank == 0 and grpo.steps > 0
    assert config.model.total_tokens <= shape.positions and config.evaluation.n is None
