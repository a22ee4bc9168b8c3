"""Text encodings, checksums, UUIDs and colours of the catalogue."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import html
import re
import uuid
import zlib
from fractions import Fraction
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from teller_gym.base.money import exact

_NAMESPACES = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}


def utf8_length(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text.encode())


def encoded(text: str, scheme: str) -> str:
    """Encode a text's UTF-8 bytes in a scheme."""
    if scheme in ("html", "url_percent"):
        return html.escape(text) if scheme == "html" else quote(text, safe="")
    data = text.encode()
    encoders = {"base64": base64.b64encode, "base64url": base64.urlsafe_b64encode, "base32": base64.b32encode}
    return encoders[scheme](data).decode() if scheme in encoders else data.hex()


def decoded(text: str, scheme: str) -> str | None:
    """Decode a text from a scheme, or return None if it is malformed or its bytes are not UTF-8."""
    if scheme == "html":
        return html.unescape(text)
    if scheme == "url_percent" and re.search(r"%(?![0-9A-Fa-f]{2})", text):
        return None
    try:
        if scheme == "url_percent":
            return unquote_to_bytes(text).decode()
        if scheme == "base32":
            return base64.b32decode(text, casefold=True).decode()
        if scheme == "hex":
            return bytes.fromhex(text).decode()
        altchars = b"-_" if scheme == "base64url" else None
        return base64.b64decode(text, altchars=altchars, validate=True).decode()
    except ValueError:
        return None


def checksum(content: str, algorithm: str, content_format: str, output_format: str) -> dict[str, Any] | None:
    """Compute a checksum; return its text, its bits and the bytes read, or None for malformed hexadecimal input."""
    try:
        data = bytes.fromhex(content) if content_format == "hex" else content.encode()
    except ValueError:
        return None
    if algorithm in ("crc32", "adler32"):
        raw = (zlib.crc32(data) if algorithm == "crc32" else zlib.adler32(data)).to_bytes(4, "big")
    else:
        raw = hashlib.new(algorithm, data, usedforsecurity=False).digest()
    forms = {"hex": raw.hex(), "decimal": str(int.from_bytes(raw, "big")), "base64": base64.b64encode(raw).decode()}
    return {"text": forms[output_format], "bits": 8 * len(raw), "bytes": len(data)}


def name_uuid(namespace: str, name: str, version: int) -> str:
    """Compute the UUID of a name in a namespace, version 3 or 5."""
    return str((uuid.uuid3 if version == 3 else uuid.uuid5)(_NAMESPACES[namespace], name))


def color_to_rgb(model: str, values: list[Any], limits: list[int]) -> list[Fraction]:
    """Convert a colour from a model to red, green and blue from 0 to 1."""
    parts = [float(value) / limit for value, limit in zip(values, limits, strict=False)]
    if model == "cmyk":
        rgb: tuple[float, ...] = tuple((1 - ink) * (1 - parts[3]) for ink in parts[:3])
    elif model == "hsl":
        rgb = colorsys.hls_to_rgb(parts[0] % 1, parts[2], parts[1])
    else:
        rgb = colorsys.hsv_to_rgb(parts[0] % 1, parts[1], parts[2]) if model == "hsv" else tuple(parts)
    return [exact(part) for part in rgb]


def color_from_rgb(model: str, rgb: list[Fraction], limits: list[int]) -> list[Fraction]:
    """Convert a colour from RGB to a model; black has no other ink, and grey has hue 0."""
    red, green, blue = map(float, rgb)
    if model == "cmyk":
        light = max(red, green, blue)
        parts = [(light - part) / light if light else 0.0 for part in (red, green, blue)] + [1 - light]
    elif model == "hsl":
        hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
        parts = [hue, saturation, lightness]
    else:
        parts = list(colorsys.rgb_to_hsv(red, green, blue) if model == "hsv" else (red, green, blue))
    return [exact(min(1.0, max(0.0, part)) * limit) for part, limit in zip(parts, limits, strict=True)]
