"""Calls that were sent before in the same words, and need not be read again."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from teller_gym.grading.rubric import RecognisedCall, Rubric
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.tool import ToolSet

MOST_BYTES = 16 * 2**20
"""What all calls that are known may take together; then they are forgotten."""

LONGEST = 4096
"""Characters; longer calls are read each time, for no sensible one is."""

_OF_A_SHARED_CALL = 400
_OF_A_CALL = 1000
_OF_A_CHARACTER = 16
"""Bytes that arguments take at most for each character, which a list of amounts of one digit comes to."""


Read = ToolCall | FinalResponse | Exception
"""An action as it was read: a call, a final response, or what is wrong with it."""


class Reader(Protocol):
    """An episode, as far as reading goes."""

    @property
    def tools(self) -> ToolSet:
        """The tools in play."""

    @property
    def rubric(self) -> Rubric:
        """What is graded."""

    def read(self, action: str) -> Read:
        """Read an action; what is wrong with it is returned, not raised."""


class KnownCalls:
    """Reads actions for many episodes.

    The episodes of a group, and those of one task, send many calls in the same words. What a call is depends on its
    text and the tools in play alone, and no tool changes its arguments. A required call is kept as the rubric has it,
    with the case's own values, which the tool and the grader then need not compare letter by letter.

    Args:
        fresh: whether required calls of tasks that nobody else keeps are kept so, too. Their tasks then stay in memory.

    Attributes:
        size: bytes that the known calls take, at the most.
    """

    def __init__(self, fresh: bool = True) -> None:
        self._fresh = fresh
        self._calls: dict[str, tuple[ToolSet, ToolCall]] = {}
        self.size = 0

    def __len__(self) -> int:
        return len(self._calls)

    def __reduce__(self) -> tuple[Any, ...]:
        # Tools hold functions, which cannot be pickled; reading a call again costs little.
        return KnownCalls, (self._fresh,)

    def read(self, episode: Reader, action: str) -> Read:
        """Read an action as :meth:`Episode.read` does."""
        tools = episode.tools
        known = self._calls.get(action) if isinstance(action, str) else None
        if known is not None and known[0] is tools:
            return known[1]
        read = episode.read(action)
        if isinstance(read, ToolCall) and len(action) <= LONGEST:
            kept = episode.rubric.kept
            if kept or self._fresh:
                read = episode.rubric.recognise(read)
            self._keep(action, tools, read, kept and isinstance(read, RecognisedCall))
        return read

    def _keep(self, action: str, tools: ToolSet, call: ToolCall, shared: bool) -> None:
        """Keep a call; ``shared``: its arguments are the rubric's, which is there anyway."""
        if action not in self._calls:
            size = sys.getsizeof(action) + (_OF_A_SHARED_CALL if shared else _OF_A_CALL + _OF_A_CHARACTER * len(action))
            if self.size + size > MOST_BYTES:
                self.forget()
            self.size += size
        self._calls[action] = tools, call

    def forget(self) -> None:
        """Know nothing any more."""
        self._calls.clear()
        self.size = 0
