"""Lengths of prompts by style, and of the episodes after them, as measured on Loans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import yaml

from teller_gym.training.config.run import Config


@dataclass(frozen=True)
class Lengths:
    """Lengths of a mean episode in tokens.

    Attributes:
        prompt: length before the model's first turn.
        said: tokens of the model over all turns.
        after: tokens after the prompt: ``said`` and tool results.
        turns: number of turns of the model.
        longest: maximum length of an episode.
    """

    prompt: int
    said: int
    after: int
    turns: int
    longest: int

    @property
    def whole(self) -> int:
        """Length of a mean episode, limited by the maximum."""
        return min(self.longest, self.prompt + self.after)

    @property
    def middle(self) -> int:
        """Mean length of the context before a turn."""
        return min(self.longest, self.prompt + self.after // 2)


@cache
def figures() -> dict[str, Any]:
    """Read lengths.yaml: the measured lengths and sizes."""
    text = resources.files("teller_gym.training.plan").joinpath("lengths.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def lengths_of(config: Config) -> Lengths:
    """Look up a run's mean episode by the model's kind, the prompt's style and the number of distractors."""
    found = figures()["tiny" if config.model.tiny else "pretrained"]
    points = found["prompt"][config.model.prompt]
    shown = config.env.options.get("distractors") or 0
    count = max(points) if shown == "all" else min(int(shown), max(points))
    prompt = round(float(np.interp(count, list(points), list(points.values()))))
    return Lengths(prompt, found["said"], found["after"], found["turns"], config.model.total_tokens)
