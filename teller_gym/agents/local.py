"""Base class for agents whose model runs in this process, independent of the engine that generates text."""

from __future__ import annotations

import hashlib
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teller_gym.agents.base import Prices
from teller_gym.agents.carried import Carried
from teller_gym.agents.chat import ChatFormat, Message, PromptStyle, Schema
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.tools.thoughts import split_thoughts

PROMPT_KEY = "teller_gym_prompt"
"""Key in the model's config.json that stores the prompt style of training, so that evaluation uses the same one."""

OUT_OF_TOKENS = "I have run out of tokens."
"""Text that ends the episode if a chat has no room for another turn."""

CONTEXT_ENDS = ("stop", "drop")
_NOT_OPTIONS = ("self", "folder", "options", "tokenizer", "config", "context")

DROPPED = "[dropped to make room; call the tool again if the result is needed]"
"""Placeholder for a dropped tool result."""

KEPT_RESULTS = 3
"""Number of latest results that are never dropped."""

DROPPED_TOGETHER = 4
"""Number of results dropped at a time.

The model has to reread everything after a dropped result, so drops should be rare.
"""


class LocalAgent(ABC):
    """Agent that generates text locally, for many episodes at once.

    Args:
        tokenizer: tokenizer with the chat template that the model was trained with.
        config: transformers configuration of the model, which may contain the prompt style used in training.
        context: maximum tokens that the model can read and write in one conversation.
        prompt: full, compact or minimal; None uses the style that the checkpoint was trained with, or full.
        temperature: sampling temperature; 0 (the default) is greedy and therefore deterministic.
        max_new_tokens: maximum tokens of a turn; a call with ten arguments has about 150.
        max_tokens: maximum tokens of a whole conversation, None for the model's own limit; see context_end.
        name: the agent's name in tables.
        seed: seed for sampling; a turn depends on it, the episode's seed and the turn's number.
        thinking: True to let the model think first, if its template supports that; thoughts are not part of the action.
            None uses the setting that the checkpoint was trained with, or False if that is unknown.
        context_end: response to a full context: `stop` ends the episode; `drop` drops the oldest tool results, but not
            the task or the latest results, and ends the episode if that is not enough.
        top_p: sample from the likeliest tokens that make up this share of the probability; 1 samples from all.
        price_prompt, price_completion: US dollars per million tokens, both or neither.

    Raises:
        OptionError: a value has the wrong type or is out of range.
    """

    def __init__(
        self,
        tokenizer: Any,
        config: Any,
        context: int,
        *,
        prompt: str | None = None,
        temperature: float = 0.0,
        max_new_tokens: int = 512,
        max_tokens: int | None = None,
        name: str = "language",
        seed: int = 0,
        thinking: bool | None = None,
        context_end: str = "stop",
        top_p: float = 1.0,
        price_prompt: float | None = None,
        price_completion: float | None = None,
    ) -> None:
        check_options(
            temperature=temperature, top_p=top_p, max_new_tokens=max_new_tokens, max_tokens=max_tokens, seed=seed,
            thinking=thinking, context_end=context_end, price_prompt=price_prompt, price_completion=price_completion,
        )  # fmt: skip
        style = PromptStyle.parse(prompt or getattr(config, PROMPT_KEY, None) or "full")
        self.name = name
        self.format = ChatFormat(tokenizer, style, thinking)
        self._carried = Carried(self.format)
        self.max_new_tokens = max_new_tokens
        self.max_tokens = min(context, max_tokens or context)
        self.prices = None
        if price_prompt is not None and price_completion is not None:
            self.prices = Prices(price_prompt, price_completion)
        self.usage: Sequence[Mapping[str, int]] = ()
        self.temperature, self.top_p, self._seed = temperature, top_p, seed
        self._drops = context_end == "drop"
        self._seeds: Sequence[int] | None = None

    @classmethod
    @abstractmethod
    def from_folder(cls, folder: str | Path, **options: Any) -> LocalAgent:
        """Load a checkpoint.

        Args:
            folder: a checkpoint folder, the folder of a LoRA adapter, which names its base model, or the name of a
                model on a hub. An adapter's chat template takes precedence over its base model's.
            options: options of the constructor and of the engine.

        Raises:
            MissingExtraError: a library that loads or runs the model is not installed.
            OptionError: the folder is not a loadable checkpoint, or an option is invalid.
        """

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of all options of `from_folder`.

        The engine's options come first, then those of every local agent.
        """
        own = inspect.signature(cls.from_folder).parameters
        shared = inspect.signature(LocalAgent.__init__).parameters
        return [name for name in (*own, *shared) if name not in _NOT_OPTIONS]

    @property
    def chat_template(self) -> str:
        """Chat template that renders the prompts."""
        return str(self.format.tokenizer.chat_template)

    def seed_batch(self, seeds: Sequence[int]) -> None:
        """Set the episode seeds for the next `act_batch`.

        Without them, all conversations share one generator.
        """
        self._seeds = seeds

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        """Return the next action of each conversation.

        A conversation that continues an earlier turn of this agent is continued from that turn's tokens, as in
        training; others are rendered from text. If there is no room for another turn, the action is a text, which ends
        the episode.

        Raises:
            InfrastructureError: a conversation has no room for its first turn, which is a mistake in the set-up.
        """
        seeds, self._seeds = self._seeds, None
        carried = self._carried.contexts(conversations, tools)
        contexts = [
            ids if ids is not None and self._fits(ids) else self._context(chat, schemas, ids)
            for chat, schemas, ids in zip(conversations, tools, carried, strict=True)
        ]
        for chat, ids in zip(conversations, contexts, strict=True):
            if not self._fits(ids) and _turns(chat) == 0:
                raise self._no_room(len(ids))
        alive = [index for index, ids in enumerate(contexts) if self._fits(ids)]
        texts = [OUT_OF_TOKENS] * len(contexts)
        self.usage = used = [{"prompt": 0, "completion": 0} for _ in contexts]
        if alive:
            drawn = None if seeds is None else [self._turn_seed(seeds[index], conversations[index]) for index in alive]
            turns = self._generate([contexts[index] for index in alive], drawn)
            for index, ids in zip(alive, turns, strict=True):
                text = self.format.text(ids)
                texts[index] = without_thinking(text) if self.format.thinking else text
                used[index].update(prompt=len(contexts[index]), completion=len(ids))
            self._carried.settle(conversations, tools)
            for index, ids in zip(alive, turns, strict=True):
                self._carried.keep(conversations[index], tools[index], contexts[index], ids)
        return texts

    @abstractmethod
    def _generate(self, contexts: list[list[int]], seeds: list[int] | None) -> list[list[int]]:
        """Sample a turn of at most `max_new_tokens` tokens for each context and return the tokens.

        Each turn has a seed; without `seeds` the engine's own generator is used.
        """

    def _fits(self, ids: Sequence[int]) -> bool:
        return len(ids) + self.max_new_tokens <= self.max_tokens

    def _no_room(self, prompt: int) -> InfrastructureError:
        return InfrastructureError(
            f"the beginning of the chat, procedure and tools, has {prompt} tokens and leaves no room for an answer of "
            f"{self.max_new_tokens}: {self.name} may have {self.max_tokens} in all; raise agent.max_tokens if it is "
            f"below what the model can read, lower agent.max_new_tokens, or take a model that can read more"
        )

    def _context(self, chat: Sequence[Message], tools: Sequence[Schema], carried: list[int] | None = None) -> list[int]:
        """Return a chat's tokens.

        If the chat is too long and dropping is enabled, its oldest results are dropped. `carried` has the tokens of the
        whole chat, if known; otherwise they are rendered.
        """
        ids = self.format.prompt_ids(chat, tools) if carried is None else carried
        if not self._drops or self._fits(ids):
            return ids
        most = max(0, sum(message["role"] == "tool" for message in chat) - KEPT_RESULTS)
        counts = [*range(DROPPED_TOGETHER, most, DROPPED_TOGETHER), most]
        for count in counts:
            ids = self.format.prompt_ids(drop_results(chat, count), tools)
            if self._fits(ids):
                break
        return ids

    def _turn_seed(self, seed: int, conversation: Sequence[Message]) -> int:
        turn = _turns(conversation)
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{seed}/{turn}".encode()).digest()[:8], "big") >> 1


def _turns(conversation: Sequence[Message]) -> int:
    return sum(message["role"] == "assistant" for message in conversation)


def without_thinking(text: str) -> str:
    """Remove the thoughts from a model's text.

    The result is empty if the text ends within a thought.
    """
    return split_thoughts(text).said


def drop_results(chat: Sequence[Message], count: int) -> list[Message]:
    """Replace a chat's ``count`` oldest tool results by a placeholder."""
    results = [number for number, message in enumerate(chat) if message["role"] == "tool"]
    dropped = set(results[:count])
    return [message | {"content": DROPPED} if number in dropped else message for number, message in enumerate(chat)]


