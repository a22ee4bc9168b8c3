"""How long conversations are: prompts by what is shown, and what follows them; measured figures of Loans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from teller_gym.training.config.run import Config


@dataclass(frozen=True)
class Lengths:
    """Tokens of a mean episode.

    Attributes:
        prompt: before the model's first turn.
        said: of the model, over all turns.
        after: after the prompt, ``said`` and the tools' answers.
        turns: of the model.
        longest: that an episode may have.
    """

    prompt: int
    said: int
    after: int
    turns: int
    longest: int

    @property
    def whole(self) -> int:
        """Of a mean episode, which the cap may cut."""
        return min(self.longest, self.prompt + self.after)

    @property
    def middle(self) -> int:
        """That a turn finds before it, on average."""
        return min(self.longest, self.prompt + self.after // 2)


@cache
def figures() -> dict[str, Any]:
    """Return the measured figures."""
    text = resources.files("teller_gym.training.plan").joinpath("lengths.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def lengths_of(config: Config) -> Lengths:
    """Return what the mean episode of a run will have."""
    found = figures()["tiny" if config.model.tiny else "pretrained"]
    points = found["prompt"][config.model.prompt]
    shown = config.env.options.get("distractors") or 0
    count = max(points) if shown == "all" else min(int(shown), max(points))
    return Lengths(_between(points, count), found["said"], found["after"], found["turns"], config.model.total_tokens)


def _between(points: dict[int, int], at: int) -> int:
    """Value at a place between measured ones, on the straight line between its neighbours."""
    low = max(place for place in points if place <= at)
    high = min(place for place in points if place >= at)
    if low == high:
        return points[low]
    return round(points[low] + (points[high] - points[low]) * (at - low) / (high - low))
