"""Hours of work on cards, from their data sheets and assumed utilization; docs/train/plan.md gives the reasons."""

from __future__ import annotations

import math
from dataclasses import dataclass

from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.models.shapes import Shape
from teller_gym.training.plan.lengths import Lengths
from teller_gym.training.plan.memory import Setup

COMPUTE = 0.35
"""Share of a card's matrix throughput reached in training and prompt processing.

An assumption, low for large models.
"""
BANDWIDTH = 0.6
"""Share of a card's memory bandwidth reached by vLLM's decoding; an assumption."""
BY_HAND = 3.0
"""Slowdown of the package's own sampler compared with vLLM.

It launches every kernel separately and waits for the longest turn; an assumption.
"""
EPISODES_A_SECOND = 160
"""Expert episodes per second on a CPU core, the lower of two measurements (docs/train/running.md)."""
_HOUR = 3600.0


def forward(shape: Shape, length: int) -> float:
    """Return the operations per token of a forward pass.

    These are two per weight of the layers, and attention to half a row.
    """
    return shape.layers * (2.0 * shape.layer_linear + 2.0 * shape.heads * shape.head_dim * length)


def learned(setup: Setup, lengths: Lengths, tokens: float, labelled: float) -> float:
    """Return the operations of a forward and backward pass over ``tokens``, of which ``labelled`` carry a loss."""
    # Backward: the gradients of activations, and those of the weights unless they are frozen.
    backward = 1 if setup.rank else 2
    layers = 1 + backward + setup.checkpointing
    # The output layer's tiles are computed twice.
    return tokens * forward(setup.shape, lengths.whole) * layers + labelled * 2.0 * setup.shape.embedding * (
        2 + backward
    )


def scored(setup: Setup, lengths: Lengths, tokens: float, labelled: float) -> float:
    """Return the operations of a forward pass that only computes log-probabilities."""
    return tokens * forward(setup.shape, lengths.whole) + labelled * 2.0 * setup.shape.embedding


def trained(hardware: HardwareConfig, operations: float) -> float:
    """Return the hours for operations spread over all training cards."""
    return operations / (hardware.processes * hardware.card_tflops * 1e12 * COMPUTE) / _HOUR


@dataclass(frozen=True)
class EpisodeRound:
    """Episodes played in one round.

    Attributes:
        episodes: total number of episodes on all engines.
        engines: number of engines.
        parallel: cards per engine.
        live: simultaneous episodes per engine.
        group: number of episodes with the same prompt, which the same engine plays.
    """

    episodes: int
    engines: int
    parallel: int
    live: int
    group: int


def playing(hardware: HardwareConfig, setup: Setup, lengths: Lengths, played: EpisodeRound) -> float:
    """Return the hours for a round of episodes.

    For each token of an episode, decoding reads all weights and the caches of the live episodes; tool results are read
    once, and a prompt once per group.
    """
    shape = setup.shape
    each = math.ceil(played.episodes / played.engines)
    live = max(1, min(each, played.live))
    prompts = math.ceil(each / max(1, min(played.group, each)))
    read = prompts * min(lengths.prompt, lengths.longest) + each * (lengths.after - lengths.said)
    reading = read * forward(shape, lengths.whole) / (played.parallel * hardware.card_tflops * 1e12 * COMPUTE)
    steps = math.ceil(each / live) * lengths.said
    caches = live * lengths.middle * shape.cache_token
    step = (2 * shape.parameters + caches) / (played.parallel * hardware.card_gbs * 1e9 * BANDWIDTH)
    slower = 1.0 if hardware.generation == "vllm" else BY_HAND
    return (reading + steps * step * slower) / _HOUR
