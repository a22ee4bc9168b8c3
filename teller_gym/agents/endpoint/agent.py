"""Endpoint agent, which opens a chat for each episode and plays it turn by turn."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

from teller_gym.agents.base import Prices, Reply
from teller_gym.agents.endpoint.answers import Answer
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.endpoint.client import Client
from teller_gym.agents.endpoint.config import EndpointConfig
from teller_gym.agents.endpoint.failures import (
    UNDECIDED,
    ContextFullError,
    GivenUpError,
    NoRoomError,
    RefusedError,
    TooManyToolsError,
    UndecidedError,
)
from teller_gym.agents.endpoint.key import Key
from teller_gym.agents.endpoint.plain_schemas import plain
from teller_gym.agents.endpoint.turns import NativeTurns, ReactTurns, tools_message, with_prompt
from teller_gym.agents.endpoint.watch import Watch
from teller_gym.base.errors import InfrastructureError
from teller_gym.base.withheld import Options

CLOSING = "The chat no longer fits into the model's context, so it ends here."
"""Action that ends the episode when the context is full."""

_CLEARLY = 2.0
"""Factor by which the estimated length of a first chat must exceed the context for the chat not to be sent.

Estimates may be 50 % too high.
"""

_SHOWN = 80
"""Maximum characters stored of a finish reason; those of known servers have about ten."""

_PROBE_TOKENS = 256
"""Maximum tokens of the answer to a shortened chat, which is discarded; some thinking models reject a lower limit."""

_REFUSALS = (ContextFullError, GivenUpError, RefusedError)

_encode = msgspec.json.Encoder().encode

log = logging.getLogger(__name__)


class EndpointAgent:
    """Chat model behind an OpenAI-compatible endpoint, as a `teller_gym.agents.base.DialogueAgent`.

    Args:
        config: endpoint settings.
        options: options that the config was read from, if some of them come from environment variables.
    """

    def __init__(self, config: EndpointConfig, options: Options | None = None) -> None:
        self.config = config
        shown = {} if options is None else options.shown
        named = {name: str(shown.get(name) or getattr(config, name)) for name in ("model", "name") if shown.get(name)}
        self._name = msgspec.structs.replace(config, **named).shown_name
        self._client = Client(config, Key(config.key_variable, () if options is None else options.hidden))
        self._watch = Watch(self._name, config)
        if config.unsent:
            unsent = ", ".join(f"agent.{'send_seed' if name == 'seed' else name}" for name in config.unsent)
            log.warning(
                "%s: %s is set and not sent, since the endpoint refuses it (agent.not_taken)", self._name, unsent
            )

    @property
    def name(self) -> str:
        return self._name

    @property
    def prices(self) -> Prices | None:
        return self.config.prices

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> EndpointDialogue:
        """Start an episode's chat; see `teller_gym.agents.base.DialogueAgent`."""
        return EndpointDialogue(self.config, self._client, self._watch, messages, tools, seed)

    async def aclose(self) -> None:
        """Release the connections and reset the counts for the next run."""
        self._watch = Watch(self._name, self.config)
        await self._client.aclose()


