"""Settings of what is learned in rounds on the model's own episodes: rejection sampling and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from annotated_types import Ge, Le

from teller_gym.configuration.settings import Settings, problem
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share
from teller_gym.training.tasks.seeds import ROUND_SEEDS_A_ROUND


class RoundsConfig(Settings):
    """What both methods have: a round plays fresh tasks, learns from some of what was played, and ends."""

    rounds: Annotated[int, Ge(0), Le(100)]
    """Rounds, each played by the model that the one before has trained; 0 skips the phase."""
    tasks: Annotated[int, Ge(1), Le(ROUND_SEEDS_A_ROUND)]
    """Fresh tasks of a round."""
    temperature: Annotated[float, Ge(0)]
    """At which the model is sampled; 0 takes the likeliest token."""
    at_once: Count
    """Episodes that are played together; what is played is kept after each such batch. Memory for the attention cache
    grows with it, and what is drawn depends on it."""
    passes: Count
    """How often a round learns each of its conversations."""
    expert_share: Share
    """Share of a round's learned tokens that are from fresh episodes of the expert, against forgetting."""
    learning_rate: Positive
    """Highest rate of AdamW, which begins anew in every round; batches, accumulation and logs are those of sft."""
    lora_learning_rate: Positive
    """The same for adapters, which are merged at the end of a round."""
    warmup_steps: Number
    """Steps over which the rate rises in a round."""

    @property
    def samples_a_task(self) -> int:
        """Episodes of each task."""
        return 1

    @property
    def lessons_a_task(self) -> int:
        """Episodes of a task that are learned, at most."""
        return 1


class RejectionConfig(RoundsConfig):
    """Group ``method``, block ``rejection``: the model learns from those of its own episodes that came out well."""

    samples: Count
    """Episodes of each task."""
    least_score: Reached | None
    """Score from which an episode is learned; null learns those whose case is right in the end."""
    per_task: Count
    """Different episodes of a task that are learned, at most: those with the highest scores."""

    @property
    def samples_a_task(self) -> int:
        """Episodes of each task."""
        return self.samples

    @property
    def lessons_a_task(self) -> int:
        """Episodes of a task that are learned, at most."""
        return min(self.samples, self.per_task)


class CorrectionsConfig(RoundsConfig):
    """Group ``method``, block ``corrections``: the expert looks on and puts the model's mistakes right where they are
    made."""

    most: Count
    """Corrections of an episode, at most."""
    finish: bool
    """Whether the expert works the rest of the case when those are used up, and that is learned too; else the episode
    ends there."""
    own_turns: bool
    """Whether the model's right turns are learned beside the corrected ones."""
    control: bool
    """For comparison: the model is corrected all the same, but what is learned are fresh episodes of the expert with as
    many learned tokens."""


def expect_whole_weights(blocks: Mapping[str, RoundsConfig], hardware: HardwareConfig) -> None:
    """Check that the process that plays rounds may hold all weights.

    Args:
        blocks: of ``method``, by name.
        hardware: of the run.

    Raises:
        ValueError: it may not, in pydantic's way of telling.
    """
    for name, block in blocks.items():
        if block.rounds and hardware.sharded:
            told = f"one process plays, with the whole model, and sharding={hardware.sharding} spreads it"
            raise problem(f"{told}; expected 0, or sharding=ddp or zero2, got {block.rounds}", f"method.{name}.rounds")
