"""The work behind the tools beside it: texts in other encodings, ids made of names, and bit flags."""

from __future__ import annotations

import base64
import html
import re
import uuid
from collections.abc import Callable
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

Scheme = Literal["base64", "base64url", "base32", "hex", "url_percent", "html"]
Namespace = Literal["dns", "url", "oid", "x500"]
NAMESPACES: dict[Namespace, uuid.UUID] = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}


def encode_text(text: str, scheme: Scheme) -> str:
    """Return a text in a scheme; its bytes are those of UTF-8."""
    data = text.encode()
    makers: dict[Scheme, Callable[[], str]] = {
        "base64": lambda: base64.b64encode(data).decode(),
        "base64url": lambda: base64.urlsafe_b64encode(data).decode(),
        "base32": lambda: base64.b32encode(data).decode(),
        "hex": data.hex,
        "url_percent": lambda: quote(text, safe=""),
        "html": lambda: html.escape(text),
    }
    return makers[scheme]()


def decode_text(text: str, scheme: Scheme) -> str:
    """Return the text that was encoded; refuse what is not in the scheme, or whose bytes are not UTF-8."""
    if scheme == "html":
        return html.unescape(text)
    readers: dict[Scheme, Callable[[], bytes]] = {
        "url_percent": lambda: unquote_to_bytes(text),
        "hex": lambda: bytes.fromhex(text),
        "base32": lambda: base64.b32decode(text, casefold=True),
        "base64": lambda: base64.b64decode(text, validate=True),
        "base64url": lambda: base64.b64decode(text, altchars=b"-_", validate=True),
    }
    try:
        if scheme == "url_percent" and re.search(r"%(?![0-9A-Fa-f]{2})", text):
            raise ValueError("a % without two hexadecimal digits")
        return readers[scheme]().decode()
    except ValueError:
        raise refuse("text", f"expected UTF-8 text in {scheme}, got {quoted(text)}") from None


def flag_mask(names: list[str], chosen: set[str], operation: str) -> int:
    """Return the bits of the chosen names, the first name being the lowest bit."""
    if len(set(names)) < len(names):
        raise refuse("flag_names", f"expected every name once, got {len(names) - len(set(names))} repeated")
    if strange := sorted(chosen.difference(names)):
        raise refuse("flags", f"expected names out of flag_names, got {strange[0]!r}")
    if bool(chosen) == (operation == "read"):
        wanted, got = ("none", len(chosen)) if chosen else ("at least one", 0)
        raise refuse("flags", f"expected {wanted} to {operation}, got {got}")
    return sum(1 << bit for bit, name in enumerate(names) if name in chosen)
