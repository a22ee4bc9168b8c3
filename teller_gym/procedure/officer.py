"""An expert as a class: it makes the SOP's calls, and an ending that a finding calls for cuts its work short.

A scenario derives its own officer, with one method for each judgement, so that whoever leaves a judgement out overrides
that method alone (see :mod:`teller_gym.procedure.lapses`)::

    class Officer(officer.Officer):
        case_argument = "application_id"

        def work(self) -> Steps:
            try:
                yield from self.take_in()
                ending = yield from self.price()
            except CaseEndedError as end:
                ending = end.ending
            yield from self.close(ending)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any, ClassVar

from teller_gym.tools.call import Call

Seen = dict[str, Any]
"""A tool's result, or a part of one."""

Steps = Generator[Call, Seen, None]
"""What an expert does: it yields calls and receives their results."""

Asking = Generator[Call, Seen, Seen]
"""The same, and it returns what was found."""


class NotedCall(Call, frozen=True):
    """A call with the words that its maker writes before it; tools never see them."""

    note: str = ""


class CaseEndedError(Exception):
    """The case ended before its last step; ``ending`` is the scenario's own, whatever its type."""

    def __init__(self, ending: Any) -> None:
        super().__init__(ending)
        self.ending = ending


class Officer(ABC):
    """Makes calls; what to call with, and when to stop, is for the scenario's judgements."""

    case_argument: ClassVar[str]
    """Name of the argument by which tools are told the case, such as ``application_id``."""

    case_id: str
    """The case that is worked: the scenario reads it off the request."""

    @abstractmethod
    def work(self) -> Steps:
        """Go through the SOP's steps, to the final review."""

    def ask(self, name: str, **arguments: Any) -> Asking:
        """Make a call and return its result."""
        return (yield Call(name, arguments))

    def about_case(self, name: str, **arguments: Any) -> Asking:
        """Make a call about the case."""
        return (yield from self.ask(name, **{self.case_argument: self.case_id}, **arguments))

    def end(self, ending: Any) -> Steps:
        """End the case if a finding ends it; None goes on.

        Raises:
            CaseEndedError: there is an ending.
        """
        if ending is not None:
            raise CaseEndedError(ending)
        yield from ()


def of(seen: Seen, *names: str) -> Seen:
    """Return what was seen under some names, as arguments of a call."""
    return {name: seen[name] for name in names}
