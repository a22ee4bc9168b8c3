"""Temporary errors, in which a tool occasionally does not respond and the same call must be sent again."""

from __future__ import annotations

import random
from functools import cache
from importlib import resources

from teller_gym.base.errors import ErrorKind, ToolError

RATE = 0.2
"""Share of calls that fail with a temporary error."""

IN_A_ROW = 2
"""Maximum number of consecutive temporary errors."""

_MESSAGES = (
    "the system did not answer in time; nothing was done",
    "the service is briefly unavailable; nothing was done",
    "the connection was lost before the call arrived; nothing was done",
)


@cache
def addendum() -> str:
    """Return the section on temporary errors that is appended to the SOP."""
    text = resources.files("teller_gym.variation").joinpath("temporary_errors.md").read_text(encoding="utf-8")
    return text.replace("{in_a_row}", str(IN_A_ROW))


def fault_at(key: str, step: int) -> ToolError | None:
    """Return the temporary error at a step (from 0), or None if the call is executed.

    The faults of an episode are drawn from ``key``.
    """
    rng = random.Random(f"fault/{key}/{step}")
    # Every third step never fails, which limits the number of consecutive errors.
    if step % (IN_A_ROW + 1) == IN_A_ROW or rng.random() >= RATE * (IN_A_ROW + 1) / IN_A_ROW:
        return None
    return ToolError(ErrorKind.TEMPORARY, _MESSAGES[int(rng.random() * len(_MESSAGES))] + "; send the same call again")
