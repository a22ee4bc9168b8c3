"""Generates the services' ids from the office's seed, the kind of record and its number."""

from __future__ import annotations

import hashlib
import string

_LETTERS = string.ascii_letters + string.digits


def digest(seed: int, kind: str, number: int | str) -> bytes:
    """Return 32 bytes that look random but depend only on the arguments."""
    return hashlib.blake2b(f"{seed}|{kind}|{number}".encode(), digest_size=32).digest()


def hex_id(seed: int, kind: str, number: int | str, length: int = 17) -> str:
    """Return an id of hexadecimal digits in lower case.

    EspoCRM's ids have 17.
    """
    return digest(seed, kind, number).hex()[:length]


def word_id(seed: int, kind: str, number: int | str, length: int = 17) -> str:
    """Return an id of letters and digits.

    Rocket.Chat's ids have 17.
    """
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest(seed, kind, number)[:length])


def uuid_id(seed: int, kind: str, number: int | str) -> str:
    """Return an id in the format of a version 4 UUID, as used by Plane."""
    raw = bytearray(digest(seed, kind, number)[:16])
    raw[6], raw[8] = raw[6] & 0x0F | 0x40, raw[8] & 0x3F | 0x80
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
