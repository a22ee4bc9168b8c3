"""The words of an arithmetic expression: numbers, names and signs, each with its position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

NUMBER: Final = "number"
NAME: Final = "name"
SIGN: Final = "sign"
END: Final = "end"

DIGITS: Final = 28
"""Significant digits that numbers and results have at most."""

_MOST_EXPONENT: Final = 100
_NUMBER: Final = re.compile(r"(?:[0-9][0-9_,]*)?(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?")
_PLAIN: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_GROUP: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SIGNS: Final = ("**", "//", "+", "-", "*", "/", "%", "(", ")", ",")
_MEANT: Final = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "[": "(", "]": ")", "{": "(", "}": ")"}
"""Characters that people write, and what is written here."""


class CalculationError(ValueError):
    """An expression that cannot be worked out.

    Attributes:
        message: what was expected, what came, what to do.
        position: of the character that it is about, from 1.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"position {position}: {message}")
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class Token:
    """A word of an expression.

    Attributes:
        kind: `NUMBER`, `NAME`, `SIGN` or `END`.
        text: as it stands there; empty at the end.
        position: of its first character, from 1.
        value: of a number.
    """

    kind: str
    text: str
    position: int
    value: Decimal = Decimal(0)

    def __str__(self) -> str:
        return "the end" if self.kind == END else f"'{self.text:.40}'"


def tokens(text: str) -> list[Token]:
    """Return the words of an expression, the end included.

    Commas separate arguments in a function's parentheses, and elsewhere the thousands of a number. A number whose
    commas could be either, or a decimal comma, is refused.

    Raises:
        CalculationError: a character or a number that cannot be.
    """
    found: list[Token] = []
    place = 0
    calls: list[bool] = []
    while place < len(text):
        letter = text[place]
        if letter in " \t\r\n":
            place += 1
            continue
        position = place + 1
        if letter in "0123456789" or (letter == "." and text[place + 1 : place + 2].isdecimal()):
            found.append(_number(text, place, any(calls)))
        elif name := _NAME.match(text, place):
            found.append(Token(NAME, name[0], position))
        else:
            sign = next((one for one in _SIGNS if text.startswith(one, place)), None)
            if sign is None:
                raise _unknown(letter, position)
            if sign == "(":
                calls.append(bool(found) and found[-1].kind == NAME)
            elif sign == ")" and calls:
                calls.pop()
            found.append(Token(SIGN, sign, position))
        place += len(found[-1].text)
    found.append(Token(END, "", len(text) + 1))
    return found


def _unknown(letter: str, position: int) -> CalculationError:
    if letter in _MEANT:
        return CalculationError(f"'{letter}' is not known here; write {_MEANT[letter]}", position)
    if letter in "$€£¥":
        return CalculationError("amounts are written without a currency", position)
    return CalculationError(f"expected a number, a function or a sign, found {letter!a}", position)


def _number(text: str, place: int, in_call: bool) -> Token:
    match = _NUMBER.match(text, place)
    written = match[0] if match else ""
    # In `max(1.5,2)` and `max(12,3)` the comma separates arguments: the number ends before it.
    if in_call and "," in written:
        if _GROUP.match(written):
            raise CalculationError(
                f"'{written:.40}' could be one number or several: write thousands without commas, and a space after "
                "a comma that separates arguments",
                place + 1,
            )
        written = written.partition(",")[0]
    written = written.rstrip(",")
    after = text[place + len(written) : place + len(written) + 1]
    plain = written.replace(",", "") if _GROUPED.fullmatch(written) else written
    form = _PLAIN.fullmatch(plain)
    if "," in plain or (
        form and after in (".", ",") and text[place + len(written) + 1 :][:1].isdecimal() and not in_call
    ):
        raise CalculationError(
            f"'{written + after if after in ('.', ',') else written:.40}' is not clear: write a decimal point, and "
            "thousands in groups of three (1,234.50) or without commas (1234.50)",
            place + 1,
        )
    if form is None or after.isalpha() or after == "_":
        raise CalculationError(f"'{(written + after):.40}' is not a number; write it like 1234.50", place + 1)
    if form[1] and abs(int(form[1][:8])) > _MOST_EXPONENT:
        raise CalculationError(f"exponents of numbers go from -{_MOST_EXPONENT} to {_MOST_EXPONENT}", place + 1)
    value = Decimal(plain)
    if len(value.as_tuple().digits) > DIGITS:
        raise CalculationError(f"numbers have at most {DIGITS} digits", place + 1)
    return Token(NUMBER, written, place + 1, value)
