"""Spoils correct answers as a broken or malicious server would; scripts describe the faults as data."""

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import msgspec
from aiohttp import web

Kind = Literal["answer", "value", "remove", "cut", "garbled", "hang_up", "drip", "raw", "packed", "hang"]

KEY_MARK = "@KEY@"
"""Placeholder for the request's key in responses."""

_ESCAPED: dict[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "slashes": lambda key: key.replace("/", "\\/"),
    "codes": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "capitals": lambda key: "".join(f"\\u{ord(one):04X}" if place % 2 else one for place, one in enumerate(key)),
}


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A fault; all other parts of the correct answer are unchanged."""

    kind: Kind = "answer"
    """`answer`: the correct answer or `body`; `value`, `remove`: changes the value at `path`; `cut`: the first `share`,
    correctly framed; `garbled`: a changed byte at `share`; `hang_up`: closes the connection at `share`; `drip`: pieces
    over `seconds`; `raw`: `body` instead of HTTP; `packed`: encoded by `packing`; `hang`: no answer."""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    """Replaces the correct body."""
    path: tuple[str | int, ...] = ()
    value: str = "null"
    """JSON, which may be malformed."""
    share: float = 0.5
    seconds: float = 0.0
    packing: Literal["gzip", "deflate", "lie", "bomb", "unknown"] = "gzip"
    padding: int = 0
    """Blanks before the body."""
    key: Literal["plain", "slashes", "codes", "capitals"] = "plain"
    """Encoding in which the key is written."""


async def misbehave(wrong: Wrong, request: web.Request, good: bytes) -> web.StreamResponse:
    """Answer a request; good: the body that a good server sends."""
    body = _filled(wrong, request, good)
    headers = {"Content-Type": "application/json", **dict(wrong.headers)}
    if wrong.kind == "hang":
        await asyncio.Event().wait()
    if wrong.kind == "raw":
        if request.transport is not None:
            request.transport.write(body)
            request.transport.close()
        return web.Response()
    if wrong.kind in ("hang_up", "drip"):
        return await _in_pieces(wrong, request, body, headers)
    if wrong.kind == "packed":
        body, encoding = _packed(wrong, body)
        headers["Content-Encoding"] = encoding
    return web.Response(status=wrong.status, headers=headers, body=body)


def _filled(wrong: Wrong, request: web.Request, good: bytes) -> bytes:
    body = good if wrong.body is None else wrong.body.encode("utf-8", "surrogatepass")
    if wrong.kind in ("value", "remove"):
        body = _changed(wrong, body)
    at = min(int(len(body) * wrong.share), len(body) - 1)
    if wrong.kind == "cut":
        body = body[:at]
    if wrong.kind == "garbled" and body:
        body = body[:at] + bytes([body[at] ^ 0x81]) + body[at + 1 :]
    key = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return b" " * wrong.padding + body.replace(KEY_MARK.encode(), _ESCAPED[wrong.key](key).encode())


def _changed(wrong: Wrong, body: bytes) -> bytes:
    """Set or remove the value at a path, if the path exists."""
    if not wrong.path:
        return wrong.value.encode()
    answer: Any = msgspec.json.decode(body)
    inner = answer
    *way, last = wrong.path
    try:
        for step in way:
            inner = inner[step]
        if wrong.kind == "remove":
            del inner[last]
        else:
            inner[last] = msgspec.Raw(wrong.value.encode())
    except (LookupError, TypeError):
        return body
    return msgspec.json.encode(answer)


async def _in_pieces(wrong: Wrong, request: web.Request, body: bytes, headers: dict[str, str]) -> web.StreamResponse:
    response = web.StreamResponse(status=wrong.status, headers=headers | {"Content-Length": str(len(body))})
    await response.prepare(request)
    if wrong.kind == "hang_up":
        await response.write(body[: int(len(body) * wrong.share)])
        if request.transport is not None:
            request.transport.abort()
        return response
    pieces = [piece for piece in re.split(rb"(?<=,)", body) if piece]
    for piece in pieces:
        await response.write(piece)
        await asyncio.sleep(wrong.seconds / len(pieces))
    return response


def _packed(wrong: Wrong, body: bytes) -> tuple[bytes, str]:
    """Return the encoded body, and the value of its header."""
    if wrong.packing == "gzip":
        return gzip.compress(body, mtime=0), "gzip"
    if wrong.packing == "deflate":
        return zlib.compress(body), "deflate"
    if wrong.packing == "bomb":
        return _bomb(), "gzip"
    return body, "gzip" if wrong.packing == "lie" else "teller"


@cache
def _bomb() -> bytes:
    return gzip.compress(bytes(BOMB), compresslevel=1, mtime=0)


BOMB = 128 * 2**20
"""Bytes that a bomb unpacks to."""
