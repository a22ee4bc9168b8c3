"""Draws random texts that match a regular expression, following the syntax tree of Python's ``re``."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeVar

import numpy as np

from teller_gym.base.errors import ScenarioError

T = TypeVar("T")

_TRIES = 2_000
_ONE_CHARACTER = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_MORE = 8
"""Maximum number of repeats that "+", "*" and "{m,}" add, unless the minimum length requires more."""
_MOST_PARTS = 1_000_000
"""Maximum number of repeats in a text; drawing more takes minutes."""
_PRINTABLE = "".join(map(chr, range(32, 127)))
_WORD = string.ascii_letters + string.digits + "_"
_NOT_DIGIT, _NOT_WORD = ("".join(one for one in _PRINTABLE if one not in pool) for pool in (string.digits, _WORD))
_CATEGORIES = {
    op.CATEGORY_DIGIT: string.digits,
    op.CATEGORY_WORD: _WORD,
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_DIGIT: _NOT_DIGIT,
    op.CATEGORY_NOT_WORD: _NOT_WORD,
    op.CATEGORY_NOT_SPACE: _PRINTABLE[1:],
}

_tree = lru_cache(maxsize=1024)(parser.parse)


def sample_pattern(pattern: str, rng: np.random.Generator, shortest: int = 0, longest: int | None = None) -> str:
    """Draw a text that matches a pattern from its first to its last character.

    Args:
        pattern: a regular expression of characters, classes, groups, ``|``, counts and anchors.
        rng: random generator to draw from.
        shortest, longest: accepted lengths in characters; texts of other lengths are drawn again.

    Raises:
        ScenarioError: the pattern has other parts or too large counts, or no text of these lengths was found.
    """
    try:
        for _ in range(_TRIES):
            text = _drawn(_tree(pattern), rng, max(_MORE, shortest), _MOST_PARTS)
            if shortest <= len(text) <= (len(text) if longest is None else longest) and re.search(pattern, text):
                return text
    except (re.error, ValueError) as problem:
        raise ScenarioError(f"pattern {pattern!r}: {problem}; rewrite it, or no call can be sampled for it") from None
    lengths = f"{shortest} or more" if longest is None else f"{shortest} to {longest}"
    raise ScenarioError(f"pattern {pattern!r}: expected it to match texts of {lengths} characters, and found none")


def _drawn(parts: Any, rng: np.random.Generator, more: int, room: int) -> str:
    text = ""
    for kind, value in parts:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            fewest, most, inner = value
            most = fewest + more if most is op.MAXREPEAT else most
            if most > room:
                raise ValueError(f"expected at most {_MOST_PARTS} characters and groups, got counts for longer texts")
            count = _choice(range(fewest, most + 1), rng)
            if len(inner) == 1 and inner[0][0] in _ONE_CHARACTER:
                pool = _characters(*inner[0])
                places = rng.integers(len(pool), size=count).tolist() if len(pool) > 1 else [0] * count
                text += "".join(pool[place] for place in places)
            else:
                text += "".join(_drawn(inner, rng, more, room // max(most, 1)) for _ in range(count))
        elif kind is op.BRANCH:
            text += _drawn(_choice(value[1], rng), rng, more, room)
        elif kind is op.SUBPATTERN:
            text += _drawn(value[3], rng, more, room)
        elif kind is not op.AT:
            text += _choice(_characters(kind, value), rng)
    return text


def _characters(kind: Any, value: Any) -> str:
    """Return the characters that a part of a pattern can match."""
    if kind in (op.LITERAL, op.NOT_LITERAL):
        return chr(value) if kind is op.LITERAL else _all_but(chr(value))
    if kind is op.RANGE:
        return "".join(map(chr, range(value[0], value[1] + 1)))
    if kind is op.ANY:
        return _PRINTABLE
    if kind is op.CATEGORY:
        return _CATEGORIES[value]
    if kind is op.IN:
        pool = "".join(_characters(*member) for member in value if member[0] is not op.NEGATE)
        pool = _all_but(pool) if value[0][0] is op.NEGATE else pool
        if pool:
            return pool
    raise ValueError(f"expected printable characters, classes, groups, |, counts and anchors, got {str(kind).lower()}")


def _all_but(pool: str) -> str:
    return "".join(character for character in _PRINTABLE if character not in pool)


def _choice(options: Sequence[T], rng: np.random.Generator) -> T:
    return options[int(rng.integers(len(options)))] if len(options) > 1 else options[0]
