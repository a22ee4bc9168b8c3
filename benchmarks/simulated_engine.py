"""An engine with a clock of its own: continuous batching over a prefix cache, with latencies and without a model.

It says as many tokens as were recorded, and what they would have taken is added up: equal inputs give equal seconds.
Environment and chat that go with it answer with as many tokens as were recorded.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from benchmarks.rollout_lengths import Recorded
from teller_gym.agents.sampling import Turn
from teller_gym.training.rollouts.engines import Engine

BLOCK = 16
"""Tokens of a block of the prefix cache, which is known whole or not at all."""
END, ANSWERED = 1, 2
"""Tokens that represent all of their kind; a said token is no token of any other conversation."""

Tokens = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Costs:
    """Times that a card takes for a model, in seconds, and how much it holds.

    Attributes:
        step: of every step, regardless of its content: the weights are read, and kernels started.
        row: more for each conversation that a token is drawn for.
        context: more for each token of those conversations, whose keys and values are read.
        prefill: of each token that is read for the first time.
        environment: of each turn outside the engine, during which nothing is drawn.
        cache: tokens that the attention cache holds.
        chunk: tokens that are read in one step, at most.
    """

    step: float
    row: float
    context: float
    prefill: float
    environment: float
    cache: int
    chunk: int = 8192


@dataclass
class Clock:
    """Seconds so far."""

    now: float = 0.0


@dataclass
class _Request:
    slot: int
    context: Tokens
    unread: int
    unsaid: int
    said: list[int] = field(default_factory=list)


class SimulatedEngine(Engine):
    """Draws for all requests that are under way, one token each a step, as vLLM does; reading goes on beside it.

    Args:
        recorded: what is said in each slot.
        costs: of the card.
        clock: to which the seconds are added.

    Attributes:
        most: conversations that were drawn for at once, at most.
    """

    def __init__(self, recorded: Sequence[Recorded], costs: Costs, clock: Clock) -> None:
        super().__init__()
        self._recorded, self._costs, self._clock = recorded, costs, clock
        self._turns: dict[int, int] = defaultdict(int)
        self._live: dict[int, _Request] = {}
        self._held: dict[int, Tokens] = {}
        """Contexts in the cache, the longest unused first."""
        self._start: dict[int, int] = {}
        """From where on the tokens of each are on its account, those it is still to say included."""
        self._ends: dict[int, int] = {}
        self.most = 0

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """See `Engine.submit`.

        Raises:
            MemoryError: the conversations under way do not fit into the cache together.
        """
        tokens: Tokens = np.array(context)
        known = self._known(slot, tokens)
        self.reads.add(len(context), known)
        said, _ = self._recorded[slot].turns[self._turns[slot]]
        self._turns[slot] += 1
        self._live[slot] = _Request(slot, tokens, len(context) - known, min(said, max_new))
        self._keep(slot, tokens, known, said)
        self.most = max(self.most, len(self._live))

    def wait(self) -> list[tuple[int, Turn]]:
        """See `Engine.wait`."""
        while self._live:
            self._step()
            if ended := [one for one in self._live.values() if not one.unsaid]:
                for one in ended:
                    del self._live[one.slot]
                    self._held[one.slot] = np.append(one.context, one.said)
                return [(one.slot, Turn(one.said, [0.0] * len(one.said), True)) for one in ended]
        return []

    def _step(self) -> None:
        costs, room, seconds = self._costs, self._costs.chunk, self._costs.step
        for one in self._live.values():
            read = min(room, one.unread)
            one.unread -= read
            room -= read
            seconds += read * costs.prefill
            if not one.unread:
                one.unsaid -= 1
                one.said.append(-1 - one.slot)
                seconds += costs.row + costs.context * (len(one.context) + len(one.said))
        self._clock.now += seconds

    def _known(self, slot: int, context: Tokens) -> int:
        """Return the tokens of a context that are in the cache, in whole blocks; the last one is always read."""
        held = [self._held[slot]] if slot in self._held else self._held.values()
        found = max((shared(context, one) for one in held), default=0)
        return min(found, len(context) - 1) // BLOCK * BLOCK

    def _keep(self, slot: int, context: Tokens, known: int, said: int) -> None:
        self._held.pop(slot, None)
        self._held[slot] = context
        self._start[slot] = self._start.get(slot, known)
        self._ends[slot] = len(context) + said
        for other in list(self._held):
            if sum(self._ends[one] - self._start[one] for one in self._held) <= self._costs.cache:
                return
            if other not in self._live:
                self._drop(other)
        raise MemoryError(f"{len(self._live)} conversations do not fit into a cache of {self._costs.cache} tokens")

    def _drop(self, slot: int) -> None:
        """Drop a context, but for the beginning that another one still needs, which goes to that one's account."""
        context, start = self._held.pop(slot), self._start.pop(slot)
        lengths = {other: shared(context, one) for other, one in self._held.items()}
        heir = max(lengths, key=lengths.__getitem__)
        if lengths[heir] > start:
            self._start[heir] = min(start, self._start[heir])


