"""An expert that notes how it gets from results to a call, as on a worksheet.

Before a call the officer notes the values from which the derived arguments follow, with the arguments beside them, so
that values from distant records are together when they are needed. It uses a tool where one exists, such as the
calendar. A model that learns from such demonstrations copies values and then takes one small step.

A scenario keeps such an expert in a module ``working`` beside its expert, as ``work(request, policy)``; it scores 1.
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
"""The beginning of a note, as a text that begins with a brace would be read as a call."""

Note = Mapping[str, Any]
"""Entries of a note, in order; values as tools have them."""


class Jotting(Officer):
    """An officer that collects findings between two calls and notes them before the second.

    A scenario's own derives from this class and its expert.
    The note of a tool's call follows from ``plain_notes``; where that is not enough, a scenario's class has a method
    ``note_<tool>``, which takes the arguments of the call.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {}
    """The noted values by tool: names of arguments, and paths to values of the officer, such as ``case.kind``."""

    _jotted: Seen | None = None

    def written(self, name: str, arguments: Seen) -> Call:
        """Return the call with its note."""
        return NotedCall(name, arguments, written(self.note(name, arguments)))

    def jot(self, **found: Any) -> None:
        """Add entries to the note before the next call."""
        self._jotted = {**(self._jotted or {}), **found}

    def jot_row(self, rows: str, **row: Any) -> None:
        """Add a row to a list in the note before the next call."""
        self.jot(**{rows: [*(self._jotted or {}).get(rows, []), row]})

    def note(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return the collected entries, then the note of the tool."""
        jotted, self._jotted = self._jotted or {}, None
        make = getattr(self, f"note_{name}", None)
        return {**jotted, **(make(dict(arguments)) if make else self._plain(name, arguments))}

    def _plain(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return a note of arguments and of the officer's values."""
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

    Each has the digits, the carry, and the sum in two digits: 1.25 and 2.80 are
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
    """Compare two dollar amounts digit by digit from the left, a text for each, until two differ.

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
    """Write a note in the form of results, so that a value has the same tokens in both; empty without entries."""
    return OPENING + json.dumps(note, separators=(",", ":"), ensure_ascii=False) if note else ""


def read(words: str) -> Any:
    """Parse the note in the text before a call; return an empty dict if the text is no note."""
    if not words.startswith(OPENING):
        return {}
    try:
        return json.loads(words.removeprefix(OPENING))
    except ValueError:
        return {}


def load_working(package: str) -> Expert | None:
    """Return a scenario's expert that notes its working, or None."""
    name = f"{package}.working"
    if importlib.util.find_spec(name) is None:
        return None
    found: Expert = importlib.import_module(name).work
    return found
