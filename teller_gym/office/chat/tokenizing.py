"""Splits text into words, dates and numbers, each in a canonical form."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from teller_gym.office.documents.dates import MONTHS

_MONTHS: Final = tuple(name.lower() for name in MONTHS)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?![\d:])"
_DAYS: Final = rf"{_DAY}(?:(?:,?\s(?:and|or|to)\s|,\s?|\s?[-–&]\s?){_DAY}){{0,6}}"
"""One or several days of a month, such as "5", "5 or 6" or "3 to 6"."""

_TOKEN: Final = re.compile(
    r"(?P<iso>\b\d{4}-\d{1,2}-\d{1,2}(?!\d))"
    r"|(?P<dmy>\b\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d))"
    rf"|(?P<dm>\b(?P<dm_days>{_DAYS})\s(?:of\s)?(?P<dm_month>{_MONTH})\b\.?(?:,?\s(?P<dm_year>\d{{4}})\b)?)"
    rf"|(?P<md>\b(?P<md_month>{_MONTH})\.?\s(?P<md_days>{_DAYS})\b(?![.,]?\d)(?:,?\s(?P<md_year>\d{{4}})\b)?)"
    r"|(?P<time>\b\d{1,2}:\d{2}\b)"
    r"|(?P<number>(?<!\w)[-−]?[£$€]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?![a-z0-9]))"
    r"|(?P<word>[^\W_]+(?:'[^\W\d_]+)*)"
    r"|(?P<stop>[.?!;\n])"
    r"|(?P<colon>:)"
    r"|(?P<comma>[,()/–—]|(?<=\s)-(?=\s))"
)

_WHOLE: Final = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
}
_ENDINGS: Final = ("'s", "'re", "'ve", "'ll", "'d", "'m")

_NOT_OF_A_NUMBER: Final = str.maketrans("", "", ",-−£$€")

STOP: Final = "."
"""End of a sentence or clause."""

COLON: Final = ":"
"""End of an introduction, such as "About Hart"."""

COMMA: Final = ","
"""Separator of items in an enumeration."""


@lru_cache(maxsize=1024)
def tokens(text: str, today: date) -> tuple[str, ...]:
    """Split a text into word stems, numbers, dates (ISO 8601), times (hh:mm) and punctuation marks, in order.

    Case, accents, plural endings, contractions, currencies and commas in numbers are normalised. A date such as
    "5 March" yields its words and then the date, 2026-03-05. So do "today", "tomorrow" and the days of the week, which
    mean the next such day.

    Args:
        text: a text, at most as long as a message.
        today: the day that relative dates refer to; dates without a year are in its year.
    """
    found: list[str] = []
    for match in _TOKEN.finditer(_normalised(text)):
        piece = match[0]
        if match["iso"] or match["dmy"]:
            found.extend(_numeric_date(piece))
        elif match["dm"] or match["md"]:
            prefix = "dm" if match["dm"] else "md"
            days, month, year = (match[f"{prefix}_{name}"] for name in ("days", "month", "year"))
            found.extend(_written_dates(days, month, year, today))
        elif match["time"]:
            hour, minute = piece.split(":")
            found.append(f"{int(hour):02}:{minute}")
        elif match["number"]:
            found.append(_plain_number(piece))
        elif match["word"]:
            for word in _words(piece):
                found.append(stem(word))
                found.extend(_relative_date(word, today))
        else:
            found.append(STOP if match["stop"] else COLON if match["colon"] else COMMA)
    return tuple(found)


def stem(word: str) -> str:
    """Remove a word's plural ending."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss") or any(sign.isdigit() for sign in word):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


def _normalised(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'").casefold())
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return re.sub(r"[^\S\n]+", " ", plain)


def _words(piece: str) -> tuple[str, ...]:
    if piece in _WHOLE:
        return _WHOLE[piece]
    if piece.endswith("n't"):
        return piece[:-3], "not"
    for ending in _ENDINGS:
        if piece.endswith(ending):
            return (piece[: -len(ending)],)
    return (piece.replace("'", ""),)


def _plain_number(piece: str) -> str:
    sign = "-" if piece[0] in "-−" else ""
    whole, _, part = piece.translate(_NOT_OF_A_NUMBER).partition(".")
    part = part.rstrip("0")
    return sign + (whole.lstrip("0") or "0") + (f".{part}" if part else "")


def _numeric_date(piece: str) -> list[str]:
    parts = [int(one) for one in re.split(r"[-/.]", piece)]
    year, month, day = parts if "-" in piece else parts[::-1]
    return _date(year, month, day) or [str(one) for one in parts]


def _written_dates(days: str, month: str, year: str | None, today: date) -> list[str]:
    """Return the days, the month and their dates.

    A day that the month does not have yields no date.
    """
    number = next(index for index, name in enumerate(_MONTHS, 1) if name.startswith(month[:3]))
    found: list[str] = []
    is_date = False
    for day in _listed(days):
        one = _date(int(year) if year else today.year, number, day)
        found += [str(day), *one]
        is_date = is_date or bool(one)
    found.append(_MONTHS[number - 1])
    return found if is_date or not year else [*found, year]


def _listed(days: str) -> list[int]:
    """Return the days in an enumeration.

    "3 to 6" includes the days between.
    """
    pieces = re.findall(r"\d+|to|[-–]", days)
    found: list[int] = []
    for place, piece in enumerate(pieces):
        if piece.isdecimal():
            first = found[-1] + 1 if place and not pieces[place - 1].isdecimal() and found else int(piece)
            found += range(first, int(piece)) if first < int(piece) else ()
            found.append(int(piece))
    return found


def _relative_date(word: str, today: date) -> list[str]:
    if word in _WEEKDAYS:
        days = (_WEEKDAYS.index(word) - today.weekday()) % 7
    elif word in ("today", "tomorrow"):
        days = int(word == "tomorrow")
    else:
        return []
    try:
        return [(today + timedelta(days=days)).isoformat()]
    except OverflowError:
        return []


def _date(year: int, month: int, day: int) -> list[str]:
    try:
        return [date(year, month, day).isoformat()]
    except ValueError:
        return []
