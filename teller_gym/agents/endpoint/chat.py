"""Messages of a chat in the form in which they are sent.

Each is encoded once, and only whole exchanges are ever removed.
"""

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
"""Conservative numbers of bytes per token, for text added since the last answer and for removed text.

English and JSON have about four.
"""

_MOST_BYTES_A_TOKEN = 9.0
"""Upper bound of bytes per token, for any tokenizer and even for servers that render schemas at half their length."""

_GROWN_BYTES, _SAME = 2_000, 0.98
"""Minimum growth of a prompt in bytes after which its token count must have changed, and minimum ratio of equal counts.

Two counts with a higher ratio are considered equal.
"""

_CUT = "…"
_SLACK = 400
"""Number of bytes by which a shortened chat may exceed an accepted one and still count as equally short."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass
class _Exchange:
    """One answer by the model and the environment's response."""

    messages: list[msgspec.Raw] = field(default_factory=list)
    results: int = 0


class Chat:
    """Encoded messages of one episode.

    ``beside`` is the size in bytes of the tools, which every request includes.
    """

    def __init__(self, beside: int = 0) -> None:
        self.dropped = 0
        """Number of tool results dropped so far together with their exchanges."""
        self._head: list[msgspec.Raw] = []
        self._marker: list[msgspec.Raw] = []
        self._exchanges: list[_Exchange] = []
        self._dropped_turns = 0
        self._beside = beside
        self._known_tokens = 0
        self._new_bytes, self._gone_bytes = beside, 0
        self._bytes = self._accepted = 0
        """Size of the messages in bytes, now and when the chat was last answered."""

    @property
    def messages(self) -> list[msgspec.Raw]:
        turns = [message for exchange in self._exchanges for message in exchange.messages]
        return [*self._head, *self._marker, *turns]

    def add(self, message: Mapping[str, Any]) -> None:
        """Append a message.

        Values of the type `msgspec.Raw` are already encoded. An assistant message begins a new exchange.
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
        """Set the size in bytes of the tools for all further requests."""
        self._new_bytes += count - self._beside
        self._beside = count

    def counted(self, prompt_tokens: int) -> None:
        """Set the token count of the answered chat to the server's count."""
        self._known_tokens = prompt_tokens
        self._new_bytes = self._gone_bytes = 0

    def answered(self) -> None:
        """Record that the chat was answered in its current form."""
        self._accepted = self._bytes

    def estimate(self) -> int:
        """Return an estimate of the chat's tokens.

        It is the server's last count plus a conservative estimate for later messages.
        """
        added, gone = self._new_bytes / _BYTES_A_TOKEN, self._gone_bytes / _BYTES_A_GONE_TOKEN
        return max(0, int(self._known_tokens + added - gone))

    def least_tokens(self, counted: int | None) -> int:
        """Return a lower bound for the request's tokens, for checking the server's count.

        Args:
            counted: prompt tokens counted by the server. A count that stays the same although the chat has grown
                belongs to a truncated prompt. A falling count may leave out cached tokens, or thinking that the
                template does not repeat.
        """
        grown = self._new_bytes >= _GROWN_BYTES and not self._gone_bytes
        stuck = counted is not None and _SAME * self._known_tokens < counted <= self._known_tokens
        least = int((self._bytes + self._beside) / _MOST_BYTES_A_TOKEN)
        added = int(self._known_tokens + self._new_bytes / _MOST_BYTES_A_TOKEN)
        return max(least, added) if grown and stuck else least

    def drop(self) -> bool:
        """Remove the older half of the exchanges, but never the last one.

        Half of them are removed at once, so that the server seldom has to discard its cached beginning of the chat.

        Returns:
            False if there was no exchange to remove.
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
        """Return a shortened copy of the chat, for finding out if it was rejected for its length.

        Old results are shortened first, then old answers, then as much of the last exchange as necessary. The number of
        messages, roles, calls, ids and thinking that a server may have signed are unchanged, so that a server that
        rejects the chat for another reason rejects the copy as well.

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
    """Yield index and field of each text that may be shortened, other than old results.

    They are in the order in which to shorten them.
    """
    for place in range(start, newest):
        if texts[place]["role"] == "assistant":
            yield from ((place, name) for name in ("content", "reasoning_content", "reasoning"))
    for place in range(newest, len(texts)):
        if texts[place]["role"] != "assistant":
            yield place, "content"
    yield from ((newest, name) for name in ("reasoning_content", "reasoning", "content"))


def _cut(texts: list[dict[str, Any]], sizes: list[int], place: int, name: str, excess: int) -> None:
    """Shorten a text field by `excess` bytes, or to a single ellipsis."""
    text = texts[place].get(name)
    if not isinstance(text, str) or len(text) <= len(_CUT):
        return
    kept = max(0, len(text) - excess - len(_CUT.encode()))
    texts[place][name] = text[:kept] + _CUT
    sizes[place] = len(_encode(texts[place]))
