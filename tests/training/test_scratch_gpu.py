"""The command that trains 100 million parameters on one GPU: the model is that large, its path works in miniature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from teller_gym.cli import main
from teller_gym.registration import OWN
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.expert import read

pytestmark = pytest.mark.training

TOY = [
    "hardware=cpu", "logger=none", "model.shape.hidden=64", "model.shape.layers=2", "model.shape.heads=2",
    "model.shape.kv_heads=1", "model.shape.head_dim=32", "model.shape.mlp=64", "model.turn_tokens=4",
    "model.shape.tokenizer_texts=16",
    "method.sft.trajectories=10", "method.sft.drill_trajectories=2", "method.sft.rare_trajectories=4",
    "method.sft.log_steps=1", "method.grpo.steps=2", "method.grpo.tasks=4", "method.grpo.group=2",
    "method.grpo.log_steps=1", "method.validation.grpo_steps=0",
    "evaluation.n=1", "evaluation.references=[expert]",
]  # fmt: skip


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


@pytest.mark.slow
def test_the_command_goes_through_in_miniature(tmp_path: Path) -> None:
    assert main(["train", "--config-name", "scratch_gpu", f"run_dir={tmp_path}", *TOY]) == 0
    seen = {one.scenario for one in read(tmp_path / "data" / "expert.jsonl")}
    assert seen == {entry.name for entry in OWN}
    result = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert result["split"] == "heldout" and result["tasks"] == len(OWN)
    assert {"untrained", "sft", "grpo", "expert"} == set(result["reports"])
    assert (tmp_path / "curve.png").stat().st_size > 0 and (tmp_path / "grpo" / "checkpoint").is_dir()
    phases = [json.loads(line)["phase"] for line in (tmp_path / "metrics.jsonl").read_text("utf-8").splitlines()]
    assert {"sft", "grpo"} <= set(phases)
