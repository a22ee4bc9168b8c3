"""Chooses the engine for the rollouts of a TRL trainer: its vLLM, if it has one, otherwise its model."""

from __future__ import annotations

from typing import Any

from teller_gym.agents.sampling import CachedSampler
from teller_gym.training.rollouts.engines import BatchEngine, Draws, Engine
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from teller_gym.training.rollouts.vllm_server import Server, ServerEngine


def engine_of(trainer: Any, draws: Draws, url: str | None = None) -> Engine:
    """Return an engine for one round with a TRL trainer's weights; ``url`` is the address of vLLM's server, if one
    generates for the trainer. Without vLLM one generator, seeded by ``draws.seed``, draws all turns."""
    if getattr(trainer, "vllm_generation", None) is None:
        model = trainer.accelerator.unwrap_model(trainer.model)
        return BatchEngine(CachedSampler(model, [draws.end], draws.temperature, draws.seed, draws.top_p))
    if url is not None:
        return ServerEngine(trainer, draws, Server(url))
    return ColocatedEngine(trainer, draws)
