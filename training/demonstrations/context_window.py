"""Checks that a run's conversations fit its token limit and its model's context window.

The check precedes training: otherwise only GRPO, after hours of fine-tuning, would show that no episode can end.

The check precedes training: otherwise GRPO would show only after hours of fine-tuning that no episode can end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.batches import IGNORED, Example, encode
from teller_gym.training.demonstrations.expert import Trajectory

SAMPLED = 24
"""Number of expert episodes that are measured."""
CONTINUED = 6
"""Number of measured episodes that are also rendered turn by turn."""


@dataclass(frozen=True)
class Lengths:
    """Maximum lengths of several expert episodes, in tokens.

    Attributes:
        prompt, last: length before the first turn, and before the last one.
        turn: length of one turn, including its end token.
        whole: length of a whole conversation.
        episodes: number of measured episodes.
    """

    prompt: int
    turn: int
    last: int
    whole: int
    episodes: int


def measure(trajectories: Iterable[Trajectory], tokenizer: Any, style: PromptStyle) -> Lengths:
    """Return the maximum lengths of the first `SAMPLED` episodes as rendered by the tokenizer."""
    found = [_lengths(encode(one, tokenizer, style)) for one in islice(trajectories, SAMPLED)]

    prompt, turn, last, whole = (max(figures) for figures in zip(*found, strict=True))
    return Lengths(prompt, turn, last, whole, len(found))


def expect_continued(trajectories: Sequence[Trajectory], tokenizer: Any, style: PromptStyle) -> None:
    """Check that the prompt before every turn of the first episodes has the same tokens as in training.

    A rollout begins a turn with the prompt's tokens. If the turn's first word shares a token with the text before it,
    no rollout can ever produce what was learned.

    Raises:
        OptionError: the tokens differ; the message names the episode and the turn.
    """
    chat = ChatFormat(tokenizer, style)
    for one in trajectories[:CONTINUED]:
        whole = encode(one, tokenizer, style).ids.tolist()
        for number, message in enumerate(one.messages):
            if message["role"] == "assistant":
                prompt = chat.prompt_ids(one.messages[:number], one.tools)
                if whole[: len(prompt)] != prompt:
                    raise OptionError(
                        f"the tokens before message {number + 1} of expert episode {one.task_id} differ between "
                        "training and an episode: the tokenizer joins the turn's first word with the text before it; "
                        "end the chat template's generation prompt with a token of its own"
                    )


def _lengths(example: Example) -> tuple[int, int, int, int]:
    """Return the lengths of prompt, longest turn, text before the last turn, and whole conversation."""
    edges = np.diff((example.labels != IGNORED).astype(np.int8), prepend=0, append=0)
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return int(starts[0]), int((ends - starts).max()), int(starts[-1]), len(example.ids)


def check_window(lengths: Lengths, config: Config, window: int) -> list[str]:
    """Check a run's conversations against its limits and the model's context window.

    Returns:
        Warnings about limits that only some episodes would exceed.

    Raises:
        OptionError: a limit is exceeded; the message names the setting, its minimum value, and other remedies.
    """
    model = config.model
    if model.total_tokens > window:
        raise OptionError(
            f"model.total_tokens: expected at most {window}, the window of {model.name}, got {model.total_tokens}"
        )
    needed = max(lengths.whole, lengths.last + model.turn_tokens)
    if needed > model.total_tokens:
        told = (
            f"the longest of {lengths.episodes} expert episodes has {lengths.whole} tokens, its prompt {lengths.prompt}"
        )
        help_ = "raise it"
        if needed > window:
            help_ = f"{model.name} has a window of {window}: take another model"
        less = ["model.prompt=compact"] if model.prompt == "full" else []
        less += ["fewer env.distractors"] if config.env.options.get("distractors") else []
        shown = f", or show less ({' or '.join(less)})" if less else ""
        raise OptionError(
            f"model.total_tokens: expected at least {needed}, got {model.total_tokens}: {told}, and its last turn may "
            f"take turn_tokens ({model.turn_tokens}); {help_}{shown}"
        )
    said = []
    if lengths.turn > model.turn_tokens:
        said.append(
            f"model.turn_tokens={model.turn_tokens} cuts calls off: the longest in {lengths.episodes} expert episodes "
            f"has {lengths.turn} tokens"
        )
    return said
