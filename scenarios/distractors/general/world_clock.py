"""Clocks and calendars of the world: city times, meetings across zones, feasts, sun, moon and day counts."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from math import ceil, cos, pi, sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _almanac as almanac
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._almanac import EVENTS, CountSystem, Feast, Planet
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude, Weekday
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

City = Annotated[str, Meta(min_length=2, max_length=30)]
SummerTime = Literal["neither", "from_city", "to_city", "both"]
FeastYear = Annotated[int, Meta(ge=1600, le=4000)]
Few = Annotated[int, Meta(ge=1, le=10)]
Hour = Annotated[int, Meta(ge=0, le=23)]
EventName = Annotated[str, Meta(min_length=1, max_length=40)]


class CityTime(Result):
    """``day_shift`` is 1 if it is already the next day there, -1 if still the day before."""

    local_date: date
    local_time: str
    weekday: Weekday
    day_shift: int
    hours_ahead: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_city_time(
    bank: Bank, day: date, clock_time: ClockTime, from_city: City, to_city: City, summer_time: SummerTime = "neither"
) -> CityTime:
    """Tell what time it is in another city. The table holds standard time; say where clocks are put forward an hour.

    Args:
        day: The day in the first city.
        clock_time: The time in the first city, such as 09:30.
        from_city: The city whose time is given, such as Chicago.
        to_city: The city whose time is wanted.
        summer_time: Which of the two cities keeps daylight saving time on that day.
    """
    start = almanac.city_offset(from_city, "from_city") + 60 * (summer_time in ("from_city", "both"))
    end = almanac.city_offset(to_city, "to_city") + 60 * (summer_time in ("to_city", "both"))
    there = shared.minutes_of(clock_time) + end - start
    shift = there // shared.DAY_MINUTES
    try:
        local = day + timedelta(days=shift)
    except OverflowError:
        raise invalid("day", f"expected a day that stays within the years 1 to 9999, got {day}") from None
    return CityTime(
        local_date=local,
        local_time=shared.clock_of(there),
        weekday=shared.WEEKDAYS[local.weekday()],
        day_shift=shift,
        hours_ahead=shared.rounded((end - start) / 60, 2),
    )


class MeetingSlots(Result):
    """``slots`` holds the start in every city, in the order given; ``slots_found`` counts also those not shown."""

    slots: list[list[str]]
    slots_found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def find_meeting_slots(
    bank: Bank,
    meeting_date: date,
    cities: Annotated[list[City], Meta(min_length=2, max_length=8)],
    duration_minutes: Annotated[int, Meta(ge=15, le=480)],
    earliest_start: ClockTime = "09:00",
    latest_end: ClockTime = "17:00",
    step_minutes: Literal[15, 30, 60] = 30,
    keep_lunch_free: bool = False,
    allow_weekends: bool = False,
    max_slots: Few = 5,
) -> MeetingSlots:
    """Find starts of a meeting at which it is working time in every city, in standard time without daylight saving.

    Args:
        meeting_date: The day in the first city.
        cities: Where people take part; the first one sets the day.
        duration_minutes: Length of the meeting in minutes.
        earliest_start: From when people are at work, local time.
        latest_end: Until when people are at work, local time.
        step_minutes: Distance between possible starts in minutes.
        keep_lunch_free: Whether 12:00 to 13:00 must stay free in every city.
        allow_weekends: Whether a Saturday or Sunday will do.
        max_slots: How many slots to show at most.
    """
    earliest, latest = shared.minutes_of(earliest_start), shared.minutes_of(latest_end)
    if latest - earliest < duration_minutes:
        raise invalid(
            "latest_end", f"expected {duration_minutes} minutes or more after {earliest_start}, got {latest_end}"
        )
    if len({shared.folded(city) for city in cities}) < len(cities):
        raise invalid("cities", "expected every city once, got one of them twice; leave it out")
    offsets = [almanac.city_offset(city, "cities") for city in cities]
    shifts = [offset - offsets[0] for offset in offsets]
    weekday = None if allow_weekends else meeting_date.weekday()
    wanted = almanac.Window(earliest, latest, duration_minutes, keep_lunch_free, weekday)
    minutes = range(0, shared.DAY_MINUTES, step_minutes)
    starts = [minute for minute in minutes if all(wanted.suits(minute + shift) for shift in shifts)]
    slots = [[almanac.with_day(start + shift) for shift in shifts] for start in starts[:max_slots]]
    return MeetingSlots(slots=slots, slots_found=len(starts))


class CalendarDay(Result):
    """Where a day stands in the ISO calendar and in its year."""

    iso_year: int
    iso_week: int
    weekday: Weekday
    day_of_year: int
    days_left_in_year: int
    leap_year: bool
    next_leap_year: int


@tool(category=Category.GENERAL_DISTRACTOR)
def describe_calendar_day(bank: Bank, day: date) -> CalendarDay:
    """Tell a day's ISO week, weekday and number in its year, whether that is a leap year, and when the next one is.

    Args:
        day: The day to describe.
    """
    iso = day.isocalendar()
    number = day.timetuple().tm_yday
    return CalendarDay(
        iso_year=iso.year,
        iso_week=iso.week,
        weekday=shared.WEEKDAYS[day.weekday()],
        day_of_year=number,
        days_left_in_year=365 + almanac.is_leap(day.year) - number,
        leap_year=almanac.is_leap(day.year),
        next_leap_year=next(year for year in range(day.year + 1, day.year + 9) if almanac.is_leap(year)),
    )


class FeastDate(Result):
    """The feast in the Gregorian calendar."""

    feast_date: date
    weekday: Weekday
    easter_sunday: date


@tool(category=Category.GENERAL_DISTRACTOR)
def find_easter_date(
    bank: Bank, year: FeastYear, tradition: Literal["western", "orthodox"] = "western", feast: Feast = "easter_sunday"
) -> FeastDate:
    """Find the date of Easter, or of a feast that moves with it, in the Gregorian calendar.

    Args:
        year: The year.
        tradition: Western churches, or Orthodox churches, which reckon by the Julian calendar.
        feast: Which feast; Clean Monday is orthodox, Ash Wednesday western.
    """
    if feast == almanac.NOT_KEPT[tradition]:
        raise invalid("feast", f"expected a feast of the {tradition} calendar, got {feast}; try the other tradition")
    easter = almanac.western_easter(year) if tradition == "western" else almanac.orthodox_easter(year)
    found = easter + timedelta(days=almanac.DAYS_AFTER_EASTER[feast])
    return FeastDate(feast_date=found, weekday=shared.WEEKDAYS[found.weekday()], easter_sunday=easter)


class PlanetAge(Result):
    """Age in years of the planet; the birthday is the first day on which one year more is complete."""

    planet_years: float
    completed_years: int
    next_birthday: date


@tool(category=Category.GENERAL_DISTRACTOR)
def get_planet_age(bank: Bank, born_on: date, planet: Planet, on_day: date | None = None) -> PlanetAge:
    """Tell how old somebody or something is in years of another planet, to two decimals, and the next birthday there.

    Args:
        born_on: Day of birth.
        planet: Whose years to count.
        on_day: The day for which to tell the age; today if left out.
    """
    day = on_day or bank.today
    lived = (day - born_on).days
    if lived < 0:
        raise invalid("on_day", f"expected {born_on} or later, got {day}; give a day after the birth")
    completed = int(lived / (orbit := almanac.ORBIT_DAYS[planet]))
    try:
        birthday = born_on + timedelta(days=ceil((completed + 1) * orbit))
    except OverflowError:
        raise invalid("born_on", f"expected a next birthday before the year 10000, got a birth on {born_on}") from None
    return PlanetAge(planet_years=round(lived / orbit, 2), completed_years=completed, next_birthday=birthday)


class MoonPhase(Result):
    """Days and percent have one decimal."""

    phase: str
    age_days: float
    illuminated_percent: float
    days_to_full_moon: float
    lit_side: str


@tool(category=Category.GENERAL_DISTRACTOR)
def get_moon_phase(
    bank: Bank, day: date, hour_utc: Hour = 12, seen_from: Literal["north", "south"] = "north"
) -> MoonPhase:
    """Tell the phase of the moon by its mean cycle, which may be off by some hours. Figures have one decimal.

    Args:
        day: The day.
        hour_utc: The hour in UTC.
        seen_from: Northern or southern half of the Earth; the lit side is mirrored.
    """
    age = almanac.moon_age(day, hour_utc)
    phase, side = almanac.MOON_PHASES[int(age / almanac.SYNODIC_MONTH * 8 + 0.5) % 8]
    return MoonPhase(
        phase=phase,
        age_days=round(age, 1),
        illuminated_percent=shared.rounded(50 * (1 - cos(2 * pi * age / almanac.SYNODIC_MONTH)), 1),
        days_to_full_moon=round((almanac.SYNODIC_MONTH / 2 - age) % almanac.SYNODIC_MONTH, 1),
        lit_side=side if seen_from == "north" else almanac.MIRRORED.get(side, side),
    )


class SunTimes(Result):
    """Local times, null where the sun does not cross the wanted height that day."""

    morning: str | None
    solar_noon: str
    evening: str | None
    minutes_above: int
    course: Literal["rises_and_sets", "above_all_day", "below_all_day"]


@tool(category=Category.GENERAL_DISTRACTOR)
def get_sunrise_times(
    bank: Bank,
    day: date,
    latitude: Latitude,
    longitude: Longitude,
    utc_offset_hours: Annotated[float, Meta(ge=-12, le=14)],
    limit: Literal["sunrise", "civil", "nautical", "astronomical"] = "sunrise",
    eye_height_m: Annotated[float, Meta(ge=0, le=9000)] = 0,
    hills_degrees: Annotated[float, Meta(ge=0, le=45)] = 0,
) -> SunTimes:
    """Tell sunrise, solar noon and sunset, or the ends of twilight, anywhere on Earth, within some minutes.

    Args:
        day: The day.
        latitude: Degrees north, negative for south.
        longitude: Degrees east, negative for west.
        utc_offset_hours: How many hours local clocks are ahead of UTC on that day.
        limit: Sunrise and sunset, or begin and end of civil, nautical or astronomical twilight.
        eye_height_m: Height of the place above the land or sea around, in metres; for sunrise only.
        hills_degrees: By how many degrees hills or houses raise the horizon; for sunrise only.
    """
    height = almanac.SUN_HEIGHT[limit]
    if limit == "sunrise":
        height += hills_degrees - 1.76 / 60 * sqrt(eye_height_m)
    elif eye_height_m or hills_degrees:
        raise invalid("limit", f"expected sunrise with eye_height_m or hills_degrees, got {limit}; set both to 0")
    noon, half = almanac.sun_hours(day, latitude, height)
    noon += 60 * utc_offset_hours - 4 * longitude
    crosses = 0 < half < shared.DAY_MINUTES / 2
    return SunTimes(
        morning=shared.clock_of(noon - half) if crosses else None,
        solar_noon=shared.clock_of(noon),
        evening=shared.clock_of(noon + half) if crosses else None,
        minutes_above=round(2 * half),
        course="rises_and_sets" if crosses else "above_all_day" if half else "below_all_day",
    )


class DayCount(Result):
    """``count`` in the system asked for; date and time in the zone given, rounded to the second."""

    count: float
    day: date
    clock_time: str
    weekday: Weekday


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_day_count(
    bank: Bank,
    system: CountSystem,
    count: Annotated[float, Meta(ge=-1e15, le=1e15)] | None = None,
    day: date | None = None,
    clock_time: Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$", max_length=8)] = "00:00:00",
    utc_offset_minutes: Annotated[int, Meta(ge=-720, le=840)] = 0,
) -> DayCount:
    """Turn a Unix timestamp or a Julian day number into date and time, or the other way round. Give a count or a day.

    Args:
        system: Unix seconds or milliseconds since 1970, or (modified) Julian days, which are shown to six decimals.
        count: The number to turn into a date.
        day: The day to turn into a number.
        clock_time: The time on that day, such as 18:05:00; with a day only.
        utc_offset_minutes: How many minutes the clock of the date is ahead of UTC.
    """
    if (count is None) == (day is None):
        raise invalid("count", f"expected either count or day, got {'neither' if count is None else 'both'}")
    ahead = timedelta(minutes=utc_offset_minutes)
    try:
        by_day = datetime.fromisoformat(f"{day}T{clock_time}") - ahead if count is None else None
        utc = by_day or almanac.time_of_count(system, count or 0)
        local = utc + ahead
    except OverflowError:
        raise invalid("count" if day is None else "day", "expected a time within the years 1 to 9999") from None
    return DayCount(
        count=almanac.count_of_time(system, utc),
        day=local.date(),
        clock_time=f"{local:%H:%M:%S}",
        weekday=shared.WEEKDAYS[local.weekday()],
    )


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
