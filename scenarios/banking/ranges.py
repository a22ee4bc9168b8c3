"""Ranges in the arguments of search tools."""

from __future__ import annotations

from typing import Any

from teller_gym.base.errors import invalid


def check_order(first: Any, last: Any, first_field: str, last_field: str) -> None:
    """Raise an error if a range ends before it starts; None leaves an end open."""
    if first is not None and last is not None and first > last:
        raise invalid(last_field, f"expected {first_field} or later, {first}, got {last}")


def within(value: Any, first: Any, last: Any) -> bool:
    """Return True if a value is in a closed range; None leaves an end open."""
    return (first is None or value >= first) and (last is None or value <= last)