def check_options(
    *,
    temperature: object = 0,
    top_p: object = 1,
    max_new_tokens: object = 1,
    max_tokens: object = None,
    seed: object = 0,
    thinking: object = None,
    context_end: object = "stop",
    price_prompt: object = None,
    price_completion: object = None,
    **_: object,
) -> None:
    """Check options, so that a mistake is reported before a model is loaded.

    Raises:
        OptionError: an option is invalid.
    """
    if not _is_number(temperature) or temperature < 0:  # type: ignore[operator]
        raise OptionError(f"temperature: expected a number of 0 or more, got {temperature!r}")
    if not _is_number(top_p) or not 0 < top_p <= 1:  # type: ignore[operator]
        raise OptionError(f"top_p: expected a number above 0, at most 1, got {top_p!r}")
    counts = (("max_new_tokens", max_new_tokens, 1), ("max_tokens", max_tokens, 1), ("seed", seed, 0))
    for name, value, least in counts:
        if (type(value) is not int or value < least) and not (name == "max_tokens" and value is None):
            raise OptionError(f"{name}: expected a whole number of {least} or more, got {value!r}")
    if not isinstance(thinking, bool | None):
        raise OptionError(f"thinking: expected true or false, got {thinking!r}; null: as it was trained")
    choose("context_end", context_end, CONTEXT_ENDS)
    prices = {"price_prompt": price_prompt, "price_completion": price_completion}
    for name, value in prices.items():
        if value is not None and (not _is_number(value) or value < 0):  # type: ignore[operator]
            raise OptionError(f"{name}: expected US dollars for a million tokens, 0 or more, got {value!r}")
    if (price_prompt is None) != (price_completion is None):
        raise OptionError("expected both price_prompt and price_completion, or neither; got one of them")


def choose(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise ``OptionError`` unless an option has one of the allowed values."""
    if value not in allowed:
        raise OptionError(f"{name}: expected one of {', '.join(allowed)}, got {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
