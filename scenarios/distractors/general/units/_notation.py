"""Numbers as they are written: Roman numerals, digits of any base, significant figures."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

# fmt: off
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
          (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
# fmt: on
_ROUNDINGS = {"half_up": ROUND_HALF_UP, "half_even": ROUND_HALF_EVEN, "down": ROUND_DOWN}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_roman(number: int) -> str:
    """Write a number from 1 to 3999 as a Roman numeral."""
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


def from_roman(text: str) -> int | None:
    """Read a Roman numeral in standard spelling; None for any other text."""
    single = {letters: value for value, letters in _ROMAN}
    values = [single.get(sign, 0) for sign in text]
    total = sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
    return total if 1 <= total <= 3999 and to_roman(total) == text else None


def write_in_base(number: int, base: int) -> str:
    """Write a number of 0 or more in a base from 2 to 36."""
    text = ""
    while number or not text:
        number, digit = divmod(number, base)
        text = DIGITS[digit] + text
    return text


def in_groups(text: str, size: int) -> str:
    """Put a space after every ``size`` characters, counted from the end; 0 leaves the text as it is."""
    if not size:
        return text
    first = len(text) % size
    parts = [text[:first], *(text[start : start + size] for start in range(first, len(text), size))]
    return " ".join(part for part in parts if part)


def round_figures(value: Decimal, figures: int, rounding: str) -> Decimal:
    """Round a number other than zero to significant figures."""
    with localcontext() as context:
        context.prec = 60
        for _ in range(2):  # 9.99 becomes 10.0, which has a figure too many, then 10
            last_place = Decimal((0, (1,), value.adjusted() - figures + 1))
            value = value.quantize(last_place, rounding=_ROUNDINGS[rounding])
    return value


def count_figures(number: str) -> int:
    """Count significant figures; zeros at the end of a whole number without a point are not counted."""
    mantissa = number.lower().partition("e")[0].strip("+-\n")
    digits = mantissa.replace(".", "").lstrip("0")
    return len(digits if "." in mantissa else digits.rstrip("0"))
