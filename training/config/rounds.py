"""Settings of the methods that learn in rounds from the model's own episodes: rejection sampling and corrections."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from teller_gym.configuration.settings import Settings
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share
from teller_gym.training.tasks.seeds import ROUND_SEEDS_A_ROUND


class RoundsConfig(Settings):
    """Settings that both methods share: a round plays fresh tasks and learns from some of the episodes."""

    rounds: Annotated[int, Ge(0), Le(100)]
    """Number of rounds, each played by the model that the previous round trained; 0 skips the phase."""
    tasks: Annotated[int, Ge(1), Le(ROUND_SEEDS_A_ROUND)]
    """Number of fresh tasks in a round."""
    temperature: Annotated[float, Ge(0)]
    """Sampling temperature of the model; 0 takes the likeliest token."""
    at_once: Count
    """Episodes that are played together; each such batch is saved when it ends. Memory for the attention cache grows
    with this number, and sampled tokens depend on it."""
    passes: Count
    """Number of times that a round learns each of its conversations."""
    expert_share: Share
    """Share of a round's learned tokens that come from fresh expert episodes, against forgetting."""
    learning_rate: Positive
    """Highest rate of AdamW, whose state is reset in every round; batches, accumulation and logs are those of sft."""
    lora_learning_rate: Positive
    """Highest rate with adapters, which are merged at the end of a round."""
    warmup_steps: Number
    """Steps over which the rate rises in a round."""


class RejectionConfig(RoundsConfig):
    """Group ``method``, block ``rejection``: the model learns from its own successful episodes."""

    samples: Count
    """Episodes of each task."""
    least_score: Reached | None
    """Minimum score of a learned episode; null learns the episodes that end in success."""
    per_task: Count
    """Maximum number of different episodes of a task that are learned: those with the highest scores."""


class CorrectionsConfig(RoundsConfig):
    """Group ``method``, block ``corrections``: the expert corrects the model's mistakes where they are made; corrected
    and correct turns are learned."""

    most: Count
    """Number of corrections after which the expert finishes the case, which is learned, too."""
    control: bool
    """For comparison: corrects the model as usual, but learns fresh expert episodes with the same number of learned
    tokens."""
