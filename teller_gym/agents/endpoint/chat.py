"""The messages of a chat as they are sent: each is encoded once, and only whole exchanges are ever removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

MARKER = "(The oldest {turns} turns of this chat, with {results} tool results, were left out: it had become too long.)"
"""Assistant message that replaces the dropped exchanges."""

GO_ON = "Go on from here."
"""User message after the marker, so that roles keep alternating."""

_BYTES_A_TOKEN = 3.0
_BYTES_A_GONE_TOKEN = 4.5
"""Conservative bytes per token for text added since the last answer and for text removed; English and JSON have about
four."""

_MOST_BYTES_A_TOKEN = 9.0
"""Upper bound of bytes per token, for any tokenizer and for servers that render schemas at half their length."""

_GROWN_BYTES, _SAME = 2_000, 0.98
"""Growth of a prompt in bytes after which its token count must have changed, and the ratio of two counts above which
they are considered equal."""

_CUT = "…"
_SLACK = 400
"""Bytes by which a shortened chat may exceed an accepted one and still count as equally short."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass
class _Exchange:
    """One answer of the model and the environment's response."""

    messages: list[msgspec.Raw] = field(default_factory=list)
    results: int = 0


class Chat:
    """The encoded messages of one episode; `beside` is the size in bytes of the tools, which every request includes."""

    def __init__(self, beside: int = 0) -> None:
        self.dropped = 0
        """Number of tool results dropped so far, along with their exchanges."""
        self._head: list[msgspec.Raw] = []
        self._marker: list[msgspec.Raw] = []
        self._exchanges: list[_Exchange] = []
        self._dropped_turns = 0
        self._beside = beside
        self._known_tokens = 0
        self._new_bytes, self._gone_bytes = beside, 0
        self._bytes = self._accepted = 0
        """Bytes of the messages now and when the chat was last answered."""

    @property
    def messages(self) -> list[msgspec.Raw]:
        turns = [message for exchange in self._exchanges for message in exchange.messages]
        return [*self._head, *self._marker, *turns]

    def add(self, message: Mapping[str, Any]) -> None:
        """Append a message; values of the type `msgspec.Raw` are already encoded. An assistant message begins an
        exchange.
        """
        raw = msgspec.Raw(_encode(message))
        if message["role"] == "assistant":
            self._exchanges.append(_Exchange())
        (self._exchanges[-1].messages if self._exchanges else self._head).append(raw)
        self._grow(len(bytes(raw)))

    def add_result(self, message: dict[str, Any]) -> None:
        self.add(message)
        self._exchanges[-1].results += 1

    def beside(self, count: int) -> None:
        """Set the size in bytes of the tools in all further requests."""
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
        """Estimate the chat's tokens: the server's last count plus a conservative guess for the messages since then."""
        added, gone = self._new_bytes / _BYTES_A_TOKEN, self._gone_bytes / _BYTES_A_GONE_TOKEN
        return max(0, int(self._known_tokens + added - gone))

    def least_tokens(self, counted: int | None) -> int:
        """Return a lower bound of the request's tokens, for checking the server's count.

        Args:
            counted: prompt tokens counted by the server. A count that stays the same although the chat has grown
                belongs to a cut prompt. A falling count may leave out cached tokens, or thinking that the template does
                not repeat.
        """
        grown = self._new_bytes >= _GROWN_BYTES and not self._gone_bytes
        stuck = counted is not None and _SAME * self._known_tokens < counted <= self._known_tokens
        least = int((self._bytes + self._beside) / _MOST_BYTES_A_TOKEN)
        added = int(self._known_tokens + self._new_bytes / _MOST_BYTES_A_TOKEN)
        return max(least, added) if grown and stuck else least

    def drop(self) -> bool:
        """Remove the older half of the exchanges, never the last; return True if there was one to remove.

        Half of them go at once, so that the server seldom has to discard its cached beginning of the chat.
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
        """Return a shortened copy of the chat, for finding out if the length was the reason for a refusal.

        Old results are shortened first, then old answers, then as much of the last exchange as necessary. The number of
        messages, roles, calls, ids and thinking that a server may have signed are unchanged, so that a server that
        refuses something else refuses it again.

        Returns:
            The messages, and True if they are about as short as a chat that was accepted before.
        """
        messages = self.messages
        texts = [_decode(bytes(message)) for message in messages]
        sizes = [len(bytes(message)) for message in messages]
        start, newest = len(self._head) + len(self._marker), len(messages) - len(self._exchanges[-1].messages)
        for place in range(start, newest):
            if texts[place]["role"] != "assistant":
                _cut(texts, sizes, place, "content", sizes[place])
        for place, name in _others(texts, start, newest):
            if (excess := sum(sizes) - self._accepted) <= 0:
                break
            _cut(texts, sizes, place, name, excess)
        changed = [
            message if len(bytes(message)) == size else msgspec.Raw(_encode(text))
            for message, text, size in zip(messages, texts, sizes, strict=True)
        ]
        return changed, sum(sizes) <= self._accepted + _SLACK

    def _grow(self, count: int) -> None:
        self._bytes += count
        self._new_bytes += count


def _bytes_of(messages: list[msgspec.Raw]) -> int:
    return sum(len(bytes(message)) for message in messages)


def _others(texts: list[dict[str, Any]], start: int, newest: int) -> Iterator[tuple[int, str]]:
    """Yield index and field of each text besides old results that may be cut, in the order in which to cut them."""
    for place in range(start, newest):
        if texts[place]["role"] == "assistant":
            yield from ((place, name) for name in ("content", "reasoning_content", "reasoning"))
    for place in range(newest, len(texts)):
        if texts[place]["role"] != "assistant":
            yield place, "content"
    yield from ((newest, name) for name in ("reasoning_content", "reasoning", "content"))


def _cut(texts: list[dict[str, Any]], sizes: list[int], place: int, name: str, excess: int) -> None:
    """Shorten a field, if it is text, by `excess` bytes or to a single ellipsis."""
    text = texts[place].get(name)
    if not isinstance(text, str) or len(text) <= len(_CUT):
        return
    kept = max(0, len(text) - excess - len(_CUT.encode()))
    texts[place][name] = text[:kept] + _CUT
    sizes[place] = len(_encode(texts[place]))
