"""Plays many episodes at once, with stored tokens that are never rendered again.

No episode waits for another: as soon as a turn has ended, its environment steps and the next turn is requested.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

import gymnasium as gym

from teller_gym.agents.chat import ChatFormat, Message, tool_answer
from teller_gym.agents.sampling import Sampler, Turn
from teller_gym.base.errors import ErrorKind
from teller_gym.envs.contract import contract_of
from teller_gym.training.config.grpo import RewardWeights
from teller_gym.training.rollouts.engines import Engine, as_engine

logger = logging.getLogger(__name__)


class End(StrEnum):
    """Reason for an episode's end."""

    DONE = "done"
    """The environment ended the episode: the case is finished, or the step limit is reached."""
    TOKENS = "tokens"
    """No room was left for another turn; the episode is scored up to that point."""
    PATIENCE = "patience"
    """Too many consecutive calls failed; the episode is scored up to that point."""
    INVALID = "invalid"
    """The package's own code failed; the episode is never scored."""


@dataclass(frozen=True)
class Limits:
    """Limits for a rollout.

    Attributes:
        turn, total: maximum tokens of a model turn, and of the conversation with prompt and tool results.
        patience: consecutive failed calls after which the episode ends.
    """

    turn: int
    total: int
    patience: int


@dataclass(frozen=True)
class Span:
    """One model turn within a rollout.

    Attributes:
        start, end: range of the turn's tokens in `Rollout.ids`.
        gain: increase of the reward in this turn.
        failed: True if the turn's call returned an error that was the model's fault.
    """

    start: int
    end: int
    gain: float
    failed: bool = False


@dataclass
class Rollout:
    """One episode in tokens.

    Attributes:
        prompt_ids: tokens before the model's first turn.
        ids: all tokens after the prompt.
        mask: 1 for each model token, 0 for each environment token.
        logprobs: log-probabilities of the model's tokens when sampled; 0 for environment tokens.
        end: reason for the episode's end; None while it continues.
        score: the environment's score; None if the episode is invalid.
        reward: reward in GRPO, by default the score; None if the episode is invalid.
        terms: the unweighted parts of the score.
        errors: number of failed actions by kind.
        defects: descriptions of crashes in the package's tools; such actions count as failed.
        failed_in_a_row: number of failed actions since the last successful one.
        spans: the turns, except a turn in which the package's own code failed.
        cut: number of turns truncated at the token limit.
        messages: the chat, for transcripts.
    """

    task_id: str
    prompt_ids: list[int]
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    end: End | None = None
    score: float | None = None
    reward: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    success: bool = False
    errors: dict[str, int] = field(default_factory=dict)
    defects: list[str] = field(default_factory=list)
    failed_in_a_row: int = 0
    turns: int = 0
    spans: list[Span] = field(default_factory=list)
    cut: int = 0
    messages: list[Message] = field(default_factory=list)

    @property
    def context(self) -> list[int]:
        return self.prompt_ids + self.ids

    def add(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Append tokens, which are the model's if they have log-probabilities."""
        self.ids += ids
        self.mask += [0 if logprobs is None else 1] * len(ids)
        self.logprobs += [0.0] * len(ids) if logprobs is None else logprobs


def columns_of(rollouts: Sequence[Rollout], common: int | None = None) -> dict[str, list[Any]]:
    """Convert rollouts to the format that TRL expects from a rollout function: lists with one entry per prompt.

    Args:
        rollouts: one for each prompt, in the order of the prompts.
        common: number of tokens of each conversation that count as its prompt; the remainder of a longer prompt is
            prepended to the completion and masked. None keeps each prompt whole.

    Returns:
        ``prompt_ids``, ``completion_ids``; ``logprobs`` and ``env_mask``, each as long as the completion of its row;
        and ``rollout`` for the reward functions.
    """
    found: dict[str, list[Any]] = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": []}
    for one in rollouts:
        rest = [] if common is None else one.prompt_ids[common:]
        found["prompt_ids"].append(one.prompt_ids[:common])
        found["completion_ids"].append(rest + one.ids)
        found["logprobs"].append([0.0] * len(rest) + one.logprobs)
        found["env_mask"].append([0] * len(rest) + one.mask)
    return found | {"rollout": list(rollouts)}


Begin = Callable[[int, gym.Env[Any, Any]], Rollout | None]
"""Function called with an episode's number and its environment after the reset.

It may restore a later state and then returns the rollout up to that state, otherwise None.
"""


@dataclass
class Spent:
    """Seconds of a round, divided into waiting for the engine and everything else."""

    generating: float = 0.0
    environments: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.generating + other.generating, self.environments + other.environments)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Measure the block as a whole round."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.environments = time.perf_counter() - begun - self.generating

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Measure the block as time spent waiting for the engine."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.generating += time.perf_counter() - begun