def shared(one: Tokens, other: Tokens) -> int:
    """Return the tokens that two sequences have in common at their beginning."""
    most = min(len(one), len(other))
    differ = one[:most] != other[:most]
    return int(differ.argmax()) if differ.any() else most


class Together:
    """A sampler on the same card: all turns that are handed in begin at once, and wait for the longest of them."""

    def __init__(self, engine: SimulatedEngine) -> None:
        self._engine = engine

    @property
    def reused(self) -> int:
        """Tokens that did not have to be read again."""
        return self._engine.reads.cached or 0

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        """See `Sampler.sample`."""
        for slot, context in zip(slots, contexts, strict=True):
            self._engine.submit(slot, context, max_new)
        turns: dict[int, Turn] = {}
        while len(turns) < len(slots):
            turns |= self._engine.wait()
        return [turns[slot] for slot in slots]

    def forget(self) -> None:
        """Nothing is kept beside the engine."""


class Replay(gym.Env[Any, Any]):
    """Answers as was recorded; the episodes of a task are handed out in their order.

    Args:
        waiting: of each task, those that were not played yet; shared by all that play side by side.
        costs, clock: see `SimulatedEngine`.
    """

    def __init__(self, waiting: dict[str, deque[Recorded]], costs: Costs, clock: Clock) -> None:
        self._waiting, self._costs, self._clock = waiting, costs, clock
        self.task = SimpleNamespace(id="")

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start the next episode of a task."""
        assert options is not None
        self._episode = self._waiting[options["task_id"]].popleft()
        self._done = 0
        self.task = SimpleNamespace(id=self._episode.task)
        return {"state": "", "tool_result": ""}, {}

    def step(self, action: Any) -> Any:
        """Answer with the number of tokens of the answer."""
        self._clock.now += self._costs.environment
        _, answered = self._episode.turns[self._done]
        self._done += 1
        over = self._done == len(self._episode.turns)
        info: dict[str, Any] = {"error": None, "score": 0.0, "success": False, "reward_terms": {}, "invalid": False}
        return {"state": "", "tool_result": str(answered)}, 0.0, over, False, info

    def messages(self) -> list[Any]:
        """Return the episode, for `LengthsChat`."""
        return [self._episode]

    def tool_schemas(self) -> list[Any]:
        """None: they are part of the prompt's length."""
        return []


class LengthsChat:
    """Prompts of recorded lengths, which begin alike within a scenario and are the same within a task."""

    end = END

    def __init__(self, recorded: Iterable[Recorded]) -> None:
        names = sorted({name for one in recorded for name in (one.scenario, one.task)})
        self._first = {name: 1_000_000 * number for number, name in enumerate(names, start=1)}

    def prompt_ids(self, messages: Sequence[Any], tools: Sequence[Any]) -> list[int]:
        """Return the tokens of a prompt."""
        (one,) = messages
        begin, rest = self._first[one.scenario], self._first[one.task]
        return [*range(begin, begin + one.shared), *range(rest, rest + one.prompt - one.shared)]

    def text(self, ids: Sequence[int]) -> str:
        """Return nothing: the answer does not depend on it."""
        return ""

    def feedback_ids(self, replies: Sequence[Any]) -> list[int]:
        """Return the tokens of an answer."""
        return [ANSWERED] * int(replies[0]["content"])
