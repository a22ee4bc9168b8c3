"""Formats amounts in cents, and parses amounts and percentages as people write them."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from typing import Final

from teller_gym.office.documents.errors import DocumentError, shown

MAX_LENGTH: Final = 64
"""Maximum length of a text that is parsed as a number, in characters."""


class MoneyStyle(StrEnum):
    """Amount styles, illustrated with minus 123,450 cents."""

    PLAIN = "plain"
    """-1234.50"""
    GROUPED = "grouped"
    """-1,234.50"""
    DOLLAR = "dollar"
    """-$1,234.50"""
    CODE = "code"
    """-1,234.50 USD"""
    PARENTHESES = "parentheses"
    """(1,234.50), and 1,234.50 for positive amounts"""
    COMMA = "comma"
    """-1.234,50"""


def money_text(cents: int, style: MoneyStyle = MoneyStyle.PLAIN) -> str:
    """Format cents with two decimals, so that `parse_money` returns the cents.

    The amount may have at most 30 digits before the point.
    """
    whole, rest = divmod(abs(cents), 100)
    if whole >= 10**30:
        raise DocumentError("Expected an amount of at most 30 digits before the point; got a larger one.")
    sign = "-" if cents < 0 else ""
    if style is MoneyStyle.PLAIN:
        return f"{sign}{whole}.{rest:02d}"
    if style is MoneyStyle.COMMA:
        return f"{sign}{whole:,}".replace(",", ".") + f",{rest:02d}"
    grouped = f"{whole:,}.{rest:02d}"
    if style is MoneyStyle.GROUPED:
        return sign + grouped
    if style is MoneyStyle.DOLLAR:
        return f"{sign}${grouped}"
    if style is MoneyStyle.CODE:
        return f"{sign}{grouped} USD"
    return f"({grouped})" if sign else grouped


_BLANK: Final = re.compile("[ \t\r\n\u00a0\u2007\u2009\u202f\ufeff]")
_CURRENCY: Final = r"(?:US\$|[$€£]|(?:USD|EUR|GBP)(?![A-Z]))"
_AMOUNT: Final = re.compile(
    rf"(?P<open>\()? ?(?P<sign>[-+])? ?(?P<before>{_CURRENCY})? ?(?P<inner>[-+])? ?(?P<bracket>\()? ?"
    rf"(?P<number>[0-9.,' ]*[0-9])(?P<shut>\))? ?(?P<trailing>-)? ?(?P<after>{_CURRENCY})? ?(?P<close>\))?",
    re.IGNORECASE | re.ASCII,
)
_PERCENT: Final = re.compile(
    r"(?P<open>\()? ?(?P<sign>[-+])? ?(?P<number>[0-9.,' ]*[0-9]) ?(?:%|percent)? ?(?P<close>\))?",
    re.IGNORECASE | re.ASCII,
)

_UNGROUPED: Final = re.compile(r"(?P<whole>0|[1-9][0-9]*)?(?:(?P<point>[.,])(?P<rest>[0-9]+))?")
_GROUPED: Final = re.compile(r"(?P<whole>[1-9][0-9]{0,2}(?:(?P<by>[.,' ])[0-9]{3})(?:(?P=by)[0-9]{3})*)"
                             r"(?:(?!(?P=by))(?P<point>[.,])(?P<rest>[0-9]+))?")  # fmt: skip


def parse_money(text: str) -> int:
    """Parse an amount of money into cents.

    A text may have a currency before or after the number ($, US$, €, £, USD, EUR, GBP), thousands separated by comma,
    point, space (including no-break spaces) or apostrophe, one or two decimals after a point or a comma, and, if it is
    negative, a minus before or after the number, or parentheses. The currency is ignored. ``1,234`` is a whole amount,
    since money has no third decimal, but ``1.234`` is an error: it may be a rate, or 1,234 as much of Europe writes it.

    Raises:
        DocumentError: the text is not an amount of money, or is ambiguous.
    """
    plain = _plain(text)
    found = _AMOUNT.fullmatch(plain)
    if found is None or (found["before"] and found["after"]):
        raise _no_money(text, "it is none")
    minus = _negative(found, text)
    whole, by, rest = _number(found["number"], text, "money")
    if by == "." and found["number"].count(".") == 1 and not rest:
        raise _no_money(text, "it may be a thousand or have three decimals; give it with two decimals")
    if len(rest) > 2:
        raise _no_money(text, "it has more than two decimals")
    cents = int(whole) * 100 + int(rest.ljust(2, "0"))
    return -cents if minus else cents


def parse_percent(text: str) -> Decimal:
    """Parse a percentage into the number before the sign: 4.25 for ``4.25%``, ``4,25 %``, ``4.25 percent`` or ``4.25``.

    Thousands separators, signs and parentheses are read as by `parse_money`; a number with a point may have any number
    of
    decimals. ``4,125`` may be a thousand or have three decimals, and is an error.

    Raises:
        DocumentError: the text is not a percentage, or is ambiguous.
    """
    found = _PERCENT.fullmatch(_plain(text))
    if found is None:
        raise DocumentError(f"Expected a percentage such as 4.25%; got {shown(text)}.")
    if (found["open"] is None) != (found["close"] is None) or (found["open"] and found["sign"]):
        raise DocumentError(f"Expected a percentage with one sign such as -4.25%; got {shown(text)}.")
    number = found["number"]
    if re.fullmatch(r"(?:0|[1-9][0-9]*)\.[0-9]{3}", number):
        whole, _, rest = number.partition(".")
        by = ""
    else:
        whole, by, rest = _number(number, text, "a percentage")
    if by == "," and number.count(",") == 1 and not rest:
        raise DocumentError(
            f"Expected a percentage that means one number; {shown(text)} may be a thousand or have three decimals. "
            "Write it with a point."
        )
    value = Decimal(f"{whole}.{rest}" if rest else whole)
    return value.copy_negate() if (found["open"] or found["sign"] == "-") and value else value


def _plain(text: str) -> str:
    """Return a text with plain spaces and minus signs.

    Raises:
        DocumentError: the text is longer than any amount.
    """
    if len(text) > MAX_LENGTH:
        raise DocumentError(f"Expected a number in at most {MAX_LENGTH} characters; got {len(text)}: {shown(text)}.")
    return _BLANK.sub(" ", text.replace("\u2212", "-")).strip(" ")


def _no_money(text: str, why: str) -> DocumentError:
    return DocumentError(f"Expected one amount of money such as 1,234.50; got {shown(text)}: {why}.")


def _negative(found: re.Match[str], text: str) -> bool:
    """Return True if an amount is negative.

    Raises:
        DocumentError: the signs contradict each other.
    """
    opening = [found[name] for name in ("open", "bracket") if found[name]]
    closing = [found[name] for name in ("shut", "close") if found[name]]
    if len(opening) != len(closing):
        raise _no_money(text, "one parenthesis has no other")
    marks = [*opening, *(found[name] for name in ("sign", "inner", "trailing") if found[name])]
    if len(marks) > 1:
        raise _no_money(text, "it has more than one sign")
    return any(mark in ("-", "(") for mark in marks)


def _number(number: str, text: str, what: str) -> tuple[str, str, str]:
    """Return the digits before the decimals, the thousands separator (empty without one), and the decimals."""
    ungrouped = _UNGROUPED.fullmatch(number)
    if ungrouped and not (ungrouped["point"] and _three(ungrouped)):
        return ungrouped["whole"] or "0", "", ungrouped["rest"] or ""
    grouped = _GROUPED.fullmatch(number)
    if grouped is None:
        raise DocumentError(f"Expected {what} in digits such as 1,234.50 or 1234.5; got {shown(text)}.")
    by = grouped["by"]
    return grouped["whole"].replace(by, ""), by, grouped["rest"] or ""


def _three(ungrouped: re.Match[str]) -> bool:
    """Return True if the decimals may be a group of thousands: one to three digits, a separator, three digits."""
    return len(ungrouped["rest"]) == 3 and ungrouped["whole"] not in (None, "0") and len(ungrouped["whole"]) <= 3
