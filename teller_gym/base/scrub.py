"""Removes secrets from texts of other parties, even if they are escaped, percent-encoded or in base64."""

from __future__ import annotations

import base64
import html
import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

MARK = "***"
"""Replacement for a secret."""

SECRET_FROM = 8
"""Minimum length of a secret. Shorter values, such as EMPTY, are placeholders; removing them could garble an answer."""

_ROUNDS = 64
_PASSES = 8
"""Maximum number of nested encodings that are undone."""

_HEX = r"[0-9a-f]"
_BYTE = r"(?:%(?:25)*|\\+x)"
_REST = rf"{_BYTE}[89ab]{_HEX}"
_BYTES = rf"(?:[cd]{_HEX}{_REST}|e{_HEX}{_REST}{_REST}|f[0-7]{_REST}{_REST}{_REST}|{_HEX}{{2}})"
# The pattern begins with a character class because the engine searches for it much faster than for alternatives.
_ESCAPE = re.compile(
    rf"""[\\%&\r\n](?:
      (?<=\\)\\*(?:
        (?P<pair>(?-i:u)d[89ab]{_HEX}{{2}}\\+(?-i:u)d[c-f]{_HEX}{{2}}) | (?-i:u)(?P<four>{_HEX}{{4}})
        | (?-i:U)(?P<eight>{_HEX}{{8}}) | (?P<escaped>x{_BYTES}) | [rn] | )
      | (?<=%)(?P<percent>(?:25)*{_BYTES})
      | (?<=&)(?:amp;)*(?P<entity>(?:\#\d{{1,7}}|\#x{_HEX}{{1,6}}|[a-z]{{2,8}});)
      | (?<=[\r\n])[\r\n]*[\ \t]*)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A character escaped once or several times as in JSON, Python, URLs and HTML. Also matches text without a character:
the backslash before an escaped one, and the line ends of folded base64."""

_ONE_BYTE = re.compile(rf"{_BYTE}({_HEX}{{2}})", re.IGNORECASE)
_UNIT = re.compile(rf"u({_HEX}{{4}})", re.IGNORECASE)
_FOLD = re.compile(r"[\r\n]+[ \t]*")
_ESCAPES = ("\\", "%", "&")


class Scrubber:
    """Replaces secrets by a mark.

    Args:
        secrets: texts to remove; those shorter than `SECRET_FROM` characters are ignored.
        mark: replaces each secret.
    """

    __slots__ = ("_mark", "_needles", "_pattern", "_shortest")

    def __init__(self, secrets: Iterable[str], mark: str = MARK) -> None:
        found = (spelling for secret in secrets if len(secret) >= SECRET_FROM for spelling in _spellings(secret))
        # Longest first, so that a shorter one that it contains does not break it up.
        self._mark = mark
        self._needles = sorted({one for one in found if len(one) >= SECRET_FROM - 2}, key=lambda one: (-len(one), one))
        self._pattern = re.compile("|".join(map(re.escape, self._needles)))
        self._shortest = min(map(len, self._needles), default=sys.maxsize)

    def body(self, body: bytes) -> bytes:
        """Scrub a server's response: the decoded strings if it is JSON, otherwise the whole text."""
        if not self._needles:
            return body
        text = body.decode(errors="surrogateescape")
        # This also undoes JSON's escapes, so a response without a secret need not be decoded.
        if not self._find(text):
            return body
        try:
            # If a name occurs twice in an object, only the last value is kept.
            return json.dumps(self.value(json.loads(text)), separators=(",", ":")).encode()
        except (ValueError, RecursionError):
            return self.text(text).encode(errors="surrogateescape")

    def value(self, value: Any) -> Any:
        """Scrub every string and key of a JSON value; return the same object if there is nothing to scrub."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            pairs = [(self.value(name), self.value(one)) for name, one in value.items()]
            same = all(a is b and c is d for (a, c), (b, d) in zip(pairs, value.items(), strict=True))
            return value if same else dict(pairs)
        if isinstance(value, list | tuple):
            items = [self.value(item) for item in value]
            same = all(a is b for a, b in zip(items, value, strict=True))
            return value if same else type(value)(items)
        return value

    def text(self, text: str) -> str:
        """Remove the secrets from a text, in any encoding; return the same object if there are none."""
        for _ in range(_ROUNDS):
            if len(text) < self._shortest or not (spans := self._find(text)):
                return text
            parts, end = [], 0
            for start, stop in spans:
                parts += [text[end:start], self._mark]
                end = stop
            text = "".join([*parts, text[end:]])
        return self._mark  # the mark itself contains a secret, or the text nests one in very many encodings

    def _find(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of secrets in a text, at the lowest depth of escapes at which there are any."""
        plain = text
        for depth in range(_PASSES):
            if any(needle in plain for needle in self._needles):
                return _traced(text, depth, [match.span() for match in self._pattern.finditer(plain)])
            before = plain
            if any(one in plain for one in _ESCAPES):
                plain = _ESCAPE.sub(_unescaped, plain)
            elif "\n" in plain or "\r" in plain:
                plain = _FOLD.sub("", plain)
            if plain == before:
                break
        return []


def _spellings(secret: str) -> set[str]:
    """Return the spellings of a secret to search for: itself, with its own escapes undone, and encoded as a whole."""
    # An n or r after a backslash is read as a line end.
    encoded = {secret, secret.replace(" ", "+"), secret.removeprefix("n"), secret.removeprefix("r")}
    raw = secret.encode(errors="surrogateescape")
    encoded |= {raw.hex(), raw.hex().upper()}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        encoded |= _in_base64(raw, encode)
    found = set(encoded)
    for one in encoded:
        for _ in range(_PASSES):
            one = _ESCAPE.sub(_unescaped, one)
            found.add(one)
    return found


def _in_base64(secret: bytes, encode: Callable[[bytes], bytes]) -> set[str]:
    """Return the base64 characters that a secret always produces, for each of its three possible alignments."""
    found = set()
    for before in range(3):
        whole = encode(bytes(before) + secret).decode()
        # Characters that also encode bits of a neighbour are left out.
        first, last = (0, 2, 3)[before], (8 * (before + len(secret))) // 6
        found.add(whole[first:last])
    return found


def _unescaped(match: re.Match[str]) -> str:
    """Return the character that an escape represents, or the empty text if it represents none."""
    kind, text = match.lastgroup, match[0]
    if kind is None:
        return ""
    if kind == "pair":
        high, low = (int(digits, 16) for digits in _UNIT.findall(text))
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if kind == "entity":
        return html.unescape(f"&{match[kind]}")
    if kind in ("percent", "escaped"):
        raw = bytes(int(digits, 16) for digits in _ONE_BYTE.findall(text))
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")
    code = int(match[kind], 16)
    return chr(code) if code < 0x110000 else text


def _traced(text: str, depth: int, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Map spans in a text whose escapes were undone ``depth`` times to spans in the text itself."""
    starts, stops = list(range(len(text))), list(range(1, len(text) + 1))
    plain = text
    for _ in range(depth):
        parts: list[str] = []
        new_starts: list[int] = []
        new_stops: list[int] = []
        end = 0
        for match in _ESCAPE.finditer(plain):
            parts.append(plain[end : match.start()])
            new_starts += starts[end : match.start()]
            new_stops += stops[end : match.start()]
            one = _unescaped(match)
            parts.append(one)
            new_starts += [starts[match.start()]] * len(one)
            new_stops += [stops[match.end() - 1]] * len(one)
            end = match.end()
        parts.append(plain[end:])
        starts, stops = new_starts + starts[end:], new_stops + stops[end:]
        plain = "".join(parts)
    spans: list[tuple[int, int]] = []
    for first, last in found:
        start, stop = starts[first], stops[last - 1]
        # Include the backslashes before an escaped character, which were dropped.
        while start and text[start - 1] == "\\":
            start -= 1
        spans.append((max(start, spans[-1][1]) if spans else start, stop))
    return spans
