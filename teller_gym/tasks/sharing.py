"""Equal values as one object, for documents that live long and say the same again and again.

Decoders make a new object of each value they meet. The records of many cases hold the same words and amounts: as one
object each, they take less memory, and what many cases read stays in the processor's caches.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def share(document: dict[str, Any] | list[Any], known: dict[Any, Any]) -> None:
    """Replace the texts and whole numbers of a JSON document by equal ones that were met before.

    Args:
        document: changed in place, with all that it holds.
        known: the values met so far; start with an empty one. It grows by what is new.
    """
    places: Iterable[tuple[Any, Any]] = document.items() if isinstance(document, dict) else enumerate(document)
    for place, value in places:
        if value.__class__ is str or value.__class__ is int:  # not True, which equals 1, nor 1.0
            document[place] = known.setdefault(value, value)
        elif isinstance(value, dict | list):
            share(value, known)
