"""Human-readable names of fields and entities."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN: Final = re.compile(r"^[cC](?=[A-Z][a-z])")
"""Prefix of custom fields and entities."""


def label(name: str) -> str:
    """Return a field's human-readable name: First Name for ``firstName``, Client Number for ``cClientNumber``."""
    own = _OWN.sub("", name)
    return _WORD.sub(" ", own[:1].upper() + own[1:])


def plural(name: str) -> str:
    """Return the plural of an entity's human-readable name."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"
