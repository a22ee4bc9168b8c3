"""Secrets, and the encodings in which a server may repeat them."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable
from functools import partial

from hypothesis import strategies as st


def _escaped(text: str) -> str:
    """Escape every character as JSON allows."""
    return "".join(f"\\u{ord(one):04x}" if ord(one) < 0x10000 else json.dumps(one)[1:-1] for one in text)


def _per_cent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _in_base64(text: str, before: str, url: bool = False) -> str:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    return encode((before + text).encode()).decode()


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON, slashes escaped": lambda text: json.dumps(text, ensure_ascii=False)[1:-1].replace("/", "\\/"),
    "JSON, all escaped": _escaped,
    "JSON, all escaped, capitals": lambda text: _escaped(text).upper().replace("\\U", "\\u"),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text))[1:-1],
    "per cent": lambda text: urllib.parse.quote(text, safe=""),
    "per cent, all": _per_cent,
    "per cent, twice": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=""), safe=""),
    "form": urllib.parse.quote_plus,
    "HTML": html.escape,
    "HTML, all": lambda text: "".join(f"&#x{ord(one):x};" for one in text),
    "repr": repr,
    "ascii": ascii,
    "bytes": lambda text: repr(text.encode()),
    "hex": lambda text: text.encode().hex(),
    "base64": partial(_in_base64, before=""),
    "base64 of the header": partial(_in_base64, before="Bearer "),
    "base64, shifted": partial(_in_base64, before="xy"),
    "base64 for URLs": partial(_in_base64, before="Authorization: Bearer ", url=True),
    "base64, escaped slashes": lambda text: _in_base64(text, "Bearer ").replace("/", "\\/"),
    "base64, folded": lambda text: base64.encodebytes(f"Bearer {text * 3}".encode()).decode(),
}


@st.composite
def texts_to_hide(draw: st.DrawFn, ascii_only: bool = False) -> str:
    """Draw a secret of printable characters, including quotes, slashes and backslashes."""
    odd = "\"'/\\%&;+=<> #:_-" + ("" if ascii_only else "éß漢😀")
    alphabet = st.one_of(st.sampled_from(odd), st.characters(min_codepoint=48, max_codepoint=122))
    middle = draw(st.text(alphabet, min_size=10, max_size=60))
    # The fixed ends distinguish the secret from the surrounding text.
    return f"sk-{middle}Z9"
