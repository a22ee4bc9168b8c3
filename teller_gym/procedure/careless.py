"""Base classes for lapses, which are officers that handle rejected calls.

A scenario derives its lapses from ``class Careless(careless.Careless, Officer)``, where ``Officer`` is its own officer.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from teller_gym.procedure.officer import Asking, Officer, Steps


class RefusedError(Exception):
    """Raised when a tool rejected a call."""


class Careless(Officer):
    """Officer that stops working on the case when a tool rejects a call.

    This class must precede the scenario's own officer among the bases.
    """

    def work(self) -> Steps:
        """Work on the case until it is closed or a tool rejects a call."""
        try:
            yield from super().work()  # type: ignore[safe-super]
        except RefusedError:
            return

    def ask(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call and return its result.

        Raises:
            RefusedError: the tool rejected the call.
        """
        result = yield from super().ask(name, **arguments)
        if "error" in result:
            raise RefusedError(name)
        return result


class Late(Careless):
    """Officer that omits a step until a tool rejects a call because the step is missing."""

    _caught_up = False

    @abstractmethod
    def catch_up(self) -> Steps:
        """Perform the omitted step."""

    def ask(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call; if it is rejected, perform the omitted step and retry."""
        try:
            return (yield from super().ask(name, **arguments))
        except RefusedError:
            if self._caught_up:
                raise
        self._caught_up = True
        yield from self.catch_up()
        return (yield from super().ask(name, **arguments))
