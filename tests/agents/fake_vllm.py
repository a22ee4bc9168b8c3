"""A fake of the package vllm with the parts that `VllmAgent` uses, which answers without a model.

The arguments are those of vLLM 0.31 and 0.32; `test_vllm_offline` compares them with the real ones if it is installed.
The output depends only on the prompt and the seed, so that a test can infer the request from it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

END = 2
"""The end-of-turn token of the tiny tokenizer."""


@dataclass
class SamplingParams:
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int | None = 16
    seed: int | None = None
    stop_token_ids: list[int] | None = None
    detokenize: bool = True


@dataclass
class LoRARequest:
    lora_name: str
    lora_int_id: int
    lora_path: str = ""


@dataclass
class Asked:
    """A recorded call of `LLM.generate`."""

    prompts: list[list[int]]
    settings: list[SamplingParams]
    lora: LoRARequest | None


@dataclass
class LLM:
    """Answers each prompt with three tokens: one made of its length, and two drawn from the seed."""

    model: str
    dtype: str = "auto"
    seed: int = 0
    tensor_parallel_size: int = 1
    gpu_memory_utilization: float = 0.92
    max_model_len: int = 4096
    enable_lora: bool = False
    max_lora_rank: int = 16
    asked: list[Asked] = field(default_factory=list)

    @property
    def model_config(self) -> Any:
        from transformers import AutoConfig

        return SimpleNamespace(hf_config=AutoConfig.from_pretrained(self.model), max_model_len=self.max_model_len)

    def generate(
        self,
        prompts: Sequence[dict[str, list[int]]],
        sampling_params: Sequence[SamplingParams],
        *,
        use_tqdm: bool = True,
        lora_request: LoRARequest | None = None,
    ) -> list[Any]:
        assert not use_tqdm and len(prompts) == len(sampling_params)
        ids = [prompt["prompt_token_ids"] for prompt in prompts]
        self.asked.append(Asked(ids, list(sampling_params), lora_request))
        return [_answer(len(prompt), settings) for prompt, settings in zip(ids, sampling_params, strict=True)]


def _answer(length: int, settings: SamplingParams) -> Any:
    rng = random.Random(settings.seed)
    said = [20 + length % 50, rng.randrange(20, 200), rng.randrange(20, 200), END][: settings.max_tokens]
    return SimpleNamespace(outputs=[SimpleNamespace(token_ids=tuple(said))])


def modules() -> dict[str, ModuleType]:
    """Return the fake modules, by name, for `sys.modules`."""
    vllm, lora, request = ModuleType("vllm"), ModuleType("vllm.lora"), ModuleType("vllm.lora.request")
    vars(vllm).update(LLM=LLM, SamplingParams=SamplingParams)
    vars(request).update(LoRARequest=LoRARequest)
    return {"vllm": vllm, "vllm.lora": lora, "vllm.lora.request": request}
