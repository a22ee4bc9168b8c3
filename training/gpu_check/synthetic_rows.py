"""Synthetic training data of exact lengths: the cost of an update depends on lengths, not on the content.

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

from teller_gym.agents.chat import ChatFormat
from teller_gym.agents.sampling import Sampler, Turn
from teller_gym.base.errors import OptionError
from teller_gym.grading.score import TERMS
from teller_gym.training.demonstrations.batches import IGNORED, Example
from teller_gym.training.rollouts.engines import Engine
from teller_gym.training.rollouts.rollout import Begin, End, Limits, Rollout, Span, Spent, Table

LEARNED = 0.45
"""Share of the tokens after the prompt that carry the loss: about 1,490 of 3,200 in an expert's episode of Loans."""


@dataclass(frozen=True)
class Sizes:
    """Lengths in tokens.

    Attributes:
        prompt: length before the model's first turn.
        mean: mean length of a whole row.
        longest: length of the longest row.
        turn: length of one turn of the model.
        answer: length of the tool result after it.
        vocabulary: ids are drawn below this number.
    """

    prompt: int
    mean: int
    longest: int
    turn: int
    answer: int
    vocabulary: int

    def __post_init__(self) -> None:
        if not 0 < self.prompt < self.mean <= self.longest:
            raise OptionError(
                f"expected 0 < prompt < mean <= longest row, in tokens, got {self.prompt}, {self.mean} and "
                f"{self.longest}; change --prompt, --mean or model.total_tokens"
            )

    def rows(self, count: int, budget: int) -> list[int]:
        """Return the lengths of ``count`` rows: the longest, as many as fill ``budget`` tokens, the others the mean.

        So one pass holds the longest row, and another one its full budget.
        """
        filling = min(budget // self.mean, count - 1)
        filled = [min(self.longest, budget // filling)] * filling if filling else []
        return [self.longest, *filled, *[self.mean] * (count - 1 - filling)]

    def ids(self, rng: random.Random, count: int) -> list[int]:
        """Return ``count`` random token ids."""
        return rng.choices(range(self.vocabulary), k=count)


def examples(sizes: Sizes, updates: int, accumulate: int, budget: int) -> list[Example]:
    """Return enough conversations for ``updates`` updates of fine-tuning.

    Every other batch has as many of the longest rows as it holds, at least one; the others are filled to the budget. A
    share `LEARNED` of the tokens after the prompt has labels, in runs.

    Args:
        sizes: lengths.
        updates: number of updates.
        accumulate: batches per update.
        budget: tokens per batch.
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


class RandomEngine(Engine):
    """An engine without a model: every turn has the maximum length, with random, equally likely tokens."""

    def __init__(self, sizes: Sizes, seed: str) -> None:
        self._sizes = sizes
        self._rng = random.Random(seed)
        self._asked: dict[int, int] = {}

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """See `Engine.submit`."""
        self._asked[slot] = max_new

    def wait(self) -> list[tuple[int, Turn]]:
        """Return all turns, in the order of their slots."""
        # About the log-probability of every token in a model with random weights.
        likely = -math.log(self._sizes.vocabulary)
        found = [
            (slot, Turn(self._sizes.ids(self._rng, tokens), [likely] * tokens, False))
            for slot, tokens in sorted(self._asked.items())
        ]
        self._asked.clear()
        return found


class SyntheticTable(Table):
    """A `Table` without play: its rollouts have exact lengths, random tokens and random scores.

    Args:
        make: makes an environment, for the names of tasks.
        sizes: lengths.
        lengths: tokens of each rollout of a round, including the prompt.
        drawn: True if the engine draws the model's turns; otherwise they are random.
        around: context manager of each round, for example to hold memory.
    """

    def __init__(
        self, make: Callable[[], gym.Env[Any, Any]], sizes: Sizes, lengths: Sequence[int], drawn: bool = False,
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> None:  # fmt: skip
        super().__init__(make)
        self.sizes, self.lengths, self.drawn, self._around = sizes, lengths, drawn, around
        self.rounds: list[list[Rollout]] = []
        """Rollouts returned so far."""

    def play(
        self, task_ids: Sequence[str], sampler: Sampler | Engine, chat: ChatFormat, limits: Limits,
        check: Callable[[Any], None] | None = None, concurrency: int | None = None, begin: Begin | None = None,
    ) -> list[Rollout]:  # fmt: skip
        """Return a rollout for each task id; rollouts of one task share their prompt. See `Table.play`.

        Raises:
            OptionError: the engine cannot draw turns of a given length.
        """
        number = len(self.rounds)
        engine: Engine = RandomEngine(self.sizes, f"round/{number}")
        if self.drawn:
            if not isinstance(sampler, Engine) or not hasattr(sampler, "least_tokens"):
                raise OptionError("expected an engine whose turns can be made to last, such as vLLM on this card")
            engine, sampler.least_tokens = sampler, self.sizes.turn
        self.spent = Spent()
        rollouts = [self._begin(task_id) for task_id in task_ids]
        rng = random.Random(f"answers/{number}")
        with self._around(), self.spent.whole():
            try:
                with self.spent.waiting():
                    engine.begin()
                for slot, rollout in enumerate(rollouts):
                    self._ask(engine, slot, rollout)
                while any(one.end is None for one in rollouts):
                    with self.spent.waiting():
                        turns = engine.wait()
                    for slot, turn in turns:
                        self._advance(rollouts[slot], self._left(slot, rollouts[slot]), turn, rng)
                        if rollouts[slot].end is None:
                            self._ask(engine, slot, rollouts[slot])
            finally:
                engine.end()
        for rollout in rollouts:
            self._score(rollout, rng.random())
        self.rounds.append(rollouts)
        return rollouts

    def _begin(self, task_id: str) -> Rollout:
        return Rollout(task_id, self.sizes.ids(random.Random(f"prompt/{task_id}"), self.sizes.prompt))

    def _left(self, slot: int, rollout: Rollout) -> int:
        return self.lengths[slot % len(self.lengths)] - len(rollout.context)

    def _ask(self, engine: Engine, slot: int, rollout: Rollout) -> None:
        engine.submit(slot, rollout.context, min(self.sizes.turn, self._left(slot, rollout)))

    def _advance(self, rollout: Rollout, left: int, turn: Turn, rng: random.Random) -> None:
        start = len(rollout.ids)
        rollout.add(turn.ids, turn.logprobs)
        rollout.spans.append(Span(start, len(rollout.ids), 0.0))
        rollout.turns += 1
        left -= len(turn.ids)
        answer = min(self.sizes.answer, left)
        rollout.add(self.sizes.ids(rng, answer))
        if left == answer:
            rollout.end = End.DONE

    def _score(self, rollout: Rollout, score: float) -> None:
        rollout.score = rollout.reward = score
        rollout.terms = dict.fromkeys(TERMS, score)
        rollout.spans = [Span(span.start, span.end, score / rollout.turns) for span in rollout.spans]
