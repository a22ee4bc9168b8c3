"""Argument types and checks that the financial tools beside the procedures share; no tools."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid

UnitPrice = Annotated[float, Meta(ge=0, le=1_000_000, extra={"unit": "usd"})]
Share = Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})]
Label = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 .&/-]*$", max_length=30)]

_FIRST_DAY, _LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)


def check_length(field: str, items: Sequence[object], of: str, others: Sequence[object]) -> None:
    """Refuse a list that does not have one entry for each of another."""
    if len(items) != len(others):
        raise invalid(field, f"expected one entry for each of the {len(others)} in {of}, got {len(items)}")


def check_unlike(field: str, names: Sequence[str]) -> None:
    """Refuse a list of names with one of them twice."""
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise invalid(field, f"expected every name once, got {twice} twice")


def check_day(field: str, day: date) -> None:
    """Refuse a day so far off that dates counted from it could leave the calendar."""
    if not _FIRST_DAY <= day <= _LAST_DAY:
        raise invalid(field, f"expected a day from {_FIRST_DAY} to {_LAST_DAY}, got {day}")
