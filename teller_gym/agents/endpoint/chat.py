"""A chat as it is sent: every message is encoded once, and only whole exchanges are ever removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from teller_gym.agents.endpoint.shortened import shortened

MARKER = "(The oldest {turns} turns of this chat, with {results} tool results, were left out: it had become too long.)"
"""Assistant message that replaces the dropped exchanges."""

GO_ON = "Go on from here."
"""User message after it, so that roles keep alternating."""

_BYTES_A_TOKEN = 3.0
_BYTES_A_GONE_TOKEN = 4.5
"""Conservative ratios for what was added since the last answer and for what was removed: English words and JSON have
about four bytes per token."""

_MOST_BYTES_A_TOKEN, _LEAST_BYTES_A_TOKEN = 9.0, 1.5
"""Bounds for every tokenizer on procedures, schemas and JSON: English has four bytes per token, digits up to three; a
server may render schemas in a form half as long."""

_GROWN_BYTES, _SAME = 2_000, 0.98
"""Growth of a prompt from which its token count must change, and the share of the last count that is no change."""

_encode = msgspec.json.Encoder().encode


class Size(NamedTuple):
    """Estimated tokens of a request: at least, at most, and the part that the server last counted."""

    least: int
    most: int
    counted: int


@dataclass
class _Exchange:
    """One answer of the model and the environment's response."""

    messages: list[msgspec.Raw] = field(default_factory=list)
    results: int = 0


class Chat:
    """The messages of one episode, encoded.

    Args:
        beside: bytes that every request holds besides the messages: the tools.
    """

    def __init__(self, beside: int = 0) -> None:
        self.dropped = 0
        """Tool results that were dropped with their exchanges."""
        self._head: list[msgspec.Raw] = []
        self._marker: list[msgspec.Raw] = []
        self._exchanges: list[_Exchange] = []
        self._dropped_turns = 0
        self._beside = beside
        self._known_tokens = 0
        self._new_bytes, self._gone_bytes = beside, 0
        self._bytes = self._accepted = 0
        """Bytes of the messages now, and in the last chat that was answered."""

    @property
    def messages(self) -> list[msgspec.Raw]:
        """The chat as it is sent."""
        turns = [message for exchange in self._exchanges for message in exchange.messages]
        return [*self._head, *self._marker, *turns]

    def add(self, message: Mapping[str, Any]) -> None:
        """Append a message; values that are `msgspec.Raw` stay as they are. An assistant message begins an exchange."""
        raw = msgspec.Raw(_encode(message))
        if message["role"] == "assistant":
            self._exchanges.append(_Exchange())
        (self._exchanges[-1].messages if self._exchanges else self._head).append(raw)
        self._grow(len(bytes(raw)))

    def add_result(self, message: dict[str, Any]) -> None:
        """Append a tool result."""
        self.add(message)
        self._exchanges[-1].results += 1

    def beside(self, count: int) -> None:
        """Set how many bytes the request has besides the messages from now on."""
        self._new_bytes += count - self._beside
        self._beside = count

    def counted(self, prompt_tokens: int) -> None:
        """Set the tokens of the answered chat to the server's count."""
        self._known_tokens = prompt_tokens
        self._new_bytes = self._gone_bytes = 0

    def answered(self) -> None:
        """Record that the chat was answered in its present form."""
        self._accepted = self._bytes

    def estimate(self) -> int:
        """Return about how many tokens the chat has: the server's last count, and a careful guess for the rest."""
        return self._tokens(_BYTES_A_TOKEN, _BYTES_A_GONE_TOKEN)

    def size(self) -> Size:
        """Return the bounds of the request's tokens."""
        least = self._tokens(_MOST_BYTES_A_TOKEN, _LEAST_BYTES_A_TOKEN)
        most = self._tokens(_LEAST_BYTES_A_TOKEN, _MOST_BYTES_A_TOKEN)
        return Size(least, most, self._known_tokens)

    def _tokens(self, added: float, gone: float) -> int:
        """Return the chat's tokens, given the bytes per token of text added and text removed since the last count."""
        return max(0, int(self._known_tokens + self._new_bytes / added - self._gone_bytes / gone))

    def least_tokens(self, counted: int | None) -> int:
        """Return the least number of tokens that the request has, independent of the server's count.

        Args:
            counted: by the server. A count that stays the same although the chat has grown is that of a cut prompt; one
                that falls may leave out cached tokens, or thinking that a template does not repeat.
        """
        grown = self._new_bytes >= _GROWN_BYTES and not self._gone_bytes
        stuck = counted is not None and _SAME * self._known_tokens < counted <= self._known_tokens
        least = int((self._bytes + self._beside) / _MOST_BYTES_A_TOKEN)
        return max(least, self.size().least) if grown and stuck else least

    def drop(self) -> bool:
        """Remove the older half of the exchanges, never the last; return True if there was one to remove.

        Half of them at once, so that the server's cache of the chat's beginning is lost seldom.
        """
        count = len(self._exchanges) // 2
        if not count:
            return False
        going, self._exchanges = self._exchanges[:count], self._exchanges[count:]
        self.dropped += sum(exchange.results for exchange in going)
        self._dropped_turns += len(going)
        note = MARKER.format(turns=self._dropped_turns, results=self.dropped)
        told = ({"role": "assistant", "content": note}, {"role": "user", "content": GO_ON})
        gone = [*self._marker, *(message for exchange in going for message in exchange.messages)]
        self._marker = [msgspec.Raw(_encode(message)) for message in told]
        self._grow(_bytes_of(self._marker))
        self._bytes -= _bytes_of(gone)
        self._gone_bytes += _bytes_of(gone)
        return True

    def probe(self) -> tuple[list[msgspec.Raw], bool]:
        """Return the chat with as many messages and fewer words, to find out whether its length was refused, and
        True if it is about as short as one that was answered before."""
        start = len(self._head) + len(self._marker)
        return shortened(self.messages, start, len(self._exchanges[-1].messages), self._accepted)

    def _grow(self, count: int) -> None:
        self._bytes += count
        self._new_bytes += count


def _bytes_of(messages: list[msgspec.Raw]) -> int:
    return sum(len(bytes(message)) for message in messages)
