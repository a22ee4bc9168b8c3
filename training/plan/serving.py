"""Memory of a card during generation, and the number of live episodes that fit in the attention cache."""

from __future__ import annotations

from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.models.gpu_memory import SLACK, free_share
from teller_gym.training.plan.lengths import Lengths
from teller_gym.training.plan.memory import CONTEXT, Setup
from teller_gym.training.plan.model import GIB, Room

ENGINE = int(2.0 * GIB)
"""Memory of vLLM in addition to weights and cache.

It has activations of 4,096 tokens, logits of its sampler, and CUDA graphs.
"""
ASLEEP = int(1.5 * GIB)
"""Memory that vLLM holds while it sleeps: graphs, kernels and workspaces."""


def engine(setup: Setup, share: int, parallel: int) -> dict[str, int]:
    """Return the memory of vLLM's share of a card by purpose; a copy of the model is spread over ``parallel`` cards."""
    own = 2 * setup.shape.parameters // parallel
    return {"vllm weights": own, "vllm engine": ENGINE, "vllm cache": max(0, share - own - ENGINE)}


def engine_apart(setup: Setup, hardware: HardwareConfig, left: int) -> dict[str, int]:
    """Return the memory by purpose on a card where vLLM runs in a separate process.

    The training process still holds ``left`` bytes.
    """
    card = int(hardware.card_gib * GIB)
    share = int(card * free_share(card - CONTEXT - left, card))
    return engine(setup, share, hardware.vllm_tensor_parallel) | {"reserve": left + CONTEXT}


def room(setup: Setup, cache: int, lengths: Lengths, wanted: int, parallel: int = 1) -> Room:
    """Return the capacity of vLLM's cache, given its bytes on each card."""
    tokens = cache * parallel // setup.shape.cache_token
    return Room(tokens, tokens // lengths.whole, tokens // lengths.longest, wanted)


def sampled(setup: Setup, chats: int, lengths: Lengths) -> int:
    """Return the memory for `CachedSampler`'s cache.

    Keys have the residual stream's precision, since norms produce them.
    """
    return int(chats * lengths.longest * setup.shape.cache_token * setup.precision.stream / 2 * SLACK)
