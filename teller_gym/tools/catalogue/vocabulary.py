"""Functions that the catalogue's expressions may call.

They take and return integers and exact fractions; functions with irrational values (``sqrt``, ``sin``, …) return the
floating-point result as the exact value of its printed decimals. Angles are in degrees.
"""

from __future__ import annotations

import calendar
import math
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from difflib import SequenceMatcher
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import Any, Final

from teller_gym.base.dates import is_business_day, whole_years
from teller_gym.base.money import exact, fmt_usd, round_half_up
from teller_gym.base.text import normalise_text

_EARTH_KM: Final = 6371.0088
_LONGEST: Final = 10_000
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def as_text(value: Any) -> str:
    """Format a value for people: numbers as decimals, dates as 2026-03-04, lists with commas."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else repr(float(value))
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    return ", ".join(map(as_text, value)) if isinstance(value, list) else str(value)


def rounded(value: Any, places: int = 0) -> int | Fraction:
    """Round half up to decimal places; without places, to a whole number."""
    scale = 10**places if places >= 0 else Fraction(1, 10**-places)
    return Fraction(round_half_up(Fraction(value) * scale)) / scale if places else round_half_up(Fraction(value))


def round_up(value: Any, step: Any = 1) -> Any:
    """Round up to a multiple of a step."""
    return math.ceil(Fraction(value) / step) * step


def round_down(value: Any, step: Any = 1) -> Any:
    """Round down to a multiple of a step."""
    return math.floor(Fraction(value) / step) * step


def fixed(value: Any, places: int) -> str:
    """Format a number with a fixed number of decimals."""
    whole = round_half_up(Fraction(value) * 10**places)
    digits = f"{abs(whole):0{places + 1}d}"
    sign = "-" if whole < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def significant(value: Any, digits: int = 6) -> Fraction:
    """Round half up to a number of significant digits."""
    number = Fraction(value)
    context = Context(prec=int(digits), rounding=ROUND_HALF_UP)
    return Fraction(context.divide(Decimal(number.numerator), Decimal(number.denominator)))


def dollars(value: Any) -> str:
    """Format an amount of dollars, such as ``1,896.20``."""
    return fmt_usd(round_half_up(Fraction(value) * 100))


def spread(low: Any, high: Any = None, step: int = 1) -> list[int]:
    """Return whole numbers as Python's ``range`` does, at most 10,000."""
    numbers = range(int(low)) if high is None else range(int(low), int(high), int(step))
    if len(numbers) > _LONGEST:
        raise OverflowError(f"more than {_LONGEST} numbers")
    return list(numbers)


def add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the last day of the month if it is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"no year {year} in the calendar")
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def to_date(value: Any) -> date | None:
    """Convert a text such as 2026-03-04 to a date; None and dates stay as they are."""
    return date.fromisoformat(value) if isinstance(value, str) else value


