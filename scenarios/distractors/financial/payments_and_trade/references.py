"""Payment references with check digits."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.financial.payments_and_trade._payment_codes import check_digits_97, grouped
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Scheme = Literal["iso11649", "luhn", "finnish_731", "swiss_qr"]


class PaymentReference(Result):
    """A reference with its check digits; whether a received one is the same is told only if one was given."""

    reference: str
    check_digits: str
    printed_form: str
    received_matches: bool | None


@tool(category=Category.FINANCIAL_DISTRACTOR)
def make_payment_reference(
    bank: Bank,
    base_number: Annotated[str, Meta(pattern="^[A-Za-z0-9]+$", max_length=26)],
    scheme: Scheme,
    group_size: Annotated[int, Meta(ge=0, le=6)] = 0,
    received_reference: Annotated[str, Meta(pattern="^[A-Za-z0-9 ]+$", max_length=50)] | None = None,
) -> PaymentReference:
    """Make the payment reference of an invoice by adding check digits to its number, and compare it with a reference
    that came with a payment.

    Args:
        base_number: Invoice or customer number without check digits.
        scheme: Creditor reference (RF), Luhn digit, Finnish reference, or Swiss QR reference, which is filled with
            zeros to 27 digits.
        group_size: Characters in a group of the printed form, from the left for RF, else from the right; 0 for none.
        received_reference: Reference on the incoming payment; spaces do not matter.
    """
    return add_check_digits(base_number, scheme, group_size, received_reference)


_DIGITS_ALLOWED = {"luhn": (1, 26), "finnish_731": (3, 19), "swiss_qr": (1, 26)}
_RF_LONGEST = 21


def add_check_digits(base: str, scheme: Scheme, group_size: int, received: str | None) -> PaymentReference:
    """Complete a reference; see the tool ``make_payment_reference``."""
    base = base.strip().upper()
    if scheme == "iso11649":
        if len(base) > _RF_LONGEST:
            raise invalid("base_number", f"expected at most {_RF_LONGEST} characters for {scheme}, got {len(base)}")
        check = check_digits_97(f"{base}RF00")
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
        printed_form=grouped(reference, group_size, from_right=scheme != "iso11649"),
        received_matches=None if received is None else "".join(received.split()).upper() == reference,
    )


_SWISS_STEPS = (0, 9, 4, 6, 8, 2, 7, 1, 3, 5)


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
