"""Names of fields and entities in words."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN: Final = re.compile(r"^[cC](?=[A-Z][a-z])")
"""Prefix of the names that an office has added."""


def label(name: str) -> str:
    """Return a field's name in words: ``firstName`` is First Name, ``cClientNumber`` Client Number."""
    own = _OWN.sub("", name)
    return _WORD.sub(" ", own[:1].upper() + own[1:])


def plural(name: str) -> str:
    """Return the plural of an entity's name in words."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"
