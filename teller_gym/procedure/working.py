"""Experts that write worksheet-like notes on how arguments follow from results.

Before a call the officer notes the derived arguments next to the values they follow from, so that values from distant
records are together when needed. It uses tools where they exist, such as the calendar. A model trained on such
demonstrations only has to copy values and take one small step.

A scenario defines such an expert as ``work(request, policy)`` in a module ``working`` beside its expert; it scores 1.
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
"""Prefix of a note, needed because text that begins with a brace would be parsed as a call."""

Note = Mapping[str, Any]
"""Note entries in order, with values as in tool results."""


class Jotting(Officer):
    """Officer that collects findings between two calls and notes them before the second call.

    A scenario derives its own class from this one and its expert. The note before a call is built from ``plain_notes``
    or, where that is not enough, by a method ``note_<tool>`` that takes the call's arguments.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {}
    """Values to note by tool, as argument names and paths to officer attributes such as ``case.kind``."""

    _jotted: Seen | None = None

    def written(self, name: str, arguments: Seen) -> Call:
        """Create a call with its note."""
        return NotedCall(name, arguments, written(self.note(name, arguments)))

    def jot(self, **found: Any) -> None:
        """Add entries to the next call's note."""
        self._jotted = {**(self._jotted or {}), **found}

    def jot_row(self, rows: str, **row: Any) -> None:
        """Add a row to a list in the next call's note."""
        self.jot(**{rows: [*(self._jotted or {}).get(rows, []), row]})

    def note(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Return and clear the collected entries, followed by the tool's own note."""
        jotted, self._jotted = self._jotted or {}, None
        make = getattr(self, f"note_{name}", None)
        return {**jotted, **(make(dict(arguments)) if make else self._plain(name, arguments))}

    def _plain(self, name: str, arguments: Mapping[str, Any]) -> Note:
        """Build a call's note from ``plain_notes``."""
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
    """Return the column addition of dollar amounts, with one text per column from right to left.

    Each text has the digits, the carry, and the two-digit sum: 1.25 and 2.80 give
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
    """Return the comparison of two dollar amounts, digit by digit from the left up to the first difference.

    1200 and 900 give ``["1 0 >"]``; 184000 and 196000 give ``["1 1 =", "8 9 <"]``.
    """
    cents = [str(to_cents(amount)) for amount in (first, second)]
    width, found = max(map(len, cents)), []
    for one, other in zip(*(digits.zfill(width) for digits in cents), strict=True):
        found.append(f"{one} {other} {'=' if one == other else '>' if one > other else '<'}")
        if one != other:
            break
    return found


def written(note: Note) -> str:
    """Format a note as JSON, as in tool results, so that values have the same tokens.

    The text is empty if there are no entries.
    """
    return OPENING + json.dumps(note, separators=(",", ":"), ensure_ascii=False) if note else ""


def read(words: str) -> Any:
    """Parse the note before a call, and return an empty dictionary if the text is not a note."""
    if not words.startswith(OPENING):
        return {}
    try:
        return json.loads(words.removeprefix(OPENING))
    except ValueError:
        return {}


def load_working(package: str) -> Expert | None:
    """Return a scenario's expert that writes notes, or None if it has no module ``working``."""
    name = f"{package}.working"
    if importlib.util.find_spec(name) is None:
        return None
    found: Expert = importlib.import_module(name).work
    return found
