"""Agent interface, with text as input and output.

An agent reads the observation and answers with one action as text: a tool call as JSON (bare, in a code fence, in
`<tool_call>` tags or within prose), or prose alone, which ends the episode. Nothing else is required. Three further
abilities are optional: batches, seeds and token counts. Evaluation detects and uses them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

Observation = Mapping[str, Any]
"""Observation as `{"state": str, "tool_result": str}`."""

Info = Mapping[str, Any]
"""Additional information for an agent.

It has `task_id`, `scenario`, `step`, `error` and `tools` (OpenAI function schemas). During evaluation it contains
nothing about the grading.
"""

SHOWN_TO_AGENTS = ("task_id", "scenario", "step", "error")
"""Keys of the env's `info` that an agent may see, none of which reveals the grade."""


class Agent(Protocol):
    """Plays one episode at a time.

    Tables and run folders show the attribute `name` if there is one, otherwise the class name. Two agents that
    play differently should have different names.
    """

    def reset(self) -> None:
        """Prepare for a new episode.

        Called after the env's reset and before the first `act` of every episode.
        """

    def act(self, obs: Observation, info: Info) -> str:
        """Return the next action.

        If it raises an exception, the episode is marked invalid and not scored as a failure.
        """


class NamedAgent(Agent, Protocol):
    """Agent with a name."""

    @property
    def name(self) -> str: ...


@runtime_checkable
class BatchAgent(Protocol):
    """Agent that answers many conversations in one call.

    A model can thus generate for a whole batch of episodes at once. No state is needed between calls: each conversation
    is the whole chat so far in OpenAI's format, so episodes may start and end at any time. Like an `Agent`, it may have
    a `name`.
    """

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        """Return one action per conversation, in order.

        ``tools`` has the schemas of the tools available in each conversation.
        """


@runtime_checkable
class SeedsEpisodes(Protocol):
    """Agent with its own randomness, seeded before each episode so that a resumed run gives the same results."""

    def seed(self, seed: int) -> None:
        """Seed the agent's random number generator; called before `reset`."""


@runtime_checkable
class SeedsConversations(Protocol):
    """Batch agent with its own randomness, whose episodes do not depend on the others in the batch."""

    def seed_batch(self, seeds: Sequence[int]) -> None:
        """Set the episode seeds for the conversations of the next `act_batch`, in the same order."""


@runtime_checkable
class ReportsUsage(Protocol):
    """Agent that counts its tokens."""

    @property
    def usage(self) -> Sequence[Mapping[str, int]]:
        """Token counts of the last `act` (one entry) or `act_batch` (one entry per conversation).

        An entry has `prompt` and `completion` tokens; prompt tokens that the model read from a cache are included.
        """


@dataclass(frozen=True, slots=True)
class Reply:
    """Model's answer in a chat.

    Attributes:
        actions: one or more texts for the env, played in order; several if the model called several tools at once.
        usage: `prompt` and `completion` tokens of the request, if known, and `cached`, the number of prompt tokens that
            the server read from its cache, if any.
        note: further information for a reader of the episode, as JSON values: `said` (the raw text, if it differs from
            the action), `thinking`, `finish_reason`, `odd_usage` (impossible token counts, once per episode). Times and
            details of the machine are not included.
    """

    actions: tuple[str, ...]
    usage: Mapping[str, int] | None = None
    note: Mapping[str, Any] = field(default_factory=dict)


class Dialogue(Protocol):
    """One episode's chat with a model."""

    async def answer(self, results: Sequence[str]) -> Reply:
        """Return the model's next turn.

        Args:
            results: the env's response to each action of the last reply, in order; empty at the first turn.

        Raises:
            InfrastructureError: the model is unavailable, which makes the episode invalid at any point.
        """
        ...


@runtime_checkable
class TakesTools(Protocol):
    """Dialogue whose tools may change after it was opened, as in a working day."""

    def offer(self, tools: Sequence[dict[str, Any]]) -> None:
        """Replace the available tools by those with these schemas; called before the next `answer`."""


@runtime_checkable
class DialogueAgent(Protocol):
    """Agent behind an endpoint, with many chats at once in one event loop.

    It may have `prices` (see `Prices`).
    """

    @property
    def name(self) -> str: ...

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> Dialogue:
        """Start an episode's chat.

        Args:
            messages: system and user message in OpenAI's format.
            tools: schemas of the available tools; empty in stage 1.
            seed: seed of the episode.
        """

    async def aclose(self) -> None:
        """Close the connections; called once per run, in the event loop in which `open` was called."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Model prices in US dollars per million tokens.

    Attributes:
        cached: price of prompt tokens that the server read from its cache; None if they cost as much as other prompt
            tokens.
    """

    prompt: float
    completion: float
    cached: float | None = None

    def of(self, usage: Mapping[str, int]) -> float:
        """Return the cost of tokens in US dollars; `cached` tokens, if any, are included in `prompt`."""
        cached = 0 if self.cached is None else usage.get("cached", 0)
        prompt = (usage["prompt"] - cached) * self.prompt + cached * (self.cached or 0.0)
        return (prompt + usage["completion"] * self.completion) / 1_000_000
