"""A part of the curriculum of fine-tuning."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A part of the curriculum.

    Attributes:
        max_tokens: conversations are cut to their beginning of that many tokens; None leaves them whole.
        share: share of all trajectories that this stage uses.
    """

    max_tokens: int | None
    share: float
