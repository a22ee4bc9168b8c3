"""Settings for rejection sampling and corrections, the methods that learn in rounds from the model's own episodes."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from teller_gym.configuration.settings import Settings
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share
from teller_gym.training.tasks.seeds import ROUND_SEEDS_A_ROUND


class RoundsConfig(Settings):
    """Settings shared by both methods.

    A round plays fresh tasks and learns from some of the episodes.
    """

    rounds: Annotated[int, Ge(0), Le(100)]
    """Number of rounds, each played by the model from the previous round; 0 skips the phase."""
    tasks: Annotated[int, Ge(1), Le(ROUND_SEEDS_A_ROUND)]
    """Number of fresh tasks per round."""
    temperature: Annotated[float, Ge(0)]
    """Sampling temperature of the model; 0 takes the likeliest token."""
    at_once: Count
    """Episodes that are played together and saved as a batch when all have ended. Memory for the attention cache grows
    with this number, and sampled tokens depend on it."""
    passes: Count
    """Number of training passes over a round's conversations."""
    expert_share: Share
    """Share of a round's training tokens that come from fresh expert episodes, to prevent forgetting."""
    learning_rate: Positive
    """Peak learning rate of AdamW, whose state is reset in every round; batches, accumulation and logging follow sft.
    """
    lora_learning_rate: Positive
    """Peak learning rate with adapters, which are merged at the end of a round."""
    warmup_steps: Number
    """Steps over which the learning rate rises in each round."""


class RejectionConfig(RoundsConfig):
    """Group ``method``, block ``rejection``: the model learns from its own successful episodes."""

    samples: Count
    """Episodes per task."""
    least_score: Reached | None
    """Minimum score of an episode to learn from; null learns from the successful episodes."""
    per_task: Count
    """Maximum number of different episodes per task to learn from; the highest scores are preferred."""


class CorrectionsConfig(RoundsConfig):
    """Group ``method``, block ``corrections``: the expert corrects the model's mistakes where they occur, and the model
    learns the corrected and the correct turns."""

    most: Count
    """Number of corrections after which the expert finishes the case; its turns are learned, too."""
    control: bool
    """For comparison: corrects the model as usual, but learns from fresh expert episodes with the same number of
    training tokens."""
