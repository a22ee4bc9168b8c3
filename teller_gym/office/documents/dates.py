"""Formats dates in common styles, and parses texts that can mean only one day."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import Final, Literal

from teller_gym.office.documents.errors import DocumentError, shown

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""English month names. The `calendar` module's depend on the machine's language."""

MAX_LENGTH: Final = 32
"""Maximum length of a text that is parsed as a date, in characters."""


class DateStyle(StrEnum):
    """Date styles, illustrated with 9 March 2026."""

    ISO = "iso"
    """2026-03-09"""
    US = "us"
    """03/09/2026"""
    LONG = "long"
    """9 March 2026"""


def date_text(day: date, style: DateStyle = DateStyle.ISO) -> str:
    """Format a day in a style."""
    if style is DateStyle.US:
        return f"{day.month:02d}/{day.day:02d}/{day.year:04d}"
    if style is DateStyle.LONG:
        return f"{day.day} {MONTHS[day.month - 1]} {day.year:04d}"
    return f"{day.year:04d}-{day.month:02d}-{day.day:02d}"


_NAMES: Final = {
    **{name.lower(): number for number, name in enumerate(MONTHS, 1)},
    **{name[:3].lower(): number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
_YEAR_FIRST: Final = re.compile(r"(?P<year>[0-9]{4})(?P<by>[-/.])(?P<month>[0-9]{1,2})(?P=by)(?P<day>[0-9]{1,2})")
_YEAR_LAST: Final = re.compile(r"(?P<one>[0-9]{1,2})(?P<by>[-/.])(?P<two>[0-9]{1,2})(?P=by)(?P<year>[0-9]{4})")
_DAY_MONTH: Final = re.compile(
    r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|\.)?[ -](?:of )?(?P<month>[a-z]{3,9})\.?,?[ -](?P<year>[0-9]{4})"
)
_MONTH_DAY: Final = re.compile(
    r"(?P<month>[a-z]{3,9})\.? (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?:, ?| )(?P<year>[0-9]{4})"
)
_BLANKS: Final = re.compile("[ \t\r\n\u00a0\u2007\u2009\u202f\ufeff]+")


def parse_date(text: str, order: Literal["mdy", "dmy"] | None = None) -> date:
    """Parse a date.

    Accepted are ``2026-03-09`` (with ``/`` or ``.`` as well), ``9 March 2026``, ``9-Mar-2026``, ``March 9, 2026`` and
    ``03/25/2026`` or ``25.03.2026``, if only one order of day and month is possible.

    Args:
        text: a date with a year of four digits.
        order: ``mdy`` or ``dmy`` for texts in which both orders are possible; None rejects such texts.

    Raises:
        DocumentError: the text is not a date, is ambiguous, or names a day that does not exist.
    """
    if len(text) > MAX_LENGTH:
        raise DocumentError(f"Expected a date in at most {MAX_LENGTH} characters; got {len(text)}: {shown(text)}.")
    plain = _BLANKS.sub(" ", text).strip(" ").lower()
    if found := _YEAR_FIRST.fullmatch(plain):
        return _day(text, found["year"], int(found["month"]), found["day"])
    if found := _YEAR_LAST.fullmatch(plain):
        month, day = _month_and_day(text, int(found["one"]), int(found["two"]), order)
        return _day(text, found["year"], month, day)
    if (found := _DAY_MONTH.fullmatch(plain) or _MONTH_DAY.fullmatch(plain)) and found["month"] in _NAMES:
        return _day(text, found["year"], _NAMES[found["month"]], found["day"])
    raise DocumentError(f"Expected a date such as 2026-03-09 or 9 March 2026; got {shown(text)}.")


def _month_and_day(text: str, one: int, two: int, order: Literal["mdy", "dmy"] | None) -> tuple[int, int]:
    if order is not None:
        return (one, two) if order == "mdy" else (two, one)
    if one <= 12 and two <= 12 and one != two:
        raise DocumentError(
            f"Expected a date that means one day; {shown(text)} may have its month first or its day. "
            "Write it as 2026-03-09, or say which order it has."
        )
    return (one, two) if one <= 12 else (two, one)


def _day(text: str, year: str, month: int, day: str | int) -> date:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        raise DocumentError(f"Expected a day of the calendar; got {shown(text)}, which does not exist.") from None
