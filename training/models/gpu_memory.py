"""Number of chats that fit in memory beside a model, and vLLM's share of a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SLACK = 2.0
"""Allocated tokens per needed token in `CachedSampler`.

Its buffers grow by doubling, and the old one is copied.
"""
MARGIN = 0.03
"""Share of a GPU left free for the driver and other processes."""


def cache_bytes(config: Any, width: int) -> int:
    """Return the size in bytes of a token's keys and values in all layers, with ``width`` bytes per number."""
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return int(2 * config.num_hidden_layers * config.num_key_value_heads * size * width)


def chats(config: Any, free: int, tokens: int, width: int = 2, share: float = 0.8) -> int:
    """Return the number of chats of ``tokens`` tokens for which `CachedSampler` has memory, at least 1.

    Args:
        free: free bytes beside the weights.
        width: bytes per number in the cache.
        share: fraction of the free bytes that may be used.
    """
    return max(1, int(free * share / (cache_bytes(config, width) * tokens * SLACK)))


def free_share(free: int, total: int) -> float:
    """Return the share of a GPU's memory that vLLM may use, at most 0.9 and rounded down to 0.01."""
    return max(0.01, min(0.9, int(100 * (free / total - MARGIN)) / 100))


def share_of(cards: Sequence[int]) -> float:
    """Return the largest memory share that vLLM may use on every one of these GPUs now."""
    import torch

    return min(free_share(*torch.cuda.mem_get_info(card)) for card in cards)
