"""What the calculating tools share: refusals, exact reading, rounding for display, times as text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import floor
from typing import Any

from teller_gym.base.errors import invalid


def shown(value: float, figures: int = 6) -> float:
    """Round to significant figures; adding zero turns -0.0 into 0.0."""
    return float(f"{value:.{figures - 1}e}") + 0.0


def clock(seconds: float) -> str:
    """Return h:mm:ss, rounded to the nearest second."""
    whole = floor(seconds + 0.5)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def check_given(what: str, needed: Collection[str], given: Mapping[str, Any]) -> None:
    """Refuse a call that lacks a measure which its kind of figure has, or gives one that it has not (None is absent).

    Args:
        what: the kind of figure, as the message names it.
        needed: the arguments it has.
        given: all optional arguments of the call.
    """
    for field, value in given.items():
        if value is None and field in needed:
            raise invalid(field, f"expected a value for {what}, which needs {', '.join(needed)}, got none")
        if value is not None and field not in needed:
            raise invalid(
                field, f"expected none for {what}, which needs {', '.join(needed)}, got {value}; leave it out"
            )
