"""Transfer of adapters to a sampler: bf16 rounds their first updates away; the trained weights do not change.

All models here have a width of 256. In a wider one an update changes single weights less, and it takes longer until
bf16 shows the change: docs/train/running.md has figures up to 2,560.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace as Name
from typing import Any

import pytest
import torch
from peft import get_peft_model
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM, get_constant_schedule_with_warmup
from trl.generation import vllm_generation
from trl.generation.vllm_generation import VLLMGeneration

from teller_gym.training.config.run import load
from teller_gym.training.models.lora_merge import merged_weights
from tests.training.stand_in import Generation, Talks, install, vllm_settings
from tests.training.toy import play_on, rows_of, train, weights

pytestmark = pytest.mark.training

CONFIG = load("train", ["model=qwen3_4b", "logger=none"])[0]
GRPO_RATE, SFT_RATE = CONFIG.method.grpo.lora_learning_rate, CONFIG.method.sft.lora_learning_rate


def adapted() -> Any:
    """Make a small model in bf16, with Qwen3's spread of weights and the configuration's adapters."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 256, "intermediate_size": 768, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = Qwen3Config(**sizes, num_key_value_heads=2, head_dim=64, vocab_size=512, initializer_range=0.02)
    return get_peft_model(Qwen3ForCausalLM(config).to(torch.bfloat16), CONFIG.model.lora_config())


def updates(model: Any, rate: float, warmup: int) -> Iterator[None]:
    """Update the adapters as the trainers do, each time on other random tokens."""
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    assert {weight.dtype for weight in trained} == {torch.float32}, "adapters stay in 32 bits"
    optimizer = torch.optim.AdamW(trained, lr=rate, betas=(0.9, 0.95), weight_decay=0.0)
    schedule = get_constant_schedule_with_warmup(optimizer, warmup)
    generator = torch.Generator().manual_seed(1)
    while True:
        tokens = torch.randint(0, 512, (4, 64), generator=generator)
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, CONFIG.method.grpo.max_grad_norm)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        yield


def layers(model: Any) -> dict[str, Any]:
    """Return the layers with adapters by the names of their weights."""
    found = {name: layer for name, layer in model.named_modules() if hasattr(layer, "get_delta_weight")}
    return {f"{name.removeprefix('base_model.model.')}.weight": layer for name, layer in found.items()}


def change(model: Any) -> dict[str, Tensor]:
    """Return the exact addition of the adapters to each weight: B A alpha / r."""
    lora, found = CONFIG.model.lora, {}
    for name, layer in layers(model).items():
        below, above = layer.lora_A["default"].weight, layer.lora_B["default"].weight
        found[name] = (above.double() @ below.double()).detach() * (lora.alpha / lora.rank)
    return found


def bases(model: Any) -> dict[str, Tensor]:
    return {name: layer.get_base_layer().weight.detach().clone() for name, layer in layers(model).items()}


def flat(weights: dict[str, Tensor]) -> Tensor:
    return torch.cat([value.double().flatten() for value in weights.values()])


def cosine(one: Tensor, other: Tensor) -> float:
    return float(one @ other / (one.norm() * other.norm()))


def shown(model: Any, dtype: torch.dtype | None = None) -> float:
    """Return the cosine between the change that the sampler gets and the adapters' exact change."""
    got, base, exact = dict(merged_weights(model, dtype)), bases(model), change(model)
    return cosine(flat({name: got[name].double() - base[name].double() for name in exact}), flat(exact))


FLOAT16 = torch.float16
WARMUP = CONFIG.method.grpo.warmup_steps


@pytest.mark.parametrize(
    ("rate", "warmup", "expected"),
    [
        # The rate is still warming up at the fifth update; `hardware.vllm_dtype=float16` shows the first ones as well.
        (GRPO_RATE, WARMUP, {(5, FLOAT16): (0.8, 1), (10, None): (0.5, 0.8), (10, FLOAT16): (0.95, 1),
                             (20, FLOAT16): (0.95, 1), (100, None): (0.9, 1)}),
        (SFT_RATE, CONFIG.method.sft.warmup_steps, {(10, None): (0.7, 0.9), (30, None): (0.9, 1)}),
        # A run in which adapters wrongly have the rate of whole weights differs visibly from a good one.
        (CONFIG.method.grpo.learning_rate, WARMUP, {(100, None): (0, 0.4)}),
    ],
    ids=["grpo", "sft", "whole weights"],
)  # fmt: skip
def test_updates_reach_the_sampler_though_not_the_first_ones(
    rate: float, warmup: int, expected: dict[tuple[int, torch.dtype | None], tuple[float, float]]
) -> None:
    model = adapted()
    for done, _ in zip(range(1, 1 + max(done for done, _ in expected)), updates(model, rate, warmup), strict=False):
        for (_, dtype), (low, high) in ((at, bounds) for at, bounds in expected.items() if at[0] == done):
            assert low < shown(model, dtype) < high, (done, dtype)


