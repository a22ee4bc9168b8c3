"""What a card holds while turns are drawn, and how many live episodes the attention cache has room for."""

from __future__ import annotations

from teller_gym.training.config.run import Config
from teller_gym.training.models.gpu_memory import SLACK, free_share
from teller_gym.training.plan.lengths import Lengths
from teller_gym.training.plan.memory import CONTEXT, Setup
from teller_gym.training.plan.model import GIB, Room

ENGINE = int(2.0 * GIB)
"""Of vLLM's share, besides weights and cache: activations of 4,096 tokens at once, logits of its sampler, and CUDA
graphs."""
ASLEEP = int(1.5 * GIB)
"""What vLLM keeps while it sleeps: its graphs, kernels and workspaces."""


def engine(setup: Setup, share: int, parallel: int) -> dict[str, int]:
    """What vLLM does with its share of a card, in bytes.

    Args:
        setup: of the run.
        share: bytes that it takes.
        parallel: cards over which a copy of the model is spread.
    """
    own = 2 * setup.shape.parameters // parallel
    return {"vllm weights": own, "vllm engine": ENGINE, "vllm cache": max(0, share - own - ENGINE)}


def room(setup: Setup, cache: int, lengths: Lengths, wanted: int, parallel: int = 1) -> Room:
    """How many episodes vLLM's cache holds, in so many bytes on each of its cards."""
    tokens = cache * parallel // setup.shape.cache_token
    return Room(tokens, tokens // lengths.whole, tokens // lengths.longest, wanted)


def sampled(setup: Setup, chats: int, lengths: Lengths) -> int:
    """Bytes of `CachedSampler`'s cache for so many chats; keys come out of norms in the residual stream's width."""
    return int(chats * lengths.longest * setup.shape.cache_token * setup.precision.stream / 2 * SLACK)


def missing(found: Room, lengths: Lengths) -> tuple[str, ...]:
    """Say that the cache cannot hold one episode, which vLLM refuses at its start."""
    if found.longest:
        return ()
    told = f"vLLM's cache would hold {found.tokens:,} tokens"
    return (f"{told}, and one episode may have {lengths.longest:,} (model.total_tokens)",)


def share_beside(config: Config, left: int) -> int:
    """Bytes that vLLM takes in a process of its own, when the training process still holds so many."""
    card = int(config.hardware.card_gib * GIB)
    return int(card * free_share(card - CONTEXT - left, card))
