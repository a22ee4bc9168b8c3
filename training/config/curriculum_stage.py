"""A stage of the fine-tuning curriculum."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A stage of the curriculum.

    Attributes:
        max_tokens: number of tokens to which conversations are cut; None leaves them whole.
        share: share of all trajectories that this stage uses.
    """

    max_tokens: int | None
    share: float
