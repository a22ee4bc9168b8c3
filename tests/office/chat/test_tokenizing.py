"""One form for each word, number and date, in any spelling."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat.tokenizing import figures, stem, tokens

TODAY = date(2026, 3, 2)  # a Monday


def words(text: str) -> list[str]:
    return [one.text for one in tokens(text, TODAY)]


@pytest.mark.parametrize(
    "text",
    [
        *("5 March", "5th of March", "March 5", "march 5th", "5 Mar. 2026", "Mar 5, 2026", "2026-03-05", "05/03/2026"),
        *("5.3.2026", "Thursday", "THURSDAY?", "5 march, please", "on March 5th, 2026."),
    ],
)
def test_dates_in_any_form(text: str) -> None:
    assert figures(text, TODAY) == {"2026-03-05"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("today and tomorrow", {"2026-03-02", "2026-03-03"}),
        ("monday", {"2026-03-02"}),
        ("5 or 6 March", {"2026-03-05", "2026-03-06"}),
        ("5th, 6th and 9th of March 2027", {"2027-03-05", "2027-03-06", "2027-03-09"}),
        ("3 to 6 March", {"2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"}),
        ("March 3-5, 2026", {"2026-03-03", "2026-03-04", "2026-03-05"}),
        ("March 5 & 6", {"2026-03-05", "2026-03-06"}),
        ("6 to 3 March", {"2026-03-06", "2026-03-03"}),
        ("30 and 31 February", {"30", "31"}),
        ("28 or 29 February 2026", {"2026-02-28", "29"}),
        ("12 and 5 March", {"2026-03-12", "2026-03-05"}),
        ("from 9:30, 5 March", {"09:30", "2026-03-05"}),
        ("1,000 and 5 March", {"1000", "2026-03-05"}),
        ("2,500, 5 March", {"2500", "2026-03-05"}),
        ("31 February", {"31"}),
        ("31 June 2026", {"31", "2026"}),
        ("2026-02-30", {"2026", "2", "30"}),
        ("May 2026", {"2026"}),
        ("May I have 3 copies?", {"3"}),
        ("£412,300.00 and 412300", {"412300"}),
        ("0.50, 00.5 and .5", {"0.5"}),
        ("-500 and −£1,250.10", {"-500", "-1250.1"}),
        ("10-12 of 1,2,3", {"10", "12", "1", "2", "3"}),
        ("at 9:30 or 09:30", {"09:30"}),
        ("Q1, 5k and 3rd", set()),
        ("5%", {"5"}),
        ("", set()),
    ],
)
def test_numbers_dates_and_times(text: str, found: set[str]) -> None:
    assert figures(text, TODAY) == found


@given(st.dates(date(2020, 1, 1), date(2030, 12, 31)))
def test_all_ways_to_write_a_date_are_one(day: date) -> None:
    month = day.strftime("%B")
    for text in (
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day}th of {month[:3].upper()} {day.year}",
    ):
        assert figures(f"by {text} please", TODAY) == {day.isoformat()}, text


@given(st.integers(-(10**9), 10**9))
def test_all_ways_to_write_a_number_are_one(number: int) -> None:
    for text in (f"{number}", f"{number:,}", f"{number:,}.00", f"{number:,}.0"):
        assert figures(f"it is {text} now", TODAY) == {str(number)}, text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hart's pensions", ["hart", "pension"]),
        ("Harts’ PENSION", ["hart", "pension"]),
        ("I don't, can't, won't", ["i", "do", "not", ",", "can", "not", ",", "will", "not"]),
        ("Zoë Müller", ["zoe", "muller"]),
        ("companies taxes addresses boxes class", ["company", "tax", "address", "box", "class"]),
        ("follow-up: x – y", ["follow", "up", ":", "x", ",", "y"]),
        ("what's", ["what"]),
        ("o'clock", ["oclock"]),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_stem_is_its_own_stem_for_usual_words() -> None:
    for word in ("is", "bus", "pension", "q1s", "glass"):
        assert stem(stem(word)) == stem(word)


@given(st.text(max_size=80), st.dates())
def test_any_text_has_words(text: str, today: date) -> None:
    for one in tokens(text, today):
        assert one.text and one.kind in ("word", "number", "date", "part", "time", "stop", "colon", "comma")


def test_days_of_the_week_are_the_next_ones() -> None:
    for ahead in range(7):
        day = TODAY + timedelta(days=ahead)
        assert figures(f"{day:%A}", TODAY) == {day.isoformat()}
