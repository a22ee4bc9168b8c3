"""API key of an endpoint.

It is read from the environment, sent in a header, and never appears in files and messages.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.scrub import Scrubber

VARIABLE_NAME = r"[A-Z_][A-Z0-9_]{0,63}"
"""Pattern for the names of environment variables.

It allows only capitals, so that a key given by mistake instead of the variable's name does not match.
"""


class Key:
    """API key read from an environment variable.

    Its `repr` and pickled form contain only the variable's name.
    """

    __slots__ = ("_scrubber", "_value", "variable")

    def __init__(self, variable: str | None, others: Iterable[str] = ()) -> None:
        self.variable = variable
        self._value = os.environ.get(variable, "").strip() if variable else ""
        if variable and not self._value:
            raise OptionError(
                f"the environment variable {variable} is not set or empty: put the endpoint's key into it, or name "
                "another one with agent.key_variable (null if the endpoint wants no key)"
            )
        if not (self._value.isascii() and self._value.isprintable()):
            raise OptionError(f"the environment variable {variable} holds characters that no key has; set it anew")
        self._scrubber = Scrubber([self._value, *others])

    def headers(self) -> dict[str, str]:
        """Return the headers that authorise a request, or an empty dictionary if there is no key."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def scrub(self, body: bytes) -> bytes:
        """Remove the API key, in any encoding, from a server's response."""
        return self._scrubber.body(body)

    def scrub_value(self, value: Any) -> Any:
        """Remove the API key from all strings in a JSON value."""
        return self._scrubber.value(value)

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def __reduce__(self) -> tuple[type[Key], tuple[str | None]]:
        """Pickle only the variable's name.

        The other process reads the key from its own environment.
        """
        return Key, (self.variable,)
