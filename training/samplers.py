"""Sampling through the engine that TRL's trainer holds."""

from __future__ import annotations

from typing import Any

from teller_gym.agents.sampling import Turn


class VllmSampler:
    """Samples through the trainer's colocated vLLM engine, whose prefix cache makes later turns cheap."""

    def __init__(self, trainer: Any, end: int) -> None:
        self._engine = trainer.vllm_generation
        self._end = end

    def sample(self, slots: Any, contexts: Any, max_new: int) -> list[Turn]:
        """Draw one turn for each conversation; see `Sampler.sample`."""
        self._engine.max_completion_length = max_new
        _, completions, logprobs, _ = self._engine.generate([list(ids) for ids in contexts], None, 1)
        turns = []
        for ids, scores in zip(completions, logprobs, strict=True):
            flat = [float("nan") if score[0] is None else float(score[0]) for score in scores]
            turns.append(Turn(list(ids), flat, bool(ids) and ids[-1] == self._end))
        return turns

    def forget(self) -> None:
        """Nothing is kept here."""
