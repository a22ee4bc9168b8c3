"""Lengths of prompts by style and of the episodes after them, as measured on Loans."""

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
    """Average episode lengths in tokens.

    Attributes:
        prompt: length before the model's first turn.
        said: tokens that the model generates over all turns.
        after: tokens after the prompt: ``said`` and tool results.
        turns: number of model turns.
        longest: maximum length of an episode.
    """

    prompt: int
    said: int
    after: int
    turns: int
    longest: int

    @property
    def whole(self) -> int:
        """Length of an average episode, limited by the maximum."""
        return min(self.longest, self.prompt + self.after)

    @property
    def middle(self) -> int:
        """Mean length of the context before a turn."""
        return min(self.longest, self.prompt + self.after // 2)


@cache
def figures() -> dict[str, Any]:
    """Return the measured lengths and sizes in lengths.yaml."""
    text = resources.files("teller_gym.training.plan").joinpath("lengths.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def lengths_of(config: Config) -> Lengths:
    """Return a run's average lengths, given its model type, prompt style and number of distractors."""
    found = figures()["tiny" if config.model.tiny else "pretrained"]
    points = found["prompt"][config.model.prompt]
    shown = config.env.options.get("distractors") or 0
    count = max(points) if shown == "all" else min(int(shown), max(points))
    prompt = round(float(np.interp(count, list(points), list(points.values()))))
    return Lengths(prompt, found["said"], found["after"], found["turns"], config.model.total_tokens)
