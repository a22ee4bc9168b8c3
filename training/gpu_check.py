"""Whether a recipe fits a card: memory and speed of SFT and GRPO with random weights in Qwen3's true sizes.

    python -m teller_gym.training.gpu_check --sizes 0.6B 1.7B --cap 48
    python -m teller_gym.training.gpu_check --sizes 4B 8B --lora 16 --cap 80
    python -m teller_gym.training.gpu_check --sizes 0.6B --generation vllm

Random weights cost the same memory and time as trained ones, so no hub is needed. `--cap` limits the process to that
many GiB, so that a larger card can stand in for a smaller one; it does not hold vLLM, whose share is the setting
hardware.vllm_memory. Rollouts are sampled with transformers unless `--generation vllm` asks for the engine that
hardware=l20 and a100 train with. Each line of the output is JSON; tokens per second are for whole steps, prompts
included.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.batches import encode
from teller_gym.training.config import Config, load
from teller_gym.training.experts import collect, read
from teller_gym.training.models import save_model
from teller_gym.training.runlog import MetricsLog, versions
from teller_gym.training.tiny import train_tokenizer

SIZES: dict[str, dict[str, int]] = {
    "toy": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2},
    "0.6B": {"hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16},
    "1.7B": {"hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28, "num_attention_heads": 16},
    "4B": {"hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "num_attention_heads": 32},
    "8B": {"hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36, "num_attention_heads": 32},
}
"""Qwen3's published sizes; all have 8 key-value heads of 128, and a vocabulary of 151,936."""


def random_model(size: str, dtype: torch.dtype, device: str, end: int) -> Any:
    """Make a Qwen3 model of that size with random weights."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    toy = size == "toy"
    config = Qwen3Config(
        **SIZES[size],
        num_key_value_heads=2 if toy else 8,
        head_dim=32 if toy else 128,
        vocab_size=4096 if toy else 151_936,
        max_position_embeddings=40_960,
        tie_word_embeddings=size != "8B",
        eos_token_id=end,
        pad_token_id=0,
        attn_implementation="sdpa",
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            return Qwen3ForCausalLM(config)
    finally:
        torch.set_default_dtype(before)


def measured(what: str, size: str, work: Callable[[], object], log: MetricsLog) -> dict[str, Any]:
    """Train; return seconds, tokens a second, steps, peak memory in GiB, and the error if it did not fit."""
    cuda = torch.cuda.is_available()
    if cuda:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    begun = time.perf_counter()
    error = None
    try:
        work()
    except torch.OutOfMemoryError as problem:
        error = str(problem).splitlines()[0]
    seconds = time.perf_counter() - begun
    rows = list(log.rows(what))
    tokens = rows[-1]["num_tokens"] if rows else 0
    peak = torch.cuda.max_memory_allocated() / 2**30 if cuda else None
    return {
        "check": what, "size": size, "fits": error is None, "error": error, "seconds": round(seconds, 2),
        "steps": len(rows), "tokens_per_second": round(tokens / seconds), "peak_gib": peak and round(peak, 2),
    }  # fmt: skip


def check(size: str, config: Config, folder: Path, steps: int) -> list[dict[str, Any]]:
    """SFT, then GRPO, for a few steps each."""
    from teller_gym.training.grpo import train_grpo
    from teller_gym.training.sft import train_sft

    collect(folder / "expert.jsonl", config.env.id, config.env.options, 4 * steps)
    trajectories = list(read(folder / "expert.jsonl"))
    tokenizer = train_tokenizer([str(one.messages) for one in trajectories], 4096)
    style = PromptStyle.parse(config.model.prompt)
    examples = [encode(one, tokenizer, style) for one in trajectories]
    dtype = getattr(torch, config.model.dtype)
    log = MetricsLog(folder / "metrics.jsonl")
    found = []
    model = random_model(size, dtype, config.hardware.device, tokenizer.eos_token_id)
    if config.hardware.generation == "vllm":
        # The engine loads the model from where it says it is.
        save_model(model, tokenizer, folder / "model")
        model.name_or_path = str(folder / "model")
    work: list[tuple[str, Callable[[], object]]] = [
        ("sft", lambda: train_sft(model, tokenizer, [], examples, config, folder / "sft", log, steps)),
        ("grpo", lambda: train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "transcripts.jsonl")),
    ]
    for what, run in work:
        found.append(measured(what, size, run, log))
        if what == "grpo":
            rows = list(log.rows("grpo"))
            found[-1]["step_seconds"] = [round(row["step_time"], 2) for row in rows if "step_time" in row]
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Check each size; return 1 if one does not fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=["0.6B"], choices=sorted(SIZES))
    parser.add_argument("--cap", type=float, help="GiB that the process may use")
    parser.add_argument("--hardware", default="l20", help="group hardware: l20, a100 or cpu")
    parser.add_argument("--lora", type=int, default=0, help="rank of adapters; 0 trains all weights")
    parser.add_argument("--generation", default="transformers", choices=("transformers", "vllm"))
    parser.add_argument("--steps", type=int, default=3, help="optimizer steps of each check")
    parser.add_argument("overrides", nargs="*", help="further settings, as in teller-gym train")
    chosen = parser.parse_args(argv)
    if chosen.cap and torch.cuda.is_available():
        total = torch.cuda.get_device_properties(0).total_memory / 2**30
        torch.cuda.set_per_process_memory_fraction(min(1.0, chosen.cap / total))
    settings = [
        "model=qwen3_0_6b", f"hardware={chosen.hardware}", "logger=none", f"model.lora.rank={chosen.lora}",
        f"method.grpo.steps={chosen.steps}", f"hardware.generation={chosen.generation}", "method.sft.log_steps=1",
        "method.grpo.log_steps=1", "method.validation.grpo_steps=0", *chosen.overrides,
    ]  # fmt: skip
    if chosen.lora:
        settings.append("model.dtype=bfloat16")
    config, _ = load("train", settings)
    print(json.dumps({"versions": versions(), "cap_gib": chosen.cap, "settings": settings}), flush=True)
    fits = True
    for size in chosen.sizes:
        with tempfile.TemporaryDirectory() as folder:
            for row in check(size, config, Path(folder), chosen.steps):
                print(json.dumps(row), flush=True)
                fits = fits and row["fits"]
    return 0 if fits else 1


if __name__ == "__main__":
    raise SystemExit(main())
