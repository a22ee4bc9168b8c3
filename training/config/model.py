"""Model settings: name, prompt, lengths, adapters, and the sizes of the tiny model."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from teller_gym.configuration.settings import Settings, Text, problem, problems
from teller_gym.training.config.numbers import Count, Number


class TinyShape(Settings):
    """Sizes of the tiny model, which is created on the fly."""

    hidden: Count = 128
    """Width of the residual stream."""
    layers: Count = 4
    """Number of layers; looking up a value by its key takes two, choosing the step takes more."""
    heads: Count = 4
    """Number of attention heads, each of width head_dim."""
    kv_heads: Count = 2
    """Number of key and value heads; fewer make generation cheaper."""
    head_dim: Count = 32
    """Width of a head."""
    mlp: Count = 256
    """Width of the feed-forward layer."""
    vocabulary: Count = 4096
    """Maximum number of tokens; 1,400 of them are taken by digits, dates and cents."""
    tokenizer_texts: Count = 400
    """Trajectories on which the tokenizer is trained; more add only rare words."""
    positions: Count = 8192
    """Maximum conversation length in tokens."""
    window: Count | None = None
    """Attention window of every other layer, starting with the first, in tokens including the current one; null for no
    limit. The first layer looks at neighbours anyway, and long conversations take a third less time."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        found = []
        if self.heads % self.kv_heads:
            found.append(("heads", f"expected a multiple of kv_heads ({self.kv_heads}), got {self.heads}"))
        if self.head_dim % 2 or self.head_dim < 6:
            found.append(("head_dim", f"expected an even number, at least 6 (three pairs turn), got {self.head_dim}"))
        if self.layers > 1 and self.hidden <= self.head_dim:
            # The first two layers copy between directions of the residual stream.
            found.append(("hidden", f"expected more than head_dim ({self.head_dim}), got {self.hidden}"))
        problems(found)
        return self


class LoraConfig(Settings):
    """Low-rank adapters."""

    rank: Number = 0
    """Rank of the adapters; 0 trains all weights."""
    alpha: Count = 32
    """The adapters' output is scaled by alpha / rank."""


class ModelConfig(Settings):
    """Group ``model``."""

    name: Text
    """A causal model on a hub, a local folder, or tiny, which is created on the fly."""
    prompt: Literal["full", "compact", "minimal"]
    """Instructions in the prompt: the SOP and JSON schemas (full), signatures instead of schemas, about 10,500 tokens
    less per prompt (compact), or only the request (minimal)."""
    turn_tokens: Count
    """Maximum tokens of one turn."""
    total_tokens: Count
    """Maximum tokens of a conversation, including procedure and tool results."""
    thinking: bool = False
    """Lets the model think before it answers, if the chat template supports it, in training and, unless
    agent.thinking says otherwise, in every evaluation of its checkpoints."""
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    """Number format of the weights. Updates of 1e-6 would vanish in 16 bits; computations use bf16 in any case."""
    shape: TinyShape = Field(default_factory=TinyShape)
    """Sizes of the tiny model."""
    lora: LoraConfig = Field(default_factory=LoraConfig)

    @property
    def tiny(self) -> bool:
        return self.name == "tiny"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.turn_tokens > self.total_tokens:
            text = f"expected at most total_tokens ({self.total_tokens}), got {self.turn_tokens}"
            raise problem(text, "turn_tokens")
        return self

    def lora_config(self) -> Any:
        """Return peft's adapter configuration, or None if all weights are trained."""
        if self.lora.rank == 0:
            return None
        from peft import LoraConfig as PeftLora

        return PeftLora(
            r=self.lora.rank, lora_alpha=self.lora.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        )
