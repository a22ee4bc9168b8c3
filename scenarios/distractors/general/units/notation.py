"""Numbers written otherwise."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.units import _notation as notation
from teller_gym.scenarios.distractors.general.units import _scales as scales
from teller_gym.scenarios.distractors.general.units._notation import DIGITS
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class RomanNumeral(Result):
    """The same number in both notations."""

    number: int
    roman: str


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_roman_numeral(bank: Bank, numeral: Annotated[str, Meta(pattern="^[0-9IVXLCDM]{1,15}$")]) -> RomanNumeral:
    """Convert a number from 1 to 3999 from Arabic digits to a Roman numeral or back; only the standard spelling counts.

    Args:
        numeral: Either digits, such as 1984, or a Roman numeral in capitals, such as MCMLXXXIV.
    """
    text = numeral.strip()
    number = int(text) if text.isdecimal() else notation.from_roman(text)
    if number is None or not 1 <= number <= 3999:
        raise invalid("numeral", f"expected a number from 1 to 3999, in digits or as a standard Roman one, got {text}")
    return RomanNumeral(number=number, roman=notation.to_roman(number))


class SignificantFigures(Result):
    """The rounded number written out and in scientific notation, and how many figures the given number had."""

    rounded: str
    scientific: str
    figures_given: int


@tool(category=Category.GENERAL_DISTRACTOR)
def round_significant_figures(
    bank: Bank,
    number: Annotated[str, Meta(pattern="^[0-9.eE+-]{1,24}$")],
    figures: Annotated[int, Meta(ge=1, le=12)],
    rounding: Literal["half_up", "half_even", "down"] = "half_up",
) -> SignificantFigures:
    """Round a measured number to significant figures, keeping trailing zeros, and count the figures it was given with.
    Zeros at the end of a whole number without a decimal point are not counted.

    Args:
        number: The number as written, such as 0.04050 or 6.02e23.
        figures: How many significant figures to keep.
        rounding: What happens to the rest.
    """
    try:
        value = Decimal(number)
    except InvalidOperation:
        raise invalid("number", f"expected a decimal number such as 0.04050 or 6.02e23, got {number}") from None
    if value == 0 or abs(value.adjusted()) > scales.LARGEST_EXPONENT:
        raise invalid("number", f"expected at least 1e-30 and less than 1e31, either sign, got {number}")
    rounded = notation.round_figures(value, figures, rounding)
    return SignificantFigures(
        rounded=f"{rounded:f}", scientific=f"{rounded:.{figures - 1}e}", figures_given=notation.count_figures(number)
    )


class ConvertedNumber(Result):
    """The digits in the new base, the value in decimal digits, and the bits that its size needs."""

    converted: str
    decimal: str
    bits_needed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_number_base(
    bank: Bank,
    digits: Annotated[str, Meta(pattern="^[0-9A-Za-z-]{1,48}$")],
    from_base: Annotated[int, Meta(ge=2, le=36)],
    to_base: Annotated[int, Meta(ge=2, le=36)],
    word_bits: Literal[8, 16, 32, 64] | None = None,
    pad_to: Annotated[int, Meta(ge=0, le=64)] = 0,
    group_every: Annotated[int, Meta(ge=0, le=16)] = 0,
    upper_case: bool = False,
) -> ConvertedNumber:
    """Convert a whole number between bases 2 to 36, also as a machine word in two's complement.

    Args:
        digits: The number, with a minus sign in front if it is negative.
        from_base: Its base.
        to_base: The base wanted.
        word_bits: Width of a machine word; a negative number is then shown in two's complement, not with a minus sign.
        pad_to: Fill up with zeros to this many digits.
        group_every: Put a space after every so many digits, counted from the right; 0 for none.
        upper_case: Whether digits above 9 are capitals.
    """
    text = digits.strip().lower()
    body = text.removeprefix("-")
    if not body or not all(0 <= DIGITS.find(sign) < from_base for sign in body):
        raise invalid("digits", f"expected digits of base {from_base} ({DIGITS[:from_base]}), got {text}")
    value = number = int(body, from_base) * (1 if text == body else -1)
    if word_bits is not None:
        if not -(2 ** (word_bits - 1)) <= number < 2**word_bits:
            raise invalid("word_bits", f"expected a number that fits into {word_bits} bits, got {number}")
        value = number % 2**word_bits
    written = notation.in_groups(notation.write_in_base(abs(value), to_base).rjust(pad_to, "0"), group_every)
    return ConvertedNumber(
        converted=("-" if value < 0 else "") + (written.upper() if upper_case else written),
        decimal=str(number),
        bits_needed=max(1, abs(value).bit_length()),
    )
