"""What rounds on the model's own episodes need: rejection sampling and corrections, played by the first process."""

from __future__ import annotations

from dataclasses import dataclass

from teller_gym.training.config.rounds import RoundsConfig
from teller_gym.training.plan import memory, serving
from teller_gym.training.plan.lengths import Lengths
from teller_gym.training.plan.memory import Setup


@dataclass(frozen=True)
class Rounds:
    """All rounds of one method.

    Attributes:
        name: of the phase.
        count: rounds.
        episodes: played in a round.
        at_once: of these, together.
        learned: conversations that a round learns at most, passes counted, the expert's included.
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
    """Bytes where our own sampler plays: a copy of the model, in 16 bits on a GPU, and the sampler's cache.

    On a GPU a process of its own plays, and what the training process cannot give back stays beside it.
    """
    width = 2 if setup.cuda else setup.width
    held = {
        "weights": width * setup.shape.parameters,
        "cache": serving.sampled(setup, rounds.at_once, lengths) * width // setup.precision.stream,
    }
    return memory.with_reserve(setup, held, several=False) | ({"training": memory.CONTEXT} if setup.cuda else {})
