"""Checksums and check digits."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general.encoding import _check_codes as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class Checksum(Result):
    """The checksum; ``matches`` is null if there was nothing to compare with."""

    checksum: str
    bits: int
    bytes_read: int
    matches: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def compute_checksum(
    bank: Bank,
    content: Annotated[str, Meta(max_length=1500)],
    algorithm: work.Algorithm,
    content_format: Literal["text", "hex"] = "text",
    output_format: work.DigestFormat = "hex",
    group_digits: Annotated[int, Meta(ge=0, le=16)] = 0,
    expected: Annotated[str, Meta(min_length=1, max_length=200)] | None = None,
) -> Checksum:
    """Compute a CRC-32, Adler-32, MD5 or SHA checksum of a text or of bytes, and compare it with an expected one.

    Args:
        content: What is checked; text is read as UTF-8.
        algorithm: The checksum.
        content_format: Whether the content is text, or bytes written as hexadecimal digits.
        output_format: How the checksum is written.
        group_digits: Put a space after every so many digits; 0 for none.
        expected: A checksum in the output format; spaces, and capitals in hexadecimal, make no difference.
    """
    data = work.read_bytes(content, content_format == "hex")
    raw = work.digest(data, algorithm)
    plain = work.write_digest(raw, output_format)
    given = None if expected is None else work.normal_digest(expected, output_format)
    return Checksum(
        checksum=" ".join(re.findall(f".{{1,{group_digits}}}", plain)) if group_digits else plain,
        bits=8 * len(raw),
        bytes_read=len(data),
        matches=None if given is None else given == plain,
    )


class BarcodeCheck(Result):
    """The code in full with its right check digit, and whether the digits that were given are a valid code."""

    full_code: str
    check_digit: str
    valid: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def check_barcode_digits(
    bank: Bank,
    code: Annotated[str, Meta(pattern="^[0-9][0-9 -]{5,17}[0-9Xx]$")],
    symbology: work.Symbology,
    task: work.BarcodeTask,
) -> BarcodeCheck:
    """Check the last digit of a product barcode or ISBN, or work out the digit that is still missing.

    Args:
        code: The digits under the bars; spaces and hyphens are skipped.
        symbology: The kind of code.
        task: Whether the code is given with its check digit or without.
    """
    digits = work.barcode_digits(code, symbology, task)
    body = digits if task == "complete" else digits[:-1]
    right = work.check_digit(body, symbology)
    return BarcodeCheck(full_code=body + right, check_digit=right, valid=task == "complete" or digits[-1] == right)
