"""The work behind the tools beside it: checksums and check digits."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

Algorithm = Literal["crc32", "adler32", "md5", "sha1", "sha256", "sha512"]
Symbology = Literal["ean_13", "ean_8", "upc_a", "gtin_14", "isbn_10", "isbn_13"]
BarcodeTask = Literal["validate", "complete"]
DigestFormat = Literal["hex", "decimal", "base64"]

BARCODE_DIGITS: dict[Symbology, int] = {
    "ean_13": 13,
    "ean_8": 8,
    "upc_a": 12,
    "gtin_14": 14,
    "isbn_10": 10,
    "isbn_13": 13,
}


def read_bytes(content: str, is_hex: bool) -> bytes:
    """Return the bytes of a text, or those written as hexadecimal digits."""
    try:
        return bytes.fromhex(content) if is_hex else content.encode()
    except ValueError:
        raise refuse("content", f"expected pairs of hexadecimal digits, got {quoted(content)}") from None


def digest(data: bytes, algorithm: Algorithm) -> bytes:
    """Return the checksum of some bytes, the most significant byte first."""
    if algorithm in ("crc32", "adler32"):
        return (zlib.crc32(data) if algorithm == "crc32" else zlib.adler32(data)).to_bytes(4, "big")
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()


def write_digest(raw: bytes, form: DigestFormat) -> str:
    """Return a checksum as text."""
    if form == "decimal":
        return str(int.from_bytes(raw, "big"))
    return raw.hex() if form == "hex" else base64.b64encode(raw).decode()


def normal_digest(text: str, form: DigestFormat) -> str:
    """Return a checksum that somebody wrote as :func:`write_digest` writes it."""
    solid = "".join(text.split())
    return solid.lower() if form == "hex" else solid


def barcode_digits(code: str, symbology: Symbology, task: BarcodeTask) -> str:
    """Return the characters of a code without spaces and hyphens.

    Raises:
        ToolError: they cannot be a code of that kind.
    """
    digits = re.sub(r"[^0-9X]", "", code.upper())
    length = BARCODE_DIGITS[symbology] - (task == "complete")
    if len(digits) != length:
        raise refuse("code", f"expected {length} digits to {task} {symbology}, got {len(digits)}")
    if "X" in digits and (symbology != "isbn_10" or task == "complete"):
        raise refuse("code", "expected digits alone, X can only be the check digit of an isbn_10")
    if symbology == "isbn_13" and not digits.startswith(("978", "979")):
        raise refuse("code", f"expected an isbn_13 to begin with 978 or 979, got {digits[:3]}")
    return digits


def check_digit(body: str, symbology: Symbology) -> str:
    """Return the last character of a code without it."""
    if symbology == "isbn_10":
        rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(body)) % 11
        return "X" if rest == 10 else str(rest)
    weighted = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(body)))
    return str(-weighted % 10)
