"""Settings that are not written down: their placeholder, and detecting a change of one."""

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
        shown: the same with ``${oc.env:NAME}`` in place of what was read from a variable.
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
        """The texts that were read from variables."""
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
    """Return 16 bits that reveal a change of values that are not written down.

    They are of a slow hash over all of the values, so that trying out guesses takes long, and too few to show which of
    many guesses is right: one in 65,536 fits by chance. A changed value goes unnoticed as rarely.
    """
    text = json.dumps(values, sort_keys=True)
    digest = hashlib.scrypt(text.encode(), salt=b"teller_gym settings", n=2**14, r=8, p=1, dklen=2)
    return digest.hex()
