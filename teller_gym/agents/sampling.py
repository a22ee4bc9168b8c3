"""Batched sampling for many conversations, with an attention cache that persists between turns.

``model.generate`` starts with an empty cache at every call. An episode of twenty short turns would be twenty times the
work, so `CachedSampler` holds one slab of keys and values for all conversations, feeds only new tokens and samples all
rows together. A row's tokens need not be adjacent in the slab: positions are explicit and a mask hides the gaps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

PREFILL_BLOCK = 512
"""Maximum columns per forward pass over a prompt, which limits the memory for activations and masks."""


@dataclass(frozen=True)
class Turn:
    """Model output in one turn.

    Attributes:
        ids: the sampled tokens; the last one is the end-of-turn token if ``ended``.
        logprobs: log-probability of each token under the distribution that it was sampled from.
        ended: False if the turn was truncated at the token limit.
    """

    ids: list[int]
    logprobs: list[float]
    ended: bool


class Sampler(Protocol):
    """Interface for continuing conversations given as token ids."""

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        """Sample one turn for each conversation.

        Args:
            slots: number of each conversation, by which a sampler may store state.
            contexts: all tokens of each conversation so far.
            max_new: maximum tokens of a turn.
        """

    def forget(self) -> None:
        """Discard all state, for instance because the weights have changed."""


class _Slab:
    """Keys and values of one layer, of shape (rows, heads, columns, head size).

    New ones are written from the column in ``cursor`` on.
    """

    is_compileable = False
    is_sliding = False
    is_initialized = True

    def __init__(self, cursor: list[int]) -> None:
        self.cursor = cursor
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def update(self, keys: Tensor, values: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Store new columns and return all columns so far; called by transformers."""
        start, width = self.cursor[0], keys.shape[2]
        if self.keys is None or self.values is None or self.keys.shape[2] < start + width:
            self._grow(keys, max(256, 2 * (start + width)))
        assert self.keys is not None and self.values is not None
        self.keys[:, :, start : start + width] = keys
        self.values[:, :, start : start + width] = values
        return self.keys[:, :, : start + width], self.values[:, :, : start + width]

    def _grow(self, like: Tensor, columns: int) -> None:
        shape = (like.shape[0], like.shape[1], columns, like.shape[3])
        for name in ("keys", "values"):
            old, new = getattr(self, name), like.new_zeros(shape)
            if old is not None:
                new[:, :, : old.shape[2]] = old
            setattr(self, name, new)

    def gather(self, rows: Tensor, columns: Tensor) -> None:
        """Keep only the given rows and, in each, the given columns, in that order.

        ``columns`` has shape (rows, new columns).
        """
        for name in ("keys", "values"):
            old = getattr(self, name)[rows]
            index = columns[:, None, :, None].expand(-1, old.shape[1], -1, old.shape[3])
            setattr(self, name, old.gather(2, index))

    def get_seq_length(self) -> int:
        """Return the number of columns used so far; called by transformers."""
        return self.cursor[0]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Return the length and offset of the keys that a query of this length attends to; called by transformers."""
        return self.cursor[0] + query_length, 0

    def get_max_length(self) -> int:
        """Return -1, since there is no limit; called by transformers."""
        return -1


def _grouped_attention(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **options: Any
) -> tuple[Tensor, None]:
    """Compute grouped-query attention without copying the keys and values shared by several heads.

    While decoding, the query heads of a group are folded into the query's length. transformers would copy the whole
    cache once per head, which on a CPU takes three times as long as the attention itself.
    """
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    rows, heads, length, size = query.shape
    shared = key.shape[1]
    if length > 1 or heads == shared:
        output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return output, None
    folded = query.reshape(rows, shared, heads // shared, size)
    attended = torch.nn.functional.scaled_dot_product_attention(
        folded, key, value, attn_mask=attention_mask, scale=options.get("scaling")
    )
    return attended.reshape(rows, 1, heads, size), None


def _register() -> str:
    """Register `_grouped_attention` with transformers and return its name."""
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, sdpa_mask
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    name = "teller_gym_grouped"
    ALL_ATTENTION_FUNCTIONS.register(name, _grouped_attention)
    ALL_MASK_ATTENTION_FUNCTIONS.register(name, sdpa_mask)
    return name


def keep_memory() -> None:
    """Make glibc keep freed memory instead of returning it to the system.

    Does nothing with other C libraries. Each operation of a small model on a CPU allocates and frees some megabytes.
    With glibc's default, half of the time is spent in the kernel, which provides new pages each time.
    """
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(_M_MMAP_MAX, 0)
        libc.mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)
        libc.mallopt(_M_TOP_PAD, 64 * 2**20)


_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_MAX = -1, -2, -4
"""Parameters of mallopt, with their numbers in malloc.h."""


class CachedSampler:
    """Batched sampler for a Hugging Face causal model, with full attention or a mix of full and sliding attention.

    Args:
        model: the model; its device is used.
        end_ids: tokens that end a turn.
        temperature: sampling temperature; 0 takes the likeliest token.
        seed: seed for the sampler's own random number generator.
        top_p: sample from the likeliest tokens that make up this share of the probability; 1 samples from all.
    """

    def __init__(
        self, model: Any, end_ids: Sequence[int], temperature: float = 1.0, seed: int = 0, top_p: float = 1.0
    ) -> None:
        self.model = model
        self.end_ids = torch.tensor(sorted(set(end_ids)), device=model.device)
        self.temperature = temperature
        self.top_p = top_p
        self.generator = torch.Generator(device=model.device).manual_seed(seed)
        self._attention = _register()
        text = model.config.get_text_config()
        near = "sliding_attention" in (getattr(text, "layer_types", None) or ())
        self._window: int | None = text.sliding_window if near else None
        if model.device.type == "cpu":
            keep_memory()
        self.forget()

    def forget(self) -> None:
        """Discard all cached keys and values."""
        from transformers.cache_utils import Cache

        self._cursor = [0]
        self._slabs = [_Slab(self._cursor) for _ in range(self.model.config.get_text_config().num_hidden_layers)]
        self._cache = Cache(layers=self._slabs)
        self._rows: list[int] = []
        self._tokens: list[list[int]] = []
        self._columns: list[list[int]] = []
        self._visible = torch.zeros(0, 0, dtype=torch.bool)
        self._places = torch.zeros(0, 0, dtype=torch.long)

    @torch.inference_mode()
    def sample(
        self,
        slots: Sequence[int],
        contexts: Sequence[Sequence[int]],
        max_new: int,
        seeds: Sequence[int] | None = None,
    ) -> list[Turn]:
        """Sample one turn for each conversation; see `Sampler.sample`.

        Args:
            slots, contexts, max_new: see `Sampler.sample`.
            seeds: a seed for each conversation, which makes its turn independent of the rest of the batch (except for
                rounding in the model, which depends on the batch size). None uses the sampler's own generator.
        """
        training, config = self.model.training, self.model.config.get_text_config()
        attention = config._attn_implementation
        self.model.eval()
        if attention in ("sdpa", "teller_gym_windowed"):
            config._attn_implementation = self._attention
        try:
            self._seat(slots)
            pending = [self._reuse(row, contexts[slots.index(slot)]) for row, slot in enumerate(self._rows)]
            logits = self._feed(pending)
            points = None
            if seeds is not None and self.temperature != 0:
                points = _points([seeds[slots.index(slot)] for slot in self._rows], max_new).to(logits.device)
            turns = self._decode(logits, max_new, points)
        finally:
            self.model.train(training)
            config._attn_implementation = attention
        by_slot = dict(zip(self._rows, turns, strict=True))
        return [by_slot[slot] for slot in slots]

    def _seat(self, slots: Sequence[int]) -> None:
        """Rearrange the slab so that its rows are ``slots``, removing old rows, adding new ones and closing gaps."""
        stay = {slot: row for row, slot in enumerate(self._rows) if slot in set(slots)}
        if not stay:
            self.forget()
        longest = max((len(self._columns[row]) for row in stay.values()), default=0)
        if len(stay) == len(slots) == len(self._rows) and self._cursor[0] < 1.5 * longest + 64:
            return
        columns = torch.zeros(len(slots), longest, dtype=torch.long)
        visible = torch.zeros(len(slots), longest, dtype=torch.bool)
        for new, slot in enumerate(slots):
            if slot in stay:
                kept = self._columns[stay[slot]]
                columns[new, : len(kept)] = torch.tensor(kept, dtype=torch.long)
                visible[new, : len(kept)] = True
        device = self.model.device
        if stay:
            # A new row is filled with a copy of row 0, which its mask hides.
            rows = torch.tensor([stay.get(slot, 0) for slot in slots], device=device)
            for slab in self._slabs:
                slab.gather(rows, columns.to(device))
        self._tokens = [self._tokens[stay[slot]] if slot in stay else [] for slot in slots]
        self._columns = [list(range(len(tokens))) for tokens in self._tokens]
        self._rows = list(slots)
        self._visible = visible.to(device)
        # There are no gaps now, so a token's column equals its position.
        self._places = torch.arange(longest, device=device).expand(len(slots), -1)
        self._cursor[0] = longest

    def _reuse(self, row: int, context: Sequence[int]) -> list[int]:
        """Hide a row's tokens after the common prefix with ``context``, and return the tokens still to be fed."""
        known = self._tokens[row]
        same = 0
        limit = min(len(known), len(context) - 1)
        if known[:limit] == list(context[:limit]):
            same = limit
        else:
            while same < limit and known[same] == context[same]:
                same += 1
        if same < len(known):
            self._visible[row, self._columns[row][same:]] = False
            del known[same:], self._columns[row][same:]
        return list(context[same:])

    def _feed(self, pending: list[list[int]]) -> Tensor:
        """Feed new tokens of all rows, aligned at the end.

        Returns:
            The logits after the last token, of shape (rows, vocabulary).
        """
        width = max(len(tokens) for tokens in pending)
        padded = [[-1] * (width - len(tokens)) + tokens for tokens in pending]
        logits = torch.empty(0)
        for start in range(0, width, PREFILL_BLOCK):
            logits = self._forward([tokens[start : start + PREFILL_BLOCK] for tokens in padded])
        return logits

    def _forward(self, block: list[list[int]]) -> Tensor:
        """Run one forward pass over a block of columns, in which -1 marks a gap."""
        ids = torch.tensor(block, device=self.model.device)
        real = ids >= 0
        start, width = self._cursor[0], ids.shape[1]
        positions = torch.tensor([len(tokens) for tokens in self._tokens], device=ids.device)[:, None]
        positions = (positions + real.cumsum(1) - 1).clamp(min=0)
        self._visible = torch.cat([self._visible, real], dim=1)
        self._places = torch.cat([self._places, positions], dim=1)
        mask = self._visible[:, None, None, :].expand(-1, 1, width, -1)
        if width > 1:
            causal = torch.ones(width, start + width, dtype=torch.bool, device=ids.device).tril(start)
            # A gap must attend to something, or its softmax is NaN and corrupts the values stored for it.
            itself = torch.zeros_like(causal)
            itself[:, start:].fill_diagonal_(True)
            mask = (mask & causal) | itself
        else:
            mask = mask.clone()
            mask[:, :, :, -1] = True
        output = self.model(
            input_ids=ids.clamp(min=0),
            attention_mask=self._by_layers(mask, positions),
            position_ids=positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        for row, tokens in enumerate(block):
            for offset, token in enumerate(tokens):
                if token >= 0:
                    self._tokens[row].append(token)
                    self._columns[row].append(start + offset)
        self._cursor[0] = start + width
        return output.logits[:, -1].float()  # type: ignore[no-any-return]

    def _by_layers(self, mask: Tensor, positions: Tensor) -> Any:
        """Return the mask of shape (rows, 1, tokens, columns).

        For models with sliding-window layers, it is a dictionary with one mask per layer type.
        """
        if self._window is None:
            return mask
        near = positions[:, None, :, None] - self._places[:, None, None, :] < self._window
        return {"full_attention": mask, "sliding_attention": mask & near}

    def _decode(self, logits: Tensor, max_new: int, points: Tensor | None) -> list[Turn]:
        """Sample tokens until every row has ended its turn or reached the limit.

        ``points`` are random numbers from `_points`.
        """
        rows = logits.shape[0]
        ids: list[list[int]] = [[] for _ in range(rows)]
        logprobs: list[list[float]] = [[] for _ in range(rows)]
        going = torch.ones(rows, dtype=torch.bool, device=logits.device)
        for step in range(max_new):
            tokens, scores = self._draw(logits, None if points is None else points[:, step : step + 1])
            for row, (alive, token, score) in enumerate(
                zip(going.tolist(), tokens.tolist(), scores.tolist(), strict=True)
            ):
                if alive:
                    ids[row].append(token)
                    logprobs[row].append(score)
            going = going & ~torch.isin(tokens, self.end_ids)
            if step + 1 == max_new or not bool(going.any()):
                break
            logits = self._forward([[token] for token in torch.where(going, tokens, -1).tolist()])
        return [Turn(i, p, not bool(g)) for i, p, g in zip(ids, logprobs, going, strict=True)]

    def _draw(self, logits: Tensor, points: Tensor | None) -> tuple[Tensor, Tensor]:
        """Sample one token per row, and return tokens and log-probabilities, both of shape (rows,).

        `points` are random numbers in [0, 1) of shape (rows, 1); None draws them from the sampler's generator.
        """
        if self.temperature == 0:
            logprobs = logits.log_softmax(-1)
            tokens = logits.argmax(-1)
        else:
            if self.top_p < 1:
                logits = _likeliest(logits, self.temperature, self.top_p)
            logprobs = (logits / self.temperature).log_softmax(-1)
            # Inverse transform sampling needs one random number per row; multinomial would draw one per token.
            below = logprobs.exp().cumsum(-1)
            if points is None:
                points = torch.rand(len(logits), 1, generator=self.generator, device=logits.device)
            tokens = torch.searchsorted(below, points * below[:, -1:], right=True)[:, 0].clamp(max=logits.shape[1] - 1)
        return tokens, logprobs.gather(1, tokens[:, None])[:, 0]


def _points(seeds: Sequence[int], count: int) -> Tensor:
    """Return random numbers in [0, 1) of shape (rows, count), with a row per seed and a number per token.

    They are drawn on the CPU, so that they are the same on every device.
    """
    return torch.stack([torch.rand(count, generator=torch.Generator().manual_seed(seed)) for seed in seeds])


def _likeliest(logits: Tensor, temperature: float, share: float) -> Tensor:
    """Set the logits to minus infinity for all but the likeliest tokens.

    Those tokens make up a total probability of ``share``; the logits have shape (rows, vocabulary).
    """
    ordered, tokens = (logits / temperature).softmax(-1).sort(dim=-1, descending=True)
    # A token is kept if those before it do not reach the share, so the likeliest is always kept.
    leave = ordered.cumsum(-1) - ordered >= share
    return logits.masked_fill(leave.scatter(-1, tokens, leave), float("-inf"))