def in_minutes(time: str) -> int:
    """Convert a time of day such as ``08:30`` to minutes after midnight."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def clock(minutes: Any) -> str:
    """Convert minutes after midnight, of the same or another day, to a time of day such as ``08:30``."""
    hours, rest = divmod(int(minutes) % 1440, 60)
    return f"{hours:02d}:{rest:02d}"


def unaccented(text: str) -> str:
    """Remove the accents from the letters of a text."""
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def great_circle(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Return the great-circle distance of two places in kilometres; coordinates are in degrees."""
    a, b, c, d = map(math.radians, (latitude, longitude, other_latitude, other_longitude))
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def duration(seconds: Any) -> str:
    """Format seconds as hours, minutes and whole seconds, such as ``1:23:45``."""
    whole = round_half_up(Fraction(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def is_date(text: str) -> bool:
    """Return True if a text is a valid date in the form YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def similarity(one: str, other: str) -> int:
    """Return the similarity of two texts in percent, ignoring case and spacing."""
    return round(100 * SequenceMatcher(None, normalise_text(one), normalise_text(other), autojunk=False).ratio())


def first(items: Iterable[Any], default: Any = None) -> Any:
    """Return the first item, or the default if there is none."""
    return next(iter(items), default)


def unique(items: Iterable[Any]) -> list[Any]:
    """Return the distinct items in order."""
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def index(items: Sequence[Any], wanted: Any) -> int | None:
    """Return the index of an item, counted from 0, or None if it is missing."""
    return list(items).index(wanted) if wanted in items else None


def tally(items: Iterable[Any]) -> list[dict[str, Any]]:
    """Count the items; return rows of ``item`` and ``count``, the most frequent first."""
    return [{"item": item, "count": count} for item, count in Counter(items).most_common()]


def fold(step: Callable[[Any, Any], Any], items: Iterable[Any], start: Any) -> Any:
    """Reduce the items from left to right: replace ``start`` by ``step(start, item)`` for each."""
    return reduce(step, items, start)


def total(items: Iterable[Any]) -> Any:
    """Return the sum of the items; 0 if there are none."""
    return sum(items)


def _irrational(function: Callable[..., float]) -> Callable[..., Any]:
    """Adapt a floating-point function to exact numbers; outside its domain it raises ArithmeticError."""

    def evaluate(*numbers: Any) -> Fraction:
        try:
            return exact(function(*map(float, numbers)))
        except ValueError as error:
            raise ArithmeticError(str(error)) from None

    return evaluate


def _degrees(function: Callable[[float], float]) -> Callable[..., Any]:
    return _irrational(lambda angle: function(math.radians(angle)))


def _from_scope(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function that takes the scope, which contains the bank, before its arguments."""
    function.needs_scope = True  # type: ignore[attr-defined]
    return function


@_from_scope
def records(scope: Any, table: str) -> list[dict[str, Any]]:
    """Return the records that the catalogue's tools wrote to a table, each with its ``id``."""
    return _rows(scope["bank"].rows(f"misc_{table}"))


@_from_scope
def bank_rows(scope: Any, table: str) -> list[dict[str, Any]]:
    """Return the rows of one of the bank's own tables, each with its ``id``."""
    return _rows(scope["bank"].rows(table))


def _rows(rows: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    return [exactly({"id": key, **row}) for key, row in rows]


def exactly(value: Any) -> Any:
    """Replace all floats in a JSON value by exact numbers."""
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, dict):
        return {key: exactly(item) for key, item in value.items()}
    return [exactly(item) for item in value] if isinstance(value, list | tuple) else value


def _extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(*items: Any, key: Callable[[Any], Any] | None = None, default: Any = None) -> Any:
        among: Collection[Any] = items[0] if len(items) == 1 else items
        return pick(among, key=key) if among else default

    return evaluate


NAMES: Final[dict[str, Any]] = {"pi": exact(math.pi)}
"""Constants that every expression may use."""

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    # Numbers.
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "gcd": math.gcd,
    "lcm": math.lcm,
    "max": _extreme(max),
    "mean": lambda items: Fraction(sum(items), 1) / len(items),
    "median": lambda items: statistics.median(map(Fraction, items)),
    "min": _extreme(min),
    "number": lambda text: Fraction(text),
    "round": rounded,
    "round_down": round_down,
    "round_up": round_up,
    "significant": significant,
    "sum": total,
    "whole": int,
    # Irrational functions; angles in degrees.
    "acos": _irrational(lambda value: math.degrees(math.acos(value))),
    "asin": _irrational(lambda value: math.degrees(math.asin(value))),
    "atan": _irrational(lambda value: math.degrees(math.atan(value))),
    "atan2": _irrational(lambda y, x: math.degrees(math.atan2(y, x))),
    "cos": _degrees(math.cos),
    "exp": _irrational(math.exp),
    "great_circle": _irrational(great_circle),
    "log": _irrational(math.log),
    "log10": _irrational(math.log10),
    "sin": _degrees(math.sin),
    "sqrt": _irrational(math.sqrt),
    "tan": _degrees(math.tan),
    "to_power": _irrational(math.pow),
    # Lists and rows.
    "all": all,
    "any": any,
    "enumerate": lambda items, start=0: [list(pair) for pair in enumerate(items, start)],
    "first": first,
    "flat": lambda lists: [item for items in lists for item in items],
    "fold": fold,
    "get": lambda row, field, default=None: row.get(field, default),
    "index": index,
    "items": lambda row: [list(pair) for pair in row.items()],
    "keys": list,
    "len": len,
    "list": list,
    "range": spread,
    "reversed": lambda items: items[::-1],
    "running": lambda items: list(accumulate(items)),
    "sorted": lambda items, key=None, reverse=False: sorted(items, key=key, reverse=reverse),
    "tally": tally,
    "unique": unique,
    "values": lambda row: list(row.values()),
    "zip": lambda *lists: [list(items) for items in zip(*lists, strict=False)],
    # Texts.
    "capitalize": str.capitalize,
    "chr": chr,
    "dollars": dollars,
    "ends": str.endswith,
    "find_all": lambda pattern, text: [match[0] for match in re.finditer(pattern, text)],
    "fixed": fixed,
    "groups": lambda text, size: [text[start : start + size] for start in range(0, len(text), size)],
    "fold_case": normalise_text,
    "join": lambda items, between=", ": between.join(map(as_text, items)),
    "lower": str.lower,
    "matches": lambda pattern, text: re.fullmatch(pattern, text) is not None,
    "ord": ord,
    "replace": str.replace,
    "similarity": similarity,
    "split": lambda text, between=None: text.split(between),
    "starts": str.startswith,
    "strip": str.strip,
    "substitute": lambda pattern, new, text: re.sub(pattern, new, text),
    "text": as_text,
    "title": str.title,
    "unaccented": unaccented,
    "upper": str.upper,
    # Days and times of day.
    "add_months": add_months,
    "clock": clock,
    "date": to_date,
    "day_of_year": lambda day: day.timetuple().tm_yday,
    "days_in_month": lambda year, month: calendar.monthrange(year, month)[1],
    "duration": duration,
    "is_business_day": lambda day: is_business_day(day, ()),
    "is_date": is_date,
    "is_leap_year": calendar.isleap,
    "iso_week": lambda day: day.isocalendar().week,
    "make_date": date,
    "minutes": in_minutes,
    "weekday": date.isoweekday,
    "weekday_name": lambda day: _WEEKDAYS[day.weekday()],
    "whole_years": whole_years,
    # The bank.
    "bank_rows": bank_rows,
    "records": records,
}
"""The functions, by their names in expressions."""
