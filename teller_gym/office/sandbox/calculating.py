"""A calculator with exact decimals.

In the grammar, each line binds more tightly than the one above it::

    sum      = product (("+" | "-") product)*
    product  = signed (("*" | "/" | "//" | "%") signed)*
    signed   = ("+" | "-") signed | power
    power    = atom ("**" signed)?
    atom     = number | "(" sum ")" | function "(" sum ("," sum)* ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import (
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    Underflow,
)
from typing import Any, Final

NUMBER: Final = "number"
NAME: Final = "name"
SIGN: Final = "sign"
END: Final = "end"

DIGITS: Final = 28
"""Maximum number of significant digits of numbers and results."""

_MOST_EXPONENT: Final = 100
_NUMBER: Final = re.compile(r"(?:[0-9][0-9_,]*)?(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?")
_PLAIN: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_GROUP: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SIGNS: Final = ("**", "//", "+", "-", "*", "/", "%", "(", ")", ",")
_MEANT: Final = {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "[": "(", "]": ")", "{": "(", "}": ")"}
"""Characters that people write for operators, with the operators that they mean."""

MAX_LENGTH: Final = 1000
"""Maximum length of an expression in characters."""

MAX_DEPTH: Final = 50
"""Maximum depth of nested parentheses, signs and exponents."""

MAX_EXPONENT: Final = 10_000
"""Maximum exponent that a number can be raised to."""

MAX_PLACES: Final = 28
"""Maximum number of decimals to round to. Negative numbers round to places before the point."""

_LARGEST: Final = 999
"""Maximum number of digits before and after the point of a result."""

_TRAPS: Final = (InvalidOperation, DivisionByZero, Overflow, Underflow)


def _context(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=-_LARGEST, Emax=_LARGEST, traps=list(_TRAPS))


class CalculationError(ValueError):
    """An expression that cannot be evaluated.

    Attributes:
        message: what was expected, what was received, and what to do.
        position: position of the invalid character, counted from 1.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"position {position}: {message}")
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an expression.

    Attributes:
        kind: `NUMBER`, `NAME`, `SIGN` or `END`.
        text: the token as written; empty at the end.
        position: position of the first character, counted from 1.
        value: value of a number.
    """

    kind: str
    text: str
    position: int
    value: Decimal = Decimal(0)

    def __str__(self) -> str:
        return "the end" if self.kind == END else f"'{self.text:.40}'"


def calculate(expression: str) -> str:
    """Evaluate an arithmetic expression and return its value in plain notation, such as ``1896.20``.

    Supported are ``+ - * / // % **``, parentheses, ``min``, ``max``, ``sum``, ``abs`` and ``round(x, n)`` (half away
    from zero, n decimals). Numbers and results have up to 28 digits; longer results are rounded half to even. As in
    Python's Decimal, ``//`` rounds toward zero, ``%`` has the sign of the dividend, and ``**`` binds more tightly than
    a minus before it.

    Raises:
        CalculationError: the expression is too long, too deeply nested or malformed, or has no value.
    """
    if len(expression) > MAX_LENGTH:
        raise CalculationError(f"an expression has at most {MAX_LENGTH} characters, this one {len(expression)}", 1)
    parser = _Parser(_tokens(expression))
    value = parser.sum()
    parser.expect(END, "", "an operator or the end")
    return format(value if value else abs(value), "f")


class _Parser:
    """Evaluates an expression while parsing it."""

    def __init__(self, words: list[Token]) -> None:
        self.words = words
        self.place = 0
        self.depth = 0
        self.context = _context(DIGITS)

    @property
    def next(self) -> Token:
        return self.words[self.place]

    def takes(self, *signs: str) -> Token | None:
        """Consume and return the next token if it is one of the given signs, or return None."""
        word = self.next
        if word.kind != SIGN or word.text not in signs:
            return None
        self.place += 1
        return word

    def expect(self, kind: str, text: str, expected: str) -> Token:
        word = self.next
        if word.kind != kind or word.text != text:
            raise CalculationError(f"expected {expected}, found {word}", word.position)
        self.place += 1
        return word

    def deeper(self, word: Token, read: Callable[[], Decimal]) -> Decimal:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise CalculationError(f"at most {MAX_DEPTH} levels can be within each other", word.position)
        value = read()
        self.depth -= 1
        return value

    def worked_out(self, word: Token, operation: Callable[..., Decimal], *operands: Any) -> Decimal:
        try:
            return operation(*operands)
        except DecimalException as error:
            raise CalculationError(_impossible(word.text, error), word.position) from None

    def binary(self, operand: Callable[[], Decimal], operations: dict[str, Callable[..., Decimal]]) -> Decimal:
        value = operand()
        while word := self.takes(*operations):
            value = self.worked_out(word, operations[word.text], value, operand())
        return value

    def sum(self) -> Decimal:
        return self.binary(self.product, {"+": self.context.add, "-": self.context.subtract})

    def product(self) -> Decimal:
        context = self.context
        operations = {"*": context.multiply, "/": context.divide, "//": context.divide_int, "%": context.remainder}
        return self.binary(self.signed, operations)

    def signed(self) -> Decimal:
        word = self.takes("+", "-")
        if word is None:
            return self.power()
        value = self.deeper(word, self.signed)
        return self.context.minus(value) if word.text == "-" else value

    def power(self) -> Decimal:
        base = self.atom()
        word = self.takes("**")
        if word is None:
            return base
        exponent = self.deeper(word, self.signed)
        if abs(exponent) > MAX_EXPONENT:
            raise CalculationError(f"exponents go from -{MAX_EXPONENT} to {MAX_EXPONENT}", word.position)
        return self.worked_out(word, self.context.power, base, exponent)

    def atom(self) -> Decimal:
        word = self.next
        if word.kind == NUMBER:
            self.place += 1
            return word.value
        if word.kind == NAME:
            return self.call()
        if not self.takes("("):
            raise CalculationError(f'expected a number, a function or "(", found {word}', word.position)
        value = self.deeper(word, self.sum)
        self.expect(SIGN, ")", 'an operator or ")"')
        return value

    def call(self) -> Decimal:
        name = self.next
        function = _FUNCTIONS.get(name.text)
        if function is None:
            raise CalculationError(f"expected one of {', '.join(_FUNCTIONS)}, found {name}", name.position)
        self.place += 1
        self.expect(SIGN, "(", f'"(" after {name.text}')
        values = [self.deeper(name, self.sum)]
        while self.takes(","):
            values.append(self.deeper(name, self.sum))
        self.expect(SIGN, ")", 'an operator, "," or ")"')
        try:
            return self.worked_out(name, function, self.context, values)
        except _ArgumentsError as error:
            raise CalculationError(str(error), name.position) from None


class _ArgumentsError(Exception):
    """Arguments that a function does not accept."""


def _impossible(sign: str, error: DecimalException) -> str:
    if sign in ("/", "//", "%") and isinstance(error, DivisionByZero):
        return "division by zero"
    if isinstance(error, Overflow | Underflow):
        return f"a result has at most {_LARGEST} digits before and after the point"
    if sign in ("//", "%"):
        return f"division by zero, or a quotient of more than {DIGITS} digits"
    return "this power has no value" if sign == "**" else "this has no value"


def _sum(context: Context, values: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = context.add(total, value)
    return total


def _abs(context: Context, values: list[Decimal]) -> Decimal:
    if len(values) != 1:
        raise _ArgumentsError(f"abs takes one number, got {len(values)}")
    return context.abs(values[0])


def _round(context: Context, values: list[Decimal]) -> Decimal:
    if len(values) > 2:
        raise _ArgumentsError(f"round takes a number and how many decimals, got {len(values)} numbers")
    places = values[1] if len(values) == 2 else Decimal(0)
    if places != places.to_integral_value() or abs(places) > MAX_PLACES:
        raise _ArgumentsError(f"round takes whole decimals from -{MAX_PLACES} to {MAX_PLACES}")
    step = Decimal((0, (1,), -int(places)))
    return values[0].quantize(step, rounding=ROUND_HALF_UP, context=_context(2 * _LARGEST))


_FUNCTIONS: Final[dict[str, Callable[[Context, list[Decimal]], Decimal]]] = {
    "min": lambda _, values: min(values),
    "max": lambda _, values: max(values),
    "sum": _sum,
    "abs": _abs,
    "round": _round,
}


def _tokens(text: str) -> list[Token]:
    """Split an expression into tokens, including the end.

    Commas separate arguments within a function's parentheses, and thousands of a number elsewhere. Decimal commas, and
    commas that could be either, raise an error.
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
    # In `max(1.5,2)` and `max(12,3)` the comma separates arguments, so the number ends before it.
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
