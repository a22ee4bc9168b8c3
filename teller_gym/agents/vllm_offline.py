"""Language model agent run by vLLM in this process, for evaluating whole splits on a GPU without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from teller_gym.agents.checkpoints import Checkpoint, find_checkpoint
from teller_gym.agents.local import LocalAgent, check_options
from teller_gym.base.errors import MissingExtraError, OptionError

LORA_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""LoRA ranks for which vLLM can be configured; an adapter needs the next larger one."""


class VllmAgent(LocalAgent):
    """Agent that generates text with vLLM, for many episodes at once through `act_batch`.

    The chat is rendered with the checkpoint's own template and passed to vLLM as token ids. A model therefore reads the
    same tokens as with `teller_gym.agents.language.LanguageAgent`, and the options have the same meaning.

    Args:
        model: a ``vllm.LLM``.
        tokenizer: its tokenizer, with the chat template that the model was trained with.
        options: options for `LocalAgent`, such as temperature.
    """

    def __init__(self, model: Any, tokenizer: Any, **options: Any) -> None:
        described = model.model_config
        super().__init__(tokenizer, described.hf_config, int(described.max_model_len), **({"name": "vllm"} | options))
        self.lora_request: Any = None
        """The ``LoRARequest`` of the adapter used for every turn, or None if there is no adapter."""
        self.llm = model

    @classmethod
    def from_folder(
        cls,
        folder: str | Path,
        tensor_parallel_size: int = 1,
        gpu_memory_utilization: float = 0.9,
        lora: str | None = None,
        **options: Any,
    ) -> VllmAgent:
        """Load a checkpoint into vLLM; see `LocalAgent.from_folder`.

        Args:
            folder: see `LocalAgent.from_folder`.
            tensor_parallel_size: number of GPUs over which the model is split.
            gpu_memory_utilization: share of a GPU's memory that vLLM uses, above 0 and at most 1. On a CPU, the
                variable VLLM_CPU_KVCACHE_SPACE sets the GiB for the attention cache instead.
            lora: folder of a LoRA adapter for the model in ``folder``; the base model named by the adapter is ignored.
            options: see `LocalAgent.from_folder`.
        """
        check_options(**options)
        _check_engine(tensor_parallel_size, gpu_memory_utilization)
        try:
            import vllm
        except ImportError:
            raise MissingExtraError("generating with vLLM", "vllm") from None
        checkpoint = _checkpoint(folder, lora)
        settings = {"tensor_parallel_size": tensor_parallel_size, "gpu_memory_utilization": gpu_memory_utilization}
        try:
            tokenizer = checkpoint.tokenizer()
            settings |= _settings(checkpoint, options.get("max_tokens"))
            model = vllm.LLM(checkpoint.base, seed=options.get("seed", 0), **settings)
        except (OSError, ValueError, RuntimeError) as error:
            raise OptionError(f"{folder} cannot be run by vLLM with these settings: {error}") from error
        options.setdefault("name", Path(folder).name)
        agent = cls(model, tokenizer, **options)
        agent.lora_request = _lora_request(checkpoint)
        return agent

    def _generate(self, contexts: list[list[int]], seeds: list[int] | None) -> list[list[int]]:
        from vllm import SamplingParams

        drawn: Sequence[int | None] = seeds or [None] * len(contexts)
        settings = [
            SamplingParams(
                temperature=self.temperature,
                top_p=self.top_p,
                max_tokens=self.max_new_tokens,
                seed=seed,
                stop_token_ids=[self.format.end],
                detokenize=False,
            )
            for seed in drawn
        ]
        prompts = [{"prompt_token_ids": ids} for ids in contexts]
        answers = self.llm.generate(prompts, settings, use_tqdm=False, lora_request=self.lora_request)
        return [list(answer.outputs[0].token_ids) for answer in answers]


def _check_engine(tensor_parallel_size: object, gpu_memory_utilization: object) -> None:
    if type(tensor_parallel_size) is not int or tensor_parallel_size < 1:
        raise OptionError(f"tensor_parallel_size: expected a whole number of 1 or more, got {tensor_parallel_size!r}")
    share = gpu_memory_utilization
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
        raise OptionError(f"gpu_memory_utilization: expected a number above 0, at most 1, got {share!r}")


def _checkpoint(folder: str | Path, lora: str | None) -> Checkpoint:
    checkpoint = find_checkpoint(folder)
    if lora is None:
        return checkpoint
    adapter = find_checkpoint(lora)
    if adapter.adapter is None:
        raise OptionError(f"lora: expected the folder of a LoRA adapter, got {lora!r}")
    if checkpoint.adapter is not None:
        raise OptionError(f"lora: {folder} is an adapter itself; give its base model, or leave lora out")
    return replace(adapter, base=checkpoint.base)


def _settings(checkpoint: Checkpoint, max_tokens: int | None) -> dict[str, Any]:
    """Return vLLM's settings.

    They are the maximum length, the adapter's rank, and the same precision as in `LanguageAgent`.
    """
    import torch
    from transformers import AutoConfig

    settings: dict[str, Any] = {"dtype": "bfloat16" if torch.cuda.is_available() else "float32"}
    if max_tokens is not None:
        limit = int(AutoConfig.from_pretrained(checkpoint.base).get_text_config().max_position_embeddings)
        settings["max_model_len"] = min(limit, max_tokens)
    if checkpoint.adapter is not None:
        room = next((rank for rank in LORA_RANKS if rank >= checkpoint.rank), None)
        if room is None:
            raise OptionError(f"{checkpoint.adapter}: vLLM takes adapters of rank {LORA_RANKS[-1]} at most")
        settings |= {"enable_lora": True, "max_lora_rank": room}
    return settings


def _lora_request(checkpoint: Checkpoint) -> Any:
    if checkpoint.adapter is None:
        return None
    from vllm.lora.request import LoRARequest

    return LoRARequest("adapter", 1, str(checkpoint.adapter.resolve()))
