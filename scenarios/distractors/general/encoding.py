"""Encodings, checksums, identifiers and colour models of the standard library."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import html
import re
import uuid
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final
from urllib.parse import quote, unquote_to_bytes

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact

_ENCODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "base64": base64.b64encode,
    "base64url": base64.urlsafe_b64encode,
    "base32": base64.b32encode,
    "hex": lambda data: data.hex().encode(),
    "url_percent": lambda data: quote(data, safe="").encode(),
    "html": lambda data: html.escape(data.decode()).encode(),
}
_DECODERS: Final[dict[str, Callable[[str], bytes]]] = {
    "base64": lambda text: base64.b64decode(text, validate=True),
    "base64url": lambda text: base64.b64decode(text, altchars=b"-_", validate=True),
    "base32": lambda text: base64.b32decode(text, casefold=True),
    "hex": bytes.fromhex,
    "url_percent": unquote_to_bytes,
    "html": lambda text: html.unescape(text).encode(),
}
_SUMS: Final[dict[str, Callable[[bytes], int]]] = {"crc32": zlib.crc32, "adler32": zlib.adler32}
_NAMESPACES: Final = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}


def size(text: str) -> int:
    """Return how many bytes a text has in UTF-8."""
    return len(text.encode())


def encode(text: str, scheme: str) -> str:
    """Return a text in an encoding."""
    return _ENCODERS[scheme](text.encode()).decode()


def decode(text: str, scheme: str) -> str:
    """Return an encoded text as it was; refuses what is not in the encoding."""
    try:
        if scheme == "url_percent" and re.search("%(?![0-9A-Fa-f]{2})", text):
            raise ValueError(text)
        return _DECODERS[scheme](text).decode()
    except ValueError:
        raise invalid("text", f"expected UTF-8 text in {scheme}, got {text[:60]!r}") from None


def checksum(content: str, content_format: str, algorithm: str, output_format: str) -> dict[str, Any]:
    """Return a checksum as text, its bits, and how many bytes it is of."""
    try:
        data = bytes.fromhex(content) if content_format == "hex" else content.encode()
    except ValueError:
        raise invalid("content", f"expected pairs of hexadecimal digits, got {content[:60]!r}") from None
    if algorithm in _SUMS:
        raw = _SUMS[algorithm](data).to_bytes(4, "big")
    else:
        raw = hashlib.new(algorithm, data, usedforsecurity=False).digest()
    written = {"hex": raw.hex(), "decimal": str(int.from_bytes(raw, "big")), "base64": base64.b64encode(raw).decode()}
    return {"text": written[output_format], "bits": 8 * len(raw), "bytes": len(data)}


def name_id(namespace: str, name: str, version: int) -> str:
    """Return the UUID of a name."""
    make = uuid.uuid3 if version == 3 else uuid.uuid5
    return str(make(_NAMESPACES[namespace], name))


def to_rgb(model: str, parts: list[Any]) -> list[Fraction]:
    """Return red, green and blue of a colour; all parts go from 0 to 1."""
    values = tuple(map(float, parts))
    if model == "cmyk":
        values = tuple((1 - ink) * (1 - values[3]) for ink in values[:3])
    elif model == "hsl":
        values = colorsys.hls_to_rgb(values[0] % 1, values[2], values[1])
    elif model == "hsv":
        values = colorsys.hsv_to_rgb(values[0] % 1, values[1], values[2])
    return [exact(value) for value in values]


def from_rgb(model: str, rgb: list[Any]) -> list[Fraction]:
    """Return the parts of a colour in a model, from 0 to 1; black has no other ink, a grey has hue 0."""
    values = tuple(map(float, rgb))
    if model == "cmyk":
        light = max(values)
        values = (*((light - part) / light if light else 0.0 for part in values), 1 - light)
    elif model == "hsl":
        hue, lightness, saturation = colorsys.rgb_to_hls(*values)
        values = (hue, saturation, lightness)
    elif model == "hsv":
        values = colorsys.rgb_to_hsv(*values)
    return [exact(min(1.0, max(0.0, value))) for value in values]
