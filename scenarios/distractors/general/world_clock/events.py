"""Yearly events."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import Weekday
from teller_gym.scenarios.distractors.general.world_clock import _almanac as almanac
from teller_gym.scenarios.distractors.general.world_clock._almanac import EVENTS
from teller_gym.scenarios.distractors.general.world_clock._types import Few
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

EventName = Annotated[str, Meta(min_length=1, max_length=40)]


class SavedEvent(Result):
    """The event as it was saved, with its next date from today."""

    event_id: str
    next_date: date
    replaced: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def save_yearly_event(
    bank: Bank,
    event_name: EventName,
    month: Annotated[int, Meta(ge=1, le=12)],
    day_of_month: Annotated[int, Meta(ge=1, le=31)],
    first_year: Annotated[int, Meta(ge=1, le=9000)] | None = None,
    leap_rule: Literal["february_28", "march_1", "leap_years_only"] = "february_28",
) -> SavedEvent:
    """Save a date that comes back every year, such as a founding day, under a name. The same name replaces it.

    Args:
        event_name: What is remembered.
        month: The month, 1 to 12.
        day_of_month: The day of the month.
        first_year: The year in which it happened first, if known; its returns are numbered from there.
        leap_rule: When 29 February is kept in years without one.
    """
    name = shared.clean_name(event_name, "event_name")
    longest = 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    if day_of_month > longest:
        raise invalid("day_of_month", f"expected at most {longest} in month {month}, got {day_of_month}")
    key = bank.reference("YEV", shared.folded(name))
    replaced = bank.get(EVENTS, key) is not None
    record: Record = {"owner": "misc", "event_name": name, "month": month, "day": day_of_month}
    record |= {"first_year": first_year, "leap_rule": leap_rule}
    bank.put(EVENTS, key, record)
    return SavedEvent(event_id=key, next_date=next(almanac.yearly_returns(record, bank.today)), replaced=replaced)


class EventCountdown(Result):
    """Days to the first of the dates; ``times_kept_before`` is null if the first year is not known."""

    days_left: int
    dates: list[date]
    weekday: Weekday
    times_kept_before: int | None


@tool(category=Category.GENERAL_DISTRACTOR)
def count_down_to_event(
    bank: Bank, event_name: EventName, from_day: date | None = None, dates_shown: Few = 1
) -> EventCountdown:
    """Count the days to the next return of a yearly event that was saved, and list its next dates.

    Args:
        event_name: The name under which it was saved.
        from_day: The day from which to count; today if left out. An event on this very day is 0 days away.
        dates_shown: How many of its next dates to list.
    """
    event = bank.get(EVENTS, bank.reference("YEV", shared.folded(event_name)))
    if event is None:
        raise invalid("event_name", f"expected the name of a saved event, got {event_name!r}; save it first")
    start = from_day or bank.today
    found = [day for day, _ in zip(almanac.yearly_returns(event, start), range(dates_shown), strict=False)]
    if len(found) < dates_shown:
        raise invalid("from_day", f"expected {dates_shown} returns before the year 10000, got {len(found)}")
    first = event["first_year"]
    return EventCountdown(
        days_left=(found[0] - start).days,
        dates=found,
        weekday=shared.WEEKDAYS[found[0].weekday()],
        times_kept_before=None if first is None else almanac.times_kept(event, first, found[0]),
    )
