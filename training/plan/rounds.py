"""Estimates for rounds on the model's own episodes, which the first process plays."""

from __future__ import annotations

from dataclasses import dataclass

from teller_gym.training.config.rounds import RoundsConfig
from teller_gym.training.plan import memory, serving
from teller_gym.training.plan.lengths import Lengths
from teller_gym.training.plan.memory import Setup


@dataclass(frozen=True)
class Rounds:
    """The rounds of one method.

    Attributes:
        name: name of the phase.
        count: number of rounds.
        episodes: number of episodes in a round.
        at_once: number of simultaneous episodes.
        learned: maximum number of conversations that a round learns, counting passes and the expert's.
    """

    name: str
    count: int
    episodes: int
    at_once: int
    learned: int

    @classmethod
    def of(cls, name: str, settings: RoundsConfig) -> Rounds:
        """Return the rounds of a method from its settings."""
        samples, kept = settings.samples_a_task, settings.lessons_a_task
        learned = settings.tasks * kept * settings.passes / (1 - settings.expert_share)
        episodes = settings.tasks * samples
        return cls(name, settings.rounds, episodes, min(settings.at_once, episodes), round(learned))


def playing(setup: Setup, lengths: Lengths, rounds: Rounds) -> dict[str, int]:
    """Return the bytes of the package's own sampler: a copy of the model, in 16 bits on a GPU, and its cache.

    On a GPU a separate process plays, beside the memory that the training process cannot release.
    """
    width = 2 if setup.cuda else setup.width
    held = {
        "weights": width * setup.shape.parameters,
        "cache": serving.sampled(setup, rounds.at_once, lengths) * width // setup.precision.stream,
    }
    return memory.with_reserve(setup, held, several=False) | ({"training": memory.CONTEXT} if setup.cuda else {})
