"""Business days compared with NumPy's calendar, and ages in years compared with counting birthdays."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.dates import add_business_days, is_business_day, on_or_before_business_day, whole_years
from teller_gym.procedure.scenario import load_scenario

HOLIDAYS = load_scenario("loans").policy.holidays
CALENDAR = np.busdaycalendar(holidays=[np.datetime64(day) for day in HOLIDAYS])
DAYS = st.dates(date(2025, 12, 1), date(2027, 3, 1))


@given(DAYS)
def test_business_days(day: date) -> None:
    assert is_business_day(day, HOLIDAYS) == bool(np.is_busday(day, busdaycal=CALENDAR))


@given(DAYS, st.integers(1, 40))
def test_moving_by_business_days(day: date, count: int) -> None:
    # NumPy first moves back to a business day, which it does not count.
    expected = np.busday_offset(day, count, roll="backward", busdaycal=CALENDAR).astype(date)
    assert add_business_days(day, count, HOLIDAYS) == expected


@given(DAYS)
def test_moving_by_none_stays(day: date) -> None:
    assert add_business_days(day, 0, HOLIDAYS) == day


@given(DAYS)
def test_the_last_business_day(day: date) -> None:
    expected = np.busday_offset(day, 0, roll="backward", busdaycal=CALENDAR).astype(date)
    assert on_or_before_business_day(day, HOLIDAYS) == expected


@pytest.mark.parametrize(
    ("day", "moved"),
    [
        (date(2026, 3, 4), date(2026, 3, 9)),  # Wednesday: Thursday, Friday, Monday
        (date(2026, 7, 1), date(2026, 7, 6)),  # Independence Day 2026 falls on a Saturday and is not observed
        (date(2026, 11, 24), date(2026, 11, 30)),  # Thanksgiving on the Thursday
        (date(2026, 12, 24), date(2026, 12, 30)),  # Christmas on the Friday
        (date(2026, 12, 31), date(2027, 1, 6)),  # New Year on the Friday
    ],
)
def test_three_business_days_by_hand(day: date, moved: date) -> None:
    assert add_business_days(day, 3, HOLIDAYS) == moved


def test_the_holidays_are_those_of_the_federal_reserve() -> None:
    def monday(year: int, month: int, which: int) -> date:
        first = date(year, month, 1)
        return first + timedelta(days=-first.weekday() % 7 + 7 * (which - 1))

    def observed(day: date) -> date | None:
        """Move Sunday holidays to Monday; Saturday holidays are lost."""
        return None if day.weekday() == 5 else day + timedelta(days=day.weekday() == 6)

    memorial = date(2026, 5, 31) - timedelta(days=date(2026, 5, 31).weekday())
    thanksgiving = date(2026, 11, 1) + timedelta(days=(3 - date(2026, 11, 1).weekday()) % 7 + 21)
    fixed = [(2026, 1, 1), (2026, 6, 19), (2026, 7, 4), (2026, 11, 11), (2026, 12, 25), (2027, 1, 1)]
    expected = {observed(date(*day)) for day in fixed} | {memorial, thanksgiving}
    expected |= {monday(2026, 1, 3), monday(2026, 2, 3), monday(2026, 9, 1), monday(2026, 10, 2)}
    expected |= {monday(2027, 1, 3), monday(2027, 2, 3)}
    assert expected - {None} == HOLIDAYS


@given(st.dates(date(1940, 1, 1), date(2010, 12, 31)), st.dates(date(2020, 1, 1), date(2027, 12, 31)))
def test_whole_years_count_birthdays(born: date, today: date) -> None:
    def birthday(year: int) -> date:
        try:
            return born.replace(year=year)
        except ValueError:  # 29 February
            return date(year, 3, 1)

    assert whole_years(born, today) == sum(birthday(year) <= today for year in range(born.year + 1, today.year + 1))
