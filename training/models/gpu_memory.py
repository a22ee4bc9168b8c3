"""The number of chats that fit beside a model, and the free share of a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SLACK = 2.0
"""Tokens that `CachedSampler` holds per token that it needs: its slabs grow by doubling, and the old one is copied."""
MARGIN = 0.03
"""Share of a GPU that stays free for the driver and other processes."""


def cache_bytes(config: Any, width: int) -> int:
    """Return the bytes of a token's keys and values in all layers, with ``width`` bytes a number."""
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return int(2 * config.num_hidden_layers * config.num_key_value_heads * size * width)


def chats(config: Any, free: int, tokens: int, width: int = 2, share: float = 0.8) -> int:
    """Return how many chats of at most ``tokens`` tokens `CachedSampler` can hold, at least 1, in a share of the bytes
    that are free besides the weights."""
    return max(1, int(free * share / (cache_bytes(config, width) * tokens * SLACK)))


def free_share(free: int, total: int) -> float:
    """Return the part of a GPU's bytes that vLLM may be given, at most 0.9, rounded down to hundredths."""
    return max(0.01, min(0.9, int(100 * (free / total - MARGIN)) / 100))


def share_of(cards: Sequence[int]) -> float:
    """Return the part of each of some GPUs that vLLM may be given now, all of them alike."""
    import torch

    return min(free_share(*torch.cuda.mem_get_info(card)) for card in cards)
