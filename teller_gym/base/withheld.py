"""Secret settings, which are not saved: their placeholder, and a checksum that detects a change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

NOT_KEPT = "<not kept>"
"""Placeholder for a value that may be a secret."""


class Options(dict[str, Any]):
    """Options by name, some of them read from environment variables.

    Args:
        values: the options.
        shown: the options with ``${oc.env:NAME}`` in place of each value read from a variable.
    """

    def __init__(self, values: Mapping[str, Any] = {}, shown: Mapping[str, Any] | None = None) -> None:
        super().__init__(values)
        self.shown = dict(values if shown is None else shown)

    def __repr__(self) -> str:
        return repr(self.shown)

    def __reduce__(self) -> tuple[type[Options], tuple[dict[str, Any], dict[str, Any]]]:
        return Options, (dict(self), self.shown)

    @property
    def hidden(self) -> list[str]:
        """The texts that were read from environment variables."""
        return list(_hidden(dict(self), self.shown))


def _hidden(value: Any, shown: Any) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(shown, dict):
        for name, one in value.items():
            yield from _hidden(one, shown.get(name, one))
    elif isinstance(value, list) and isinstance(shown, list) and len(value) == len(shown):
        for one, other in zip(value, shown, strict=True):
            yield from _hidden(one, other)
    elif value != shown:
        yield from texts(value)


def texts(value: Any) -> Iterator[str]:
    """Yield every text and number of a JSON value, as text."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)


def check(values: Any) -> str:
    """Return a 16-bit checksum that reveals a change of values that are not saved.

    It comes from a slow hash over all values, so that testing guesses takes long, and is too short to confirm a guess:
    one in 65,536 matches by chance. With the same probability a change goes unnoticed.
    """
    text = json.dumps(values, sort_keys=True)
    digest = hashlib.scrypt(text.encode(), salt=b"teller_gym settings", n=2**14, r=8, p=1, dklen=2)
    return digest.hex()
