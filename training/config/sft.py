"""Settings for fine-tuning on expert episodes."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, MinLen
from pydantic import AfterValidator

from teller_gym.configuration.settings import Settings, problem
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share


class Stage(Settings):
    """Curriculum stage."""

    share: Reached
    """Share of the trajectories."""
    max_tokens: Count | None = None
    """Length to which conversations are truncated; null keeps them whole."""


def _whole(stages: list[Stage]) -> list[Stage]:
    shares = [stage.share for stage in stages]
    if abs(sum(shares) - 1) > 1e-6:
        raise problem(f"expected shares that add up to 1, got {shares}")
    return stages


class SftConfig(Settings):
    """Group ``method``, block ``sft``."""

    trajectories: Number
    """Number of expert episodes, each used once; 0 skips fine-tuning."""
    working: bool
    """Lets the expert write down, before a call, the facts from which its arguments follow, and use the calendar
    instead of counting days, in scenarios that support it."""
    shortcuts: Share
    """Share of the whole conversations that stop after the expert's second call, as if the case were done: fine-tuning
    copies both ways of working, and only rewards show which is better."""
    learning_rate: Positive
    """Peak learning rate of AdamW."""
    lora_learning_rate: Positive
    """Peak learning rate for adapters, which start at zero and both tolerate and need a higher one."""
    weight_decay: Annotated[float, Ge(0)]
    """Weight decay of the optimizer."""
    warmup_steps: Number
    """Steps over which the learning rate rises."""
    batch_tokens: Count
    """Tokens per batch on each device, including padding."""
    accumulate: Count
    """Batches per step on each device."""
    drill_trajectories: Number
    """Number of episodes cut into copy drills, which come before whole episodes; a pretrained model can copy already.
    """
    rare_trajectories: Number = 0
    """Number of further episodes from which only drills of rare calls are learned, mixed with the whole conversations:
    otherwise the model would seldom see call flags that only one episode in four has."""
    drill_fields: Number
    """Number of fields in a drill's record in addition to those that its call uses."""
    drill_record: Literal["flat", "nested"]
    """Form of the record: one object with the last value of each field name (flat), or results and notes in their
    original form without the other fields, so that a field of two persons appears for both (nested)."""
    curriculum: Annotated[list[Stage], MinLen(1), AfterValidator(_whole)]
    """Curriculum stages in order, such as [{share: 0.2, max_tokens: 600}, {share: 0.8}]."""
    save_steps: Count
    """Steps between checkpoints, from which an interrupted run resumes."""
    log_steps: Count
    """Steps between log lines."""
