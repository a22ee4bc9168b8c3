"""Stores a model's sampled tokens between turns, so that an episode continues from them, as in training.

Tokens cannot be recovered from text: a model may sample tokens that a tokenizer would not produce for the same text,
and a chat shows calls as they were parsed. A context rendered again from text would be new to the model.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.agents.chat import ChatFormat, Message, Schema, tool_answer
from teller_gym.base.errors import OptionError
from teller_gym.tools.parse import readable_call

ROOM = 512
"""Minimum number of turns to store before the oldest are discarded.

Turns of ended episodes are never used again.
"""


@dataclass(frozen=True)
class _Turn:
    """A turn and the chat before it; `ids` are the tokens of both."""

    chat: str
    tools: Sequence[Schema]
    text: str
    ids: array[int]


class Carried:
    """Builds an episode's next context from the tokens of its last turn and of the results since then."""

    def __init__(self, chat_format: ChatFormat) -> None:
        self._format = chat_format
        self._turns: dict[str, list[_Turn]] = {}
        self._room = ROOM
        # Templates of models that think drop the thoughts of earlier turns, so earlier tokens cannot be kept.
        self._able = not chat_format.thinking

    def contexts(self, chats: Sequence[Sequence[Message]], tools: Sequence[Sequence[Schema]]) -> list[list[int] | None]:
        """Return the context for each chat's next turn.

        It is None for a chat that does not continue a stored turn.
        """
        taken: list[_Turn] = []
        return [self._context(chat, schemas, taken) for chat, schemas in zip(chats, tools, strict=True)]

    def keep(self, chat: Sequence[Message], tools: Sequence[Schema], context: list[int], ids: list[int]) -> None:
        """Store a turn's sampled tokens `ids` and the tokens of the chat before it, `context`."""
        if not self._able:
            return
        end = [] if ids and ids[-1] == self._format.end else [self._format.end]
        turn = _Turn(_digest(chat), tools, self._format.text(ids), array("l", [*context, *ids, *end]))
        self._turns.setdefault(turn.chat, []).append(turn)

    def settle(self, chats: Sequence[Sequence[Message]], tools: Sequence[Sequence[Schema]]) -> None:
        """Discard the turns that the answered chats continued, and the oldest turns beyond the limit."""
        taken: list[_Turn] = []
        for chat, schemas in zip(chats, tools, strict=True):
            self._find(chat, schemas, taken)
        for turn in taken:
            left = [one for one in self._turns[turn.chat] if one is not turn]
            if left:
                self._turns[turn.chat] = left
            else:
                del self._turns[turn.chat]
        self._room = max(self._room, 2 * len(chats))
        while len(self._turns) > self._room:
            del self._turns[next(iter(self._turns))]

    def _context(self, chat: Sequence[Message], tools: Sequence[Schema], taken: list[_Turn]) -> list[int] | None:
        turn = self._find(chat, tools, taken)
        if turn is None:
            return None
        replies = chat[_last_turn(chat) + 1 :]
        between = [tool_answer(one["content"]) if one["role"] == "tool" else one for one in replies]
        try:
            return [*turn.ids, *self._format.feedback_ids(between)]
        except OptionError:
            # The template changes earlier turns, so the whole chat has to be rendered each time.
            self._able = False
            return None

    def _find(self, chat: Sequence[Message], tools: Sequence[Schema], taken: list[_Turn]) -> _Turn | None:
        """Return the stored turn that a chat continues, or None.

        Turns taken by another chat in the batch do not count.
        """
        last = _last_turn(chat)
        if not self._able or last < 0 or last == len(chat) - 1:
            return None
        for turn in self._turns.get(_digest(chat[:last]), []):
            free = not any(turn is one for one in taken)
            if free and _says(chat[last], turn.text) and list(turn.tools) == list(tools):
                taken.append(turn)
                return turn
        return None


def _last_turn(chat: Sequence[Message]) -> int:
    """Return the index of the assistant's last message, or -1 if there is none."""
    return next((at for at in reversed(range(len(chat))) if chat[at]["role"] == "assistant"), -1)


def _says(message: Message, text: str) -> bool:
    """Return True if `teller_gym.envs.chat.chat_messages` would convert the text to this message."""
    calls = message.get("tool_calls")
    if not calls:
        return message.get("content") == text
    call = readable_call(text)
    if call is None or len(calls) != 1:
        return False
    function = calls[0]["function"]
    return (function["name"], function["arguments"]) == (call.name, call.arguments)


def _digest(chat: Sequence[Message]) -> str:
    return hashlib.sha256(json.dumps(list(chat), ensure_ascii=False).encode(errors="surrogatepass")).hexdigest()
