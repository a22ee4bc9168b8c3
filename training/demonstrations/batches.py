"""Token batches of similar lengths from trajectories, with loss on the assistant's tokens.

A batch has as many conversations of similar length as fit a token budget, so it needs hardly any padding. It needs no
attention mask either: the padding is at the end, and causal attention never reaches it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teller_gym.agents.chat import PromptStyle, present, thinks
from teller_gym.base.errors import OptionError
from teller_gym.training.config.sft import Stage
from teller_gym.training.demonstrations.expert import Trajectory

IGNORED = -100
"""Label for tokens without loss, as in torch's cross entropy."""

WINDOW = 512
"""Number of conversations among which similar lengths are grouped; more give less padding, fewer mix better."""

Tokens = NDArray[np.int32]


@dataclass(frozen=True)
class Example:
    """One conversation as token ids and labels, both of shape (tokens,)."""

    ids: Tokens
    labels: Tokens

    def cut(self, length: int) -> Example:
        """Truncate the conversation after ``length`` tokens."""
        return Example(self.ids[:length], self.labels[:length])


def encode(trajectory: Trajectory, tokenizer: Any, style: PromptStyle) -> Example:
    """Render a trajectory with the tokenizer's chat template.

    Labels are the token ids of the assistant's turns, and `IGNORED` elsewhere.
    """
    messages, tools = present(trajectory.messages, trajectory.tools, style)
    rendered = tokenizer.apply_chat_template(
        messages, tools=tools, return_dict=True, return_assistant_tokens_mask=True, enable_thinking=thinks(tokenizer)
    )
    ids = np.asarray(rendered["input_ids"], dtype=np.int32)
    mask = np.asarray(rendered["assistant_masks"], dtype=bool)

    return Example(ids, np.where(mask, ids, IGNORED).astype(np.int32))


def plan_batches(
    lengths: Sequence[int], stages: Sequence[Stage], budget: int, seed: int
) -> list[tuple[int | None, list[int]]]:
    """Plan the batches of a run, with each conversation once and truncated ones first if the stages say so.

    Args:
        lengths: tokens of each conversation.
        stages: the curriculum; shares add up to 1.
        budget: maximum tokens of a batch, padding included; a longer conversation makes a batch of its own.
        seed: seed of the order.

    Returns:
        For each batch, its stage's length limit (or None) and the indices of its conversations.
    """
    rng = random.Random(seed)
    numbers = list(range(len(lengths)))
    rng.shuffle(numbers)
    batches: list[tuple[int | None, list[int]]] = []
    begin, used = 0, 0.0
    for stage in stages:
        used += stage.share
        end = round(used * len(numbers))
        for at in range(begin, end, WINDOW):
            window = numbers[at : min(at + WINDOW, end)]
            groups = split([min(n, stage.max_tokens or n) for n in lengths], budget, window)
            rng.shuffle(groups)
            batches += [(stage.max_tokens, group) for group in groups]
        begin = end
    return batches


def split(lengths: Sequence[int], budget: int, numbers: Iterable[int] | None = None) -> list[list[int]]:
    """Return groups of similar lengths, longest first.

    A group has at most ``budget`` tokens, padding included; a longer row gets its own group. ``numbers`` restricts the
    groups to some rows.
    """
    groups: list[list[int]] = []
    # From long to short, so that the first of a group determines the padding of the others.
    for number in sorted(range(len(lengths)) if numbers is None else numbers, key=lambda n: -lengths[n]):
        if not groups or lengths[groups[-1][0]] * (len(groups[-1]) + 1) > budget:
            groups.append([])
        groups[-1].append(number)
    return groups


def split_alike(lengths: Sequence[int], everyones: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    """Return groups as `split` does, for one of several processes that train together.

    All processes get the same number of groups with the same numbers of rows, since they gather metrics row by row;
    ``everyones`` has the row lengths of every process.
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    longest = [max(rank) for rank in zip(*(sorted(one, reverse=True) for one in everyones), strict=True)]
    return [[order[rank] for rank in ranks] for ranks in split(longest, budget)]


def evened(plan: Sequence[tuple[int | None, list[int]]], parts: int) -> list[tuple[int | None, list[int]]]:
    """Return the plan with a multiple of ``parts`` batches by splitting the largest ones in two.

    If every batch has a single conversation, the surplus of fewer than ``parts`` batches is left out.

    Raises:
        OptionError: there are fewer conversations than parts.
    """
    plan = list(plan)
    while len(plan) % parts:
        at = max(range(len(plan)), key=lambda number: (len(plan[number][1]), number))
        cut, group = plan[at]
        if len(group) == 1:
            del plan[len(plan) // parts * parts :]
            break
        plan[at : at + 1] = [(cut, group[: len(group) // 2]), (cut, group[len(group) // 2 :])]
    if not plan:
        raise OptionError(f"method.sft.trajectories: expected at least one for each of {parts} processes")
    return plan


def make_dataset(examples: Sequence[Example], plan: Sequence[tuple[int | None, list[int]]]) -> Any:
    """Return a datasets.Dataset with one batch per row.

    Rows are assembled when read, so nothing is copied into Arrow.
    """
    from datasets import Dataset

    def assemble(rows: dict[str, list[int]]) -> dict[str, list[Any]]:
        chosen = [
            [examples[n].cut(cut or len(examples[n].ids)) for n in group]
            for cut, group in map(plan.__getitem__, rows["row"])
        ]
        return {
            "input_ids": [[example.ids for example in batch] for batch in chosen],
            "labels": [[example.labels for example in batch] for batch in chosen],
        }

    return Dataset.from_dict({"row": list(range(len(plan)))}).with_transform(assemble)


class BatchCollator:
    """Stacks a planned batch, padded at the end, as ``input_ids``, ``labels`` and ``attention_mask`` (rows, tokens)."""

    def __init__(self, pad: int) -> None:
        self.pad = pad

    def __call__(self, rows: list[dict[str, list[Tokens]]]) -> dict[str, Any]:
        import torch

        ids = [tokens for row in rows for tokens in row["input_ids"]]
        labels = [tokens for row in rows for tokens in row["labels"]]
        shape = (len(ids), max(map(len, ids)))
        stacked = {
            "input_ids": np.full(shape, self.pad),
            "labels": np.full(shape, IGNORED),
            "attention_mask": np.zeros(shape, int),
        }
        for at, (tokens, wanted) in enumerate(zip(ids, labels, strict=True)):
            stacked["input_ids"][at, : len(tokens)] = tokens
            stacked["labels"][at, : len(tokens)] = wanted
            stacked["attention_mask"][at, : len(tokens)] = 1
        return {name: torch.from_numpy(array) for name, array in stacked.items()}
