"""Codes of payments: IBAN, routing number, BIC and references with check digits; results and arithmetic, no tools."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.tools.tool import Result

IbanFinding = Literal["ok", "wrong_length", "wrong_structure", "wrong_check_digits", "other_country"]
IssuerKind = Literal["government", "primary", "thrift", "electronic", "travelers_checks", "unassigned"]
Scheme = Literal["iso11649", "luhn", "finnish_731", "swiss_qr"]

_CHARACTERS = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}
_ROUTING_WEIGHTS = (3, 7, 1, 3, 7, 1, 3, 7)
_SWISS_STEPS = (0, 9, 4, 6, 8, 2, 7, 1, 3, 5)
_DIGITS_ALLOWED = {"luhn": (1, 26), "finnish_731": (3, 19), "swiss_qr": (1, 26)}
_RF_LONGEST = 21


@cache
def tables() -> dict[str, Any]:
    """Return the tables of payments and trade: IBAN structures, countries, reserve banks, Incoterms, house tariff."""
    folder = resources.files("teller_gym.scenarios.distractors.financial")
    data: dict[str, Any] = msgspec.yaml.decode(folder.joinpath("payments_and_trade.yaml").read_bytes())
    return data


def _check_digits_97(text: str) -> str:
    """Return the two check digits of ISO 7064 MOD 97-10 for a text that ends with ``00`` in their place."""
    number = int("".join(str(int(character, 36)) for character in text))
    return f"{98 - number % 97:02d}"


def _grouped(text: str, size: int, *, from_right: bool = False) -> str:
    if size == 0:
        return text
    first = len(text) % size if from_right else 0
    head = [text[:first]] if first else []
    return " ".join(head + [text[at : at + size] for at in range(first, len(text), size)])


class IbanCheck(Result):
    """What is wrong with an IBAN, if anything; the digits it should have, and the form in which it is printed."""

    finding: IbanFinding
    country_code: str
    expected_length: int
    right_check_digits: str | None
    printed_form: str | None


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
        right = _check_digits_97(account + country + "00")
        if digits != right:
            finding = "wrong_check_digits"
        elif expected_country not in (None, country):
            finding = "other_country"
    printed = _grouped(text, 4) if finding in ("ok", "other_country") else None
    return IbanCheck(
        finding=finding, country_code=country, expected_length=length, right_check_digits=right, printed_form=printed
    )


class RoutingNumberCheck(Result):
    """Whether the number can exist, its right last digit, and what its first two digits tell."""

    finding: Literal["ok", "wrong_check_digit", "unassigned_prefix"]
    right_check_digit: int
    issuer_kind: IssuerKind
    reserve_bank: str | None


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


class PaymentReference(Result):
    """A reference with its check digits; whether a received one is the same is told only if one was given."""

    reference: str
    check_digits: str
    printed_form: str
    received_matches: bool | None


def add_check_digits(base: str, scheme: Scheme, group_size: int, received: str | None) -> PaymentReference:
    """Complete a reference; see the tool ``make_payment_reference``."""
    base = base.strip().upper()
    if scheme == "iso11649":
        if len(base) > _RF_LONGEST:
            raise invalid("base_number", f"expected at most {_RF_LONGEST} characters for {scheme}, got {len(base)}")
        check = _check_digits_97(f"{base}RF00")
        reference = f"RF{check}{base}"
    else:
        fewest, most = _DIGITS_ALLOWED[scheme]
        if not base.isdigit() or not fewest <= len(base) <= most:
            raise invalid("base_number", f"expected {fewest} to {most} digits for {scheme}, got {base}")
        base = base.zfill(most) if scheme == "swiss_qr" else base
        check = str(_check_digit(base, scheme))
        reference = base + check
    return PaymentReference(
        reference=reference,
        check_digits=check,
        printed_form=_grouped(reference, group_size, from_right=scheme != "iso11649"),
        received_matches=None if received is None else "".join(received.split()).upper() == reference,
    )


def _check_digit(base: str, scheme: Scheme) -> int:
    digits = [int(character) for character in base]
    if scheme == "swiss_qr":
        carry = 0
        for digit in digits:
            carry = _SWISS_STEPS[(carry + digit) % 10]
        return -carry % 10
    backwards = digits[::-1]
    if scheme == "finnish_731":
        return -sum((7, 3, 1)[at % 3] * digit for at, digit in enumerate(backwards)) % 10
    return -sum(sum(divmod(digit * (2 - at % 2), 10)) for at, digit in enumerate(backwards)) % 10
