"""One episode: actions go to the env, and what happens is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from teller_gym.agents.base import SHOWN_TO_AGENTS, BatchAgent, SeedsEpisodes
from teller_gym.errors import ErrorKind
from teller_gym.tasks import CANARY

from .episodes import FORMAT, CheckpointRecord, Episode, Kind, Status, Turn, invalid
from .players import AnyAgent, name_of
from .tasks import Chosen

Env = gym.Env[Any, Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """One episode to play."""

    task: Chosen
    trial: int
    seed: int


@dataclass(frozen=True, slots=True)
class Seat:
    """An env and the agent that plays in it."""

    env: Env
    agent: AnyAgent


class BrokenError(Exception):
    """What went wrong in an episode through no fault of the agent's answers."""


@contextmanager
def ours(what: str) -> Iterator[None]:
    """Whatever fails inside is no fault of the agent's answers; `what` says where it failed."""
    try:
        yield
    except Exception as error:
        raise BrokenError(f"{what}: {type(error).__name__}: {error}") from error


class Play:
    """One episode under way: feeds actions to the env and writes down what happens."""

    def __init__(self, planned: Planned, seat: Seat, clock: Callable[[], float]) -> None:
        self.planned = planned
        self.seat = seat
        self._core: Any = seat.env.unwrapped
        self._clock = clock
        self._started = clock()
        self._trace: list[Turn] = []
        self._tokens: dict[str, int] | None = None
        self._info: dict[str, Any] = {}
        self.obs: Any = None
        self.over = False
        self._truncated = False

    def start(self) -> None:
        """Reset the env and the agent, each with the episode's seed."""
        seed = self.planned.seed
        with ours("reset of the env"):
            self.seat.env.action_space.seed(seed)
            self.obs, self._info = self.seat.env.reset(seed=seed, options={"task_id": self.planned.task.id})
            self.tools: list[dict[str, Any]] = self._core.tool_schemas()
        agent = self.seat.agent
        with ours("reset of the agent"):
            if isinstance(agent, SeedsEpisodes):
                agent.seed(seed)
            if not isinstance(agent, BatchAgent):
                agent.reset()

    def info(self) -> dict[str, Any]:
        """What the agent may know beside the observation: nothing of the grade."""
        return {**{name: self._info[name] for name in SHOWN_TO_AGENTS}, "tools": self.tools}

    def messages(self) -> list[dict[str, Any]]:
        """The chat so far."""
        with ours("messages of the env"):
            messages: list[dict[str, Any]] = self._core.messages()
        return messages

    def apply(self, action: object, usage: Mapping[str, int] | None = None) -> None:
        """Play one action and note what came of it.

        usage: the `prompt` and `completion` tokens that the agent reports of it, if it does.
        """
        if usage is not None:
            with ours("the agent's usage"):
                old = self._tokens or {"prompt": 0, "completion": 0}
                self._tokens = {kind: count + int(usage[kind]) for kind, count in old.items()}
        if not isinstance(action, str):
            raise BrokenError(f"the agent's action: expected text, got {type(action).__name__}")
        before = {name for name, passed in self._info["checkpoints"].items() if passed}
        with ours("step of the env"):
            self.obs, reward, terminated, truncated, self._info = self.seat.env.step(action)
        if self._info["invalid"]:
            raise BrokenError(f"the env called the episode invalid: {self._core.failure}")
        error = dict(self._info["error"]) if self._info["error"] is not None else None  # records are JSON
        result = self.obs["tool_result"]
        self._trace.append(
            Turn(
                action=action,
                kind=_kind(error, result),
                tool=None,
                result=result,
                error=None if error is None else dict(error),
                reward=float(reward),
                passed=[name for name, passed in self._info["checkpoints"].items() if passed and name not in before],
            )
        )
        self._truncated = truncated
        self.over = terminated or truncated

    def wall_s(self) -> float:
        """Seconds since the episode began; with others beside it, waiting for them counts."""
        return self._clock() - self._started

    def record(self) -> Episode:
        """The record of the episode, once it is over."""
        messages = self.messages()
        with ours("grading"):
            grade = self._core.grade()
        _name_tools(self._trace, messages)
        errors = {str(kind): int(count) for kind, count in grade.errors.items()}
        if grade.collateral:
            errors["collateral"] = len(grade.collateral)
        calls = [turn for turn in self._trace if turn["kind"] != Kind.RESPONSE and not _unanswered(turn)]
        task = self.planned.task
        return Episode(
            format=FORMAT,
            canary=CANARY,
            task_id=task.id,
            scenario=task.scenario,
            split=task.split,
            agent=name_of(self.seat.agent),
            trial=self.planned.trial,
            seed=self.planned.seed,
            status=Status.TRUNCATED if self._truncated else Status.FINISHED,
            failure=None,
            outcome=task.outcome,
            branches=task.branches,
            success=bool(grade.success),
            score=float(grade.score),
            reward_terms={name: float(value) for name, value in grade.terms.items()},
            checkpoints=[
                CheckpointRecord(checkpoint=row.checkpoint, passed=row.passed, reason=row.reason)
                for row in grade.reasons
            ],
            error_counts=errors,
            outputs=dict(grade.outputs or {}),
            required_tools=list(grade.required_tools),
            invoked_tools=list(grade.invoked_tools),
            attempts=len(calls),
            valid_calls=sum(turn["error"] is None for turn in calls),
            steps=len(self._trace),
            tokens=self._tokens,
            tools=[tool["function"]["name"] for tool in self.tools],
            trace=self._trace,
            messages=messages,
        )

    def broken(self, error: BrokenError) -> Episode:
        """The record of an episode that could not be played to its end."""
        task, agent = self.planned.task, name_of(self.seat.agent)
        return invalid(
            task_id=task.id, scenario=task.scenario, split=task.split, agent=agent, trial=self.planned.trial,
            seed=self.planned.seed, outcome=task.outcome, branches=task.branches, failure=str(error),
        )  # fmt: skip


def _unanswered(turn: Turn) -> bool:
    """Whether a call met a temporary error, which says nothing of the agent."""
    return turn["error"] is not None and turn["error"]["kind"] == ErrorKind.TEMPORARY


def _kind(error: Mapping[str, Any] | None, result: str) -> Kind:
    """What the env read an action as, told by its answer: no tool ever answers with nothing."""
    if error is None:
        return Kind.CALL if result else Kind.RESPONSE
    return Kind.MALFORMED if error["kind"] == ErrorKind.MALFORMED else Kind.CALL


def _name_tools(trace: Sequence[Turn], messages: Iterable[dict[str, Any]]) -> None:
    """Write the tool that each action called into its turn, as the chat has it."""
    answers = [message for message in messages if message["role"] == "assistant"]
    if len(answers) != len(trace):
        raise BrokenError(
            f"messages: expected one of the assistant for each of {len(trace)} actions, got {len(answers)}"
        )
    for turn, message in zip(trace, answers, strict=True):
        calls = message.get("tool_calls")
        turn["tool"] = calls[0]["function"]["name"] if calls else None
