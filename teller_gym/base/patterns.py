"""Refuses regular expressions whose matching could take unreasonably long.

``re`` tries the ways through a pattern one after another, and for a pattern such as ``^(a+)+$`` some texts have so many
ways that the match never ends. A tool's pattern is therefore refused when the tool is made, unless for every text only
a few ways are open after each character. The time of a match is then proportional to the length of the text.

The ways are counted, not estimated: the pattern is expanded into positions (one for each character it can match, with
counts such as ``{3}`` written out), and every set of open ways that some text leads to is visited. Two ways to the same
position count as two. Patterns begin with ``^`` and may name characters beyond ASCII only by classes such as ``\\w``,
so that a few representative characters cover all texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from teller_gym.base.errors import ScenarioError

MOST_WAYS = 1000
"""Limit on tries per character of a text: at 20 nanoseconds each, a million characters take at most 20 seconds."""
_MOST_PARTS = 5_000
"""Limit on characters and groups, with counts expanded, of a pattern that is analysed."""
_MOST_WORK = 300_000
"""Limit on steps from position to position in an analysis: a fifth of a second."""
_ALPHABET = (*map(chr, range(128)), "é", "٣", "\u2003", "€")
"""Representative characters: all of ASCII, and beyond it a letter, a digit, a space and one that is none of these."""
_ONE_CHARACTER = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_CHARACTERS = (op.LITERAL, op.NOT_LITERAL, op.RANGE)
_BEGINNINGS = ((op.AT, op.AT_BEGINNING), (op.AT, op.AT_BEGINNING_STRING))
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)


class _UnboundedError(Exception):
    """A pattern is refused; the message says why."""


class _Piece(NamedTuple):
    """A part of a pattern: the numbers of ways to match the empty text and to begin and end at each position."""

    empty: int
    first: Counter[int]
    last: Counter[int]


def refuse_unbounded(schema: Any, where: str) -> None:
    """Check every pattern in a JSON schema.

    Args:
        schema: as ``msgspec`` generates it; a pattern with a ``maxLength`` meets only texts up to that length.
        where: prefix of the error message.

    Raises:
        ScenarioError: matching one of the patterns may take unreasonably long.
    """
    for pattern, longest in _patterns(schema):
        if reason := unbounded(pattern, longest):
            raise ScenarioError(
                f"{where}: the pattern {pattern!r} {reason}; expected a pattern that matches each character of a text "
                f"in few ways (at most {MOST_WAYS}), since others may take for ever: no repeats of the same characters "
                "in or beside one another, no look-around, no references back, no flags, ^ in front; rewrite it, give "
                "the text a max_length, or leave the pattern out and check the text in the tool"
            )


def _patterns(schema: Any) -> Iterator[tuple[str, int | None]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _patterns(item)
    if isinstance(schema, dict):
        if isinstance(pattern := schema.get("pattern"), str):
            yield pattern, schema.get("maxLength")
        for key, value in schema.items():
            if key not in ("default", "enum", "examples", "const"):
                yield from _patterns(value)


@lru_cache(maxsize=4096)
def unbounded(pattern: str, longest: int | None = None, most: int = MOST_WAYS) -> str | None:
    """Return the reason why matching a pattern may take unreasonably long, or None if it is bounded.

    Args:
        pattern: regular expression in Python's syntax.
        longest: maximum length of the texts; None for no limit.
        most: largest number of ways that may be open after a character.
    """
    try:
        _Ways(parser.parse(pattern), most).walk(longest)
    except _UnboundedError as refused:
        return str(refused)
    except re.error as error:
        return f"is no regular expression ({error})"
    except (RecursionError, OverflowError):
        return "is nested too deeply"
    return None


class _Ways:
    """Positions of a pattern and the ways from each to the next."""

    def __init__(self, tree: Any, most: int) -> None:
        if tree.state.flags & ~op.SRE_FLAG_UNICODE:
            raise _UnboundedError("has flags")
        if not tree or tuple(tree[0]) not in _BEGINNINGS:
            raise _UnboundedError("does not begin with ^")
        self._most = most
        self._parts = 0
        self._sets: list[Any] = []
        self._follow: list[Counter[int]] = [Counter()]  # position 0: the end of the pattern, matching no character
        self._first = self._joined(self._sequence(tree), _Piece(0, Counter({0: 1}), Counter({0: 1}))).first
        self._state = tree.state

    def walk(self, longest: int | None) -> None:
        """Visit all states that texts can lead to, one character at a time; raise if too many ways are open."""
        letters = self._letters()
        self._bounded(self._first)
        level = {_taken(self._first, letter) for letter in letters}
        seen = set(level)
        work = length = 0
        while level and (longest is None or length < longest):
            following: set[frozenset[tuple[int, int]]] = set()
            for ways in level:
                reached: Counter[int] = Counter()
                for position, number in ways:
                    for after, more in self._follow[position].items():
                        reached[after] += number * more
                        work += 1
                self._bounded(reached)
                work += len(reached) * len(letters)
                if work > _MOST_WORK:
                    raise _UnboundedError("has too many parts that match the same characters")
                following |= {_taken(reached, letter) for letter in letters}
            level = following - seen
            seen |= level
            length += 1

    def _letters(self) -> set[frozenset[int]]:
        """Return the set of matching positions of each character, without duplicates."""
        places: dict[str, list[int]] = {}
        items = {str(item): item for item in self._sets}
        for position, item in enumerate(self._sets, start=1):
            places.setdefault(str(item), []).append(position)
        sets = {name: compiler.compile(parser.SubPattern(self._state, [item])) for name, item in items.items()}
        letters = {frozenset(name for name, one in sets.items() if one.fullmatch(each)) for each in _ALPHABET}
        return {frozenset(position for name in letter for position in places[name]) for letter in letters}

    def _bounded(self, ways: Counter[int]) -> None:
        if ways.total() > self._most:
            raise _UnboundedError(f"can match the same characters in more than {self._most} ways")

    def _sequence(self, items: Iterable[Any]) -> _Piece:
        self._count()
        whole = _Piece(1, Counter(), Counter())
        for item in items:
            whole = self._joined(whole, self._one(*item))
        return whole

    def _count(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise _UnboundedError(f"has more than {_MOST_PARTS} characters or groups once its counts are written out")

    def _one(self, kind: Any, value: Any) -> _Piece:
        if kind in _ONE_CHARACTER:
            return self._position(kind, value)
        if kind in _REPEATS:
            return self._repeated(value)
        if kind is op.AT:
            return _Piece(1, Counter(), Counter())
        if kind is op.BRANCH:
            pieces = [self._sequence(branch) for branch in value[1]]
            first = sum((piece.first for piece in pieces), Counter[int]())
            last = sum((piece.last for piece in pieces), Counter[int]())
            return _Piece(sum(piece.empty for piece in pieces), first, last)
        if kind is op.SUBPATTERN:
            _, added, removed, inner = value
            if added or removed:
                raise _UnboundedError("has flags")
            return self._sequence(inner)
        raise _UnboundedError("looks around, refers back or is possessive")

    def _position(self, kind: Any, value: Any) -> _Piece:
        for inner, of in value if kind is op.IN else ((kind, value),):
            if inner in _CHARACTERS and max(of if inner is op.RANGE else (of,)) > 127:
                raise _UnboundedError("names characters beyond ASCII (use \\w or [^...])")
        self._count()
        self._sets.append((kind, value))
        self._follow.append(Counter())
        position = len(self._sets)
        return _Piece(0, Counter({position: 1}), Counter({position: 1}))

    def _repeated(self, value: tuple[int, Any, Any]) -> _Piece:
        fewest, most, inner = value
        endless = most is op.MAXREPEAT
        copies = [self._sequence(inner) for _ in range(max(fewest, 1) if endless else most)]
        if endless:
            if copies[-1].empty:
                raise _UnboundedError("repeats without end what may be empty")
            self._follow_up(copies[-1], copies[-1])
        whole = _Piece(1, Counter(), Counter())
        for number, copy in reversed(list(enumerate(copies))):
            whole = self._joined(copy, whole)
            if number >= fewest:
                whole = whole._replace(empty=whole.empty + 1)
        return whole

    def _joined(self, before: _Piece, after: _Piece) -> _Piece:
        """Return the concatenation of two pieces, which must not be used afterwards."""
        self._follow_up(before, after)
        for into, more, times in ((before.first, after.first, before.empty), (after.last, before.last, after.empty)):
            if times:
                for position, number in more.items():
                    into[position] += number * times
        return _Piece(before.empty * after.empty, before.first, after.last)

    def _follow_up(self, before: _Piece, after: _Piece) -> None:
        if len(before.last) * len(after.first) > _MOST_WORK:
            raise _UnboundedError("has too many parts that may follow each other")
        for position, number in before.last.items():
            for following, more in after.first.items():
                self._follow[position][following] += number * more


def _taken(ways: Counter[int], letter: frozenset[int]) -> frozenset[tuple[int, int]]:
    return frozenset((position, number) for position, number in ways.items() if position in letter)
