"""A chat as it goes over the wire: every message is encoded once, and only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

MARKER = "(left out: the chat has become too long)"
"""Stands for an old tool result that was dropped."""

_KEPT_MESSAGES = 4
"""The newest messages keep their results: the last two exchanges."""

_BYTES_A_TOKEN = 3.0
"""Careful for what was added since the last answer: English words and JSON have about four bytes a token."""

_encode = msgspec.json.Encoder().encode


class Chat:
    """The messages of one episode, encoded.

    Args:
        beside: bytes that every request holds besides the messages: the tools.
    """

    def __init__(self, beside: int = 0) -> None:
        self.messages: list[msgspec.Raw] = []
        self.dropped = 0
        """Tool results that a marker stands for."""
        self._results: list[tuple[int, dict[str, Any]]] = []
        self._known_tokens = 0
        self._new_bytes = beside

    def add(self, message: Mapping[str, Any]) -> None:
        """Append a message; values that are `msgspec.Raw` stay as they are."""
        raw = _encode(message)
        self.messages.append(msgspec.Raw(raw))
        self._new_bytes += len(raw)

    def add_result(self, message: dict[str, Any]) -> None:
        """Append a message that may be dropped once the chat is too long."""
        self._results.append((len(self.messages), message))
        self.add(message)

    def counted(self, prompt_tokens: int) -> None:
        """Take the tokens of the chat as it stands from the server's count."""
        self._known_tokens = prompt_tokens
        self._new_bytes = 0

    def estimate(self) -> int:
        """Return about how many tokens the chat has: the server's last count, and a careful guess for the rest."""
        return max(0, self._known_tokens + int(self._new_bytes / _BYTES_A_TOKEN))

    def drop(self) -> bool:
        """Replace the older half of the tool results that are still there by a marker; whether there was one.

        Half of them at once, so that the server's cache of the chat's beginning is lost seldom.
        """
        droppable = [entry for entry in self._results if entry[0] < len(self.messages) - _KEPT_MESSAGES]
        going = droppable[: (len(droppable) + 1) // 2]
        for place, message in going:
            before = len(bytes(self.messages[place]))
            self.messages[place] = msgspec.Raw(_encode(message | {"content": MARKER}))
            self._new_bytes -= before - len(bytes(self.messages[place]))
        self._results = self._results[len(going) :]
        self.dropped += len(going)
        return bool(going)