class EndpointDialogue:
    """One episode's chat.

    Messages are only appended, and remain unchanged until turns have to be dropped.
    """

    def __init__(
        self,
        config: EndpointConfig,
        client: Client,
        watch: Watch,
        messages: Sequence[dict[str, Any]],
        tools: Sequence[dict[str, Any]],
        seed: int,
    ) -> None:
        self._config = config
        self._client = client
        self._watch = watch
        self._seed = seed
        self._request = config.request()
        self._turns: ReactTurns = NativeTurns(config.return_thinking, bool(tools))
        if tools and config.protocol == "react":
            self._turns = ReactTurns(config.return_thinking)
            messages = with_prompt(messages, tools, config.tool_text)
        elif tools:
            self._request["tools"] = self._encoded(tools)
        self._chat = Chat(len(bytes(self._request.get("tools", b""))))
        for message in messages:
            self._chat.add(message)
        self._answers = 0
        self._calls = 0
        self._last_completion = 0
        self._odd_usage_told = False
        self._probed = False
        self._news = ""
        self._offered: Sequence[dict[str, Any]] | None = None

    def offer(self, tools: Sequence[dict[str, Any]]) -> None:
        """Replace the tools; see `teller_gym.agents.base.TakesTools`.

        With ReAct, the new tools are sent with the next result.
        """
        if not isinstance(self._turns, NativeTurns):
            self._news = "\n\n" + tools_message(tools, self._config.tool_text)
        else:
            self._offered = tools

    def _encoded(self, tools: Sequence[dict[str, Any]]) -> msgspec.Raw:
        config = self._config
        if config.most_tools is not None and len(tools) > config.most_tools:
            raise TooManyToolsError(
                f"{self._watch.name} takes at most {config.most_tools} tools in a request (agent.most_tools), and "
                f"{len(tools)} are in play: nothing was sent; pass agent.protocol=react, which writes them into the "
                "prompt, or have fewer in play (tools=filtered, tools=gold, env.distractors)"
            )
        return _shared(_encode([plain(tool) for tool in tools] if config.schemas == "plain" else tools))

    async def answer(self, results: Sequence[str]) -> Reply:
        """Return the model's next turn; see `teller_gym.agents.base.Dialogue`.

        Raises:
            InfrastructureError: the model is unavailable, or its context has no room for the first messages and an
                answer.
        """
        try:
            return await self._answer(results)
        except InfrastructureError as error:
            error.args = tuple(self._client.scrub_failure(one) for one in error.args)
            raise

    async def _answer(self, results: Sequence[str]) -> Reply:
        if self._news and results:
            results, self._news = [*results[:-1], results[-1] + self._news], ""
        if self._offered is not None:
            self._request["tools"], self._offered = self._encoded(self._offered), None
            self._chat.beside(len(bytes(self._request["tools"])))
        self._turns.give(self._chat, results)
        try:
            answer = await self._ask()
        except ContextFullError as full:
            if not self._answers:
                raise self._no_room(str(full)) from None
            note: dict[str, Any] = {"context_end": "stop"} | self._dropped()
            return Reply((CLOSING,), full.usage, note)
        if not self._answers and answer.usage is not None and self._overruns(answer.usage["prompt"]):
            raise self._no_room(self._needed(answer.usage["prompt"]))
        actions, note = self._turns.read(answer)
        note |= self._watch.answer(
            answer, self._chat.least_tokens(None if answer.usage is None else answer.usage["prompt"])
        )
        self._chat.answered()
        if answer.usage is not None:
            self._chat.counted(answer.usage["prompt"])
            self._last_completion = answer.usage["completion"]
        self._turns.append(self._chat, answer)
        self._answers += 1
        self._calls += len(answer.calls)
        if answer.finish_reason is not None:
            note["finish_reason"] = answer.finish_reason[:_SHOWN]
        if answer.odd_usage is not None and not self._odd_usage_told:
            self._odd_usage_told = True
            note["odd_usage"] = answer.odd_usage
        if answer.left_out:
            note["calls_left_out"] = answer.left_out
        if answer.mended:
            note["replaced"] = "what was no Unicode text"
        return Reply(self._client.scrub(actions), answer.usage, self._client.scrub(note) | self._dropped())

    async def _ask(self) -> Answer:
        """Send the chat, dropping old turns while it is too long.

        Raises:
            ContextFullError: the chat is too long, and no turn can or may be dropped.
            InfrastructureError: the model is unavailable for another reason or for an unknown one.
        """
        first: ContextFullError | GivenUpError | RefusedError | None = None
        while True:
            try:
                return await self._send()
            except _REFUSALS as error:
                if not error.maybe_length:
                    raise
                first = first or error
            if self._config.context_end == "drop" and self._answers and self._chat.drop():
                continue
            if not self._answers or isinstance(first, ContextFullError):
                raise first
            return await self._decide(first)

    async def _send(self, once: bool = False) -> Answer:
        tokens = self._chat.estimate()
        # The first chat's length is only a guess; its answer reports the real one.
        if self._overruns(tokens if self._answers else int(tokens / _CLEARLY)):
            raise ContextFullError(f"about {self._needed(tokens)}")
        return await self._client.complete(self._body(), tokens + self._last_completion, self._calls + 1, once)

    async def _decide(self, failure: GivenUpError | RefusedError) -> Answer:
        """Find out if the chat was rejected for its length, by sending a shortened copy once.

        Returns:
            The answer to the whole chat, if the server has recovered from a failure in the meantime.

        Raises:
            ContextFullError: the shortened chat was accepted, so the length was the reason.
            RefusedError, GivenUpError: the shortened chat was rejected as well, so the length was not the reason.
            UndecidedError: the reason could not be determined.
        """
        if self._probed:
            raise UndecidedError(
                f"{UNDECIDED}refused again after a shortened chat was tried in this episode; {failure}"
            )
        self._probed = True
        messages, short = self._chat.probe()
        answer = min(_PROBE_TOKENS, self._config.max_new_tokens or _PROBE_TOKENS)
        body = self._request | {"messages": messages, self._config.max_tokens_field: answer}
        try:
            probe = await self._client.complete(_encode(body), self._chat.estimate(), 1)
        except _REFUSALS as again:
            if short and again.maybe_length:
                raise failure from None
            if isinstance(again, RefusedError) and again.for_all:
                raise
            raise UndecidedError(
                f"{UNDECIDED}a chat was refused in the middle of an episode, for its length or not: {failure}; "
                f"the same with fewer words: {again}"
            ) from None
        if isinstance(failure, GivenUpError):
            with suppress(*_REFUSALS):
                return await self._send(once=True)
        raise ContextFullError(str(failure), usage=probe.usage)

    def _overruns(self, tokens: int) -> bool:
        """Return True if the context size is known and leaves no room for an answer after this many tokens."""
        limit = self._config.context
        return limit is not None and tokens + (self._config.max_new_tokens or 0) > limit

    def _needed(self, tokens: int) -> str:
        return f"{tokens} tokens, and {self._config.max_new_tokens or 0} for the answer, of {self._config.context}"

    def _no_room(self, why: str) -> NoRoomError:
        config = self._config
        shorter = "" if config.tool_text == "compact" else ", or use agent.protocol=react agent.tool_text=compact"
        longer = "serve it with a longer one" if config.context is None else "raise agent.context, if it can read more"
        return NoRoomError(
            f"the beginning of the chat, procedure and tools, does not fit into the context of {config.model}: "
            f"{longer}, lower agent.max_new_tokens ({config.max_new_tokens}){shorter}; {why}"
        )

    def _body(self) -> bytes:
        if self._config.send_seed and "seed" not in self._config.not_taken:
            self._request["seed"] = seed_of(self._seed, self._answers)
        return _encode(self._request | {"messages": self._chat.messages})

    def _dropped(self) -> dict[str, Any]:
        return {"dropped_results": self._chat.dropped} if self._chat.dropped else {}


def seed_of(episode: int, turn: int) -> int:
    """Return the seed for a request, below 2^31.

    Every turn has its own seed, so that no two use the same random numbers.
    """
    return int.from_bytes(hashlib.blake2b(f"{episode}/{turn}".encode(), digest_size=4).digest()) >> 1


@lru_cache(maxsize=64)
def _shared(tools: bytes) -> msgspec.Raw:
    """Return a shared copy of the encoded tools.

    This saves memory when thousands of chats have the same tools.
    """
    return msgspec.Raw(tools)
