"""The agent: opens a chat for each episode, and plays it turn by turn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from teller_gym.agents.base import Prices, Reply
from teller_gym.agents.endpoint.answers import Answer
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.endpoint.client import Client
from teller_gym.agents.endpoint.config import EndpointConfig
from teller_gym.agents.endpoint.failures import ContextFullError, NoRoomError
from teller_gym.agents.endpoint.key import Key
from teller_gym.agents.endpoint.native import NativeTurns
from teller_gym.agents.endpoint.react import ReactTurns, tools_message, with_prompt
from teller_gym.base.errors import InfrastructureError
from teller_gym.base.withheld import Options

CLOSING = "The chat no longer fits into the model's context, so it ends here."
"""The action, and with it the end of the episode, where the context is full."""

_CLEARLY = 2.0
"""A first chat is not even sent if the careful guess, which may be half as high again as the truth, is so many times
what fits."""

_SHOWN = 80
"""Characters of a reason to finish; the servers' own have about ten."""

_encode = msgspec.json.Encoder().encode


class EndpointAgent:
    """A chat model behind an OpenAI-compatible endpoint. Implements `teller_gym.agents.base.DialogueAgent`.

    Args:
        config: see `EndpointConfig`.
        options: from which it was read, if some come from environment variables.

    Raises:
        OptionError: the environment variable with the key is not set.
    """

    def __init__(self, config: EndpointConfig, options: Options | None = None) -> None:
        self.config = config
        shown = {} if options is None else options.shown
        named = {name: str(shown.get(name) or getattr(config, name)) for name in ("model", "name") if shown.get(name)}
        self._name = msgspec.structs.replace(config, **named).shown_name
        self._client = Client(config, Key(config.key_variable, () if options is None else options.hidden))

    @property
    def name(self) -> str:
        """Stands in tables and run folders."""
        return self._name

    @property
    def prices(self) -> Prices | None:
        """What tokens cost, where that is known."""
        return self.config.prices

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> EndpointDialogue:
        """Begin an episode's chat; see `teller_gym.agents.base.DialogueAgent`."""
        return EndpointDialogue(self.config, self._client, messages, tools, seed)

    async def aclose(self) -> None:
        """Give back the connections."""
        await self._client.aclose()


class EndpointDialogue:
    """One episode's chat, which only grows: what was sent once stays as it was, until results have to be dropped."""

    def __init__(
        self,
        config: EndpointConfig,
        client: Client,
        messages: Sequence[dict[str, Any]],
        tools: Sequence[dict[str, Any]],
        seed: int,
    ) -> None:
        self._config = config
        self._client = client
        self._seed = seed
        self._request = config.request()
        self._turns: NativeTurns | ReactTurns = NativeTurns(bool(tools))
        if tools and config.protocol == "react":
            self._turns = ReactTurns()
            messages = with_prompt(messages, tools, config.tool_text)
        elif tools:
            self._request["tools"] = _shared(_encode(tools))
        self._chat = Chat(len(bytes(self._request.get("tools", b""))))
        for message in messages:
            self._chat.add(message)
        self._answers = 0
        self._calls = 0
        self._last_completion = 0
        self._odd_usage_told = False
        self._news = ""

    def offer(self, tools: Sequence[dict[str, Any]]) -> None:
        """Take other tools; see `teller_gym.agents.base.TakesTools`. With ReAct they follow the last result."""
        if isinstance(self._turns, ReactTurns):
            self._news = "\n\n" + tools_message(tools, self._config.tool_text)
        else:
            self._request["tools"] = _shared(_encode(tools))

    async def answer(self, results: Sequence[str]) -> Reply:
        """Return the model's next turn; see `teller_gym.agents.base.Dialogue`.

        Raises:
            InfrastructureError: the model cannot be had, or its context has no room for the beginning of the chat
                and an answer.
        """
        try:
            return await self._answer(results)
        except InfrastructureError as error:
            error.args = tuple(self._client.scrub_failure(one) for one in error.args)
            raise

    async def _answer(self, results: Sequence[str]) -> Reply:
        if self._news and results:
            results, self._news = [*results[:-1], results[-1] + self._news], ""
        self._turns.give(self._chat, results)
        try:
            answer = await self._ask()
        except ContextFullError as full:
            if not self._answers:
                raise self._no_room(str(full)) from None
            note: dict[str, Any] = {"context_end": "stop"} | self._dropped()
            return Reply((CLOSING,), {"prompt": 0, "completion": 0}, note)
        if not self._answers and answer.usage is not None and self._overruns(answer.usage["prompt"]):
            raise self._no_room(self._needed(answer.usage["prompt"]))
        actions, note = self._turns.read(answer)
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
        """Send the chat, dropping old results as long as it is too long.

        Raises:
            ContextFullError: it is too long, and nothing may be dropped, or nothing is left to drop.
        """
        while True:
            tokens = self._chat.estimate()
            try:
                # The first chat is a mere guess; its answer will tell how long it is.
                if self._overruns(tokens if self._answers else int(tokens / _CLEARLY)):
                    raise ContextFullError(f"about {self._needed(tokens)}")
                return await self._client.complete(self._body(), tokens + self._last_completion, self._calls + 1)
            except ContextFullError:
                if self._config.context_end == "stop" or not self._chat.drop():
                    raise

    def _overruns(self, tokens: int) -> bool:
        """Whether so many tokens leave no room for an answer in the context, as far as that is known."""
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
        if self._config.send_seed:
            self._request["seed"] = seed_of(self._seed, self._answers)
        return _encode(self._request | {"messages": self._chat.messages})

    def _dropped(self) -> dict[str, Any]:
        return {"dropped_results": self._chat.dropped} if self._chat.dropped else {}


def seed_of(episode: int, turn: int) -> int:
    """Return a request's seed, below 2^31: another one for each turn, so that no two draw the same random numbers."""
    return int.from_bytes(hashlib.blake2b(f"{episode}/{turn}".encode(), digest_size=4).digest()) >> 1


@lru_cache(maxsize=64)
def _shared(tools: bytes) -> msgspec.Raw:
    """The same encoded tools for all chats that have them, so that a thousand chats hold them once."""
    return msgspec.Raw(tools)
