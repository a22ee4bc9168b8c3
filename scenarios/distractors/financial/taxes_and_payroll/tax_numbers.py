"""Tax numbers of several countries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

TaxNumberProblem = Literal[
    "none", "wrong_country", "not_digits", "wrong_length", "wrong_first_digit", "wrong_check_digits"
]


class TaxNumberCheck(Result):
    """``check_digits_fit`` is null where there is nothing to check."""

    digits: str
    well_formed: bool
    check_digits_fit: bool | None
    problem: TaxNumberProblem


TaxNumberKind = Literal[
    "us_ein", "de_vat", "it_vat", "be_vat", "pl_vat", "pt_vat", "dk_vat", "fi_vat", "lu_vat", "no_org", "au_abn"
]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_tax_number(
    bank: Bank, kind: TaxNumberKind, tax_number: Annotated[str, Meta(min_length=4, max_length=24)]
) -> TaxNumberCheck:
    """Check the form and the check digits of an employer's tax number. Whether the number was ever given out is not
    looked up; an EIN has no check digits.

    Args:
        kind: Country and kind of the number.
        tax_number: The number with or without its country's letters; spaces, dots and hyphens are ignored.
    """
    digits, problem = read_tax_number(kind, tax_number)
    well_formed = problem in ("none", "wrong_check_digits")
    fits = problem == "none" if well_formed and kind != "us_ein" else None
    return TaxNumberCheck(digits=digits, well_formed=well_formed, check_digits_fit=fits, problem=problem)


Digits = Sequence[int]


class Scheme(NamedTuple):
    """A kind of tax number.

    ``check`` says whether the digits agree with their check digits; it is None for numbers that have none.
    """

    country: str
    length: int
    first_digits: str
    check: Callable[[Digits], bool] | None


def _germany(digits: Digits) -> bool:
    """ISO 7064, modulo 11 and 10."""
    product = 10
    for digit in digits[:8]:
        product = 2 * ((digit + product) % 10 or 10) % 11
    return (11 - product) % 10 == digits[8]


def _italy(digits: Digits) -> bool:
    """Luhn: every second digit is doubled, and the two digits of a double are added."""
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _number(digits: Digits) -> int:
    return int("".join(map(str, digits)))


def _belgium(digits: Digits) -> bool:
    return 97 - _number(digits[:8]) % 97 == _number(digits[8:])


def _weighted(digits: Digits, weights: Digits) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def _poland(digits: Digits) -> bool:
    return _weighted(digits[:9], (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11 == digits[9]


def _portugal(digits: Digits) -> bool:
    return (11 - _weighted(digits[:8], range(9, 1, -1)) % 11) % 11 % 10 == digits[8]


def _denmark(digits: Digits) -> bool:
    return _weighted(digits, (2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _finland(digits: Digits) -> bool:
    return _weighted(digits, (7, 9, 10, 5, 8, 4, 2, 1)) % 11 == 0


def _luxembourg(digits: Digits) -> bool:
    return _number(digits[:6]) % 89 == _number(digits[6:])


def _norway(digits: Digits) -> bool:
    return _weighted(digits, (3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _australia(digits: Digits) -> bool:
    return (_weighted(digits, (10, *range(1, 20, 2))) - 10) % 89 == 0


SCHEMES: dict[TaxNumberKind, Scheme] = {
    "us_ein": Scheme("US", 9, "0123456789", None),
    "de_vat": Scheme("DE", 9, "123456789", _germany),
    "it_vat": Scheme("IT", 11, "0123456789", _italy),
    "be_vat": Scheme("BE", 10, "01", _belgium),
    "pl_vat": Scheme("PL", 10, "123456789", _poland),
    "pt_vat": Scheme("PT", 9, "123456789", _portugal),
    "dk_vat": Scheme("DK", 8, "123456789", _denmark),
    "fi_vat": Scheme("FI", 8, "0123456789", _finland),
    "lu_vat": Scheme("LU", 8, "0123456789", _luxembourg),
    "no_org": Scheme("NO", 9, "89", _norway),
    "au_abn": Scheme("AU", 11, "123456789", _australia),
}


def read_tax_number(kind: TaxNumberKind, written: str) -> tuple[str, TaxNumberProblem]:
    """Return the digits of a tax number (or what stands in their place), and what is wrong with it."""
    scheme = SCHEMES[kind]
    text = "".join(sign for sign in written if sign not in " .-")
    if text[:2].isalpha():
        if text[:2] != scheme.country:
            return text, "wrong_country"
        text = text[2:]
    if not (text.isascii() and text.isdecimal()):
        return text, "not_digits"
    if len(text) != scheme.length:
        return text, "wrong_length"
    if text[0] not in scheme.first_digits:
        return text, "wrong_first_digit"
    digits = [int(sign) for sign in text]
    fits = any(digits) and (scheme.check is None or scheme.check(digits))
    return text, "none" if fits else "wrong_check_digits"
