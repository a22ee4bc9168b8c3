"""A language model as an agent: a Hugging Face checkpoint folder, and the chat template saved with it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.errors import MissingExtraError, OptionError

PROMPT_KEY = "teller_gym_prompt"
"""Key in the model's config.json under which training leaves the prompt style, so that evaluation shows the same."""


class LanguageAgent:
    """Plays by generating text; many episodes at once through `act_batch`.

    Args:
        model: a causal model of transformers.
        tokenizer: its tokenizer, with the chat template that the model was trained with.
        prompt: full, compact or minimal; None takes what the checkpoint was trained with, else full.
        temperature: 0 (the default) is greedy and so repeatable.
        max_new_tokens: cap on a turn; a call of ten arguments is about 150 tokens with a word-piece vocabulary.
        max_tokens: cap on the whole conversation in tokens, None for the model's own limit; beyond it the agent stops.
        name: as it stands in tables.
        seed: of the sampler; with a temperature, every turn is drawn from it, the episode's seed and the turn's number.

    Raises:
        OptionError: a value of the wrong type or out of range.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        prompt: str | None = None,
        temperature: float = 0.0,
        max_new_tokens: int = 512,
        max_tokens: int | None = None,
        name: str = "language",
        seed: int = 0,
    ) -> None:
        from teller_gym.agents.sampling import CachedSampler

        _check(temperature=temperature, max_new_tokens=max_new_tokens, max_tokens=max_tokens, seed=seed)
        style = PromptStyle.parse(prompt or getattr(model.config, PROMPT_KEY, None) or "full")
        self.name = name
        self.format = ChatFormat(tokenizer, style)
        self.max_new_tokens = max_new_tokens
        limit = int(model.config.get_text_config().max_position_embeddings)
        self.max_tokens = min(limit, max_tokens or limit)
        self._sampler = CachedSampler(model, _end_ids(model, self.format.end), temperature, seed)
        self._seen: dict[int, tuple[Any, ...]] = {}
        self._next_slot = 0
        self._seed = seed
        self._seeds: Sequence[int] | None = None
        self.usage: Sequence[Mapping[str, int]] = ()

    @classmethod
    def from_folder(cls, folder: str | Path, device: str | None = None, **options: Any) -> LanguageAgent:
        """Load a checkpoint.

        Args:
            folder: a checkpoint folder, or the name of a model on a hub.
            device: such as "cpu" or "cuda:0"; None takes a GPU if there is one.
            options: those of the constructor.

        Raises:
            MissingExtraError: if torch or transformers is not installed.
            OptionError: if the folder holds no loadable checkpoint.
        """
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError:
            raise MissingExtraError("a language model agent", "train") from None
        _check(**options)
        where = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            torch.empty(0, device=torch.device(where))
        except (RuntimeError, AssertionError, TypeError) as error:
            reason = str(error).partition("\n")[0]
            raise OptionError(
                f"device: expected one that torch finds here, such as cpu, got {device!r}: {reason}"
            ) from None
        try:
            dtype = torch.float32 if where == "cpu" else torch.bfloat16
            model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=dtype, attn_implementation="sdpa")
            tokenizer = AutoTokenizer.from_pretrained(str(folder))
        except (OSError, ValueError) as error:
            raise OptionError(f"{folder} is not a checkpoint that transformers can load: {error}") from error
        options.setdefault("name", Path(folder).name)
        return cls(model.to(where).eval(), tokenizer, **options)

    def seed_batch(self, seeds: Sequence[int]) -> None:
        """Take the episodes' seeds for the next `act_batch`; without them all conversations draw from one generator."""
        self._seeds = seeds

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        """Return the next action of each conversation.

        A conversation without room for another turn is answered with a sentence, which ends its episode.
        """
        seeds, self._seeds = self._seeds, None
        contexts = [self.format.prompt_ids(chat, schemas) for chat, schemas in zip(conversations, tools, strict=True)]
        alive = [index for index, ids in enumerate(contexts) if len(ids) + self.max_new_tokens <= self.max_tokens]
        texts = ["I have run out of tokens."] * len(contexts)
        used = [0] * len(contexts)
        if alive:
            slots = self._assign([contexts[index] for index in alive])
            drawn = None if seeds is None else [self._turn_seed(seeds[index], conversations[index]) for index in alive]
            turns = self._sampler.sample(slots, [contexts[index] for index in alive], self.max_new_tokens, drawn)
            for index, slot, turn in zip(alive, slots, turns, strict=True):
                self._seen[slot] = tuple(contexts[index]) + tuple(turn.ids)
                texts[index] = self.format.text(turn.ids)
                used[index] = len(turn.ids)
        self.usage = [
            {"prompt": len(context), "completion": count} for context, count in zip(contexts, used, strict=True)
        ]
        return texts

    def _turn_seed(self, seed: int, conversation: list[dict[str, Any]]) -> int:
        turn = sum(message["role"] == "assistant" for message in conversation)
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{seed}/{turn}".encode()).digest()[:8], "big") >> 1

    def _assign(self, contexts: list[list[int]]) -> list[int]:
        """Find for each conversation the slot whose tokens it continues, else a new slot; no slot twice."""
        free = dict(self._seen)
        slots = []
        for context in contexts:
            tokens = tuple(context)
            best = next(
                (s for s, seen in free.items() if len(seen) < len(tokens) and tokens[: len(seen)] == seen), None
            )
            if best is None:
                best, self._next_slot = self._next_slot, self._next_slot + 1
            free.pop(best, None)
            slots.append(best)
        self._seen = {slot: self._seen[slot] for slot in slots if slot in self._seen}
        return slots


def _check(
    *, temperature: object = 0, max_new_tokens: object = 1, max_tokens: object = None, seed: object = 0, **_: object
) -> None:
    """Check options before a model is loaded for them."""
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not number or not math.isfinite(temperature) or temperature < 0:  # type: ignore[arg-type,operator]
        raise OptionError(f"temperature: expected a number of 0 or more, got {temperature!r}")
    counts = (("max_new_tokens", max_new_tokens, 1), ("max_tokens", max_tokens, 1), ("seed", seed, 0))
    for name, value, least in counts:
        if (type(value) is not int or value < least) and not (name == "max_tokens" and value is None):
            raise OptionError(f"{name}: expected a whole number of {least} or more, got {value!r}")


def _end_ids(model: Any, end: int) -> list[int]:
    configured = model.generation_config.eos_token_id
    more = configured if isinstance(configured, list) else [] if configured is None else [configured]
    return [end, *more]