class EnvPool:
    """Environments for parallel episodes, created when first needed and reused.

    ``spent`` is the duration of the last `play`.
    """

    def __init__(self, make: Callable[[], gym.Env[Any, Any]], weights: RewardWeights | None = None) -> None:
        self._make = make
        self._weights = weights or RewardWeights()
        self._envs: list[gym.Env[Any, Any]] = []
        self.spent = Spent()

    def seats(self, count: int) -> list[gym.Env[Any, Any]]:
        while len(self._envs) < count:
            self._envs.append(self._make())
        return self._envs[:count]

    def play(
        self, task_ids: Sequence[str], sampler: Sampler | Engine, chat: ChatFormat, limits: Limits,
        check: Callable[[Any], None] | None = None, concurrency: int | None = None, begin: Begin | None = None,
    ) -> list[Rollout]:  # fmt: skip
        """Play one episode for each task id.

        Args:
            task_ids: the tasks; an id may occur several times.
            sampler: generates the model's turns; with a batch sampler, all episodes wait for the longest turn.
            check: called with each task before it is played; it may raise.
            concurrency: maximum number of simultaneous episodes; None plays all at once.
            begin: function that may start an episode at a later state; see `Begin`.

        Returns:
            The rollouts, in the order of the task ids.
        """
        engine, spent = as_engine(sampler), Spent()
        self.spent = spent
        free = self.seats(min(len(task_ids), concurrency or len(task_ids)))[::-1]
        waiting = deque(_side_by_side(task_ids))
        rollouts: dict[int, Rollout] = {}
        live: dict[int, gym.Env[Any, Any]] = {}
        with spent.whole():
            try:
                with spent.waiting():
                    engine.begin()
                while waiting or live:
                    while waiting and free:
                        slot, env = waiting.popleft(), free.pop()
                        live[slot] = env
                        rollouts[slot] = _open(
                            env, task_ids[slot], chat, check, partial(begin, slot) if begin else None
                        )
                        engine.submit(slot, rollouts[slot].context, limits.turn)
                    with spent.waiting():
                        turns = engine.wait()
                    for slot, turn in turns:
                        rollout, env = rollouts[slot], live[slot]
                        _advance(rollout, env, turn, chat, limits, self._weights)
                        if rollout.end is None:
                            engine.submit(slot, rollout.context, limits.turn)
                            continue
                        if rollout.end is not End.INVALID:
                            rollout.messages = contract_of(env).messages()
                        free.append(live.pop(slot))
            finally:
                with spent.waiting():
                    engine.end()
        return [rollouts[slot] for slot in range(len(task_ids))]


def _side_by_side(task_ids: Sequence[str]) -> list[int]:
    """Return the episode numbers in starting order.

    Episodes of the same task are adjacent, since they share a prompt.
    """
    first: dict[str, int] = {}
    return sorted(range(len(task_ids)), key=lambda slot: (first.setdefault(task_ids[slot], slot), slot))


def _open(
    env: gym.Env[Any, Any], task_id: str, chat: ChatFormat, check: Callable[[Any], None] | None,
    begin: Callable[[gym.Env[Any, Any]], Rollout | None] | None,
) -> Rollout:  # fmt: skip
    env.reset(options={"task_id": task_id})
    core = contract_of(env)
    if check:
        check(core.task)
    if begin and (rollout := begin(env)):
        return rollout
    return Rollout(task_id, chat.prompt_ids(core.messages(), core.tool_schemas()))


def _advance(
    rollout: Rollout, env: gym.Env[Any, Any], turn: Turn, chat: ChatFormat, limits: Limits, weights: RewardWeights
) -> None:
    """Execute one model turn, and append its tokens and the environment's response."""
    start, before = len(rollout.ids), rollout.reward or 0.0
    rollout.add(turn.ids, turn.logprobs)
    rollout.turns += 1
    rollout.cut += not turn.ended
    try:
        observation, _, terminated, truncated, info = env.step(chat.text(turn.ids))
    except Exception:
        # The package's own failures are marked, logged, and kept out of the rewards.
        logger.exception("episode %s broke", rollout.task_id)
        rollout.end, rollout.score, rollout.reward = End.INVALID, None, None
        return
    kind = str(info["error"]["kind"]) if info["error"] else None
    failed = kind not in (None, ErrorKind.TEMPORARY)
    if kind != ErrorKind.TEMPORARY:  # which is not the model's fault
        if kind:
            rollout.errors[kind] = rollout.errors.get(kind, 0) + 1
        rollout.failed_in_a_row = rollout.failed_in_a_row + 1 if kind else 0
    if (defect := info.get("defect")) is not None:  # other environments may have none; the package's has logged it
        rollout.defects.append(str(defect))
    rollout.score, rollout.success = float(info["score"]), bool(info["success"])
    rollout.terms = {name: float(value) for name, value in info["reward_terms"].items()}
    rollout.reward = weights.of(rollout.score, rollout.terms)
    rollout.spans.append(Span(start, start + len(turn.ids), rollout.reward - before, failed))
    if info["invalid"]:
        rollout.end, rollout.score, rollout.reward = End.INVALID, None, None
    elif terminated or truncated:
        rollout.end = End.DONE
    elif rollout.failed_in_a_row >= limits.patience:
        rollout.end = End.PATIENCE
    else:
        closing = [] if turn.ended else [chat.end]
        feedback = closing + chat.feedback_ids([tool_answer(observation["tool_result"])])
        if len(rollout.context) + len(feedback) + limits.turn > limits.total:
            rollout.end = End.TOKENS
        else:
            rollout.add(feedback)
