"""Planned memory, compared with what torch allocates for a small model and with what an H200 held."""

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.training.config.run import Config, load
from teller_gym.training.models.gpu_memory import SLACK
from teller_gym.training.models.shapes import Shape
from teller_gym.training.plan import memory, serving
from teller_gym.training.plan.lengths import lengths_of
from teller_gym.training.plan.memory import Setup
from teller_gym.training.plan.model import GIB
from teller_gym.training.plan.planner import Planner

MEASURED = Path(__file__).resolve().parents[3] / "results" / "gpu_check" / "h200.jsonl"
TOY = Shape(64, 160, 3, 4, 2, 16, 500, 2048, tied=True)
PLAIN = Setup(TOY, 0, 4, "ddp", 1, half=True, checkpointing=True, cuda=True, dtype="float32")


def run(*words: str) -> Config:
    return load("train", list(words))[0]


@pytest.mark.parametrize(("rank", "dtype"), [(0, "float32"), (0, "bfloat16"), (4, "bfloat16"), (4, "float32")])
@pytest.mark.parametrize("kind", ["adamw", "sgd"])
def test_the_trainer_holds_what_is_reckoned(rank: int, dtype: str, kind: str) -> None:
    from peft import LoraConfig, get_peft_model
    from transformers import Qwen3ForCausalLM

    model = Qwen3ForCausalLM(TOY.qwen3()).to(getattr(torch, dtype))
    if rank:
        model = get_peft_model(model, LoraConfig(r=rank, target_modules="all-linear", task_type="CAUSAL_LM"))
    learned = [one for one in model.parameters() if one.requires_grad]
    steps = torch.optim.AdamW(learned) if kind == "adamw" else torch.optim.SGD(learned)
    model(input_ids=torch.zeros(1, 4, dtype=torch.long)).logits.sum().backward()
    steps.step()
    state = sum(value.nbytes for one in steps.state.values() for value in one.values() if value.ndim)
    setup = dataclasses.replace(PLAIN, rank=rank, dtype=dtype, width=memory.WIDTH[dtype])
    assert memory.weights(setup) == sum(one.nbytes for one in model.parameters())
    assert memory.gradients(setup) == sum(one.grad.nbytes for one in learned if one.grad is not None)
    assert memory.optimizer(setup, kind) == state


@given(st.sampled_from([0, 8]), st.integers(2, 64), st.integers(1, 10**5), st.sampled_from([0.0, 0.04]))
def test_sharding_never_holds_more_between_updates(rank: int, processes: int, tokens: int, beta: float) -> None:
    whole, spread = (
        dataclasses.replace(PLAIN, rank=rank, processes=processes, sharding=sharding) for sharding in ("ddp", "fsdp2")
    )
    held = [sum(memory.static(setup, "adamw", beta).values()) for setup in (spread, whole)]
    assert held[0] <= held[1] - memory.buckets(whole)
    one = sum(memory.update(PLAIN, "adamw", tokens, beta).values())
    assert sum(memory.update(PLAIN, "adamw", tokens + 1, beta).values()) > one


def test_checkpointing_keeps_one_state_a_layer_and_one_layers_work() -> None:
    with_it = memory.activations(PLAIN, 1000)
    without = memory.activations(dataclasses.replace(PLAIN, checkpointing=False), 1000)
    assert with_it["activations kept"] == 1000 * TOY.layers * TOY.hidden * 4
    saved = without["activations kept"] - with_it["activations kept"]
    assert with_it["one layer"] == saved // TOY.layers + without["one layer"]


def test_logits_are_never_whole_on_a_gpu() -> None:
    """With a vocabulary of many tiles, whole logits would be visible, as in TRL's own test."""
    wide = dataclasses.replace(PLAIN, shape=dataclasses.replace(TOY, vocabulary=10**6), rank=4)
    head = memory.activations(wide, 20_000)["output layer"]
    assert head < 20_000 * 10**6 * 2 / 50


def test_a_reference_model_is_kept_only_where_it_must_be() -> None:
    assert memory.reference(PLAIN, 0.0) == 0
    assert memory.reference(PLAIN, 0.04) == 4 * TOY.parameters
    assert memory.reference(dataclasses.replace(PLAIN, rank=4), 0.04) == 0
    spread = dataclasses.replace(PLAIN, sharding="fsdp2", processes=4)
    assert memory.reference(spread, 0.04) == TOY.parameters


def test_vllms_share_is_weights_engine_and_cache() -> None:
    config = run("model=qwen3_8b", "hardware=l20_1")
    setup, lengths, share = Setup.of(config), lengths_of(config), 24 * GIB
    found = serving.engine(setup, share, 1)
    assert sum(found.values()) == share
    room = serving.room(setup, found["vllm cache"], lengths, 64)
    # 36 layers, keys and values of 8 heads of 128 in 16 bits.
    assert room.tokens == found["vllm cache"] // (36 * 2 * 8 * 128 * 2)
    assert room.longest == room.tokens // 20_000 and room.mean == room.tokens // (7650 + 3200)
    assert serving.engine(setup, share, 4)["vllm weights"] == found["vllm weights"] // 4


def test_our_sampler_needs_its_slack() -> None:
    config = run("model=qwen3_8b", "hardware=l20_1", "hardware.generation=transformers")
    setup, lengths = Setup.of(config), lengths_of(config)
    assert serving.sampled(setup, 3, lengths) == 3 * 20_000 * setup.shape.cache_token * SLACK
    # Keys are in 32 bits if the weights are.
    wide = Setup.of(run("model=qwen3_1_7b", "hardware=l20_1", "hardware.generation=transformers"))
    assert serving.sampled(wide, 1, lengths) == 20_000 * wide.shape.cache_token * SLACK * 2


def test_prompts_lie_between_the_measured_ones() -> None:
    counts = [lengths_of(run("model=qwen3_8b", f"env.distractors={n}")).prompt for n in (0, 20, 40, 100, 243)]
    assert counts == sorted(counts) and counts[0] == 7650 and counts[2] == 10200 and counts[-1] == 22800
    assert lengths_of(run("model=qwen3_8b", "env.distractors=all")).prompt == 22800
    assert lengths_of(run("model=qwen3_8b", "model.prompt=full")).prompt == 18200


def test_updates_are_planned_within_a_tenth_of_what_an_h200_held() -> None:
    """Allow the three exceptions named in docs/train/gpu_check.md, which are within 13 %."""
    off = []
    for held in map(json.loads, MEASURED.read_text("utf-8").splitlines()):
        hardware = {44.5: "l20_1", 79.0: "a100_80_1"}[held["cap_gib"]]
        model, rows = f"qwen3_{held['size'].replace('.', '_').lower()}", ["method.grpo.tasks=2", "method.grpo.group=4"]
        # In the measurement, the allocation for vLLM was released during updates.
        planner = Planner(run(f"model={model}", f"hardware={hardware}", "hardware.generation=transformers", *rows))
        assert planner.setup.rank == held["lora"]
        planned = planner.sft() if held["phase"] == "sft" else planner.updates()
        assert (planned.needed - memory.CONTEXT) / GIB == pytest.approx(held["planned_gib"], abs=0.01)
        if held["fits"]:
            off.append(abs(held["peak_gib"] / held["planned_gib"] - 1))
    assert len(off) == 18 and sum(one < 0.1 for one in off) == 15 and max(off) < 0.13
