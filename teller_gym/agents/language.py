"""Language model agent, loaded from a Hugging Face checkpoint and prompted with its own chat template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from teller_gym.agents.checkpoints import find_checkpoint
from teller_gym.agents.local import PROMPT_KEY, LocalAgent, check_options, choose
from teller_gym.base.errors import MissingExtraError, OptionError

__all__ = ["PROMPT_KEY", "LanguageAgent"]

ADAPTER_USES = ("merge", "keep")


class LanguageAgent(LocalAgent):
    """Agent that generates text with transformers, for many episodes at once through `act_batch`.

    Args:
        model: a causal language model of transformers, with or without peft adapters.
        tokenizer: its tokenizer, with the chat template that the model was trained with.
        options: options for `LocalAgent`, such as temperature.
    """

    def __init__(self, model: Any, tokenizer: Any, **options: Any) -> None:
        from teller_gym.agents.sampling import CachedSampler

        context = int(model.config.get_text_config().max_position_embeddings)
        super().__init__(tokenizer, model.config, context, **options)
        ends = _end_ids(model, self.format.end)
        self._sampler = CachedSampler(model, ends, self.temperature, self._seed, self.top_p)
        self._seen: dict[int, tuple[Any, ...]] = {}
        self._next_slot = 0

    @classmethod
    def from_folder(
        cls, folder: str | Path, device: str | None = None, adapter: str = "merge", **options: Any
    ) -> LanguageAgent:
        """Load a checkpoint; see `LocalAgent.from_folder`.

        Args:
            folder: see `LocalAgent.from_folder`.
            device: torch device such as "cpu" or "cuda:0"; None uses a GPU if there is one.
            adapter: `merge` adds an adapter to the weights; `keep` computes it separately, which is slower but avoids
                rounding to 16-bit weights.
            options: see `LocalAgent.from_folder`.
        """
        try:
            import torch
            import transformers  # noqa: F401
        except ImportError:
            raise MissingExtraError("a language model agent", "train") from None
        check_options(**options)
        choose("adapter", adapter, ADAPTER_USES)
        where = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            torch.empty(0, device=torch.device(where))
        except (RuntimeError, AssertionError, TypeError) as error:
            reason = str(error).partition("\n")[0]
            raise OptionError(
                f"device: expected one that torch finds here, such as cpu, got {device!r}: {reason}"
            ) from None
        checkpoint = find_checkpoint(folder)
        try:
            model = checkpoint.model(torch.float32 if where == "cpu" else torch.bfloat16, adapter)
            tokenizer = checkpoint.tokenizer()
        except (OSError, ValueError, RuntimeError) as error:
            raise OptionError(f"{folder} is not a checkpoint that transformers can load: {error}") from error
        options.setdefault("name", Path(folder).name)
        return cls(model.to(where).eval(), tokenizer, **options)

    def _generate(self, contexts: list[list[int]], seeds: list[int] | None) -> list[list[int]]:
        slots = self._assign(contexts)
        turns = self._sampler.sample(slots, contexts, self.max_new_tokens, seeds)
        for context, slot, turn in zip(contexts, slots, turns, strict=True):
            self._seen[slot] = tuple(context) + tuple(turn.ids)
        return [turn.ids for turn in turns]

    def _assign(self, contexts: list[list[int]]) -> list[int]:
        """Return a different slot for each conversation.

        It is the slot whose tokens the conversation continues, otherwise a new one.
        """
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


def _end_ids(model: Any, end: int) -> list[int]:
    configured = model.generation_config.eos_token_id
    more = configured if isinstance(configured, list) else [] if configured is None else [configured]
    return [end, *more]
