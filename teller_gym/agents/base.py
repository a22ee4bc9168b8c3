"""The interface of an agent: text in, text out.

An agent reads the observation and answers with one action as text: a tool call as JSON (bare, in a code fence, in
`<tool_call>` tags or within words), or prose, which ends the episode. Nothing else is asked of it. Three further
abilities are optional; evaluation looks for them and uses them where they exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

Observation = Mapping[str, Any]
"""`{"state": str, "tool_result": str}`."""

Info = Mapping[str, Any]
"""Further information for an agent: `task_id`, `scenario`, `step`, `error` and `tools` (OpenAI function schemas).

In evaluation nothing in it reveals the grading.
"""


SHOWN_TO_AGENTS = ("task_id", "scenario", "step", "error")
"""Keys of the env's `info` that an agent gets to see: nothing of the grade."""


class Agent(Protocol):
    """Plays one episode at a time.

    An attribute `name`, where there is one, is used in tables and run folders, else the name of the class is; two
    agents that play differently should not share it.
    """

    def reset(self) -> None:
        """Forget the last episode. Called after the env's reset and before the first `act` of every episode."""

    def act(self, obs: Observation, info: Info) -> str:
        """Return the next action. An exception marks the episode invalid; it is never scored as a failure."""


class NamedAgent(Agent, Protocol):
    """An agent with a name."""

    @property
    def name(self) -> str: ...


@runtime_checkable
class BatchAgent(Protocol):
    """Answers many conversations in one call, so that a model generates for a whole batch of episodes at once.

    It keeps no state between calls: each conversation is the whole chat so far in OpenAI's format, so episodes may
    start and end at any time. It may have a `name`, as an `Agent` may.
    """

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        """Return one action for each conversation, in order.

        Args:
            conversations: one list of messages each.
            tools: for each conversation, the schemas of the tools in play.
        """


@runtime_checkable
class SeedsEpisodes(Protocol):
    """An agent with randomness of its own: seeded before each episode, so that an interrupted run repeats itself."""

    def seed(self, seed: int) -> None:
        """Start the agent's random stream anew. Called before `reset`."""


@runtime_checkable
class SeedsConversations(Protocol):
    """A batch agent with randomness of its own: an episode goes the same way regardless of the others played
    beside it.
    """

    def seed_batch(self, seeds: Sequence[int]) -> None:
        """Take the seeds of the episodes whose conversations the next `act_batch` holds, in its order."""


@runtime_checkable
class ReportsUsage(Protocol):
    """An agent that counts its tokens."""

    @property
    def usage(self) -> Sequence[Mapping[str, int]]:
        """Of the last `act` (one entry) or `act_batch` (one for each conversation): `prompt` and `completion` tokens.

        For `prompt`, tokens that the model read again from a cache count like any others.
        """


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer to a chat.

    Attributes:
        actions: one text or more for the env, played in order; several where the model called several tools at once.
        usage: `prompt` and `completion` tokens of the request, where known, and `cached`, those prompt tokens that the
            server read from its cache, if any.
        note: further information for a reader of the episode, as JSON values: `said` (the raw text, where it differs
            from the action), `thinking`, `finish_reason`, `odd_usage` (impossible token counts, once per episode). It
            has no times and nothing of the machine.
    """

    actions: tuple[str, ...]
    usage: Mapping[str, int] | None = None
    note: Mapping[str, Any] = field(default_factory=dict)


class Dialogue(Protocol):
    """One episode's chat with a model."""

    async def answer(self, results: Sequence[str]) -> Reply:
        """Return the model's next turn.

        Args:
            results: the env's answer to each action of the last reply, in order; empty at the first turn.

        Raises:
            InfrastructureError: the model cannot be had; the episode is invalid, however far it was played.
        """
        ...


@runtime_checkable
class TakesTools(Protocol):
    """A dialogue that goes on with other tools in play than it was opened with, as in a working day."""

    def offer(self, tools: Sequence[dict[str, Any]]) -> None:
        """Take the schemas of the tools that are in play from now on; called before the next `answer`."""


@runtime_checkable
class DialogueAgent(Protocol):
    """An agent behind an endpoint: many chats at once in one event loop. It may have `prices` (see `Prices`)."""

    @property
    def name(self) -> str: ...

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> Dialogue:
        """Begin an episode's chat.

        Args:
            messages: system and user message in OpenAI's format.
            tools: schemas of those in play; none in stage 1.
            seed: the episode's.
        """

    async def aclose(self) -> None:
        """Give back connections; called in the event loop that `open` was called in, once a run."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a model, in US dollars per million tokens.

    Attributes:
        cached: price of prompt tokens that the server read from its cache; None: the same as other prompt tokens.
    """

    prompt: float
    completion: float
    cached: float | None = None

    def of(self, usage: Mapping[str, int]) -> float:
        """Return the cost of tokens in US dollars; `cached` tokens, where counted, are part of `prompt`."""
        cached = 0 if self.cached is None else usage.get("cached", 0)
        prompt = (usage["prompt"] - cached) * self.prompt + cached * (self.cached or 0.0)
        return (prompt + usage["completion"] * self.completion) / 1_000_000
