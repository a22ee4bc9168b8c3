"""Shapes have as many weights as transformers' models of the same sizes, and as their authors report."""

import json
from pathlib import Path

import pytest
import torch
from peft import get_peft_model
from transformers import Qwen3ForCausalLM

from teller_gym.base.errors import OptionError
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import load
from teller_gym.training.models.gpu_memory import cache_bytes
from teller_gym.training.models.shapes import Shape, published, shape_of

MILLIONS = {
    "Qwen/Qwen3-0.6B": 596, "Qwen/Qwen3-1.7B": 1721, "Qwen/Qwen3-4B": 4022, "Qwen/Qwen3-4B-Instruct-2507": 4022,
    "Qwen/Qwen3-8B": 8191, "Qwen/Qwen3-14B": 14768, "Qwen/Qwen3-32B": 32762,
}  # fmt: skip


@pytest.mark.parametrize("name", MILLIONS)
def test_parameters_are_those_of_the_built_model(name: str) -> None:
    shape = published()[name]
    with torch.device("meta"):
        model = Qwen3ForCausalLM(shape.qwen3())
    assert sum(one.numel() for one in model.parameters()) == shape.parameters
    assert sum(one.numel() for one in model.model.layers[0].parameters()) == shape.layer
    assert round(shape.parameters / 1e6) == MILLIONS[name]
    assert cache_bytes(shape.qwen3(), 2) == shape.cache_token


def test_the_model_of_the_gpu_recipe_has_a_hundred_million_parameters() -> None:
    config, _ = load("scratch_gpu", [])
    assert shape_of(config.model).parameters == 114_294_144
    hardware, grpo = config.hardware, config.method.grpo
    assert (hardware.device, hardware.processes, hardware.generation) == ("cuda", 1, "transformers")
    assert config.env.id == "Teller-Bank-v0" and config.model.lora.rank == 0 and grpo.steps > 0
    assert config.model.total_tokens <= config.model.shape.positions and config.evaluation.n is None


def test_adapters_are_those_that_peft_makes() -> None:
    config = load("train", ["model=qwen3_4b", "model.lora.rank=4"])[0].model
    with torch.device("meta"):
        model = get_peft_model(Qwen3ForCausalLM(shape_of(config).qwen3()), config.lora_config())
    learned = sum(one.numel() for one in model.parameters() if one.requires_grad)
    assert learned == shape_of(config).adapters(4)


def test_every_offered_model_has_a_shape() -> None:
    for choice in choices("model"):
        config = load("train", [f"model={choice}"])[0].model
        assert shape_of(config).positions >= config.total_tokens, choice


def test_a_local_folder_is_read(tmp_path: Path) -> None:
    shape = Shape(64, 128, 2, 4, 2, 32, 512, 2048, tied=True)
    shape.qwen3().save_pretrained(tmp_path)
    assert shape_of(str(tmp_path)) == shape
    found = json.loads((tmp_path / "config.json").read_text())
    del found["intermediate_size"]
    (tmp_path / "config.json").write_text(json.dumps(found))
    with pytest.raises(OptionError, match=r"expected the configuration of a causal model.*intermediate_size"):
        shape_of(str(tmp_path))
    with pytest.raises(OptionError, match=r"its sizes are not known here; expected one of Qwen/Qwen3-0\.6B, "):
        shape_of("Qwen/Qwen9")
