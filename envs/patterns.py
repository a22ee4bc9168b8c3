"""Random texts that match a regular expression and have one of the lengths wanted.

What is read is what patterns of tool schemas are made of: characters, escapes such as ``\\d`` and ``\\.``, classes,
groups, ``|`` and counts, between ``^`` and ``$``. The rest of Python's syntax (look-around, back references, flags) is
refused.

Examples in the schemas do not take its place. The pool has 83 pairs of a pattern and its limits, and tools of a user's
own bring others without examples, which have to be drawn all the same; a list would come on top of this module.

A set of lengths is a bit mask: bit n stands for texts of n characters. Lengths from ``cap`` on are not distinguished:
bit ``cap`` stands for them in what is possible, and in what is wanted they are all in or all out, so that a mask that
holds them is a negative number.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from teller_gym.base.errors import ScenarioError

T = TypeVar("T")

_ANY = -1
_MOST_DRAWS = 1_000_000  # characters and groups of one text; drawing more takes minutes
_MORE = 8  # what "+", "*" and "{m,}" add at most, unless the least length asks for more
_PRINTABLE = "".join(map(chr, range(32, 127)))
_ESCAPED = {"d": string.digits, "w": string.ascii_letters + string.digits + "_", "s": " ", "n": "\n", "t": "\t"}
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:|\?P<\w+>|(?!\?)))|(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<escape>\\.)|(?P<any>\.)"
    r"|(?P<anchor>[\^$])|(?P<character>[^?*+()|\[\\])",
    re.DOTALL,
)
_COUNT = re.compile(r"(?:([?*+])|\{(?!\})(\d*)(,?)(\d*)\})\??")
_MEMBER = re.compile(r"(\\.|[^\\])(?:-(\\.|[^\\]))?", re.DOTALL)


def sample_pattern(pattern: str, rng: np.random.Generator, shortest: int = 0, longest: int | None = None) -> str:
    """Draw a text that matches; where the pattern has no ``^`` or ``$``, nothing is added on that side.

    Args:
        pattern: a regular expression.
        rng: is drawn from.
        shortest, longest: the lengths wanted, in characters; the draws are those without limits if all lengths fit.

    Raises:
        ScenarioError: the pattern holds what cannot be read here, or matches no text of these lengths.
    """
    return _compiled(pattern, shortest, longest).draw(rng)


class _Sequence(NamedTuple):
    """Parts that follow each other; ``rests`` are the lengths of what comes after each of them."""

    parts: tuple[_Part, ...]
    rests: tuple[int, ...]
    lengths: int
    draws: int


class _Part(NamedTuple):
    """A character of ``pool``, or one of ``choices``, and its counts; ``powers[n]`` are the lengths of n of them.

    ``draws`` is the most that may have to be drawn for one text.
    """

    pool: str
    choices: tuple[_Sequence, ...]
    fewest: int
    powers: tuple[int, ...]
    lengths: int
    draws: int


@lru_cache(maxsize=1024)
def _compiled(pattern: str, shortest: int, longest: int | None) -> _Drawer:
    cap = shortest if longest is None else longest + 1
    wanted = _ANY << shortest if longest is None else (1 << cap) - (1 << min(shortest, cap))
    whole = _Reader(pattern, cap, max(_MORE, shortest)).read()
    if not whole.lengths & wanted:
        lengths = f"{shortest} or more" if longest is None else f"{shortest} to {longest}"
        raise ScenarioError(f"pattern {pattern!r}: expected it to match texts of {lengths} characters, and it has none")
    return _Drawer(whole, wanted, cap)


class _Drawer:
    """Draws the texts of a pattern that has been read."""

    def __init__(self, whole: _Part, wanted: int, cap: int) -> None:
        self._whole = whole
        self._wanted = wanted
        self._cap = cap

    def draw(self, rng: np.random.Generator) -> str:
        return self._part(self._whole, self._wanted, rng)

    def _part(self, part: _Part, wanted: int, rng: np.random.Generator) -> str:
        count = _one_of([n for n in range(part.fewest, len(part.powers)) if part.powers[n] & wanted], rng)
        if len(part.pool) == 1:
            return part.pool * count
        if part.pool:
            return "".join(part.pool[i] for i in rng.integers(len(part.pool), size=count).tolist())
        text = ""
        for left in reversed(range(count)):
            fitting = self._fitting(part.powers[1], part.powers[left], wanted)
            choice = _one_of([choice for choice in part.choices if choice.lengths & fitting], rng)
            piece = self._sequence(choice, fitting, rng)
            wanted >>= len(piece)
            text += piece
        return text

    def _sequence(self, sequence: _Sequence, wanted: int, rng: np.random.Generator) -> str:
        if not sequence.lengths & ~wanted:
            wanted = _ANY
        text = ""
        for part, rest in zip(sequence.parts, sequence.rests, strict=True):
            piece = self._part(part, self._fitting(part.lengths, rest, wanted), rng)
            wanted >>= len(piece)
            text += piece
        return text

    def _fitting(self, own: int, rest: int, wanted: int) -> int:
        """Return the lengths of a text after which one of the lengths ``rest`` makes it one of those wanted."""
        if wanted == _ANY:
            return _ANY
        fitting = _ANY << self._cap if wanted < 0 else 0
        for length in range(min(own.bit_length(), self._cap)):
            if own >> length & 1 and rest << length & wanted:
                fitting |= 1 << length
        return fitting


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, cap: int, more: int) -> None:
        self._pattern = pattern
        self._at = 0
        self._cap = cap
        self._more = more

    def read(self) -> _Part:
        choices = self._choices(inside=False)
        if self._at < len(self._pattern):
            raise self._unreadable()
        return self._counted("", choices, 1, 1)

    def _choices(self, *, inside: bool) -> tuple[_Sequence, ...]:
        choices = [self._sequence(inside)]
        while self._rest().startswith("|"):
            self._at += 1
            choices.append(self._sequence(inside))
        return tuple(choices)

    def _sequence(self, inside: bool) -> _Sequence:
        parts: list[_Part] = []
        start = self._at
        while token := _TOKEN.match(self._pattern, self._at):
            if token.lastgroup == "anchor":
                after = self._pattern[token.end() : token.end() + 1]
                if inside or (self._at > start if token[0] == "^" else after not in ("", "|")):
                    raise self._unreadable()
                self._at = token.end()
                continue
            parts.append(self._one(token))
        rests = [1]
        for part in reversed(parts):
            rests.append(self._sum(part.lengths, rests[-1]))
        return _Sequence(tuple(parts), tuple(reversed(rests[:-1])), rests[-1], sum(part.draws for part in parts))

    def _one(self, token: re.Match[str]) -> _Part:
        """Read a character, a class or a group, with its count."""
        pool = ""
        choices: tuple[_Sequence, ...] = ()
        if token.lastgroup == "open":
            self._at = token.end()
            choices = self._choices(inside=True)
            if not self._rest().startswith(")"):
                raise self._unreadable()
            self._at += 1
        else:
            pool = self._pool(token)
            self._at = token.end()
        return self._counted(pool, choices, *self._count())

    def _pool(self, token: re.Match[str]) -> str:
        match token.lastgroup:
            case "class":
                pool = self._class(token[0][1:-1])
            case "escape":
                pool = self._escaped(token[0])
            case "any":
                pool = _PRINTABLE
            case _:
                pool = token[0]
        if not pool:
            raise self._unreadable()
        return pool

    def _class(self, members: str) -> str:
        without = members.startswith("^")
        pool = ""
        for low, high in _MEMBER.findall(members[without:]):
            first, last = self._escaped(low), self._escaped(high or low)
            if high and (len(first), len(last)) != (1, 1):
                raise self._unreadable()
            pool += "".join(map(chr, range(ord(first), ord(last) + 1))) if high else first
        return _all_but(pool) if without else pool

    def _escaped(self, text: str) -> str:
        """Return the characters that a character or an escape stands for."""
        letter = text[-1]
        if len(text) == 1 or not (letter.isalnum() and letter.isascii()):
            return letter
        if letter in "DWS":
            return _all_but(_ESCAPED[letter.lower()])
        if letter not in _ESCAPED:
            raise self._unreadable()
        return _ESCAPED[letter]

    def _count(self) -> tuple[int, int]:
        count = _COUNT.match(self._pattern, self._at)
        if count is None:
            return 1, 1
        self._at = count.end()
        sign, low, comma, high = count.groups()
        fewest = int(sign == "+") if sign else int(low or 0)
        if sign == "?":
            return 0, 1
        if sign or (comma and not high):
            return fewest, fewest + self._more
        return fewest, int(high or low)

    def _counted(self, pool: str, choices: tuple[_Sequence, ...], fewest: int, most: int) -> _Part:
        draws = most * (1 + max((choice.draws for choice in choices), default=0))
        if draws > _MOST_DRAWS or most * self._cap > _MOST_DRAWS:
            raise ScenarioError(
                f"pattern {self._pattern!r}: expected texts of at most {_MOST_DRAWS} characters and groups, got counts "
                "for longer ones; lower them, or sampled calls cannot fit it"
            )
        one = self._sum(1 << 1, 1) if pool else 0
        for choice in choices:
            one |= choice.lengths
        powers = [1]
        for _ in range(most):
            powers.append(self._sum(one, powers[-1]))
        lengths = 0
        for power in powers[fewest:]:
            lengths |= power
        return _Part(pool, choices, fewest, tuple(powers), lengths, draws)

    def _sum(self, first: int, then: int) -> int:
        """Return the lengths of two texts, one after the other."""
        lengths = 0
        for length in range(first.bit_length()):
            if first >> length & 1:
                lengths |= then << length
        highest = 1 << self._cap
        return lengths if lengths < highest else lengths & (highest - 1) | highest

    def _rest(self) -> str:
        return self._pattern[self._at :]

    def _unreadable(self) -> ScenarioError:
        return ScenarioError(
            f"pattern {self._pattern!r}: expected characters, classes, groups, | and counts between ^ and $, "
            f"got {self._rest()!r} at character {self._at}; write it in these, or sampled calls cannot fit it"
        )


def _one_of(options: list[T], rng: np.random.Generator) -> T:
    return options[int(rng.integers(len(options)))] if len(options) > 1 else options[0]


def _all_but(pool: str) -> str:
    return "".join(character for character in _PRINTABLE if character not in pool)
