"""Codes of banks and accounts: IBAN, routing number, BIC."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.financial.payments_and_trade._payment_codes import (
    check_digits_97,
    grouped,
    tables,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

CountryCode = Annotated[str, Meta(pattern="^[A-Z]{2}$", max_length=2)]
IbanFinding = Literal["ok", "wrong_length", "wrong_structure", "wrong_check_digits", "other_country"]


class IbanCheck(Result):
    """What is wrong with an IBAN, if anything; the digits it should have, and the form in which it is printed."""

    finding: IbanFinding
    country_code: str
    expected_length: int
    right_check_digits: str | None
    printed_form: str | None


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_iban(
    bank: Bank,
    iban: Annotated[str, Meta(pattern="^[A-Za-z0-9 ]+$", min_length=5, max_length=42)],
    expected_country: CountryCode | None = None,
) -> IbanCheck:
    """Check length, structure and check digits of a European IBAN from a foreign payment form, and print it in groups
    of four. It cannot tell whether the account exists.

    Args:
        iban: The IBAN; spaces and small letters do not matter.
        expected_country: Country the payment should go to, as a code of two letters.
    """
    return check_iban_text(iban, expected_country)


_CHARACTERS = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}


def check_iban_text(iban: str, expected_country: str | None) -> IbanCheck:
    """Check an IBAN; see the tool ``check_iban``."""
    text = "".join(iban.split()).upper()
    country, digits, account = text[:2], text[2:4], text[4:]
    structure: str | None = tables()["iban"].get(country)
    if structure is None:
        listed = ", ".join(tables()["iban"])
        raise invalid("iban", f"expected one that begins with a country of the list ({listed}), got {country}")
    runs = re.findall("([0-9]+)([nac])", structure)
    length = 4 + sum(int(count) for count, _ in runs)
    pattern = "[0-9]{2}" + "".join(f"{_CHARACTERS[kind]}{{{count}}}" for count, kind in runs)
    right: str | None = None
    finding: IbanFinding = "ok"
    if len(text) != length:
        finding = "wrong_length"
    elif re.fullmatch(pattern, digits + account) is None:
        finding = "wrong_structure"
    else:
        right = check_digits_97(account + country + "00")
        if digits != right:
            finding = "wrong_check_digits"
        elif expected_country not in (None, country):
            finding = "other_country"
    printed = grouped(text, 4) if finding in ("ok", "other_country") else None
    return IbanCheck(
        finding=finding, country_code=country, expected_length=length, right_check_digits=right, printed_form=printed
    )


IssuerKind = Literal["government", "primary", "thrift", "electronic", "travelers_checks", "unassigned"]


class RoutingNumberCheck(Result):
    """Whether the number can exist, its right last digit, and what its first two digits tell."""

    finding: Literal["ok", "wrong_check_digit", "unassigned_prefix"]
    right_check_digit: int
    issuer_kind: IssuerKind
    reserve_bank: str | None


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_routing_number(
    bank: Bank, routing_number: Annotated[str, Meta(pattern="^[0-9]{9}$", max_length=9)]
) -> RoutingNumberCheck:
    """Check the last digit of a US bank routing number (ABA number), and read from its first two digits what kind of
    institution and which Federal Reserve district it belongs to.

    Args:
        routing_number: The nine digits.
    """
    return check_routing_digits(routing_number)


_ROUTING_WEIGHTS = (3, 7, 1, 3, 7, 1, 3, 7)


def check_routing_digits(routing_number: str) -> RoutingNumberCheck:
    """Check a routing number; see the tool ``check_routing_number``."""
    digits = [int(character) for character in routing_number]
    right = -sum(weight * digit for weight, digit in zip(_ROUTING_WEIGHTS, digits[:8], strict=True)) % 10
    prefix = 10 * digits[0] + digits[1]
    kind: IssuerKind = "unassigned"
    if prefix == 0:
        kind = "government"
    elif prefix == 80:
        kind = "travelers_checks"
    elif 1 <= prefix % 20 <= 12 and prefix < 33:
        kind = "primary" if prefix <= 12 else "thrift"
    elif 61 <= prefix <= 72:
        kind = "electronic"
    district = prefix % 20 if kind in ("primary", "thrift", "electronic") else None
    return RoutingNumberCheck(
        finding="unassigned_prefix" if kind == "unassigned" else "ok" if right == digits[8] else "wrong_check_digit",
        right_check_digit=right,
        issuer_kind=kind,
        reserve_bank=tables()["reserve_banks"][district - 1] if district else None,
    )


class BicParts(Result):
    """The parts of a BIC; one of eight characters means the head office, branch ``XXX``."""

    bank_code: str
    country_code: str
    location_code: str
    branch_code: str
    head_office: bool
    test_code: bool
    country_as_expected: bool | None


@tool(category=Category.FINANCIAL_DISTRACTOR)
def parse_bic(
    bank: Bank,
    bic: Annotated[str, Meta(pattern="^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$", min_length=8, max_length=11)],
    expected_country: CountryCode | None = None,
) -> BicParts:
    """Take a BIC (SWIFT code) apart into bank, country, location and branch. It cannot tell whether it is in use.

    Args:
        bic: The code, 8 or 11 characters.
        expected_country: Country the bank should be in, as a code of two letters.
    """
    return split_bic(bic, expected_country)


def split_bic(bic: str, expected_country: str | None) -> BicParts:
    """Take a BIC apart; see the tool ``parse_bic``."""
    text = bic.strip().upper()
    country, branch = text[4:6], text[8:] or "XXX"
    if country not in tables()["countries"].split():
        raise invalid("bic", f"expected an ISO country code in fifth and sixth place, got {country}")
    return BicParts(
        bank_code=text[:4],
        country_code=country,
        location_code=text[6:8],
        branch_code=branch,
        head_office=branch == "XXX",
        test_code=text[7] == "0",
        country_as_expected=None if expected_country is None else country == expected_country,
    )
