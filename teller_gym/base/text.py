"""Normalisation and comparison of values, canonical JSON for hashing, and texts for messages."""

from __future__ import annotations

import difflib
import hashlib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError

_NUMBER_TOLERANCE = 1e-6
_REMEMBERED_CHARACTERS = 1_000
"""Maximum length of a cached text; agents may write any number of texts of up to a megabyte each."""


def normalise_text(value: str) -> str:
    """Normalise case, compatibility forms and white space, so that only the wording is compared."""
    return _remembered(value) if len(value) <= _REMEMBERED_CHARACTERS else _normalised(value)


def _normalised(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


_remembered = lru_cache(maxsize=65_536)(_normalised)


def is_unicode(text: str) -> bool:
    """Return True if a text can be encoded as UTF-8, which a lone surrogate prevents."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def same_value(given: Any, expected: Any, tolerance: float = _NUMBER_TOLERANCE) -> bool:
    """Return True if two JSON values are equal for a grader.

    Numbers are equal within ``tolerance`` (a boolean is not a number), texts after :func:`normalise_text`, lists in any
    order, and mappings key by key.
    """
    if isinstance(expected, bool) or isinstance(given, bool):
        return given is expected
    if isinstance(expected, int | float):
        return isinstance(given, int | float) and abs(given - expected) <= tolerance
    if isinstance(expected, str):
        return isinstance(given, str) and (given == expected or normalise_text(given) == normalise_text(expected))
    if isinstance(expected, list):
        return isinstance(given, list) and _same_multiset(given, expected, tolerance)
    if isinstance(expected, dict):
        return (
            isinstance(given, dict)
            and given.keys() == expected.keys()
            and all(same_value(given[key], item, tolerance) for key, item in expected.items())
        )
    return given is None and expected is None


def _same_multiset(given: list[Any], expected: list[Any], tolerance: float) -> bool:
    if len(given) != len(expected):
        return False
    rest = list(given)
    for item in expected:
        match = next((i for i, other in enumerate(rest) if same_value(other, item, tolerance)), None)
        if match is None:
            return False
        del rest[match]
    return True


_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> bytes:
    """Encode with sorted keys and no white space: equal values give equal bytes."""
    return _ENCODER.encode(value)


def fingerprint(value: Any) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of the canonical JSON of ``value``."""
    return hashlib.sha256(canonical_json(value)).hexdigest()[:32]


def shown(value: object, most: int = 80) -> str:
    """Format a value for a message, in about ``most`` characters at most; never raises."""
    try:
        text = repr(value)
    except Exception:  # such as a number with too many digits, or an object whose own code fails
        return f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__} that cannot be shown"
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text)} characters)"


def as_text(value: object) -> str:
    """Convert a value that should have been text to text; never raises."""
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return str(value)
    except Exception:
        return f"<{shown(value)}>"


def one_of(option: str, value: object, allowed: Iterable[str | None]) -> None:
    """Check that an option's value is one of those allowed; otherwise raise ``OptionError``."""
    names = list(allowed)
    # Values of other types may equal anything, or raise when they are compared.
    if not (value is None or isinstance(value, str)) or value not in names:
        raise OptionError(f"{option}: expected one of {', '.join(map(str, names))}, got {shown(value)}")


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` if a name is close to an allowed one, else an empty text."""
    near = difflib.get_close_matches(name, list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
