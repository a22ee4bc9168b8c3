"""Initial weights of the tiny model: random, except for two attention layers that form an induction circuit.

From purely random weights, attention needs millions of tokens to learn to look up a value by the key before it and to
copy it, and until then nothing else improves. The layout of that circuit is known (Olsson et al. 2022, "In-context
learning and induction heads"), so it is given at the start, with random projections for content:

- layer 0: every head attends to the previous token and writes a random projection of it into a subspace;
- layer 1: every head attends to a token whose predecessor equals the current token, and copies that token.

All weights are trained. A constant vector is added to all embeddings, from which layer 0 computes its queries and keys;
with tied embeddings it shifts all logits equally, so it changes no prediction.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

SHARPNESS = 2.2
"""Weight of the query and key norms; with 1, a head cannot focus on one token among a thousand."""
EMBEDDING, CONSTANT = 0.05, 0.04
"""Standard deviation of an embedding's random part, and size of each coordinate of the constant part."""
KEEP_PREVIOUS, COPY = 0.05, 0.2
"""Strength with which layer 0 writes the previous token and layer 1 the copied one."""
FAR = 2e-3
"""Rotary frequency in radians per token below which a pair hardly turns within an episode, so that it compares content.
"""


def wire_copying(model: Any, seed: int) -> None:
    """Overwrite the embeddings and the first two layers' attention weights.

    The model must be a Qwen3 model with tied embeddings.
    """
    generator = torch.Generator().manual_seed(seed)
    config = model.config
    with torch.no_grad():
        basis = _orthonormal(config.hidden_size, config.hidden_size, generator)
        constant, basis = basis[0], basis[1:]
        embedding = model.get_input_embeddings().weight
        embedding.copy_(torch.randn(embedding.shape, generator=generator) * EMBEDDING)
        embedding.sub_((embedding @ constant)[:, None] * constant)
        embedding.add_(constant * CONSTANT * math.sqrt(config.hidden_size))
        room = min(config.head_dim, len(basis) // (2 * config.num_key_value_heads))
        first, second = model.model.layers[0].self_attn, model.model.layers[1].self_attn
        for attention in (first, second):
            attention.q_norm.weight.fill_(SHARPNESS)
            attention.k_norm.weight.fill_(SHARPNESS)
        for head in range(config.num_key_value_heads):
            present = basis[2 * head * room : (2 * head + 1) * room]
            previous = basis[(2 * head + 1) * room : (2 * head + 2) * room]
            _look_back(first, head, constant, present, previous, config)
            _look_up(second, head, present, previous, basis, config, generator)


def _look_back(attention: Any, head: int, constant: Tensor, present: Tensor, previous: Tensor, config: Any) -> None:
    """Set weights that attend to the previous token.

    Keys have a fixed direction, onto which the rotary embedding turns the queries.
    """
    size, half = config.head_dim, config.head_dim // 2
    frequencies = _frequencies(config)
    key, query = torch.zeros(size), torch.zeros(size)
    for pair in range(3):
        key[pair] = 1.0
        query[pair], query[pair + half] = math.cos(frequencies[pair]), -math.sin(frequencies[pair])
    attention.k_proj.weight[head * size : (head + 1) * size].copy_(torch.outer(key, constant))
    attention.v_proj.weight[head * size : (head + 1) * size].zero_()
    attention.v_proj.weight[head * size : head * size + len(present)].copy_(present)
    for one in _group(head, config):
        attention.q_proj.weight[one * size : (one + 1) * size].copy_(torch.outer(query, constant))
        out = attention.o_proj.weight[:, one * size : (one + 1) * size]
        out.zero_()
        out[:, : len(present)].copy_(previous.T * (KEEP_PREVIOUS / len(_group(head, config))))


def _look_up(
    attention: Any, head: int, present: Tensor, previous: Tensor, basis: Tensor, config: Any, generator: torch.Generator
) -> None:
    """Set weights that attend to tokens whose predecessor equals the current token, and copy them."""
    size, half = config.head_dim, config.head_dim // 2
    slow = [pair for pair, frequency in enumerate(_frequencies(config)) if frequency < FAR]
    places = ([*slow, *(pair + half for pair in slow)])[: len(present)]
    rows = slice(head * size, (head + 1) * size)
    keys, queries = torch.zeros(size, config.hidden_size), torch.zeros(size, config.hidden_size)
    keys[places], queries[places] = previous[: len(places)], present[: len(places)]
    attention.k_proj.weight[rows].copy_(keys)
    copied = _orthonormal(size, len(basis), generator) @ basis
    attention.v_proj.weight[rows].copy_(copied)
    for one in _group(head, config):
        attention.q_proj.weight[one * size : (one + 1) * size].copy_(queries)
        out = attention.o_proj.weight[:, one * size : (one + 1) * size]
        out.copy_(copied.T * (COPY / len(_group(head, config))))


def _group(head: int, config: Any) -> range:
    """Return the indices of the query heads that share a key head."""
    width = config.num_attention_heads // config.num_key_value_heads
    return range(head * width, (head + 1) * width)


def _frequencies(config: Any) -> list[float]:
    """Return the rotary frequencies of a head's coordinate pairs, in radians per token."""
    theta = float(config.rope_parameters["rope_theta"])
    return [theta ** (-2 * pair / config.head_dim) for pair in range(config.head_dim // 2)]


def _orthonormal(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    """Return a random matrix of shape (rows, columns) with orthonormal rows."""
    square, _ = torch.linalg.qr(torch.randn(columns, columns, generator=generator))
    rows_first: Tensor = square.T[:rows].contiguous()
    return rows_first
