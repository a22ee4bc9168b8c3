"""Muon and AdamW as one optimizer: who updates what, one rate for both, and going on from a state."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from teller_gym.base.errors import SettingsError
from teller_gym.training.config.run import load
from teller_gym.training.trainer_parts.muon import MuonAdamW, inside
from tests.training.small import run

BETAS = (0.9, 0.95)


def model(seed: int = 0) -> torch.nn.Module:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(seed)
    made: torch.nn.Module = Qwen3ForCausalLM(
        Qwen3Config(
            hidden_size=16,
            intermediate_size=24,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=8,
            vocab_size=32,
            tie_word_embeddings=False,
        )
    )
    return made


def trained(one: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: range) -> list[torch.Tensor]:
    """Do updates on made-up tokens; return the weights."""
    for step in steps:
        ids = torch.randint(0, 32, (2, 12), generator=torch.Generator().manual_seed(step))
        loss = one(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return [weight.detach().clone() for weight in one.parameters()]


def test_matrices_of_layers_are_muons_and_all_else_adamws() -> None:
    one = model()
    names = dict(one.named_parameters())
    matrices, others = inside(names.items())
    of = {id(weight): name for name, weight in names.items()}
    assert len(matrices) + len(others) == len(names)
    assert {of[id(weight)].split(".")[-2] for weight in matrices} == {
        "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj",
    }  # fmt: skip
    assert {"model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"} <= {of[id(one)] for one in others}
    frozen = [weight.requires_grad_(False) for name, weight in names.items() if "layers.0" in name]
    assert not {id(weight) for part in inside(names.items()) for weight in part} & {id(weight) for weight in frozen}


def test_every_weight_moves_and_one_rate_serves_both() -> None:
    one = model()
    before = [weight.detach().clone() for weight in one.parameters()]
    optimizer = MuonAdamW(one.named_parameters(), 1e-2, 0.0, BETAS)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.0 if step else 1.0)
    after = trained(one, optimizer, range(1))
    assert all(not torch.equal(a, b) for a, b in zip(before, after, strict=True))
    # The rate of both is now 0.
    schedule.step()
    still = trained(one, optimizer, range(1, 2))
    assert all(torch.equal(a, b) for a, b in zip(after, still, strict=True))


def test_an_update_of_a_matrix_is_nearly_orthogonal() -> None:
    one = model()
    weight = dict(one.named_parameters())["model.layers.0.mlp.gate_proj.weight"]
    before = weight.detach().clone()
    trained(one, MuonAdamW(one.named_parameters(), 1e-2, 0.0, BETAS), range(1))
    values = torch.linalg.svdvals(weight.detach() - before)
    # Torch's five steps of Newton and Schulz leave them between 0.7 and 1.2 of their mean.
    assert values.min() > 0.4 * values.max()


def test_training_goes_on_from_a_state_as_if_it_had_not_stopped() -> None:
    whole = model()
    wanted = trained(whole, MuonAdamW(whole.named_parameters(), 1e-2, 0.1, BETAS), range(6))
    first = model()
    optimizer = MuonAdamW(first.named_parameters(), 1e-2, 0.1, BETAS)
    trained(first, optimizer, range(3))
    second = model(1)
    second.load_state_dict(first.state_dict())
    later = MuonAdamW(second.named_parameters(), 5.0, 0.1, BETAS)
    later.load_state_dict(optimizer.state_dict())
    assert [group["lr"] for group in later.param_groups] == [1e-2, 1e-2]
    found = trained(second, later, range(3, 6))
    assert all(torch.equal(a, b) for a, b in zip(wanted, found, strict=True))


def test_a_closure_is_refused() -> None:
    optimizer = MuonAdamW(model().named_parameters(), 1e-2, 0.0, BETAS)
    with pytest.raises(ValueError, match="expected no closure"):
        optimizer.step(lambda: 0.0)


@pytest.mark.parametrize(
    "words",
    [["model.lora.rank=4"], ["model=qwen3_8b", "hardware=l20_8", "model.lora.rank=0", "hardware.sharding=fsdp2"]],
)
def test_what_muon_cannot_update_is_refused(words: list[str]) -> None:
    with pytest.raises(SettingsError, match=r"method\.sft\.optimizer: it updates whole matrices"):
        load("train", ["method.sft.optimizer=muon", *words])
    load("train", ["method.sft.optimizer=adamw", *words])


@pytest.mark.slow
@pytest.mark.training
@pytest.mark.usefixtures("played_once")
def test_a_cut_run_with_muon_ends_as_one_that_was_not(tmp_path: Path) -> None:
    folder = tmp_path
    more = ["method.sft.optimizer=muon", "method.grpo.steps=0", "method.sft.save_steps=1", "evaluation.untrained=false"]
    assert run(folder / "whole", *more) == 0
    assert run(folder / "cut", *more) == 0
    trainer = folder / "cut" / "sft" / "trainer"
    newest = max(trainer.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    for path in (newest, folder / "cut" / "sft" / "checkpoint", folder / "cut" / "sft" / "evaluation"):
        shutil.rmtree(path)
    assert run(folder / "cut", *more) == 0
    weights = [(folder / name / "sft" / "checkpoint" / "model.safetensors").read_bytes() for name in ("whole", "cut")]
    assert weights[0] == weights[1]
