"""CPU attention for models with sliding-window layers.

transformers gives such a layer a mask over all pairs of tokens, and torch's attention also computes the hidden ones.
Here queries are processed in blocks as long as the window, each with the keys of its own and the previous block.
Training on conversations of two thousand tokens takes two thirds of the time.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

NAME = "teller_gym_windowed"
"""Name in transformers' attention registry."""


def is_windowed(config: Any) -> bool:
    """Return True if a model configuration has sliding-window layers."""
    return "sliding_attention" in (getattr(config.get_text_config(), "layer_types", None) or ())


def attend_in_windows(model: Any) -> None:
    """Use windowed attention in a model on a CPU whenever it is called without a mask.

    Other models remain unchanged.
    """
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    if model.device.type != "cpu" or not is_windowed(model.config):
        return
    ALL_ATTENTION_FUNCTIONS.register(NAME, _attention)
    ALL_MASK_ATTENTION_FUNCTIONS.register(NAME, _mask)
    model.set_attn_implementation(NAME)


def _mask(*arguments: Any, attention_mask: Tensor | None = None, **options: Any) -> Tensor | None:
    """Return transformers' own mask if it hides padding, or None if causality and windows suffice."""
    from transformers.masking_utils import sdpa_mask

    if attention_mask is None and options.get("q_length") == options.get("kv_length"):
        return None
    found: Tensor | None = sdpa_mask(*arguments, attention_mask=attention_mask, **options)
    return found


def _attention(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **options: Any
) -> tuple[Tensor, None]:
    """Compute attention for transformers' registry, with output of shape (rows, tokens, heads, size)."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    window = options.get("sliding_window")
    if attention_mask is not None or window is None or query.shape[2] <= window:
        output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return output, None
    return windowed(query, key, value, window, options.get("scaling")).transpose(1, 2).contiguous(), None


def windowed(query: Tensor, key: Tensor, value: Tensor, window: int, scale: float | None) -> Tensor:
    """Compute causal attention in which a token attends to itself and the ``window - 1`` tokens before it.

    Args:
        query: queries of shape (rows, heads, tokens, size).
        key, value: the same shape with fewer heads, each shared by neighbouring query heads.
        window: number of tokens that a query attends to, including itself.
        scale: factor for the products; None for 1 / sqrt(size).

    Returns:
        The output of shape (rows, heads, tokens, size).
    """
    rows, heads, tokens, size = query.shape
    groups = heads // key.shape[1]
    blocks = -(-tokens // window)
    rest = blocks * window - tokens
    asked = pad(query, (0, 0, 0, rest)).view(rows, heads, blocks, window, size)
    seen = [
        pad(one.repeat_interleave(groups, 1), (0, 0, window, rest)).view(rows, heads, blocks + 1, window, size)
        for one in (key, value)
    ]
    keys, values = (torch.cat([one[:, :, :-1], one[:, :, 1:]], dim=3) for one in seen)
    place = torch.arange(2 * window, device=query.device)
    distance = place[window:, None] - place
    mask = ((distance >= 0) & (distance < window)).expand(blocks, window, 2 * window).clone()
    # There is no block before the first one.
    mask[0, :, :window] = False
    asked, keys, values = (
        one.transpose(1, 2).reshape(rows * blocks, heads, one.shape[3], size) for one in (asked, keys, values)
    )
    visible = mask[None].expand(rows, -1, -1, -1).reshape(rows * blocks, 1, window, 2 * window)
    found = scaled_dot_product_attention(asked, keys, values, attn_mask=visible, scale=scale)
    whole = found.view(rows, blocks, heads, window, size).transpose(1, 2).reshape(rows, heads, blocks * window, size)
    return whole[:, :, :tokens]
