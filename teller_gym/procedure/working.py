"""Working: an expert that shows how it gets from what it has seen to a call, as on a worksheet.

Before a call the officer notes the values from which the call's derived arguments follow, and the arguments beside
them: what is far apart in the records stands together when it is needed. What can be asked of a tool, such as a day on
the calendar, it asks. A model that learns from such demonstrations copies a value, and then goes one small step.

A scenario keeps such an expert in a module ``working`` beside its expert, as ``work(request, policy)``. Its calls are
right in the same way: they score 1.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Mapping
from typing import Any, ClassVar

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.officer import NotedCall, Officer, Seen
from teller_gym.tools.call import Call

OPENING = "Notes: "
"""What a note begins with: a text that begins with a brace would be read as a call."""

Note = Mapping[str, Any]
"""What is noted, in order; values as tools have them."""


class Working(Officer):
    """An officer who notes something before a call; derive a scenario's own from this and its expert."""

    def note(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return what to note before a call; nothing by default."""
        return {}

    def written(self, name: str, arguments: Seen) -> Call:
        """Return the call with its note."""
        return NotedCall(name, arguments, written(self.note(name, arguments)))


class Jotting(Working):
    """An officer who jots down what is found between two calls, and notes it before the second.

    The note of a tool's call is what ``plain_notes`` say of it; where that is not enough, a scenario's class has a
    method ``note_<tool>``, which takes the arguments of the call.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {}
    """By tool, what is noted of its call: names of arguments, and paths to values of the officer, as ``case.kind``."""

    _jotted: Seen | None = None

    def jot(self, **found: Any) -> None:
        """Keep what is to be noted before the next call, whichever it is."""
        self._jotted = {**(self._jotted or {}), **found}

    def jot_row(self, rows: str, **row: Any) -> None:
        """Keep one more row of a list that is to be noted before the next call."""
        self.jot(**{rows: [*(self._jotted or {}).get(rows, []), row]})

    def note(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return what was jotted down, then the note of the tool."""
        jotted, self._jotted = self._jotted or {}, None
        make = getattr(self, f"note_{name}", None)
        return {**jotted, **(make(dict(arguments)) if make else self._plain(name, arguments))}

    def _plain(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return a note of arguments and of values that the officer has."""
        paths = next((mixin.plain_notes[name] for mixin in self._noting() if name in mixin.plain_notes), "").split()
        found = {}
        for path in paths:
            first, *rest = path.split(".")
            value = getattr(self, first) if rest else arguments[path]
            for key in rest:
                value = value[key] if isinstance(value, Mapping) else getattr(value, key)
            found[path.rpartition(".")[2]] = value
        return found

    @classmethod
    def _noting(cls) -> list[type[Jotting]]:
        return [mixin for mixin in cls.__mro__ if issubclass(mixin, Jotting)]


def columns(*amounts: float) -> list[str]:
    """Add dollar amounts up as on paper: a text for each column, from the cents to the left.

    Each has the digits, what is carried, and the sum in two digits: 1.25 and 2.80 are
    ``["5+0+0=05", "2+8+0=10", "1+2+1=04"]``.
    """
    cents = [to_cents(amount) for amount in amounts]
    found, carried = [], 0
    for place in range(len(str(max(cents)))):
        digits = [cent // 10**place % 10 for cent in cents]
        total = sum(digits) + carried
        found.append(f"{'+'.join(map(str, digits))}+{carried}={total:02d}")
        carried = total // 10
    return found


def compared(first: float, second: float) -> list[str]:
    """Compare two dollar amounts as one reads them: a text for each digit from the left, until two differ.

    Each has both digits and which is the higher: 1200 and 900 are ``["1 0 >"]``, 184000 and 196000 are
    ``["1 1 =", "8 9 <"]``.
    """
    cents = [str(to_cents(amount)) for amount in (first, second)]
    width, found = max(map(len, cents)), []
    for one, other in zip(*(digits.zfill(width) for digits in cents), strict=True):
        found.append(f"{one} {other} {'=' if one == other else '>' if one > other else '<'}")
        if one != other:
            break
    return found


def written(note: Note) -> str:
    """Write a note as results are written, so that a value is the same tokens in both; empty if there is nothing."""
    return OPENING + json.dumps(note, separators=(",", ":"), ensure_ascii=False) if note else ""


def read(words: str) -> Any:
    """Return what was noted in the words before a call; nothing if they are no note."""
    if not words.startswith(OPENING):
        return {}
    try:
        return json.loads(words.removeprefix(OPENING))
    except ValueError:
        return {}


def load_working(package: str) -> Expert | None:
    """Return a scenario's expert that shows its working, or None."""
    name = f"{package}.working"
    if importlib.util.find_spec(name) is None:
        return None
    found: Expert = importlib.import_module(name).work
    return found