def test_what_is_missing_is_the_grid_of_bf16_and_nothing_else() -> None:
    model = adapted()
    for _ in zip(range(10), updates(model, GRPO_RATE, WARMUP), strict=False):
        pass
    got, base, exact = dict(merged_weights(model)), bases(model), change(model)
    moved = flat(exact)
    for dtype, least in ((torch.float16, 0.95), (torch.float32, 0.9999)):
        there = flat({name: (base[name].float() + exact[name].float()).to(dtype) for name in exact}) - flat(base)
        assert cosine(there, moved) > least
    for name, weight in got.items():
        if name in exact:
            wanted = base[name].double() + exact[name]
            # Rounded once, to the nearest: at most half of a step, which is 2^-7 of the power of two below.
            assert bool(((weight.double() - wanted).abs() <= wanted.abs() * 2**-8 * 1.0001).all()), name


def generation(model: Any, ours: bool) -> tuple[Any, list[tuple[str, Tensor]]]:
    """Return TRL's `VLLMGeneration` without an engine, and the list to which it adds the weights that it loads."""
    loaded: list[tuple[str, Tensor]] = []
    runner = Name(model=Name(load_weights=lambda pairs: loaded.extend((name, one.clone()) for name, one in pairs)))
    made: Any = object.__new__(VLLMGeneration)
    made.mode, made.enable_sleep_mode, made.model, made.accelerator = "colocate", False, model, None
    executor = Name(driver_worker=Name(model_runner=runner))
    made.llm = Name(llm_engine=Name(model_executor=executor), reset_prefix_cache=lambda: None)
    made._dist = Name(gather_params=lambda _: nullcontext(), is_fsdp=False)
    if ours:
        made._iter_named_params = lambda: merged_weights(model)
    return made, loaded


def test_vllm_gets_the_same_names_and_values_as_from_trl() -> None:
    model = adapted()
    for _ in zip(range(5), updates(model, SFT_RATE, 0), strict=False):
        pass
    (theirs, loaded), (ours, own) = generation(model, ours=False), generation(model, ours=True)
    ours.sync_weights()
    theirs.sync_weights()
    assert [name for name, _ in own] == [name for name, _ in loaded]
    assert {name for name, _ in own} >= set(change(model)) | {"model.embed_tokens.weight"}
    for (name, mine), (_, other) in zip(own, loaded, strict=True):
        assert mine.dtype == other.dtype and torch.equal(mine, other), name


@pytest.mark.parametrize("ours", [True, False])
def test_handing_over_leaves_the_weights_as_they_are(ours: bool) -> None:
    model = adapted()
    before = bases(model)
    made, _ = generation(model, ours)
    for _ in zip(range(50), updates(model, GRPO_RATE, WARMUP), strict=False):
        made.sync_weights()
    error = flat(bases(model)) - flat(before)
    if ours:
        assert int(error.count_nonzero()) == 0
    else:
        # The reason for not merging as TRL does; if this fails after an upgrade, `models.lora_merge` can go.
        assert float(error.norm() / flat(change(model)).norm()) > 0.1


@pytest.mark.parametrize("dtype", ["auto", "float16"])
@pytest.mark.usefixtures("no_leaks")
def test_training_with_vllm_does_so(
    dtype: str, model: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines: list[Any] = []
    handed: set[torch.dtype] = set()

    class Adapted(Generation):
        """Stand-in for TRL's `VLLMGeneration` that loads merged adapters by `_iter_named_params`."""

        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            engines.append(vllm_generation.LLM(model="stand-in"))

        def sync_weights(self) -> None:
            whole, self.model = self.model, self.model.get_base_model()
            merged = {name: value.clone() for name, value in self._iter_named_params()}  # type: ignore[attr-defined]
            handed.update(value.dtype for name, value in merged.items() if "q_proj" in name)
            plain = type(self.model)(self.model.config)
            plain.load_state_dict(merged, strict=False)
            self.model = plain
            super().sync_weights()
            self.model = whole

    install(monkeypatch, Adapted)
    play_on(monkeypatch, Talks)
    monkeypatch.setattr(vllm_generation, "LLM", lambda **options: options, raising=False)
    options = [f"hardware.vllm_dtype={dtype}", "model.lora.rank=4", "method.grpo.lora_learning_rate=1e-2"]
    model = model.to(torch.bfloat16)
    before = weights(model)
    trained = train(tokenizer, tmp_path, vllm_settings(*options), model=model)
    assert len(rows_of(tmp_path)) == 2
    assert engines == [{"model": "stand-in"} | ({} if dtype == "auto" else {"dtype": dtype})]
    assert handed == {torch.bfloat16 if dtype == "auto" else torch.float16}
    assert vllm_generation.LLM(model="stand-in") == {"model": "stand-in"}, "it is as it was"
    assert float(flat({n: one for n, one in trained.state_dict().items() if "lora_B" in n}).norm()) > 0
    for name, value in trained.get_base_model().state_dict().items():
        if "lora_" not in name:
            assert torch.equal(value, before[name.replace(".base_layer", "")]), name
