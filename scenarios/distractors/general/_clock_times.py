"""Times of a day as text, and lists that belong together; shared by the tools of meetings, staff and reception."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid

Clock = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", max_length=5)]
Text = Annotated[str, Meta(min_length=1, max_length=40)]
Heads = Annotated[int, Meta(ge=1, le=100)]
Minutes = Annotated[int, Meta(ge=1, le=600)]
MinuteList = Annotated[list[Minutes], Meta(min_length=1, max_length=15)]


def minute_of(clock: str) -> int:
    """Return the minute of the day of a time such as 09:30."""
    return 60 * int(clock[:2]) + int(clock[3:])


def clock_of(minute: int) -> str:
    """Return a minute of the day as a time."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def span_of(start_time: str, end_time: str, field: str = "end_time") -> tuple[int, int]:
    """Return two times as minutes of the day; refuses an end that is not after the start."""
    start, end = minute_of(start_time), minute_of(end_time)
    if end <= start:
        raise invalid(field, f"expected a time after {start_time}, got {end_time}")
    return start, end


def same_length(field: str, values: list[int], count: int) -> None:
    """Refuse a list that does not go with the first one."""
    if len(values) != count:
        raise invalid(field, f"expected {count} numbers, one for each entry of the first list, got {len(values)}")
