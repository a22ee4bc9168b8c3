"""Draws of business days."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw


def open_day(day: date, holidays: Collection[date]) -> date:
    """Return the day if it is a business day, otherwise the next business day."""
    while not is_business_day(day, holidays):
        day += timedelta(days=1)
    return day


def draw_open_day(draw: Draw, first: date, last: date, holidays: Collection[date]) -> date:
    """Draw a business day between two dates, both included."""
    while True:
        day = draw.day(first, last)
        if is_business_day(day, holidays):
            return day
