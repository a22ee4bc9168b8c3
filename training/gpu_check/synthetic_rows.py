"""Synthetic training data of exact lengths.

The cost of an update depends on lengths, not on content. Lengths of real episodes depend on the model, and an untrained
one ends after one turn. Here rows have prescribed lengths, token ids are random, and the model's turns alternate with
tool results.

Lengths of real episodes depend on the model, and an untrained one ends after one turn. Here rows have prescribed
lengths, token ids are random, and turns of the model alternate with tool results.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np

from teller_gym.base.errors import OptionError
from teller_gym.grading.score import TERMS
from teller_gym.training.demonstrations.batches import IGNORED, Example
from teller_gym.training.rollouts.rollout import End, EnvPool, Rollout, Span, Spent

LEARNED = 0.45
"""Share of the tokens after the prompt that carry the loss: about 1,490 of 3,200 in an expert episode of Loans."""


@dataclass(frozen=True)
class Sizes:
    """Lengths in tokens.

    Attributes:
        longest: length of the longest row.
        vocabulary: number of token ids to draw from.
        prompt: length before the model's first turn.
        mean: mean length of a whole row.
        turn: length of one model turn.
        answer: length of the tool result after a turn.
    """

    longest: int
    vocabulary: int
    prompt: int = 7_650
    mean: int = 12_150
    turn: int = 100
    answer: int = 115

    def __post_init__(self) -> None:
        if self.longest < self.mean:
            raise OptionError(f"model.total_tokens: expected at least a mean row of {self.mean}, got {self.longest}")

    def rows(self, count: int, budget: int) -> list[int]:
        """Return the lengths of ``count`` rows.

        The first is the longest, the next fill ``budget`` tokens together, and the others have the mean length. One
        pass then contains the longest row, and another fills its budget.
        """
        filling = min(budget // self.mean, count - 1)
        filled = [min(self.longest, budget // filling)] * filling if filling else []
        return [self.longest, *filled, *[self.mean] * (count - 1 - filling)]

    def ids(self, rng: random.Random, count: int) -> list[int]:
        """Draw ``count`` token ids."""
        return rng.choices(range(self.vocabulary), k=count)


def examples(sizes: Sizes, updates: int, accumulate: int, budget: int) -> list[Example]:
    """Return conversations for fine-tuning with batches of ``budget`` tokens.

    Every other batch has as many of the longest rows as it holds, at least one; the others are filled to the budget. A
    share `LEARNED` of the tokens after the prompt has labels, in runs.
    """
    batches = updates * accumulate
    long, many = max(1, budget // sizes.longest), max(1, budget // sizes.mean)
    filled = min(sizes.longest, max(sizes.mean, budget // many))
    lengths = [sizes.longest] * long * -(-batches // 2) + [filled] * many * (batches // 2)
    return [_example(sizes, length, number) for number, length in enumerate(lengths)]


def _example(sizes: Sizes, length: int, number: int) -> Example:
    ids = np.asarray(sizes.ids(random.Random(f"example/{number}"), length), np.int32)
    after = np.arange(length - sizes.prompt)
    # Runs of turns and answers in the proportion LEARNED, for any length.
    period = sizes.turn + sizes.answer
    learned = np.zeros(length, bool)
    learned[sizes.prompt :] = after % period < round(LEARNED * period)
    return Example(ids, np.where(learned, ids, IGNORED).astype(np.int32))


class SyntheticPool(EnvPool):
    """An `EnvPool` that runs no environments and returns rollouts of given lengths with random tokens and scores.

    Args:
        lengths: tokens of each rollout in a round, including the prompt.
        around: context manager that encloses each round, for example to allocate memory.
    """

    def __init__(
        self, make: Callable[[], gym.Env[Any, Any]], sizes: Sizes, lengths: Sequence[int],
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> None:  # fmt: skip
        super().__init__(make)
        self.sizes, self.lengths, self._around = sizes, lengths, around
        self.rounds: list[list[Rollout]] = []
        """Rollouts returned so far, by round."""

    def play(self, task_ids: Sequence[str], *_: Any, **__: Any) -> list[Rollout]:
        """Return a rollout for each task id; rollouts of the same task share their prompt. See `EnvPool.play`."""
        rng = random.Random(f"round/{len(self.rounds)}")
        self.spent = Spent()
        with self._around(), self.spent.whole():
            wanted = zip(task_ids, self.lengths, strict=True)
            rollouts = [self._rollout(task_id, length, rng) for task_id, length in wanted]
        self.rounds.append(rollouts)
        return rollouts

    def _rollout(self, task_id: str, length: int, rng: random.Random) -> Rollout:
        sizes = self.sizes
        rollout = Rollout(task_id, sizes.ids(random.Random(f"prompt/{task_id}"), sizes.prompt), end=End.DONE)
        rollout.score = rollout.reward = rng.random()
        rollout.terms = dict.fromkeys(TERMS, rollout.score)
        while left := length - len(rollout.context):
            turn, start = min(sizes.turn, left), len(rollout.ids)
            # About the log-probability of every token in a model with random weights.
            rollout.add(sizes.ids(rng, turn), [-math.log(sizes.vocabulary)] * turn)
            rollout.spans.append(Span(start, len(rollout.ids), 0.0))
            rollout.add(sizes.ids(rng, min(sizes.answer, left - turn)))
        rollout.turns = len(rollout.spans)
        rollout.spans = [Span(span.start, span.end, rollout.score / rollout.turns) for span in rollout.spans]
        return rollout
