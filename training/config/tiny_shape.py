"""Sizes of the tiny model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class TinyShape:
    """Size of the model.

    Attributes:
        hidden: width of the residual stream.
        layers: number of layers; looking a value up by its key takes two, choosing the step takes more.
        heads: attention heads, of ``head_dim`` each.
        kv_heads: heads of the keys and values; fewer make generation cheaper.
        head_dim: width of a head.
        mlp: width of the feed-forward layer.
        vocabulary: tokens at most; 1,400 of them are taken by digits, dates and cents.
        tokenizer_texts: trajectories that the tokenizer is trained on; more add only rare words.
        positions: longest conversation, in tokens.
        window: tokens that every other layer, from the first on, looks back, itself included; None for all. The first
            layer looks at neighbours anyway, and long conversations take a third less time.
    """

    hidden: int = 128
    layers: int = 4
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 32
    mlp: int = 256
    vocabulary: int = 4096
    tokenizer_texts: int = 400
    positions: int = 8192
    window: int | None = None
