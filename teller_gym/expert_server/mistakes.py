"""Makes the expert fail a given share of the tasks, each by one mistake that depends on the seed and the task."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from teller_gym.tools.call import Call

Kind = Literal["lapse", "argument", "type", "malformed", "early", "cut"]
KINDS: Final[tuple[Kind, ...]] = ("lapse", "argument", "type", "malformed", "early", "cut")
"""Kinds of mistakes.

They are: an omitted judgement; a wrong value; a number written as text; a truncated call; a closing text before the
end; a response that reaches its token limit.
"""

_PLACES = 2
"""Number of turns after reading the case in which a mistake may be. Every task has at least that many."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The mistake in a task: its kind, its turn, and a number that selects the lapse."""

    kind: Kind
    turn: int
    order: int


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A turn with a mistake: text without a call, or a call with its arguments as text, which may not be valid JSON."""

    text: str = ""
    name: str | None = None
    arguments: str = ""
    cut: bool = False


def mistake_for(key: str, share: float, seed: int) -> Mistake | None:
    """Return the mistake for a task, or None if the task is performed correctly.

    Args:
        key: identifier of the task.
        share: share of tasks with a mistake, 0 to 1.
        seed: seed that selects the tasks and their mistakes.
    """
    digest = hashlib.blake2b(f"{seed}/{key}".encode(), digest_size=16).digest()
    place, kind, turn, order = (int.from_bytes(digest[at : at + 4]) for at in range(0, 16, 4))
    if place >= share * 2**32:
        return None
    return Mistake(KINDS[kind % len(KINDS)], 1 + turn % _PLACES, order)


def spoil(action: str, kind: Kind) -> Spoilt:
    """Return an action with a mistake of the given kind.

    A call without arguments is truncated instead.
    """
    if kind == "cut":
        return Spoilt(cut=True)
    call = read_call(action)
    if kind == "early" or call is None:
        return Spoilt(text="The work is done.")
    if kind in ("argument", "type") and call.arguments:
        name, value = next(
            ((name, value) for name, value in call.arguments.items() if type(value) in (int, float)),
            next(iter(call.arguments.items())),
        )
        changed = str(value) if kind == "type" and not isinstance(value, str) else _other(value, kind)
        arguments = msgspec.json.encode({**call.arguments, name: changed}).decode()
        return Spoilt(name=call.name, arguments=arguments)
    text = msgspec.json.encode(call.arguments).decode()
    return Spoilt(name=call.name, arguments=text[: max(1, len(text) // 2)])


def as_text(spoilt: Spoilt) -> str:
    """Return a turn for a chat in which calls are text."""
    if spoilt.name is None:
        return spoilt.text
    return f'{{"name": "{spoilt.name}", "arguments": {spoilt.arguments}}}'


def read_call(action: str) -> Call | None:
    """Return the call in an action of the expert, or None for a closing text."""
    try:
        found = msgspec.json.decode(action)
        return Call(found["name"], found["arguments"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return None


def _other(value: Any, kind: Kind) -> Any:
    if kind == "type":
        return 0 if isinstance(value, str) else "0"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value[:-1] or "x"
    return None
